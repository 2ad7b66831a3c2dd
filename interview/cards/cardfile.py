"""Reads one card from the text of its file; knows nothing of the other files."""

import re

from interview.cards import rules
from interview.cards.card import Card, Status
from interview.cards.form import Form
from interview.cards.frontmatter import read
from interview.cards.problem import Notes
from interview.cards.shape import Shape


def read_card(text: str, notes: Notes, *, private: bool = False) -> Card | None:
    """The card, or None with notes of all that is wrong with it."""
    document = read(text, notes)
    if document is None:
        return None
    form = Form(document, notes)
    shape = Shape(document.body, document.body_line, notes)
    default = Status.KIT_ONLY if private else ""
    status = form.one_of("status", tuple(Status), default)
    card = Card(
        id=form.slug("id"),
        title=shape.title,
        roles=form.words("roles", required=True),
        topics=form.words("topics", required=True),
        levels=form.words("levels", required=True),
        minutes=form.whole("minutes", 1, 120),
        competences=form.words("competences", required=True),
        status=Status(status) if status in tuple(Status) else Status.DRAFT,
        engine=form.text("engine"),
        checked=form.date("checked"),
        edition=form.edition("edition"),
        needs=form.words("needs"),
        taught_in=_numbers(form, notes),
        experiments=form.words("experiments"),
        question=shape.passage("Question"),
        short=shape.passage("Short answer"),
        full=shape.passage("Full answer"),
        follow_ups=tuple(shape.follow_ups()),
        wrong_answers=tuple(shape.wrong_answers()),
        sources=shape.sources(),
        path=notes.path,
        private=private,
        source=text,
    )
    form.close()
    if card.status is Status.KIT_ONLY and not private:
        notes.add(rules.KIT_ONLY_IN_PUBLIC, form.place("status"))
    return None if notes.broken else card


def _numbers(form: Form, notes: Notes) -> tuple[str, ...]:
    numbers = []
    for text in form.texts("taught_in"):
        found = re.fullmatch(r"manual/(\d+\.\d+)", text.value)
        if found:
            numbers.append(found[1])
        else:
            words = {"found": f"“{text.value}”", "wanted": "like manual/1.3"}
            notes.add(rules.BAD_VALUE, text.place, key="taught_in", **words)
    return tuple(numbers)
