"""Ratings, marks and spreads in words, the same on every page and in every file."""

from .rating import BELOW_L1, Mark, Rated, Rung, Spread

MARKS = {Mark.MET: "met", Mark.NOT_MET: "not met", Mark.NOT_ASKED: "not asked"}


def level_word(rating: int | None) -> str:
    """ "L3", "below L1"; "not rated" without one."""
    if rating is None:
        return "not rated"
    return "below L1" if rating == BELOW_L1 else f"L{rating}"


def mark_word(mark: Mark | None) -> str:
    return "not marked" if mark is None else MARKS[mark]


def cap_words(found: Rated, rungs: list[Rung]) -> str:
    """ "capped by a hint at L3, L4 without it"; "" when no hint held it down."""
    levels = {rung.id: rung.level for rung in rungs}
    level = levels.get(found.capped_by)
    if level is None:
        return ""
    return f"capped by a hint at {level}, {level_word(found.met)} without it"


def spread_words(spread: Spread) -> str:
    """ "L1 to L4, 3 steps apart", "all L2", "L2, one rating", "no rating"."""
    if spread.width is None:
        return "no rating"
    low, high = level_word(spread.lowest), level_word(spread.highest)
    if spread.n == 1:
        return f"{low}, one rating"
    if spread.width == 0:
        return f"all {low}"
    steps = "1 step" if spread.width == 1 else f"{spread.width} steps"
    return f"{low} to {high}, {steps} apart"
