"""Two loads in one drawing, told apart by shape and name. It reads no files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from .charts import Dot, LoadPanel, LoadPoint, gap_chart, load_panel
from .figures import CELLS, COLUMNS, points_of

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class ComparedPanel:
    """One number of both; the two panels have the same axes."""

    title: str
    decimals: int
    a: LoadPanel
    b: LoadPanel

    @property
    def a_is_above(self) -> bool:
        """Where both end: who has the higher last point has its label on top."""
        ends = [side.dots[-1].y for side in (self.a, self.b) if side.dots]
        return len(ends) < 2 or ends[0] <= ends[1]

    @property
    def a_end(self) -> Dot | None:
        return self.a.dots[-1] if self.a.dots else None

    @property
    def b_end(self) -> Dot | None:
        return self.b.dots[-1] if self.b.dots else None


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
