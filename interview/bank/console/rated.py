"""How far a question came, in words, while it is being marked."""

from collections.abc import Sequence

from interview.rating.rating import Rung
from interview.rating.words import cap_words, level_word

from ..models import Score

NOT_ASKED = "not asked"


def rated_words(score: Score, rungs: Sequence[Rung]) -> str:
    """`L2 · capped by a hint at L3, L4 without it`; how much is not marked yet."""
    if score.not_asked:
        return NOT_ASKED
    found = score.rated(rungs)
    if found.rating is None:
        left = sum(rung.id not in score.marks for rung in rungs)
        return f"open: {left} of {len(rungs)} not marked" if left else NOT_ASKED
    capped = cap_words(found, list(rungs))
    words = level_word(found.rating)
    return f"{words} · {capped}" if capped else words
