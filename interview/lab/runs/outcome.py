"""How a run ended and the sentence that says why; pure, from what the child told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..models.status import Status
from ..results.levels import levels_of, name_of, repetitions_of
from .asked_load import load_title
from .spec import Spec


class Ending(Enum):
    """Who ended the measurement."""

    ITSELF = "itself"
    STOP = "stop"
    STOP_BY_OTHER = "stop by other"
    """By somebody who may interview, who needed the endpoint."""
    CAP = "cap"
    WORKER = "worker"
    """The lab worker itself was asked to end."""


SENTENCES = {
    Ending.STOP: "Stopped before its end; what had arrived is kept.",
    Ending.STOP_BY_OTHER: (
        "Stopped by somebody who may interview before its end; what had arrived is "
        "kept."
    ),
    Ending.CAP: "Stopped at this lab's time limit; what had arrived is kept.",
    Ending.WORKER: (
        "The lab worker was stopped during this run; what had arrived is kept."
    ),
}
STATUSES = {
    Ending.STOP: Status.CANCELLED,
    Ending.STOP_BY_OTHER: Status.CANCELLED,
    Ending.CAP: Status.INCOMPLETE,
    Ending.WORKER: Status.INTERRUPTED,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    status: Status
    error: str
    """A sentence; "" when all went well."""


FROM_OUTSIDE = Outcome(
    Status.INTERRUPTED,
    "The measuring process was stopped from outside; what had arrived is kept.",
)


def of_ending(ending: Ending) -> Outcome:
    return Outcome(STATUSES[ending], SENTENCES[ending])


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
        return FROM_OUTSIDE
    return of_ending(ending)


def load_outcome(
    ending: Ending,
    report: Mapping[str, Any] | None,
    fault: str,
    exit_status: int,
    asked: Spec,
) -> Outcome:
    """As `outcome`, of a load: a failed request is data, a failed level is not."""
    if report is None:
        return without_report(ending, fault, exit_status)
    repetitions = repetitions_of(report)
    requests = [r for repetition in repetitions for r in repetition["requests"]]
    ended = [r for r in requests if r["status"] != Status.CANCELLED]
    if len(ended) < asked.total_requests:
        return cut_short(ending, repetitions)
    if not any(r["status"] == Status.COMPLETED for r in ended):
        return Outcome(*verdict(requests))
    return of_levels(levels_of(report))


def of_levels(levels: Sequence[Mapping[str, Any]]) -> Outcome:
    """Of a load that ran to its end: each level must have completed something."""
    empty = [name_of(one) for one in levels if not one["summary"].get("completed")]
    if not empty:
        return Outcome(Status.COMPLETED, "")
    if len(empty) == len(levels):
        return Outcome(Status.FAILED, "No request was completed.")
    return Outcome(
        Status.INCOMPLETE,
        f"No request was completed {' and '.join(place(name) for name in empty)}; "
        "what the other loads measured is kept.",
    )


def place(name: str) -> str:
    return f"with {load_title(name, int(name))}" if name.isdigit() else f"in “{name}”"


def cut_short(ending: Ending, repetitions: Sequence[Mapping[str, Any]]) -> Outcome:
    """A load that has not all its requests."""
    notes = [note for r in repetitions for note in r["summary"].get("notes") or ()]
    if ending is Ending.ITSELF and "time-limit" in notes:
        ending = Ending.CAP
    return FROM_OUTSIDE if ending is Ending.ITSELF else of_ending(ending)


def without_report(ending: Ending, fault: str, exit_status: int) -> Outcome:
    if fault:
        return Outcome(Status.FAILED, fault)
    if ending is not Ending.ITSELF:
        return of_ending(ending)
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
