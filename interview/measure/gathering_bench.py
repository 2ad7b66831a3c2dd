"""Measures a gathering at an endpoint, from its first prompt to its levels."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interview.measure import lag
from interview.measure.bench import Bench, uncollected
from interview.measure.gathering import Gathered, Gathering
from interview.measure.gathering_joins import Joins
from interview.measure.gathering_level import Heard, gathering_level
from interview.measure.gathering_windows import Window
from interview.measure.in_flight import InFlight
from interview.measure.preparation import Preparation
from interview.measure.readings import Gauges, Readings
from interview.measure.result import Result
from interview.measure.tasks import meanwhile, unless
from interview.measure.watch import Watch
from interview.measure.workload import Load, Repetition

Json = dict[str, Any]

WARMUP_TOKENS = 16
"""A warm-up compiles and fills caches with its first steps; people wait meanwhile."""


@dataclass(frozen=True, slots=True)
class GatheredLevel:
    """A number of streams that stood long enough, with its summary."""

    load: Load
    window: Window
    summary: Json


@dataclass(frozen=True, slots=True)
class GatheringMeasured:
    gathered: Gathered
    levels: tuple[GatheredLevel, ...]
    warmups: Sequence[Result]
    engine: Json | None
    """The engine's own account of the whole, on its clock."""


@dataclass(slots=True)
class _Levels:
    """Makes the summary of each window as it closes, and tells it."""

    load: Load
    watch: Watch
    lags_ns: Sequence[int]
    notes: Sequence[str]
    others: bool = False
    """Requests of somebody else were seen in the present window."""
    found: list[GatheredLevel] = field(default_factory=list)
    _opened_at: int = 0
    """Lags before the present window."""

    def joined(self, users: int) -> None:
        self.watch.level_started(self._repetition(users), None)

    def opened(self) -> None:
        self._opened_at = len(self.lags_ns)
        self.others = False

    def closed(self, window: Window, heard: Sequence[Heard]) -> None:
        lags_ns = self.lags_ns[self._opened_at :]
        notes = [*self.notes, *(["other-traffic"] if self.others else [])]
        load = self._repetition(window.users).load
        summary = gathering_level(load, window, heard, lags_ns, notes)
        if summary is not None:
            self.found.append(GatheredLevel(load, window, summary))
            self.watch.level_ended(self._repetition(window.users), summary, window)

    def gauges(self, gauges: Gauges) -> None:
        self.others = self.others or bool(gauges.get("others"))
        self.watch.gauges(gauges)

    def mark(self, code: str) -> None:
        """Something that the engine told only when all was over."""
        for level in self.found:
            if code not in level.summary["notes"]:
                level.summary["notes"].append(code)

    def _repetition(self, users: int) -> Repetition:
        load = replace(self.load, users=users)
        return Repetition(load, users - 1, self.load.users, 0, 1)


async def gather(bench: Bench, load: Load, joins: Joins) -> GatheringMeasured:
    """`load.users` may join. Raises EndpointError when the warm-up is refused."""
    first = Repetition(load, 0, load.users, 0, 1)
    preparation = Preparation(bench.http, bench.target, first, bench.salts)
    await unless(bench.stop, preparation.prompts())
    preparation.shorten_warm_ups(WARMUP_TOKENS)
    warmups = await bench.warm_up(preparation, first)
    notes = ["prompt-estimated"] if preparation.estimated else []
    async with lag.probe(bench.clock) as lags_ns:
        levels = _Levels(load, bench.watch, lags_ns, notes)
        readings = Readings(bench.side, bench.target, bench.clock, levels.gauges)
        if bench.endpoint.has_counters and not bench.stop.is_set():
            await readings.before()
        bench.watch.stage("measuring")
        gathered = await _gathered(bench, preparation, joins, levels, readings)
    engine = await readings.after([a.result for a in gathered.heard if a.result])
    if engine is not None and not engine["alone"]:
        levels.mark("other-traffic")
    return GatheringMeasured(gathered, tuple(levels.found), warmups, engine)


async def _gathered(
    bench: Bench,
    preparation: Preparation,
    joins: Joins,
    levels: _Levels,
    readings: Readings,
) -> Gathered:
    load = levels.load
    counted = InFlight(bench.exchange.send)
    gathering = Gathering(
        counted.send, preparation.another, bench.watch, levels, bench.clock
    )
    with uncollected():
        async with meanwhile(readings.during(lambda: counted.now)):
            return await gathering.run(joins, load.users, bench.stop, load.max_seconds)
