"""The claims of an experiment: sentences about the ratio of two measured quantities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interview.cards import claimrules, rules
from interview.cards.experiment import Claim, Load
from interview.cards.form import SLUG, nearest
from interview.cards.itemids import ItemIds
from interview.cards.outline import Heading, Part, parts
from interview.cards.plain import plain_text
from interview.cards.problem import Notes, Place
from interview.cards.quantity import METRICS, BadRange, Quantity, Range, read_range
from interview.cards.shape import note_stray

_NEEDED = ("of", "to", "agrees", "doubt")
_KNOWN = ("id", *_NEEDED, "against")


def read_claims(
    part: Part | None, lines: Sequence[str], loads: Mapping[str, Load], notes: Notes
) -> tuple[Claim, ...]:
    """The claims under a heading; `lines` are those of the whole file."""
    if part is None:
        return ()
    before, items = parts(part.text, 3, part.line)
    note_stray(before, part.line, "claim", notes)
    if not items:
        notes.add(claimrules.NO_CLAIMS, Place(part.heading.line, part.heading.column))
    ids = ItemIds(notes)
    found = []
    for item in items:
        ids.check(item.heading, _KNOWN)
        line = lines[item.heading.line - 1]
        found.append(_Attributes(item.heading, line, loads, notes).claim(item))
    return tuple(claim for claim in found if claim)


def find_quantity(
    text: str, place: Place, loads: Mapping[str, Load], notes: Notes
) -> Quantity | None:
    """The quantity of `metric@load` if it can be measured in one of these loads."""
    metric, _, name = text.partition("@")
    load = loads.get(name)
    if metric not in METRICS:
        near = nearest(metric, METRICS)
        notes.add(claimrules.UNKNOWN_METRIC, place, metric=metric, nearest=near)
    elif load is None:
        near = nearest(name, loads)
        notes.add(claimrules.UNKNOWN_LOAD, place, load=name, nearest=near)
    elif metric == "neighbour_ttft_ms" and not load.neighbours:
        notes.add(claimrules.NO_NEIGHBOURS, place, load=name, metric=metric)
    else:
        return Quantity(metric, name)
    return None


@dataclass(frozen=True, slots=True)
class _Attributes:
    """What the heading of one claim says in its braces."""

    heading: Heading
    text: str
    """The heading's line."""
    loads: Mapping[str, Load]
    notes: Notes

    def claim(self, part: Part) -> Claim | None:
        """The claim, or None with notes of what is wrong with its heading."""
        title, named = self.heading.title, self.heading.attributes
        missing = [key for key in _NEEDED if key not in named]
        if not title:
            missing.insert(0, "its sentence")
        if missing:
            words = {"title": plain_text(title), "missing": ", ".join(missing)}
            self.notes.add(claimrules.INCOMPLETE_CLAIM, self._place(), **words)
        why = part.passage()
        if not why:
            self.notes.add(rules.EMPTY_ANSWER, self._place(), title=plain_text(title))
        of, to = self._quantity("of"), self._quantity("to")
        if of and of == to:
            place = self._place("to")
            self.notes.add(claimrules.SAME_QUANTITY, place, quantity=of)
        agrees, doubt = self._range("agrees"), self._range("doubt")
        against = self._against()
        if not (of and to and agrees and doubt):
            return None
        if not doubt.contains(agrees):
            place = self._place("doubt")
            self.notes.add(claimrules.NARROW_DOUBT, place, doubt=doubt, agrees=agrees)
        line = self.heading.line
        item_id = named.get("id", "")
        return Claim(item_id, title, of, to, agrees, doubt, against, why, line)

    def _place(self, key: str = "") -> Place:
        """Where the value of an attribute starts; else where the title does."""
        at = self.text.rfind(f" {key}=") if key else -1
        column = at + len(key) + 3 if at >= 0 else self.heading.column
        return Place(self.heading.line, column)

    def _quantity(self, key: str) -> Quantity | None:
        text = self.heading.attributes.get(key)
        if text is None:
            return None
        return find_quantity(text, self._place(key), self.loads, self.notes)

    def _range(self, key: str) -> Range | None:
        text = self.heading.attributes.get(key)
        try:
            return None if text is None else read_range(text)
        except BadRange as error:
            place = self._place(key)
            self.notes.add(claimrules.BAD_RANGE, place, text=text, problem=error)
            return None

    def _against(self) -> tuple[str, str] | None:
        """Card and wrong answer; whether they exist is known over all files only."""
        text = self.heading.attributes.get("against")
        if text is None:
            return None
        card_id, _, wrong_id = text.partition("/")
        if SLUG.fullmatch(card_id) and SLUG.fullmatch(wrong_id):
            return card_id, wrong_id
        place = self._place("against")
        self.notes.add(claimrules.UNKNOWN_WRONG_ANSWER, place, id=text, nearest="")
        return None
