"""Checks the rules C7 over all cards and sections: lengths, repeats, numbers."""

from collections.abc import Callable, Iterable
from itertools import combinations

from interview.cards import houserules
from interview.cards.card import Card, FollowUp
from interview.cards.evidence import blocks, numerals
from interview.cards.house import House
from interview.cards.manual import ManualSection
from interview.cards.markdown import parser
from interview.cards.outline import Passage
from interview.cards.plain import plain_text
from interview.cards.problem import Notes, Place
from interview.cards.reading import alike, sentences, word_count
from interview.cards.shelf import Shelf

_parser = parser()


def check_house(shelf: Shelf, house: House, asked: Callable[[str], bool]) -> None:
    """`asked` tells of a path whether its problems are looked for."""
    said: dict[str, Card] = {}
    for card in shelf.cards.values():
        notes = Notes(card.path)
        _check_sentences(card, said, notes)
        shelf.problems.extend(notes.problems)
    for card in filter(lambda card: asked(card.path), shelf.cards.values()):
        notes = Notes(card.path)
        _check_length("short_answer", "Short answer", card.short, house, notes)
        _check_length("full_answer", "Full answer", card.full, house, notes)
        for rung in card.follow_ups:
            _check_expected(rung, house, notes)
        _check_questions(card, notes)
        given = [card.title, card.question.markdown]
        given += [rung.title for rung in card.follow_ups]
        given += [wrong.quote for wrong in card.wrong_answers]
        _check_numbers(card.passages(), given, notes)
        shelf.problems.extend(notes.problems)
    for section in filter(lambda part: asked(part.path), shelf.sections.values()):
        shelf.problems.extend(_section_notes(section, house).problems)


def _section_notes(section: ManualSection, house: House) -> Notes:
    notes = Notes(section.path)
    _check_length("section", section.title, section.body, house, notes)
    _check_numbers([section.body], [section.title], notes)
    return notes


def _check_length(
    kind: str, title: str, text: Passage, house: House, notes: Notes
) -> None:
    if kind not in house.words:
        return
    low, high = house.words[kind]
    count = word_count(text.markdown)
    if not low <= count <= high:
        words = {"title": title, "count": count, "low": low, "high": high}
        notes.add(houserules.READING_LENGTH, Place(text.line, 1), **words)


def _check_expected(rung: FollowUp, house: House, notes: Notes) -> None:
    least = house.least_expected
    if word_count(rung.answer.markdown) < least:
        words = {"title": plain_text(rung.title), "least": least}
        notes.add(houserules.THIN_ANSWER, Place(rung.answer.line, 1), **words)


def _check_questions(card: Card, notes: Notes) -> None:
    """A follow-up asks neither what the card asks nor what one before it asks."""
    asked = [("the card", card.question.markdown, 0)]
    asked += [(f"“{plain_text(r.title)}”", r.title, r.line) for r in card.follow_ups]
    for (name, other, _), (_, title, line) in combinations(asked, 2):
        if alike(title, other):
            words = {"title": plain_text(title), "other": name}
            notes.add(houserules.REPEATED_QUESTION, Place(line, 1), **words)


def _check_sentences(card: Card, said: dict[str, Card], notes: Notes) -> None:
    for passage in card.passages():
        for sentence, text, line in sentences(passage.markdown):
            first = said.setdefault(sentence, card)
            if first is not card:
                start = " ".join(text.split()[:8])
                place = Place(passage.line + line, 1)
                words = {"start": f"{start} …", "first": first.path}
                notes.add(houserules.REPEATED_SENTENCE, place, **words)


def _check_numbers(
    passages: Iterable[Passage], given: Iterable[str], notes: Notes
) -> None:
    """A number that a question gives, or a founded block has, may be said again."""
    found = [
        (passage.line + block.line, block)
        for passage in passages
        for block in blocks(_parser.parse(passage.markdown))
    ]
    known = {number for text in given for number in numerals(text)}
    for _, block in found:
        known |= block.numerals if block.founded else frozenset()
    for line, block in found:
        bare = [m.text for m in block.measures if m.numeral not in known]
        if bare and not block.founded:
            shown = ", ".join(f"“{text}”" for text in dict.fromkeys(bare))
            notes.add(houserules.BARE_NUMBER, Place(line, 1), numbers=shown)
