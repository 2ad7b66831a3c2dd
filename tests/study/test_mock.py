"""A mock interview from its form to its report."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from interview.accounts.models import User
from interview.study.models import Act, Attempt, Item, Mock, SessionStep
from interview.web.content import keeper

pytestmark = pytest.mark.django_db

# A marker of every answer of the cards in `content`, and of what would give one away.
ANSWERS = (
    "short answer of",
    "answer, with a",
    "A heading of its own",
    "Expected one",
    "Expected two",
    "One is a mean",
    "same number",
    "More is better",
    "The two phases",
    "Title of",
)


@pytest.fixture
def me(candidate):
    return User.objects.get(name="c")


@pytest.fixture
def start(content, candidate):
    def begin(**given):
        form = {"key": uuid.uuid4(), "role": "", "level": "L2", "minutes": 20}
        response = candidate.post("/mock/start/", form | given)
        assert response.status_code == 303, response.text
        return Mock.objects.get(pk=response["Location"].split("/")[2])

    return begin


@pytest.fixture
def post(candidate):
    """Send a form of a mock; the address that it leads to."""

    def send(mock, name, *at, **fields):
        args = [mock.pk, *at]
        response = candidate.post(reverse(f"study:mock_{name}", args=args), fields)
        assert response.status_code == 303, response.status_code
        return response["Location"]

    return send


def steps(mock):
    return list(SessionStep.objects.filter(session_id=mock.pk))


def walk(mock, post, texts=True):
    """Answer everything; yields before each step on."""
    while step := Mock.objects.get(pk=mock.pk).current():
        rung = step.stage.partition(":")[2]
        yield step, rung
        said = f"typed at {rung or 'question'}" if texts else ""
        post(mock, "next", step.position, rung=rung, text=said)


@pytest.fixture
def answered(start, post):
    mock = start()
    for _ in walk(mock, post):
        pass
    return mock


def test_it_goes_from_the_question_over_its_follow_ups_to_the_next(start, post):
    mock = start()
    stages = [(step.position, rung) for step, rung in walk(mock, post)]
    assert stages == [(n, rung) for n in (1, 2) for rung in ("", "first", "second")]
    mock.refresh_from_db()
    assert mock.ended_at
    assert all(step.asked_at and step.done_at for step in steps(mock))


def test_what_a_card_needs_is_asked_before_it(start):
    assert [step.card_id for step in steps(start())] == ["two-phases", "kv-cache"]


def test_a_role_and_a_level_without_cards_is_said(content, candidate):
    content.write("vocabulary.toml", VOCABULARY_OF_ONE_MORE_ROLE)
    form = {"key": uuid.uuid4(), "role": "nobody", "level": "L1", "minutes": 20}
    response = candidate.post("/mock/start/", form)
    assert response.status_code == 422
    assert "No card of this role" in response.text
    assert not Mock.objects.exists()


VOCABULARY_OF_ONE_MORE_ROLE = """\
[roles.engine]
title = "Engine"
[roles.product]
title = "Product"
[roles.nobody]
title = "Nobody"
[levels.L1]
title = "Screen"
[topics.phases]
title = "Phases"
[topics.memory]
title = "Memory"
[competences.metrics]
title = "Metrics"
"""


@pytest.mark.parametrize("seed", ["0", "-1", "x", "1.5", "9" * 30])
def test_a_wrong_seed_is_said_and_opens_its_fold(content, candidate, seed):
    form = {"key": uuid.uuid4(), "level": "L1", "minutes": 20, "seed": seed}
    response = candidate.post("/mock/start/", form)
    assert response.status_code == 422
    assert "Write a whole number" in response.text


def test_a_form_sent_twice_begins_one_mock(start):
    key = uuid.uuid4()
    assert start(key=key) == start(key=key)
    assert Mock.objects.count() == 1


def test_the_same_form_begins_a_new_one_when_the_first_is_over(start, post):
    key = uuid.uuid4()
    first = start(key=key)
    post(first, "end")
    assert start(key=key) != first


def test_no_page_gives_an_answer_before_the_timed_pass_is_over(start, post, candidate):
    mock, looked = start(), 0
    names = [reverse("study:mock", args=[mock.pk]), "/mock/"]
    names += [reverse("study:mock_report", args=[mock.pk])]
    names += [reverse("study:mock_question", args=[mock.pk, n]) for n in (1, 2, 3)]
    for step, _ in walk(mock, post):
        grade = {"rung": "", "grade": "solid", "turn": 0}
        post(mock, "grade", step.position, **grade)
        post(mock, "said", step.position, wrong="same", said="1")
        for name in names:
            response = candidate.get(name, follow=True)
            assert response.status_code in {200, 404}
            assert [word for word in ANSWERS if word in response.text] == []
            looked += 1
    assert looked == 36
    assert not Act.objects.exists()
    assert steps(mock)[0].said == ""
    page = candidate.get(reverse("study:mock_question", args=[mock.pk, 1]))
    assert all(word in page.text for word in ANSWERS[:4])


def test_the_follow_ups_ahead_are_not_in_the_page(start, post, candidate):
    mock = start()
    address = reverse("study:mock_question", args=[mock.pk, 1])
    assert "First rung" not in candidate.get(address).text
    post(mock, "next", 1, rung="")
    page = candidate.get(address).text
    assert "First rung" in page
    assert "Second rung" not in page


def test_the_clock_is_said_in_words_and_in_the_person_s_zone(start, candidate, me):
    mock = start()
    began = timezone.now().replace(hour=9, minute=42)
    Mock.objects.filter(pk=mock.pk).update(started_at=began)
    SessionStep.objects.filter(session=mock).update(asked_at=None)
    SessionStep.objects.filter(session=mock, position=1).update(asked_at=began)
    me.introduce("c", "Asia/Tokyo")
    page = candidate.get(reverse("study:mock_question", args=[mock.pk, 1])).text
    assert ">18:42</time>, 4 minutes planned" in page


def test_minutes_other_than_the_chosen_ones_are_explained(answered, start, candidate):
    planned = answered.planned_minutes()
    words = f"{answered.minutes} were chosen: whole questions make {planned}."
    pages = ["mock", "mock_report"]
    addresses = [reverse(f"study:{name}", args=[answered.pk]) for name in pages]
    running = start()
    addresses.append(reverse("study:mock_question", args=[running.pk, 1]))
    assert answered.minutes != planned == running.planned_minutes()
    for address in addresses:
        assert words in candidate.get(address).text
    Mock.objects.update(minutes=planned)
    for address in addresses:
        assert "were chosen" not in candidate.get(address).text


def test_time_over_is_said_and_nothing_is_lost(start, post, candidate):
    mock = start()
    address = reverse("study:mock_question", args=[mock.pk, 1])
    assert "data-over hidden" in candidate.get(address).text
    SessionStep.objects.filter(session=mock, position=1).update(
        asked_at=timezone.now() - timedelta(hours=3)
    )
    assert "data-over>" in candidate.get(address).text
    post(mock, "next", 1, rung="", text="late, but here")
    assert Attempt.objects.get().text == "late, but here"


def test_a_step_sent_twice_moves_once(start, post):
    mock = start()
    for _ in range(3):
        post(mock, "next", 1, rung="", text="mine")
    assert steps(mock)[0].stage == "rung:first"
    assert Attempt.objects.get().text == "mine"


def test_an_old_tab_neither_loses_nor_replaces_a_text(start, post):
    mock = start()
    post(mock, "next", 1, rung="", text="first")
    post(mock, "text", 1, rung="", text="of an old tab")
    post(mock, "next", 1, rung="first", text="")
    post(mock, "text", 1, rung="first", text="came late")
    typed = dict(Attempt.objects.values_list("rung_id", "text"))
    assert typed == {"": "first", "first": "came late"}


def test_no_text_is_kept_of_what_was_not_asked(start, post):
    mock = start()
    for rung in ("first", "no-rung", "x" * 200):
        post(mock, "text", 1, rung=rung, text="early")
        post(mock, "next", 1, rung=rung, text="early")
        post(mock, "end", position=2, rung="", text="early")
        assert not Attempt.objects.exists()


def test_a_text_is_kept_as_in_practice(start, post):
    mock = start()
    post(mock, "text", 1, rung="", text=" one\r\ntwo\x00 " + "x" * 20_000)
    assert Attempt.objects.get().text == ("one\ntwo " + "x" * 20_000)[:10_000]


def test_numbers_that_no_form_holds_lead_nowhere(answered, post):
    for digits in ("9" * 9, "9" * 5_000, "-1", "²"):
        post(answered, "end", position=digits, rung="", text="late")
        post(answered, "grade", 1, rung="", grade="solid", turn=digits)
    assert not Act.objects.exists()


def test_a_mock_with_a_step_less_is_graded_at_its_own_positions(
    answered, post, candidate
):
    SessionStep.objects.filter(session_id=answered.pk, position=1).delete()
    there = reverse("study:mock_question", args=[answered.pk, 2])
    assert candidate.get(there).status_code == 200
    post(answered, "grade", 2, rung="", grade="solid", turn=0)
    assert Act.objects.get().step.position == 2


def test_what_is_typed_is_kept_on_the_way(start, candidate):
    mock = start()
    address = reverse("study:mock_text", args=[mock.pk, 1])
    fields = {"rung": "", "text": "half a sen\x00tence"}
    response = candidate.post(address, fields, headers={"HX-Request": "true"})
    assert response.status_code == 204
    page = candidate.get(reverse("study:mock_question", args=[mock.pk, 1]))
    assert ">half a sentence</textarea>" in page.text
    candidate.post(address, {"rung": "", "text": " "})
    assert not Attempt.objects.exists()


def test_a_passed_question_leads_to_the_next_one(start, post):
    mock = start()
    assert post(mock, "next", 1, rung="", go="pass").endswith("/2/")
    first, second = steps(mock)
    assert first.skipped_at
    assert first.done_at
    assert second.asked_at


def test_one_may_end_early_and_what_was_typed_is_kept(start, post, candidate):
    mock = start()
    post(mock, "end", position="1", rung="", text="enough")
    post(mock, "end")
    mock.refresh_from_db()
    assert mock.ended_at
    assert Attempt.objects.get().text == "enough"
    assert steps(mock)[1].asked_at is None
    page = candidate.get(reverse("study:mock_report", args=[mock.pk])).text
    assert "1 of 2 questions were not asked" in page
    page = candidate.get(reverse("study:mock_question", args=[mock.pk, 2])).text
    assert "It was not asked" in page


def test_what_was_typed_stands_beside_what_was_expected(answered, candidate):
    page = candidate.get(reverse("study:mock_question", args=[answered.pk, 1])).text
    assert page.index("typed at question") < page.index("short answer of")
    assert page.index("typed at first") < page.index("Expected one")
    assert "Third rung" not in page


def test_after_the_end_nothing_more_is_typed(answered, post):
    before = list(Attempt.objects.values())
    post(answered, "next", 2, rung="second", text="peeked")
    post(answered, "text", 2, rung="second", text="peeked")
    assert list(Attempt.objects.values()) == before


def test_what_comes_late_is_not_dropped_without_a_word(answered, post, candidate):
    typed = {"rung": "second", "text": "typed <late>"}
    for late in (("next", 2), ("text", 2), ("end",)):
        post(answered, *late, **typed, position=2)
        assert "so it was not kept: “typed &lt;late&gt;”" in said(candidate)
    post(answered, "next", 2, rung="second", text=" typed at second\r\n")
    assert "not kept" not in said(candidate)
    for rung, grade in (("third", "solid"), ("no-rung", "solid"), ("", "great")):
        post(answered, "grade", 1, rung=rung, grade=grade, turn=0)
        assert "That grade was not kept" in said(candidate)


def test_a_text_of_an_old_tab_is_given_back(start, post, candidate):
    mock = start()
    post(mock, "next", 1, rung="", text="first")
    assert "not kept" not in said(candidate)
    post(mock, "next", 1, rung="", text="of an old tab")
    assert "not kept: “of an old tab”" in said(candidate)


def said(candidate):
    """What the next page says first."""
    return candidate.get(reverse("study:mocks")).text


def test_a_grade_goes_into_the_log_and_the_schedule_once(answered, post, me):
    for grade in ("solid", "missed", "solid"):
        post(answered, "grade", 1, rung="", grade=grade, turn=0)
    act = Act.objects.get()
    assert (act.grade, act.session_id) == ("solid", answered.pk)
    assert Item.objects.of(me).get(rung_id="").last_grade == "solid"
    assert Item.objects.of(me).filter(rung_id="first").exists()


def test_who_grades_otherwise_in_an_old_tab_is_told(answered, post, candidate):
    post(answered, "grade", 1, rung="", grade="solid", turn=0)
    there = post(answered, "grade", 1, rung="", grade="missed", turn=0)
    assert "already graded Solid" in candidate.get(there.partition("#")[0]).text
    there = post(answered, "grade", 1, rung="", grade="solid", turn=0)
    assert "already graded" not in candidate.get(there.partition("#")[0]).text
    post(answered, "undo", act=Act.objects.get().pk)
    there = post(answered, "grade", 1, rung="", grade="missed", turn=0)
    assert "had been taken back" in candidate.get(there.partition("#")[0]).text


def test_a_grade_is_taken_back_and_given_again(answered, post, me):
    post(answered, "grade", 1, rung="", grade="solid", turn=0)
    before = [(step.done_at, step.skipped_at) for step in steps(answered)]
    for _ in range(2):
        post(answered, "undo", act=Act.objects.earliest("at").pk)
    assert not Item.objects.of(me).exists()
    post(answered, "grade", 1, rung="", grade="partly", turn=0)
    assert not Item.objects.of(me).exists()
    post(answered, "grade", 1, rung="", grade="partly", turn=1)
    assert Item.objects.of(me).get().last_grade == "partly"
    answered.refresh_from_db()
    assert answered.ended_at
    assert [(step.done_at, step.skipped_at) for step in steps(answered)] == before


@pytest.mark.parametrize(
    "fields",
    [
        {"rung": "third", "grade": "solid", "turn": 0},
        {"rung": "no-rung", "grade": "solid", "turn": 0},
        {"rung": "", "grade": "great", "turn": 0},
        {"rung": "", "grade": "solid", "turn": 1},
        {"rung": "", "grade": "solid", "turn": "x"},
        {"rung": "", "grade": "solid"},
    ],
)
def test_what_was_not_asked_or_makes_no_sense_is_not_graded(answered, post, fields):
    post(answered, "grade", 1, **fields)
    assert not Act.objects.exists()


def test_a_wrong_answer_is_ticked_and_unticked(answered, post):
    for said, ticked in (("1", "same"), ("1", "same"), ("0", ""), ("0", "")):
        post(answered, "said", 1, wrong="same", said=said)
        assert steps(answered)[0].said == ticked
    post(answered, "said", 1, wrong="no-such", said="1")
    assert steps(answered)[0].said == ""


def test_the_report_says_how_far_and_what_next(answered, post, candidate):
    grades = {"": "solid", "first": "solid", "second": "partly"}
    for rung, grade in grades.items():
        post(answered, "grade", 1, rung=rung, grade=grade, turn=0)
    post(answered, "said", 1, wrong="same", said="1")
    page = candidate.get(reverse("study:mock_report", args=[answered.pk])).text
    assert "3 answers have no grade yet" in page
    assert 'data-level="L1">L1<' in page
    assert "Second rung?" in page
    assert 'href="/manual/1.1/"' in page
    assert '#claim-long">One request</a>' not in page
    assert 'href="/lab/experiments/one-request/">One request</a>' in page
    assert "%" not in page.partition("<main")[2].partition("</main>")[0]


def test_a_card_that_left_the_content_holds_nothing_up(
    start, post, content, candidate, settings, monkeypatch
):
    mock = start()
    (content.public / "cards/any/two-phases.md").unlink()
    roots = (settings.CONTENT_ROOT, *settings.CONTENT_PATHS)
    monkeypatch.setattr(keeper(roots), "_looked", float("-inf"))
    page = candidate.get(reverse("study:mock_question", args=[mock.pk, 1])).text
    assert "left the content" in page
    assert post(mock, "next", 1, rung="").endswith("/2/")
    post(mock, "end")
    for name in ("mock", "mock_report"):
        page = candidate.get(reverse(f"study:{name}", args=[mock.pk])).text
        assert "left the content" in page


def test_a_typed_seed_draws_for_everybody_what_it_drew_before(start, post, candidate):
    first = start(seed=7)
    post(first, "end")
    second = start(seed=7)
    assert [s.card_id for s in steps(first)] == [s.card_id for s in steps(second)]
    post(second, "end")
    page = candidate.get(reverse("study:mock_report", args=[second.pk])).text
    assert "seed=7" in page


def test_somebody_else_has_no_way_in(answered, client, settings, post):
    post(answered, "grade", 1, rung="", grade="solid", turn=0)
    client.force_login(User.objects.create(name="other", role="owner"))
    for name, args in (("mock", []), ("mock_report", []), ("mock_question", [1])):
        address = reverse(f"study:{name}", args=[answered.pk, *args])
        assert client.get(address).status_code == 404
    act = Act.objects.get().pk
    address = reverse("study:mock_undo", args=[answered.pk])
    assert client.post(address, {"act": act}).status_code == 404
    assert "Yours so far" in client.get("/mock/").text
    assert str(answered.pk) not in client.get("/mock/").text


def test_a_practice_session_is_no_mock(answered, candidate):
    Mock.objects.filter(pk=answered.pk).update(kind="practice")
    address = reverse("study:mock", args=[answered.pk])
    assert candidate.get(address).status_code == 404


def test_the_list_asks_no_more_for_more_mocks(start, post, candidate):
    counts = []
    for _ in range(2):
        post(start(), "end")
        with CaptureQueriesContext(connection) as asked:
            candidate.get("/mock/")
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_next_mock_asks_other_cards_and_builds_on_what_was_answered(
    start, post, content
):
    for number in range(8):
        content.card(f"card-{number}", topic="memory")
    first = start()
    asked = [step.card_id for step in steps(first)]
    for _ in walk(first, post):
        pass
    at = asked.index("two-phases") + 1
    post(first, "grade", at, rung="", grade="partly", turn=0)
    second = [step.card_id for step in steps(start())]
    # All that is left is asked, also what needs the card that was answered.
    assert len(second) == 5
    assert not set(asked) & set(second)
