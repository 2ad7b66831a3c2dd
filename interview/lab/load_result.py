"""What the page of a load shows, level by level, read from its report."""

from dataclasses import dataclass
from typing import Self

from .level_result import LevelResult, LimitOf, p50
from .levels import Json, levels_of
from .result import ratio
from .spec import Spec


@dataclass(frozen=True, slots=True)
class LoadResult:
    """All levels that were measured, by rising users."""

    engine: str | None
    levels: tuple[LevelResult, ...]
    asked: tuple[int, ...]
    """Users of all levels that were asked for."""

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
            asked=tuple(asked.levels),
        )

    @property
    def missing(self) -> tuple[int, ...]:
        """Users of the levels that were asked for and never begun."""
        begun = {level.users for level in self.levels}
        return tuple(users for users in self.asked if users not in begun)

    @property
    def notes(self) -> tuple[str, ...]:
        """Of all levels, each once."""
        return tuple(dict.fromkeys(n for level in self.levels for n in level.notes))

    def level(self, users: int) -> LevelResult | None:
        return next((level for level in self.levels if level.users == users), None)

    def sentences(self) -> tuple[str, ...]:
        """What the load showed, from the fewest to the most users; then what lacks."""
        done = [level for level in self.levels if level.completed]
        found = compared(done[0], done[-1]) if len(done) > 1 else []
        found += [failure(level) for level in self.levels if not level.completed]
        found += [shortfall(level) for level in self.levels if not level.is_whole]
        if self.missing:
            found.append(f"Not measured: {people(*self.missing)}.")
        return tuple(found)


def compared(few: LevelResult, many: LevelResult) -> list[str]:
    """The two factors of a load; nothing where a number is missing."""
    output = ratio(many.output_tokens_per_s, few.output_tokens_per_s)
    slower = ratio(p50(many.tpot), p50(few.tpot))
    if output is None or slower is None:
        return []
    one = "one" if few.users == 1 else people(few.users)
    found = [
        f"{people(many.users)} got {output:.1f} times the output of {one}; "
        f"each waited {slower:.1f} times longer per token."
    ]
    ours, theirs = (level.bands.get("output_tokens_per_s") for level in (few, many))
    if ours and theirs and ours.overlaps(theirs):
        found.append("The repetitions differ as much as the two outputs do: no result.")
    return found


def failure(level: LevelResult) -> str:
    why = f": {level.error}" if level.error else "."
    return f"With {people(level.users)} no request was completed{why}"


def shortfall(level: LevelResult) -> str:
    with_users = f"With {people(level.users)}"
    if level.cancelled:
        return f"{with_users} the load was cut: what had been completed is counted."
    return (
        f"{with_users} only {level.repetitions} of {level.repetitions_asked} "
        "repetitions ended."
    )


def people(*users: int) -> str:
    """ "1 user", "64 users", "16 and 64 users"."""
    numbers = [str(number) for number in users]
    said = " and ".join(filter(None, [", ".join(numbers[:-1]), numbers[-1]]))
    return f"{said} user" if users == (1,) else f"{said} users"
