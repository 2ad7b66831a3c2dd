"""How a run ended and the sentence that says why; pure, from what the child told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .models import Status


class Ending(Enum):
    """Who ended the measurement."""

    ITSELF = "itself"
    STOP = "stop"
    CAP = "cap"
    WORKER = "worker"
    """The lab worker itself was asked to end."""


SENTENCES = {
    Ending.STOP: "Stopped before its end; what had arrived is kept.",
    Ending.CAP: "Stopped at this lab's time limit; what had arrived is kept.",
    Ending.WORKER: (
        "The lab worker was stopped during this run; what had arrived is kept."
    ),
}
STATUSES = {
    Ending.STOP: Status.CANCELLED,
    Ending.CAP: Status.INCOMPLETE,
    Ending.WORKER: Status.INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    status: Status
    error: str
    """A sentence; "" when all went well."""


def outcome(
    ending: Ending, report: Mapping[str, Any] | None, fault: str, exit_status: int
) -> Outcome:
    """`fault` is the text of the child's `error` event, "" without one."""
    if report is None:
        return without_report(ending, fault, exit_status)
    requests = report.get("requests") or []
    if "time-limit" in ((report.get("summary") or {}).get("notes") or []):
        ending = Ending.CAP
    status, error = verdict(requests)
    if status != Status.CANCELLED:
        return Outcome(status, error)
    if ending is Ending.ITSELF:
        return Outcome(
            Status.INTERRUPTED,
            "The measuring process was stopped from outside; what had arrived is kept.",
        )
    return Outcome(STATUSES[ending], SENTENCES[ending])


def without_report(ending: Ending, fault: str, exit_status: int) -> Outcome:
    if fault:
        return Outcome(Status.FAILED, fault)
    if ending is not Ending.ITSELF:
        return Outcome(STATUSES[ending], SENTENCES[ending])
    if exit_status < 0:
        return Outcome(
            Status.INTERRUPTED,
            f"The measuring process was killed (signal {-exit_status}); "
            "what had arrived is kept.",
        )
    return Outcome(
        Status.FAILED,
        f"The measuring process ended without a report (exit status {exit_status}); "
        "the worker's log says more.",
    )


def verdict(requests: Sequence[Mapping[str, Any]]) -> tuple[Status, str]:
    """A load is completed when each of its requests is; else the first that is not."""
    odd = next((r for r in requests if r["status"] != Status.COMPLETED), None)
    if odd is not None:
        return Status(odd["status"]), odd.get("error") or ""
    return (Status.COMPLETED, "") if requests else (Status.CANCELLED, "")
