"""Turns the text of front matter into values and notes what does not fit."""

import re
from collections.abc import Collection, Iterable
from datetime import date

from rapidfuzz import process

from interview.cards import rules
from interview.cards.frontmatter import Document, Entry, Row, Text
from interview.cards.problem import Notes, Place

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_EDITION = re.compile(r"\d{4}\.\d{2}")
_NUMBER = re.compile(r"\d+\.\d+")


def nearest(word: str, known: Iterable[str]) -> str:
    """` (did you mean “…”?)` with the known word most like this one, or nothing."""
    best = process.extractOne(word, list(known), score_cutoff=70)
    return f" (did you mean “{best[0]}”?)" if best else ""


class Form:
    """Asks for one key after the other; `close` notes the keys nobody asked for.

    A method returns an empty value when it notes a problem, so that one reading
    finds all problems of a file. A form with one above it asks that one for the keys
    that it doesn't have.
    """

    def __init__(
        self, source: Document | Row, notes: Notes, above: "Form | None" = None
    ) -> None:
        self._entries = source.entries
        self._place = source.place
        self._notes = notes
        self._above = above
        self._known: list[str] = []

    def place(self, key: str) -> Place:
        entry = self._find(key)
        return entry.place if entry else self._place

    def has(self, key: str) -> bool:
        """Whether the key stands here, and not only above."""
        return key in self._entries

    def texts(self, key: str, *, required: bool = False) -> tuple[Text, ...]:
        entry = self._entry(key, required)
        if entry is None:
            return ()
        if not entry.listed and entry.values:
            self._bad(key, entry.values[0], "a list like [a, b]")
        return entry.values

    def refuse(self, key: str, found: str, wanted: str) -> None:
        """Note that what was read of a key does not fit with the rest."""
        words = {"key": key, "found": found, "wanted": wanted}
        self._notes.add(rules.BAD_VALUE, self.place(key), **words)

    def rows(self, key: str) -> tuple["Form", ...]:
        """A form for each item of a list of keys and values, with this one above."""
        self._known.append(key)
        entry = self._entries.get(key)
        if entry is None:
            return ()
        wanted = "a list of items like {name: short, users: 1}"
        if entry.values or not entry.rows:
            found = entry.values[0] if entry.values else Text("empty", entry.place)
            self._bad(key, found, wanted)
        return tuple(Form(row, self._notes, self) for row in entry.rows)

    def words(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        return tuple(text.value for text in self.texts(key, required=required))

    def text(self, key: str, *, required: bool = True) -> str:
        text = self._single(key, required)
        return text.value if text else ""

    def slug(self, key: str) -> str:
        text = self._single(key, required=True)
        if text and not SLUG.fullmatch(text.value):
            self._notes.add(rules.BAD_ID, text.place, id=text.value)
        return text.value if text else ""

    def one_of(self, key: str, choices: Collection[str], default: str = "") -> str:
        text = self._single(key, required=not default)
        if text is None:
            return default
        if text.value not in choices:
            self._bad(key, text, "one of " + ", ".join(choices))
        return text.value

    def date(self, key: str) -> date:
        text = self._single(key, required=True)
        try:
            return date.fromisoformat(text.value) if text else date.min
        except ValueError:
            if text:
                self._notes.add(rules.BAD_DATE, text.place, value=text.value, key=key)
            return date.min

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        text = self._single(key, required=default is None)
        if text is None:
            return default or 0
        return self._whole(key, text, low, high)

    def wholes(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """One whole number or a list of them."""
        entry = self._entry(key, required=True)
        values = entry.values if entry else ()
        return tuple(self._whole(key, text, low, high) for text in values)

    def edition(self, key: str) -> str:
        return self._matching(key, _EDITION, "a year and a month like 2026.10")

    def number(self, key: str) -> str:
        return self._matching(key, _NUMBER, "a section number like 1.3")

    def close(self) -> None:
        for key, entry in self._entries.items():
            if key not in self._known:
                words = {"key": key, "nearest": nearest(key, self._known)}
                self._notes.add(rules.UNKNOWN_KEY, entry.key.place, **words)

    def _entry(self, key: str, required: bool) -> Entry | None:
        entry = self._find(key)
        if entry and entry.rows:
            self._bad(key, Text("a list of keys", entry.rows[0].place), "plain values")
        elif required and (entry is None or not entry.values):
            place = entry.key.place if entry else self._place
            self._notes.add(rules.MISSING_KEY, place, key=key)
        return entry

    def _find(self, key: str) -> Entry | None:
        self._known.append(key)
        # Also when it is not needed: a key that every item replaces is known above.
        above = self._above._find(key) if self._above else None
        return self._entries.get(key) or above

    def _single(self, key: str, required: bool) -> Text | None:
        entry = self._entry(key, required)
        if entry is None or not entry.values:
            return None
        if entry.listed:
            self._bad(key, Text("a list", entry.place), "one value")
        return entry.values[0]

    def _matching(self, key: str, pattern: re.Pattern[str], wanted: str) -> str:
        text = self._single(key, required=True)
        if text and not pattern.fullmatch(text.value):
            self._bad(key, text, wanted)
        return text.value if text else ""

    def _whole(self, key: str, text: Text, low: int, high: int) -> int:
        if text.value.isdecimal() and low <= int(text.value) <= high:
            return int(text.value)
        self._bad(key, text, f"a whole number from {low} to {high}")
        return 0

    def _bad(self, key: str, text: Text, wanted: str) -> None:
        self._notes.add(
            rules.BAD_VALUE, text.place, key=key, found=f"“{text.value}”", wanted=wanted
        )
