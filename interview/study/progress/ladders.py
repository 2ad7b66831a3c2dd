"""All that candidates can be asked, as names: by role, and up to a level."""

from functools import lru_cache

from interview.cards.card import Audience, Card
from interview.cards.library import Library
from interview.recall.coverage import QUESTION, Rung

type Asked = tuple[Rung, ...]


class Ladders(dict[tuple[str, str], Asked]):
    """Rungs by role and highest level, made when first asked for; "" is every one."""

    def __init__(self, content: Library) -> None:
        self.cards = content.listed(Audience.CANDIDATE)

    def __missing__(self, key: tuple[str, str]) -> Asked:
        role, top = key
        cards = [card for card in self.cards if not role or role in card.roles]
        rungs = [rung for card in cards for rung in ladder(card)]
        found = tuple(rung for rung in rungs if not top or rung.level <= top)
        self[key] = found
        return found


@lru_cache(maxsize=1)
def ladders(content: Library) -> Ladders:
    """A new version of the content starts empty."""
    return Ladders(content)


def ladder(card: Card) -> list[Rung]:
    """The question, then the follow-ups in file order, under the card's first topic."""
    topic = card.topics[0]
    follow_ups = [Rung(card.id, f.id, topic, f.level) for f in card.follow_ups]
    return [Rung(card.id, "", topic, QUESTION), *follow_ups]
