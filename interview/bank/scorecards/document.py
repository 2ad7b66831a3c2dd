"""Scorecards as one JSON document; docs/scorecard.md says what its keys mean."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ..models import Interview
from .debrief import Debrief, Member
from .question import Question
from .review import Review
from .sheet import Entry, Sheet

FORMAT = "prefill-scorecard/1"
LEVELS = ("below_l1", "l1", "l2", "l3", "l4")


def scorecard_document(review: Review, now: datetime) -> dict[str, Any]:
    questions, sheets = review.questions, [review.sheet]
    return _document("scorecard", review.interview, questions, sheets, now)


def debrief_document(debrief: Debrief, now: datetime) -> dict[str, Any]:
    found = [each.question for each in (*debrief.compared, *debrief.voided)]
    questions = sorted(found, key=lambda question: question.position)
    document = _document("debrief", debrief.interview, questions, debrief.sheets, now)
    return document | {"panel": [_member(each) for each in debrief.members]}


def _document(
    kind: str,
    interview: Interview,
    questions: Sequence[Question],
    sheets: Sequence[Sheet],
    now: datetime,
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "kind": kind,
        "made_at": now,
        "interview": {
            "id": interview.pk,
            "candidate": interview.candidate,
            "held_on": interview.held_on,
            "started_at": interview.started_at,
            "ended_at": interview.ended_at,
            "kit": interview.version.kit.title,
            "kit_version": interview.version.number,
        },
        "questions": [_question(each) for each in questions],
        "scorecards": [_sheet(each) for each in sheets],
    }


def _member(member: Member) -> dict[str, Any]:
    return {"name": member.name, "state": "submitted" if member.is_in else "pending"}


def _question(question: Question) -> dict[str, Any]:
    asked, planned = question.asked, question.asked.question
    return {
        "position": planned.position,
        "card": planned.card_id,
        "card_version": planned.card_hash,
        "title": question.title_text,
        "minutes": planned.minutes,
        "asked_at": asked.asked_at,
        "voided_at": planned.voided_at,
        "void_reason": planned.void_reason,
        "rungs": [
            {"id": each.id, "level": each.level, "text": each.text}
            for each in question.rungs
        ],
        "wrong_answers": [
            {"id": each.id, "text": each.text} for each in question.wrongs
        ],
        "evidence": [
            {"run": each.run.slug, "claim": each.claim, "attached_at": each.attached_at}
            for each in question.evidence
        ],
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    card = sheet.card
    return {
        "interviewer": sheet.interviewer,
        "state": card.state,
        "submitted_at": card.submitted_at,
        "summary": card.summary,
        "levels": dict(zip(LEVELS, sheet.levels.counts, strict=True)),
        "without_rating": sheet.unrated,
        "scores": [_score(each) for each in sheet.entries],
    }


def _score(entry: Entry) -> dict[str, Any]:
    score = entry.score
    return {
        "position": entry.question.position,
        "rating": score.rating,
        "without_hints": None if score.not_asked else entry.rated.met,
        "capped_by": entry.rated.capped_by,
        "not_asked": score.not_asked,
        "marks": score.marks,
        "hinted": score.hinted,
        "said": score.said,
        "notes": [
            {"at_s": each.note.at_s, "rung": each.note.rung_id, "text": each.note.text}
            for each in entry.notes
        ],
        "revisions": [
            {
                "at": each.revision.at,
                "reason": each.revision.reason,
                "before": each.revision.before,
                "after": each.revision.after,
            }
            for each in entry.changes
        ],
    }
