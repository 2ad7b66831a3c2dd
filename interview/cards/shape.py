"""The body of a card: its title, its six sections and what stands in them."""

import re
from collections.abc import Sequence

from interview.cards import rules
from interview.cards.card import LEVELS, SECTIONS, FollowUp, Source, WrongAnswer
from interview.cards.form import nearest
from interview.cards.itemids import ItemIds, unquoted
from interview.cards.outline import Heading, Part, Passage, parts, passage
from interview.cards.problem import Notes, Place, Rule

_LEVELLED = re.compile(r"(L[1-4])\b[ \t:·]*(.*)")
_SOURCE = re.compile(r"^[-*] (?:\[((?:[A-Z]:[A-Z][\w.-]*(?:, ?)?)+)\])?[ \t]*(.*)$")
_ATTRIBUTES = {"Follow-ups": {"id"}, "Wrong answers": {"id", "experiment"}}


def read_title(
    body: str, first_line: int, notes: Notes
) -> tuple[Part | None, list[Part]]:
    """The one `# Title` with the text right under it, and the `##` parts."""
    before, found = parts(body, 2, first_line)
    titles = [part for part in found if part.heading.level == 1]
    place = Place(first_line, 1)
    if not titles:
        notes.add(rules.NO_TITLE, place, what="The text has no title.")
        return None, found
    if not titles[0].heading.title:
        notes.add(rules.NO_TITLE, place, what="The title is empty.")
    if before.strip() or found[0] is not titles[0]:
        notes.add(rules.NO_TITLE, place, what="Text stands before the title.")
    for part in titles[1:]:
        again = Place(part.heading.line, part.heading.column)
        notes.add(rules.NO_TITLE, again, what="The text has a second title.")
    return titles[0], [part for part in found if part.heading.level == 2]


def note_stray(text: str, first_line: int, what: str, notes: Notes) -> None:
    """Note text that stands where nothing would show it."""
    stray = passage(text, first_line, 1)
    if stray:
        line = stray.markdown.split("\n")[0]
        start = line[:40] + "…" if len(line) > 40 else line
        notes.add(rules.STRAY_TEXT, Place(stray.line, 1), text=start, what=what)


def read_sources(part: Part | None, notes: Notes) -> tuple[Source, ...]:
    """The items of a list; lines that go on belong to the item before."""
    sources: list[Source] = []
    for number, line in enumerate(part.text.split("\n") if part else (), 0):
        found = _SOURCE.match(line)
        if found and part:
            facts = tuple(re.findall(r"[^\s,]+", found[1] or ""))
            sources.append(Source(facts, found[2].strip(), part.line + number))
        elif line.strip() and sources:
            last = sources[-1]
            text = f"{last.text} {line.strip()}".strip()
            sources[-1] = Source(last.facts, text, last.line)
        elif line.strip() and part:
            note_stray(line, part.line + number, "source", notes)
    return tuple(sources)


class Shape:
    """The sections of a card's body; notes what is missing or out of order."""

    def __init__(self, body: str, first_line: int, notes: Notes) -> None:
        self._notes = notes
        title, found = read_title(body, first_line, notes)
        self.title = title.heading.title if title else ""
        self._title_place = Place(title.heading.line if title else first_line, 1)
        if title:
            note_stray(title.text, title.line, "section", notes)
        self._sections: dict[str, Part] = {}
        for part in found:
            self._place_section(part)
        for name in SECTIONS:
            if name not in self._sections:
                notes.add(rules.MISSING_SECTION, self._title_place, section=name)
        self._check_order()
        self._ids = ItemIds(notes)

    def _place_section(self, part: Part) -> None:
        name = part.heading.title
        if name in SECTIONS and name not in self._sections:
            self._sections[name] = part
            return
        near = "" if name in SECTIONS else nearest(name, SECTIONS)
        self._note(rules.UNKNOWN_SECTION, part.heading, section=name, nearest=near)

    def _check_order(self) -> None:
        last = -1
        for name, part in self._sections.items():
            at = SECTIONS.index(name)
            if at < last:
                words = {"section": name, "before": SECTIONS[last]}
                self._note(rules.SECTION_ORDER, part.heading, **words)
            last = max(at, last)

    def passage(self, name: str) -> Passage:
        part = self._sections.get(name)
        if part is None:
            return Passage("", 1, 3)
        return self._filled(part, name)

    def follow_ups(self) -> list[FollowUp]:
        found = []
        for part in self._items("Follow-ups"):
            heading = part.heading
            level = _LEVELLED.fullmatch(heading.title)
            if level is None or not level[2]:
                self._note(rules.NO_LEVEL, heading, title=heading.title)
                continue
            item_id = heading.attributes.get("id", "")
            answer = self._filled(part, heading.title)
            found.append(FollowUp(item_id, level[1], level[2], answer, heading.line))
        if "Follow-ups" in self._sections:
            for missing in LEVELS.keys() - {rung.level for rung in found}:
                section = self._sections["Follow-ups"].heading
                self._note(rules.MISSING_LEVEL, section, level=missing)
        return found

    def wrong_answers(self) -> list[WrongAnswer]:
        found = []
        for part in self._items("Wrong answers"):
            heading = part.heading
            why = part.passage()
            if not why:
                self._note(rules.NO_REASON, heading, title=unquoted(heading.title))
            named = heading.attributes
            quote = heading.title.strip('“”"„ ')
            found.append(
                WrongAnswer(
                    named.get("id", ""),
                    quote,
                    why,
                    named.get("experiment"),
                    heading.line,
                )
            )
        section = self._sections.get("Wrong answers")
        if section and len(found) < 2:
            count = ("no wrong answer", "only one wrong answer")[len(found)]
            self._note(rules.FEW_WRONG_ANSWERS, section.heading, count=count)
        return found

    def sources(self) -> tuple[Source, ...]:
        part = self._sections.get("Sources")
        found = read_sources(part, self._notes)
        if part and not found:
            self._note(rules.NO_SOURCES, part.heading)
        return found

    def _items(self, name: str) -> Sequence[Part]:
        section = self._sections.get(name)
        if section is None:
            return []
        before, items = parts(section.text, 3, section.line)
        note_stray(before, section.line, "item", self._notes)
        for item in items:
            self._ids.check(item.heading, _ATTRIBUTES[name])
        return items

    def _filled(self, part: Part, title: str) -> Passage:
        passage = part.passage()
        if not passage:
            self._note(rules.EMPTY_ANSWER, part.heading, title=title)
        return passage

    def _note(self, rule: Rule, heading: Heading, **words: object) -> None:
        self._notes.add(rule, Place(heading.line, heading.column), **words)
