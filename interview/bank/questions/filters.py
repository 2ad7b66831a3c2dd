"""The filters of the bank: in the address, so a filtered list is a link to send."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self
from urllib.parse import urlencode

from interview.cards.card import Status
from interview.cards.library import Library

if TYPE_CHECKING:
    from .listing import Entry

BROKEN, NEVER = "broken", "never"
STATUSES = {
    "published": "Published",
    "kit-only": "Kit-only",
    "draft": "Draft",
    "retired": "Retired",
    BROKEN: "File has an error",
}
LEAK = {"yes": "Leaked", "no": "Not leaked"}
ASKED = {
    NEVER: "Never",
    "30": "Not in 30 days",
    "90": "Not in 90 days",
    "365": "Not in a year",
}
ORDERS = {
    "last": "Longest not asked",
    "times": "Most often asked",
    "minutes": "Shortest",
}


@dataclass(frozen=True, slots=True)
class Filters:
    q: str = ""
    """Words to find."""
    role: str = ""
    level: str = ""
    topic: str = ""
    competence: str = ""
    minutes: str = ""
    """At most so many."""
    status: str = ""
    leak: str = ""
    asked: str = ""
    """Days without being asked, or "never"."""
    order: str = ""
    """"" is as the cards are listed, or best match first."""

    @classmethod
    def read(cls, query: Mapping[str, str], library: Library) -> Self:
        """From the address; a choice that no menu offers filters nothing."""
        chosen = {
            menu.name: query[menu.name]
            for menu in menus(library)
            if query.get(menu.name) in menu.choices
        }
        return cls(q=" ".join(query.get("q", "").split())[:200], **chosen)

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self) if f.name != "order")

    @property
    def query(self) -> str:
        """For an address, with its question mark; "" when nothing is set."""
        pairs = {f.name: getattr(self, f.name) for f in fields(self)}
        chosen = urlencode({name: value for name, value in pairs.items() if value})
        return f"?{chosen}" if chosen else ""

    def pick(self, entries: "Iterable[Entry]", now: datetime) -> "list[Entry]":
        """Those that all filters let through, in their order. The words are not
        looked at."""
        return self._sorted([each for each in entries if self._lets(each, now)])

    def _lets(self, entry: "Entry", now: datetime) -> bool:
        card = entry.card
        return (
            (not self.role or self.role in card.roles)
            and (not self.level or self.level in card.levels)
            and (not self.topic or self.topic in card.topics)
            and (not self.competence or self.competence in card.competences)
            and (not self.minutes or card.minutes <= int(self.minutes))
            and self._lets_status(entry)
            and (not self.leak or (self.leak == "yes") == entry.has_leaked)
            and self._lets_asked(entry, now)
        )

    def _lets_status(self, entry: "Entry") -> bool:
        if self.status == BROKEN:
            return bool(entry.stale)
        return not self.status or entry.card.status is Status(self.status)

    def _lets_asked(self, entry: "Entry", now: datetime) -> bool:
        last = entry.use.last
        if not self.asked or last is None:
            return True
        if self.asked == NEVER:
            return False
        return last < now - timedelta(days=int(self.asked))

    def _sorted(self, entries: "list[Entry]") -> "list[Entry]":
        """Where two are alike the listing decides."""
        if self.order == "last":
            return sorted(entries, key=lambda each: _stamp(each.use.last))
        if self.order == "times":
            return sorted(entries, key=lambda each: -each.use.times)
        if self.order == "minutes":
            return sorted(entries, key=lambda each: each.card.minutes)
        return entries


def _stamp(last: datetime | None) -> float:
    """What was never asked comes first."""
    return last.timestamp() if last else 0.0


@dataclass(frozen=True, slots=True)
class Menu:
    name: str
    """Of the field in `Filters`."""
    title: str
    everything: str
    """The choice that filters nothing."""
    choices: Mapping[str, str]
    chosen: str = ""


def menus(library: Library) -> Sequence[Menu]:
    words = library.vocabulary
    levels = {slug: f"{slug} {word}" for slug, word in words.levels.items()}
    minutes = sorted({card.minutes for card in library.cards.values()})
    return [
        Menu("role", "Role", "Every role", _titles(words.roles)),
        Menu("level", "Most to say at", "Every level", levels),
        Menu("topic", "Topic", "Every topic", _titles(words.topics)),
        Menu(
            "competence", "Competence", "Every competence", _titles(words.competences)
        ),
        Menu(
            "minutes",
            "Time needed",
            "Any time",
            {str(count): f"Up to {count} min" for count in minutes},
        ),
        Menu("status", "Status", "Every status", STATUSES),
        Menu("asked", "Asked", "Whenever", ASKED),
        Menu("leak", "Leak", "Leaked or not", LEAK),
        Menu("order", "Order", "As listed", ORDERS),
    ]


def _titles(words: Mapping[str, object]) -> dict[str, str]:
    return {slug: str(word) for slug, word in words.items()}
