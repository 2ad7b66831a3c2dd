"""What the page of a load shows, level by level, read from its report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from ..runs.asked_load import AskedLoad
from ..runs.spec import Spec
from .level_result import LevelResult, LimitOf, p50
from .levels import Json, levels_of
from .result import ratio


@dataclass(frozen=True, slots=True)
class LoadNote:
    sentence: str
    where: str
    """The loads that it is about, to begin a sentence with; "" of the only load."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """All levels that were measured, in the order of measuring."""

    engine: str | None
    levels: tuple[LevelResult, ...]
    asked: tuple[AskedLoad, ...]
    """All that were asked for."""
    by_users: bool
    """They differ in their users; else each has a name."""
    too_short: tuple[int, ...] | None = None
    """Numbers of streams of a gathering that stood too short; None of other loads."""

    @classmethod
    def of(
        cls, report: Json, asked: Spec, limit_of: LimitOf | None = None
    ) -> Self | None:
        """None when no level was begun."""
        levels = levels_of(report)
        if not levels:
            return None
        return cls(
            engine=(report.get("target") or {}).get("engine"),
            levels=tuple(LevelResult.of(level, asked, limit_of) for level in levels),
            asked=asked.asked_loads,
            by_users=asked.loads is None,
            too_short=too_short(report) if asked.gathers else None,
        )

    @property
    def gathers(self) -> bool:
        """Its streams were added one by one."""
        return self.too_short is not None

    @property
    def missing(self) -> tuple[AskedLoad, ...]:
        """The levels that were asked for and never begun; a gathering asks for none."""
        if self.gathers:
            return ()
        begun = {level.name for level in self.levels}
        return tuple(load for load in self.asked if load.name not in begun)

    @property
    def notes(self) -> tuple[LoadNote, ...]:
        """Of all levels, each once."""
        said: dict[str, list[LevelResult]] = {}
        for level in self.levels:
            for note in level.notes:
                said.setdefault(note, []).append(level)
        return tuple(LoadNote(note, self._where(of)) for note, of in said.items())

    def _where(self, levels: Sequence[LevelResult]) -> str:
        if len(self.levels) == 1:
            return ""
        if len(levels) == len(self.levels):
            return "In every load"
        if self.by_users:
            return f"With {people(*(level.users for level in levels))}"
        return f"In {listed([f'“{level.name}”' for level in levels])}"

    @property
    def limit_levels(self) -> tuple[LevelResult, ...]:
        """Whose limit is worked out on the page; of a gathering the first and last."""
        if not self.gathers or len(self.levels) < 2:
            return self.levels
        return self.levels[0], self.levels[-1]

    def level(self, users: int) -> LevelResult | None:
        return next((level for level in self.levels if level.users == users), None)

    def sentences(self) -> tuple[str, ...]:
        """What the load showed, from the fewest to the most users; then what lacks."""
        done = [level for level in self.levels if level.is_measured]
        found = compared(done[0], done[-1]) if self.by_users and done[1:] else []
        found += [failure(level) for level in self.levels if not level.is_measured]
        found += [losses(level) for level in done if level.lost]
        found += [shortfall(level) for level in done if not level.is_whole]
        if self.too_short:
            found.append(
                f"Not measured: {people(*self.too_short)}, for too short a time."
            )
        if self.missing:
            found.append(f"Not measured: {self._missing_words()}.")
        return tuple(found)

    def _missing_words(self) -> str:
        if self.by_users:
            return people(*(load.users for load in self.missing))
        return ", ".join(f"“{load.name}”" for load in self.missing)


def compared(few: LevelResult, many: LevelResult) -> list[str]:
    """The two factors of a load; nothing where a number is missing."""
    output = ratio(many.output_tokens_per_s, few.output_tokens_per_s)
    slower = ratio(p50(many.tpot), p50(few.tpot))
    if output is None or slower is None:
        return []
    one = "one" if few.users == 1 else people(few.users)
    found = [
        f"{people(many.users)} got {output:.1f} times the output of {one}; "
        f"each waited {slower:.1f} times as long per token."
    ]
    ours, theirs = (level.bands.get("output_tokens_per_s") for level in (few, many))
    if ours and theirs and ours.overlaps(theirs):
        found.append("The repetitions differ as much as the two outputs do: no result.")
    return found


def failure(level: LevelResult) -> str:
    return because(f"{level.place} no request was completed", level)


def losses(level: LevelResult) -> str:
    of, were = level.completed + level.lost, "was" if level.lost == 1 else "were"
    said = f"{level.place} {level.lost:,} of {of:,} requests {were} not completed"
    return because(said, level)


def because(said: str, level: LevelResult) -> str:
    why = f": {level.error}" if level.error else ""
    return f"{said}{why}" if why.endswith((".", "!", "?")) else f"{said}{why}."


def shortfall(level: LevelResult) -> str:
    if level.cancelled:
        return f"{level.place} the load was cut: what had been completed is counted."
    return (
        f"{level.place} only {level.repetitions} of {level.repetitions_asked} "
        "repetitions ended."
    )


def people(*users: int) -> str:
    """ "1 user", "64 users", "16 and 64 users"."""
    said = listed([str(number) for number in users])
    return f"{said} user" if users == (1,) else f"{said} users"


def listed(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def too_short(report: Json) -> tuple[int, ...]:
    gathering = report.get("gathering") or {}
    return tuple(one["users"] for one in gathering.get("missing") or ())
