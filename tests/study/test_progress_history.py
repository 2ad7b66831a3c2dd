"""All that somebody did with one card, under /progress/<card>/."""

from datetime import timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.recall.grade import Grade
from interview.study.item_name import SPOT_THE_FLAW
from interview.study.models import (
    Act,
    ActKind,
    Answer,
    Attempt,
    Item,
    Plan,
    Session,
    SessionStep,
)
from interview.web.content import keeper, library
from tests.study.conftest import card_text

pytestmark = pytest.mark.django_db
URL = "/progress/two-phases/"


@pytest.fixture
def ada(client, content, settings):
    settings.PREFILL_MODE = "shared"
    user = User.objects.create(name="ada", role=Role.CANDIDATE)
    client.force_login(user)
    return user


@pytest.fixture
def give(ada):
    session = Session.objects.create(
        user=ada, kind="practice", started_at=timezone.now()
    )

    def graded(grade, days_ago=0, rung_id="", card_id="two-phases", **given):
        step = SessionStep.objects.create(
            session=session, position=session.steps.count() + 1, card_id=card_id
        )
        at = timezone.now() - timedelta(days=days_ago)
        answer = Answer(library().cards[card_id], rung_id, grade, **given)
        return Act.objects.grade(Plan.objects.of(ada), step, answer, at)[0]

    return graded


def history(client):
    return client.get(URL).context["history"]


def words(client, url=URL):
    return " ".join(client.get(url).text.split())


def test_a_card_that_was_never_asked_says_so(client, ada):
    assert "You have not answered this card yet" in words(client)


def test_every_grade_stands_with_what_was_said_and_taken(client, give):
    give(Grade.SOLID, 5, confidence="sure", took_ms=72_400)
    give(Grade.PARTLY, 1, took_ms=9_000)
    give(Grade.MISSED, 1, "first")
    question, first, *rest = history(client).items
    assert [line.word for line in question.lines] == ["Partly", "Solid"]
    assert [line.act.confidence for line in question.lines] == ["", "sure"]
    assert [line.took for line in question.lines] == [
        "9\u00a0s",
        "1\u00a0min 12\u00a0s",
    ]
    assert [line.word for line in first.lines] == ["Missed"]
    assert [item.rung_id for item in rest] == ["second", "third", "fourth"]
    assert not any(item.lines for item in rest)


def test_the_last_date_of_a_line_is_that_of_the_schedule(client, give):
    for days_ago in (30, 20, 4):
        give(Grade.SOLID, days_ago)
    newest, *older = history(client).items[0].lines
    assert newest.next_at == Item.objects.get(rung_id="").due_at
    assert all(line.next_at < newest.next_at for line in older)


def test_what_rests_until_the_interview_says_so(client, ada, give):
    Plan.objects.create(user=ada, interview_on=timezone.localdate() + timedelta(days=4))
    for days_ago in (40, 30, 0):
        give(Grade.SOLID, days_ago)
    line = history(client).items[0].lines[0]
    assert (line.next_at, line.rests) == (None, True)
    assert "not before the interview" in words(client)


def test_an_undone_grade_is_struck_and_named(client, give):
    give(Grade.SOLID, 9)
    act = give(Grade.MISSED, 1)
    Act.objects.undo(act, timezone.now())
    undone, solid = history(client).items[0].lines
    assert (undone.undone_at is not None, solid.undone_at) == (True, None)
    assert (undone.next_at, undone.rests) == (None, False)
    assert solid.next_at == Item.objects.get(rung_id="").due_at
    assert "<s>Missed</s> <small>undone" in words(client)


def test_an_attempt_stands_beside_its_grade_as_text(client, ada, give):
    act = give(Grade.PARTLY)
    Attempt.objects.create(
        user=ada, step=act.step, card_id="two-phases", text="<b>bold</b>", at=act.at
    )
    [line] = history(client).items[0].lines
    assert line.attempt.text == "<b>bold</b>"
    assert "&lt;b&gt;bold&lt;/b&gt;" in words(client)


