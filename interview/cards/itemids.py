"""Checks what stands in the braces of an item's heading: `{#id key=value}`."""

from collections.abc import Collection
from dataclasses import dataclass, field

from interview.cards import rules
from interview.cards.outline import Heading
from interview.cards.plain import plain_text
from interview.cards.problem import Notes, Place, Rule


@dataclass(slots=True)
class ItemIds:
    """The ids of one file's items; notes one that is missing or there twice."""

    notes: Notes
    _lines: dict[str, int] = field(default_factory=dict)

    def check(self, heading: Heading, known: Collection[str]) -> None:
        """Note the attributes outside `known`, and what is wrong with the id."""
        for key in heading.attributes.keys() - set(known):
            text = f"{key}={heading.attributes[key]}"
            self._note(rules.BAD_ATTRIBUTE, heading, text=text)
        item_id = heading.attributes.get("id")
        if heading.title.endswith("}") and "{#" in heading.title:
            text = heading.title[heading.title.rindex("{#") :]
            self._note(rules.BAD_ATTRIBUTE, heading, text=text)
        elif item_id is None:
            title = unquoted(plain_text(heading.title))
            self._note(rules.MISSING_ITEM_ID, heading, title=title)
        elif item_id in self._lines:
            words = {"id": item_id, "first": self._lines[item_id]}
            self._note(rules.DUPLICATE_ITEM_ID, heading, **words)
        else:
            self._lines[item_id] = heading.line

    def _note(self, rule: Rule, heading: Heading, **words: object) -> None:
        self.notes.add(rule, Place(heading.line, heading.column), **words)


def unquoted(title: str) -> str:
    return title.strip('“”„" ')
