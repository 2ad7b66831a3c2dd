"""Two loads in one drawing, told apart by shape and name. It reads no files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from .charts import Dot, LoadPanel, LoadPoint, gap_chart, load_panel
from .figures import CELLS, COLUMNS, points_of

Rows = Sequence[Mapping[str, Any]]

ABOVE, BELOW, LABEL_LINE = -10, 20, 14
"""Pixels from a dot to the foot of its label, and from one label to the next."""
NO_ROOM_BEFORE = 15
ROOM_AFTER = 75
"""Percent of the width: a dot left of it has room for a label that begins there."""


@dataclass(frozen=True, slots=True)
class Label:
    """The end of one run's line, named."""

    name: str
    dot: Dot
    dy: float = ABOVE

    @property
    def begins_at_its_dot(self) -> bool:
        """Else it ends there; below a dot its own line comes from that side."""
        return self.dot.x < (ROOM_AFTER if self.dy == BELOW else NO_ROOM_BEFORE)


@dataclass(frozen=True, slots=True)
class ComparedPanel:
    """One number of both; the two panels have the same axes."""

    title: str
    decimals: int
    a: LoadPanel
    b: LoadPanel

    @property
    def labels(self) -> tuple["Label", ...]:
        """Each run's name and number where it ends, the higher one's on top."""
        sides = (("A", self.a), ("B", self.b))
        ends = [Label(name, side.dots[-1]) for name, side in sides if side.dots]
        upper, *lower = sorted(ends, key=lambda label: label.dot.y)
        if not lower:
            return (upper,)
        low = lower[0]
        if low.dot.y + BELOW < self.a.height:
            low = replace(low, dy=BELOW)
        else:
            # The counts of users stand there, so both names go above their dots.
            foot = low.dot.y + ABOVE - LABEL_LINE
            upper = replace(upper, dy=min(ABOVE, foot - upper.dot.y))
        return (upper, low) if upper.name == "A" else (low, upper)


def compared_figure(
    a: Rows,
    b: Rows,
    *,
    manual: Rows = (),
    limit_a: Rows = (),
    limit_b: Rows = (),
    simulated: bool = False,
) -> SafeString:
    """TTFT, TPOT and output of two loads by users; rows as `loads_figure` takes them.

    The same limit twice is one. "" when neither has a number.
    """
    same_limit = list(limit_a) == list(limit_b)
    limits = (limit_a, () if same_limit else limit_b)
    panels = [panel(column, (a, b), limits, manual) for column in COLUMNS]
    drawn = [one for one in panels if one]
    if not drawn:
        return SafeString("")
    context = {
        "panels": drawn,
        "sides": [("A", filled(a)), ("B", filled(b))],
        "manual": manual,
        "limit_a": filled(limits[0]),
        "limit_b": filled(limits[1]),
        "same_limit": same_limit,
        "has_band": any(one.a.band or one.b.band for one in drawn),
        "simulated": simulated,
    }
    return render_to_string("figures/compared.html", context)


def panel(
    about: tuple[str, str, int],
    sides: tuple[Rows, Rows],
    limits: tuple[Rows, Rows],
    manual: Rows,
) -> ComparedPanel | None:
    """None when neither side has this number."""
    column, title, decimals = about
    a, b, limit_a, limit_b, theirs = (
        points_of(rows, column) for rows in (*sides, *limits, manual)
    )
    if not a and not b:
        return None
    every: list[LoadPoint] = [*a, *b, *limit_a, *limit_b, *theirs]
    return ComparedPanel(
        title,
        decimals,
        load_panel(a, manual=theirs, limit=limit_a, reach=every),
        load_panel(b, limit=limit_b, reach=every),
    )


def filled(rows: Rows) -> list[dict[str, Any]]:
    return [{**dict.fromkeys(CELLS), **row} for row in rows]


def common_reach_ms(streams: Sequence[tuple[Sequence[float], Sequence[int]]]) -> float:
    """How far the axis of the gaps of each stream goes, at most."""
    charts = [gap_chart(itl_ms, event_tokens) for itl_ms, event_tokens in streams]
    return max((chart.ticks[-1].value for chart in charts if chart), default=0)
