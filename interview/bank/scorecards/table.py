"""Scorecards as CSV for a spreadsheet: a line for each question on each of them."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from interview.rating.rating import Mark
from interview.web.cells import safe_cell

from ..models import Interview
from .sheet import Entry, Sheet

COLUMNS = (
    "candidate",
    "held_on",
    "kit",
    "kit_version",
    "position",
    "card",
    "title",
    "void_reason",
    "interviewer",
    "state",
    "rating",
    "level",
    "without_hints",
    "met",
    "not_met",
    "not_asked",
    "hinted",
    "wrong_answers",
    "notes",
    "revisions",
)


def scorecards_csv(interview: Interview, sheets: Iterable[Sheet]) -> str:
    """With a header line; no cell is a formula."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for sheet in sheets:
        for entry in sheet.entries:
            cells = _cells(interview, sheet, entry)
            writer.writerow([safe_cell(cells[name]) for name in COLUMNS])
    return text.getvalue()


def _cells(interview: Interview, sheet: Sheet, entry: Entry) -> dict[str, Any]:
    """Several of a kind are parted by spaces, notes and reasons by lines."""
    question, score = entry.question, entry.score
    return {
        "candidate": interview.candidate,
        "held_on": interview.held_on.isoformat(),
        "kit": interview.version.kit.title,
        "kit_version": interview.version.number,
        "position": question.position,
        "card": question.asked.card_id,
        "title": question.title_text,
        "void_reason": question.void_reason,
        "interviewer": sheet.interviewer,
        "state": sheet.card.state,
        "rating": score.rating,
        "level": entry.word,
        "without_hints": None if score.not_asked else entry.rated.met,
        "met": _marked(entry, Mark.MET),
        "not_met": _marked(entry, Mark.NOT_MET),
        "not_asked": _marked(entry, Mark.NOT_ASKED),
        "hinted": " ".join(score.hinted),
        "wrong_answers": " ".join(score.said),
        "notes": "\n".join(f"{each.at} {each.note.text}" for each in entry.notes),
        "revisions": "\n".join(
            f"{each.before} to {each.after}: {each.revision.reason}"
            for each in entry.changes
        ),
    }


def _marked(entry: Entry, mark: Mark) -> str:
    return " ".join(each.rung.id for each in entry.marks if each.mark == mark)
