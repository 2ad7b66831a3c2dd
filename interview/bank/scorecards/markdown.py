"""Scorecards as Markdown. What people typed stays text, whatever it looks like."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.dateformat import format as date_format
from django.utils.timezone import localtime

from ..models import Interview
from .change import Change
from .debrief import Compared, Debrief
from .question import Question
from .review import Review
from .sheet import Entry, NoteLine, Sheet

_MARKUP = re.compile(r"[\\`*_\[\]<>|~&]")
_LINE_START = re.compile(r"^([#=+-]|\d+(?=[.)]))")


def scorecard_markdown(review: Review) -> str:
    return "\n".join(_scorecard(review)) + "\n"


def debrief_markdown(debrief: Debrief) -> str:
    """In the order of the widest spread."""
    return "\n".join(_debrief(debrief)) + "\n"


def escaped(text: str) -> str:
    """One line of text that no reader of Markdown takes for markup."""
    line = _MARKUP.sub(lambda found: f"\\{found[0]}", " ".join(text.split()))
    return _LINE_START.sub(lambda found: _kept(found[0]), line)


def _kept(start: str) -> str:
    return f"{start}\\" if start.isdecimal() else f"\\{start}"


def quoted(text: str) -> str:
    """Text of several lines as a quotation that keeps its lines."""
    lines = [escaped(line) for line in text.strip().splitlines()]
    return "\n".join(f"> {line}  " if line else ">" for line in lines)


def _scorecard(review: Review) -> Iterator[str]:
    sheet, card = review.sheet, review.card
    yield f"# Scorecard of {escaped(sheet.interviewer)}"
    yield ""
    yield from _about(review.interview)
    yield f"- State: {review.state}{_when(card.submitted_at)}"
    for entry in sheet.entries:
        yield ""
        yield f"## {_title(entry.question)}"
        yield ""
        yield from _void(entry.question)
        yield f"Level reached: {_reached(entry)}"
        yield ""
        for mark in entry.marks:
            yield f"- {mark.rung.level} {escaped(mark.rung.text)}: {mark.word}"
        for wrong in entry.heard:
            yield f"- Wrong answer heard: {escaped(wrong.text)}"
        yield from _evidence(entry.question)
        yield from _notes(entry.notes, named=False)
        yield from _changes(entry.changes)
    yield from _summaries([sheet])


def _debrief(debrief: Debrief) -> Iterator[str]:
    yield "# Debrief"
    yield ""
    yield from _about(debrief.interview)
    yield f"- {debrief.title}"
    for each in debrief.levels:
        yield f"- {escaped(each.interviewer)}: {each.words}"
    for compared in (*debrief.widest_first, *debrief.voided):
        yield from _compared(compared)
    yield from _summaries(debrief.sheets)


def _compared(compared: Compared) -> Iterator[str]:
    yield ""
    yield f"## {_title(compared.question)}"
    yield ""
    yield from _void(compared.question)
    yield f"Levels reached: {compared.spread}"
    yield ""
    names = [escaped(each.interviewer) for each in compared.entries]
    yield _row(["", *names])
    yield _row(["---"] * (len(names) + 1))
    yield _row(["Level reached", *(_reached(each) for each in compared.entries)])
    for rung, _, marks in compared.rungs:
        words = [mark.word for mark in marks]
        yield _row([f"{rung.level} {escaped(rung.text)}", *words])
    for wrong, who in compared.heard:
        heard = ["heard" if each else "–" for each in who]
        yield _row([f"Wrong: {escaped(wrong.text)}", *heard])
    yield from _evidence(compared.question)
    yield from _notes(compared.notes, named=True)
    yield from _changes(compared.changes)


def _about(interview: Interview) -> Iterator[str]:
    version = interview.version
    yield f"- Candidate: {escaped(interview.name)}"
    yield f"- Day: {date_format(interview.held_on, 'j F Y')}"
    yield f"- Kit: {escaped(version.kit.title)}, version {version.number}"


def _title(question: Question) -> str:
    return f"{question.position}. {escaped(question.title_text)}"


def _void(question: Question) -> Iterator[str]:
    if question.is_void:
        yield f"Void, counts for nobody: {escaped(question.void_reason)}"
        yield ""


def _reached(entry: Entry) -> str:
    return f"{entry.word} ({entry.cap})" if entry.cap else entry.word


def _evidence(question: Question) -> Iterator[str]:
    if question.evidence:
        yield ""
    for each in question.evidence:
        claim = f": {escaped(each.claim)}" if each.claim else ""
        yield f"- Run {escaped(each.run.slug)}{claim}"


def _notes(notes: Sequence[NoteLine], *, named: bool) -> Iterator[str]:
    for each in notes:
        about = [each.at, escaped(each.interviewer) if named else "", each.level]
        yield ""
        yield f"{', '.join(filter(None, about))}:"
        yield ""
        yield quoted(each.note.text)


def _changes(changes: Sequence[Change]) -> Iterator[str]:
    for each in changes:
        yield ""
        yield (
            f"Revised by {escaped(each.interviewer)}{_when(each.revision.at)}, "
            f"{each.before} to {each.after}: {escaped(each.revision.reason)}"
        )
        yield ""
        for one in each.differences:
            yield f"- {one.before}, now {one.after}: {escaped(one.what)}"


def _summaries(sheets: Sequence[Sheet]) -> Iterator[str]:
    said = [each for each in sheets if each.card.summary]
    for each in said:
        yield ""
        yield f"## Summary of {escaped(each.interviewer)}"
        yield ""
        yield quoted(each.card.summary)


def _when(at: datetime | None) -> str:
    return f", {date_format(localtime(at), 'j F Y, H:i')}" if at else ""


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
