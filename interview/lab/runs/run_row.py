"""One run as a line of a list: what it was, and its main figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .. import content
from ..files.origin import OURS, imported_from, over_chat, tool_of
from ..models import Kind, Room, Run, Status
from .gathering import most_words

Figure = float | None

SHOWN = ("ttft_ms", "tpot_ms", "output_tokens_per_s")
NOT_WHOLE = "of a request that did not complete"


@dataclass(frozen=True, slots=True)
class RunRow:
    experiment: str
    """Its title; "" without one."""
    load: str
    """"1, 4, 16, 64 users, 3 times"."""
    of: str
    """What these figures are of: the load where there are others, a request that was
    cut; "" when that is plain."""
    ttft_ms: Figure
    tpot_ms: Figure
    output_tokens_per_s: Figure
    imported: str
    """Where an imported run came from; "" of others."""
    is_ours: bool
    """Measured by this lab, be it imported or not."""
    over_chat: bool
    """Measured by vLLM's benchmark through its chat backend."""
    room: Room | None
    """In which it was run."""


def run_row(run: Run) -> RunRow:
    """Figures of the largest load that was measured; of an older single run from its
    report."""
    asked, figures = run.asked, run.figures or {}
    name = largest_measured(asked.load_names, figures)
    values = figures[name]["values"] if name else {}

    def figure(metric: str) -> Figure:
        return values[metric][0] if metric in values else getattr(run, metric, None)

    shown = content.experiment(asked.experiment or "")
    return RunRow(
        experiment=shown.title if shown else "",
        load=load_words(run),
        of=of_words(run, name, has_any=any(figure(m) is not None for m in SHOWN)),
        ttft_ms=figure("ttft_ms"),
        tpot_ms=figure("tpot_ms"),
        output_tokens_per_s=figure("output_tokens_per_s"),
        imported=imported_from(run),
        is_ours=tool_of(run) == OURS,
        over_chat=over_chat(run),
        room=run.step.room if run.step else None,
    )


def in_asked_order(run: Run) -> dict[str, Any]:
    """Its figures as its loads were asked: PostgreSQL sorts the keys of JSON."""
    figures: Mapping[str, Any] = run.figures or {}
    names = [name for name in run.asked.load_names if name in figures]
    return {name: figures[name] for name in dict.fromkeys([*names, *figures])}


def largest_measured(names: tuple[str, ...], figures: Mapping[str, Any]) -> str:
    """The last load that has numbers, a whole one before one that was cut; or ""."""
    measured = [
        name
        for name in names
        if name in figures and not figures[name]["values"].keys().isdisjoint(SHOWN)
    ]
    whole = [n for n in measured if "cut-short" not in figures[n].get("spoiled", ())]
    return next(reversed(whole or measured), "")


def of_words(run: Run, name: str, *, has_any: bool) -> str:
    if run.kind == Kind.SINGLE:
        cut = run.is_over and run.status != Status.COMPLETED
        return NOT_WHOLE if cut and has_any else ""
    return said(name) if name and len(run.asked.load_names) > 1 else ""


def load_words(run: Run) -> str:
    asked = run.asked
    if not asked.is_load and run.kind != Kind.IMPORTED:
        return "one request"
    if asked.gathers:
        return most_words(asked.most_users)
    names = asked.load_names
    words = ", ".join(names)
    if names[-1].isdigit():
        words += " user" if names == ("1",) else " users"
    return f"{words}, {asked.repeat} times" if asked.repeat > 1 else words


def said(name: str) -> str:
    """A load's name after "with" or "in": "64 users", "long"."""
    if not name.isdigit():
        return name
    return "1 user" if name == "1" else f"{name} users"
