"""An interview on stage: people, a kit, a panel, a candidate, and their browsers.

The cards are the project's own, because kits freeze real files.
"""

from datetime import UTC, date, datetime, timedelta

from django.test import Client
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.accounts.seat import COOKIE
from interview.bank.frozen import cards_of
from interview.bank.models import (
    CandidateLink,
    CandidateSeat,
    Interview,
    Kit,
    Line,
    Marking,
    Sample,
    Scorecard,
)
from interview.rating.rating import filled
from interview.web.content import library

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAY = date(2026, 12, 1)
FIRST, SECOND, THIRD = "two-phases-of-a-request", "one-token-budget", "tpot-vs-itl"


def later(seconds):
    return NOW + timedelta(seconds=seconds)


def interviewer(name, role=Role.INTERVIEWER):
    return User.objects.create(name=name, role=role, password="!")


def browser(person):
    client = Client()
    client.force_login(person)
    return client


def line(card_id, minutes=6, levels=("L1", "L2", "L3", "L4"), notes=""):
    """All follow-ups of a card up to those levels."""
    rungs = library().cards[card_id].follow_ups
    chosen = tuple(rung.id for rung in rungs if rung.level in levels)
    return Line(card_id, chosen, minutes, notes)


def kit(owner, *card_ids, title="Screen", key=None, **options):
    """With all follow-ups of the cards; of FIRST and SECOND without any."""
    made = Kit.objects.begin(owner, title, NOW, key)
    lines = [line(card_id) for card_id in card_ids or (FIRST, SECOND)]
    draft = {"role": "", "level": "L4", "notes": ""} | options
    made.latest.save_lines(lines, revision=made.latest.revision, **draft)
    return made


def interview(kit, panel, *, owner=None, candidate="Ada L.", key=None, held_on=DAY):
    """Set up by the first of the panel, or by `owner`."""
    return Interview.objects.plan(
        owner or panel[0],
        candidate=candidate,
        version=kit.latest,
        panel=panel,
        held_on=held_on,
        cards=library().cards,
        now=NOW,
        key=key,
    )


def applicant(interview):
    """The candidate's browser, on a seat."""
    # Seats are good by the real clock, whatever the day of the interview.
    link, _ = CandidateLink.objects.make(interview, timezone.now())
    _, token = CandidateSeat.objects.take(link, timezone.now())
    client = Client()
    client.cookies[COOKIE] = token
    return client


def rungs_of(interview):
    """By the id of each question of an interview, its follow-ups for the rating."""
    asked = list(interview.in_order())
    cards = cards_of(each.question for each in asked)
    return {each.pk: each.question.rungs(cards[each.card_id]) for each in asked}


def marking(score, rungs, rating, **changes):
    """What leads to the rating, by a page that showed the score as it is; None is not
    asked."""
    given = {
        "marks": {} if rating is None else filled(rungs, {}, rating),
        "hinted": (),
        "said": (),
        "not_asked": rating is None,
        "revision": score.revision,
    }
    return Marking(**given | changes)


def score(interview, person, ratings, now=NOW):
    """Their scorecard with a rating for each question; None is not asked."""
    card, rungs = Scorecard.objects.of(interview, person, now), rungs_of(interview)
    for each, rating in zip(card.in_order(), ratings, strict=True):
        own = rungs[each.asked_id]
        each.mark(own, (), marking(each, own, rating), now)
    return card


def submit(interview, person, ratings, now=NOW):
    card = score(interview, person, ratings, now)
    card.submit(rungs_of(interview), now)
    return card


def sample(writer, *, card_id=FIRST, title="An answer", key=None):
    """To calibrate with."""
    card = library().cards[card_id]
    return Sample.objects.write(card, title, "Both wait for it.", writer, NOW, key)