def test_attempts_that_were_never_graded_are_kept_each(client, ada):
    for text in ("one", "two"):
        Attempt.objects.create(
            user=ada, step=None, card_id="two-phases", text=text, at=timezone.now()
        )
    lines = history(client).items[0].lines
    assert {line.attempt.text for line in lines} == {"one", "two"}
    assert {line.word for line in lines} == {"not graded"}


def test_what_was_typed_in_the_drill_of_flaws_is_no_rung(client, ada):
    Attempt.objects.create(
        user=ada,
        card_id="two-phases",
        rung_id=SPOT_THE_FLAW,
        text="It is a mean.",
        at=timezone.now(),
    )
    item = history(client).items[-1]
    assert item.place == "Spot the flaw"
    assert [line.attempt.text for line in item.lines] == ["It is a mean."]
    assert "no longer on the card" not in words(client)
    assert 'id="of-spot-the-flaw:"' in client.get("/progress/two-phases/").text


def test_flags_and_suspends_are_told_of_the_card_as_a_whole(client, ada):
    flag = Act.objects.mark(ada, "two-phases", ActKind.FLAG, timezone.now())
    Act.objects.mark(ada, "two-phases", ActKind.SUSPEND, timezone.now())
    Act.objects.undo(flag, timezone.now())
    marks = history(client).marks
    assert [(line.word, bool(line.undone_at)) for line in marks] == [
        ("suspended", False),
        ("flagged", True),
    ]


def test_a_reset_begins_the_schedule_anew(client, ada, give):
    give(Grade.SOLID, 20)
    card, plan = library().cards["two-phases"], Plan.objects.of(ada)
    then = timezone.now() - timedelta(days=9)
    Act.objects.change(plan, None, card, "", ActKind.RESET, then)
    act = give(Grade.SOLID, 8)
    newest, reset, _ = history(client).items[0].lines
    assert "begun anew" in reset.word
    assert newest.next_at == Item.objects.get(rung_id="").due_at
    assert act.recall is None


def test_a_rung_that_left_the_card_keeps_its_history(client, content, give):
    give(Grade.SOLID, 2)
    give(Grade.PARTLY, 1, "second")
    text = card_text("two-phases").replace("{#second}", "{#other}")
    content.write("cards/any/two-phases.md", text)
    keeper.cache_clear()
    gone = history(client).items[-1]
    assert (gone.rung_id, gone.place, len(gone.lines)) == ("second", "", 1)
    assert "no longer on the card" in words(client)


def test_a_card_that_left_keeps_its_history_and_its_name(client, content, give):
    give(Grade.SOLID)
    content.card("two-phases", title="The two phases", status="kit-only", private=True)
    (content.public / "cards/any/two-phases.md").unlink()
    keeper.cache_clear()
    text = words(client)
    assert "<h1>The two phases</h1>" in text
    assert "This card is no longer asked" in text
    assert 'href="/cards/two-phases/"' not in text


@pytest.mark.parametrize("card_id", ["secret", "half-done", "no-such-card"])
def test_what_candidates_do_not_see_is_not_found(client, content, settings, card_id):
    settings.PREFILL_MODE = "shared"
    for role in Role:
        client.force_login(User.objects.create(name=f"r {role}", role=role))
        assert client.get(f"/progress/{card_id}/").status_code == 404


def test_nobody_reads_the_grades_and_attempts_of_somebody_else(client, ada, give):
    act = give(Grade.PARTLY)
    Attempt.objects.create(
        user=ada, step=act.step, card_id="two-phases", text="my own words", at=act.at
    )
    assert "my own words" in words(client)
    for role in Role:
        client.force_login(User.objects.create(name=f"r {role}", role=role))
        assert "my own words" not in words(client)
        assert history(client).is_empty
