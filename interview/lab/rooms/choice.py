"""What a host may put before everybody: cards that anyone may see, and experiments."""

from collections.abc import Mapping
from dataclasses import dataclass

from interview.cards.card import Audience
from interview.web.content import library

from .. import content
from ..errors import LabError


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    title: str
    kind: str
    """card | experiment"""


MOST = 8
"""Matches that are listed."""
PUNCTUATION = "?!.,:;“”\"'’()"


class NotOneChoice(LabError):
    """What was typed names nothing, or several: `words`, and what they could mean."""

    def __init__(self, words: str, matches: tuple[Choice, ...] = ()) -> None:
        self.words = words
        self.matches = matches[:MOST]
        several = (
            "choose one of them."
            if len(matches) <= MOST
            else f"choose one of the first {MOST}, or type more of the title."
        )
        super().__init__(
            f"“{words}” is in {len(matches)} titles: {several}"
            if matches
            else f"No title of a card or an experiment has “{words}” in it."
        )


def choices() -> list[Choice]:
    """Experiments, then cards, each in its listing order."""
    experiments = [e for e in content.experiments() if e.written]
    cards = library().listed(Audience.CANDIDATE)
    return [
        *(Choice(e.id, e.title, "experiment") for e in experiments),
        *(Choice(card.id, card.title_text, "card") for card in cards),
    ]


def chosen(words: str) -> Mapping[str, str]:
    """`{"card": id}` or `{"experiment": id}` of a title, an id, or words that one title
    alone has; "" is a free request: `{}`. Raises NotOneChoice.
    """
    typed = plain(words)
    if not typed:
        return {}
    offered = choices()
    exact = [each for each in offered if typed in (plain(each.title), each.id)]
    matches = exact[:1] or [each for each in offered if has(each, typed.split())]
    if len(matches) != 1:
        raise NotOneChoice(words.strip(), tuple(matches))
    return {matches[0].kind: matches[0].id}


def has(choice: Choice, words: list[str]) -> bool:
    """Its title has all of them, in any order, each at least as a word's beginning."""
    found = [word.strip(PUNCTUATION) for word in plain(choice.title).split()]
    return all(
        any(one.startswith(word.strip(PUNCTUATION)) for one in found) for word in words
    )


def plain(words: str) -> str:
    """Case and white space make no difference."""
    return " ".join(words.split()).casefold()


def named(posted: Mapping[str, str]) -> dict[str, str]:
    """The posted fields, with `next` taken for what it names, unless another does;
    `free` asks for nothing named at all. Raises NotOneChoice."""
    fields = {name: text for name, text in posted.items() if name != "next"}
    if "free" in posted:
        return {}
    if any(fields.get(kind) for kind in ("card", "experiment", "run")):
        return fields
    return fields | dict(chosen(posted.get("next", "")))
