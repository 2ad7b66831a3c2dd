"""What the people of a room see of a run that they make together."""

from dataclasses import dataclass
from datetime import datetime

from ..models import Press, RoomSeat, Run
from ..models.press import key_of, press_refusal
from ..results.levels import levels_of
from ..results.unmeasured import why_unmeasured

Figure = float | None


@dataclass(frozen=True, slots=True)
class Stream:
    """One that somebody added."""

    number: int
    name: str
    """Of the seat; "" when its name was taken away."""
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Row:
    """So many streams, in the table that the room has made."""

    users: int
    name: str
    """Who added the last of them."""
    joined_ttft_ms: Figure
    stood_s: Figure
    tpot_ms: Figure
    each_tokens_per_s: Figure
    tokens_per_s: Figure
    why_not: str
    """What kept them from being measured; "" when they were."""


@dataclass(frozen=True, slots=True)
class Batch:
    streams: tuple[Stream, ...]
    form_key: str
    """Of the form that adds one more; see `Press.objects.add`."""
    most: int
    refusal: str
    """Why this seat can't add one now; "" when it can."""
    rows: tuple[Row, ...]
    """Rising; those that were not measured have no numbers."""
    ended: str
    """How it ended, as a code of the measuring client; "" while it runs."""

    @property
    def mine(self) -> tuple[Stream, ...]:
        return tuple(stream for stream in self.streams if stream.is_mine)

    @property
    def is_measured(self) -> bool:
        return any(row.tpot_ms is not None for row in self.rows)


def batch(run: Run, seat: RoomSeat, now: datetime) -> Batch:
    presses = list(Press.objects.filter(run=run).select_related("seat"))
    streams = tuple(
        Stream(press.number, press.seat.name, press.seat_id == seat.pk)
        for press in presses
    )
    report = run.report or {}
    return Batch(
        streams=streams,
        form_key=key_of(run, sum(stream.is_mine for stream in streams)),
        most=run.asked.most_users,
        refusal=press_refusal(run, seat.room, len(streams), now),
        rows=rows(report, streams) if run.is_over else (),
        ended=(report.get("gathering") or {}).get("ended", ""),
    )


def rows(report: dict[str, object], streams: tuple[Stream, ...]) -> tuple[Row, ...]:
    """One a stream that joined, also where so many were not measured."""
    found = {level["users"]: level["summary"] for level in levels_of(report)}
    return tuple(
        row(
            stream.number,
            stream.name,
            found.get(stream.number) or {},
            "" if found.get(stream.number) else why_unmeasured(report, stream.number),
        )
        for stream in streams
    )


def row(users: int, name: str, summary: dict[str, object], why_not: str) -> Row:
    get = summary.get
    rate, stood_ms = number(get("output_tokens_per_s")), number(get("stood_ms"))
    tpot = get("tpot_ms")
    return Row(
        users=users,
        name=name,
        joined_ttft_ms=number(get("joined_ttft_ms")),
        stood_s=None if stood_ms is None else stood_ms / 1000,
        tpot_ms=number(tpot.get("p50")) if isinstance(tpot, dict) else None,
        each_tokens_per_s=None if rate is None else rate / users,
        tokens_per_s=rate,
        why_not=why_not,
    )


def number(value: object) -> Figure:
    return value if isinstance(value, int | float) else None
