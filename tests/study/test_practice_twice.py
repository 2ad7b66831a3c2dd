"""Posts that come twice, late or from another window, and undo in every state."""

import pytest

from interview.accounts.models import User
from interview.study.models import Act, Attempt, CardMark, Item, Session
from tests.study.at_browser import Learner

pytestmark = pytest.mark.django_db


@pytest.fixture
def learner(candidate, content):
    return Learner(candidate).start()


@pytest.fixture
def window(learner):
    """A second window of the same person."""
    other = Learner(type(learner.client)())
    other.client.force_login(User.objects.get(name="c"))
    return other


def standing():
    acts = Act.objects.standing().in_order()
    return [(act.kind, act.rung_id, act.grade) for act in acts]


def items():
    fields = [field.name for field in Item._meta.fields if field.name != "id"]
    return sorted(Item.objects.values_list(*fields), key=str)


def test_a_start_sent_twice_opens_one_session(learner):
    learner.get("/practice/")
    form = learner.form("start")
    first = learner.post(form).address
    assert learner.post(form).address == first
    assert Session.objects.count() == 2


def test_a_reveal_sent_twice_opens_one_stage(learner):
    form = learner.form("reveal")
    learner.post(form).post(form)
    assert learner.here.stage == "short"
    assert learner.address.endswith("?at=short")


@pytest.mark.parametrize("typed", ["a\r\nb", "a\0b", " a ", "a" * 10_001])
def test_a_text_sent_twice_is_the_same_text(learner, typed):
    """However it is kept: with other line ends, without what no database takes, cut."""
    learner.start("?topic=memory", attempts="on")
    form = learner.form("reveal")
    learner.send("reveal", attempt=typed, rung="")
    learner.post(form, attempt=typed, rung="")
    assert Attempt.objects.count() == 1
    assert "your first text was kept" not in learner.html


def test_a_reveal_of_what_is_not_open_opens_nothing(learner):
    action, fields = learner.form("reveal")
    for at in ("full", "rung:first", "answer:first", "flaws", "done", "nonsense", ""):
        learner.post((action, fields | {"at": at}))
        assert learner.here.stage == "question"


def test_a_stage_that_is_not_open_leads_to_the_furthest(learner):
    learner.send("reveal")
    address = learner.here.get_absolute_url()
    for stage in ("full", "answer:first", "flaws", "done", "nonsense"):
        learner.get(f"{address}?at={stage}")
        assert learner.address == address
        assert "The short answer of" in learner.html
    learner.get(f"{address}?at=question")
    assert "The short answer of" not in learner.html


def test_a_grade_sent_twice_is_one_grade(learner):
    form = learner.send("reveal").form("grade")
    learner.post(form, grade="solid").post(form, grade="solid")
    assert standing() == [("grade", "", "solid")]
    assert "another window" not in learner.html


def test_another_grade_from_another_window_is_not_taken(learner, window):
    learner.send("reveal")
    form = window.get(learner.address).form("grade")
    learner.send("grade", grade="solid")
    window.post(form, grade="missed")
    assert "It was already graded Solid in another window." in window.html
    assert standing() == [("grade", "", "solid")]


def test_a_grade_from_before_an_undo_is_not_taken(learner):
    form = learner.send("reveal").form("grade")
    learner.post(form, grade="solid").send("undo").post(form, grade="solid")
    assert "taken back in the meantime" in learner.html
    assert (standing(), items()) == ([], [])
    learner.get(f"/practice/{learner.session.pk}/").send("grade", grade="partly")
    assert standing() == [("grade", "", "partly")]


def test_nothing_is_graded_before_its_answer_is_open(learner):
    address = f"{learner.here.get_absolute_url()}grade/"
    for rung in ("", "first", "second", "nonsense"):
        sent = {"rung": rung, "turn": "0", "grade": "solid"}
        learner.client.post(address, sent)
    assert not Act.objects.exists()
    assert learner.here.stage == "question"


@pytest.mark.parametrize(
    "sent", [{}, {"grade": "great"}, {"turn": "-1"}, {"turn": "x"}, {"turn": "²"}]
)
def test_nonsense_is_no_grade(learner, sent):
    learner.send("reveal")
    fields = {"rung": "", "turn": "0", "grade": ""} | sent
    learner.client.post(f"{learner.here.get_absolute_url()}grade/", fields)
    assert not Act.objects.exists()


def test_a_skip_sent_twice_skips_one_step(learner):
    form = learner.form("skip")
    learner.post(form).post(form)
    assert Act.objects.filter(kind="skip").count() == 1
    assert "2 of 2" in learner.html


def test_a_suspension_sent_twice_is_one(learner):
    form = learner.form("suspend")
    learner.post(form).post(form)
    assert Act.objects.filter(kind="suspend").count() == 1


def test_asking_again_twice_adds_one_step(learner):
    learner.send("skip").send("skip")
    form = learner.form("more")
    learner.post(form).post(form)
    assert learner.session.steps.count() == 4


def test_undo_takes_a_grade_back_and_shows_where_it_was_given(learner):
    learner.open_all().send("grade", grade="solid")
    learner.send("undo")
    assert (standing(), items()) == ([], [])
    assert "A heading of its own" in learner.html
    assert "How did you answer?" in learner.html


def test_undo_works_before_the_reveal_of_the_next_question(learner):
    learner.open_all().send("grade", grade="missed")
    learner.get(f"/practice/{learner.session.pk}/")
    assert "2 of 2" in learner.html
    learner.send("undo")
    assert "1 of 2" in learner.html
    assert learner.here.done_at is None


def test_undo_of_a_rung_goes_back_to_its_answer(learner):
    learner.climb("solid", "missed").send("undo")
    assert learner.address.endswith("?at=answer:first")
    assert standing() == [("grade", "", "solid")]
    learner.send("grade", grade="solid").send("reveal")
    assert "Second rung?" in learner.html


def test_undo_step_by_step_leads_back_to_the_beginning(learner):
    learner.climb("solid", "solid", "partly")
    for _ in range(3):
        learner.send("undo")
    assert (standing(), items()) == ([], [])
    assert 'name="act"' not in learner.html


@pytest.mark.parametrize("name", ["skip", "suspend"])
def test_undo_brings_a_step_back(learner, name):
    learner.send(name)
    assert "2 of 2" in learner.html
    learner.send("undo")
    assert "1 of 2" in learner.html
    assert not CardMark.objects.filter(is_suspended=True).exists()


def test_undo_of_a_flag_leaves_the_grade_and_the_step(learner):
    learner.open_all().send("grade", grade="missed").send("flag", flag="on")
    learner.send("undo")
    assert standing() == [("grade", "", "missed")]
    assert learner.here.done_at
    assert not CardMark.objects.get().is_flagged


def test_undo_on_the_end_page_opens_the_session_again(learner):
    learner.send("skip").open_all().send("grade", grade="missed")
    learner.get(f"/practice/{learner.session.pk}/")
    assert learner.address.endswith("/end/")
    learner.send("undo")
    assert "2 of 2" in learner.html
    assert Session.objects.get().ended_at is None


def test_undo_on_the_front_page_of_practice(learner):
    learner.open_all().send("grade", grade="missed")
    learner.get("/practice/").send("undo")
    assert (standing(), items()) == ([], [])


def test_undo_sent_twice_takes_back_one_act(learner):
    learner.climb("solid", "missed")
    form = learner.form("undo")
    learner.post(form).post(form)
    assert "taken back already" in learner.html
    assert standing() == [("grade", "", "solid")]


def test_undo_of_what_is_not_the_newest_is_not_taken(learner):
    learner.open_all().send("grade", grade="solid")
    form = learner.form("undo")
    learner.send("reveal").send("reveal").send("grade", grade="missed")
    learner.post(form)
    assert "Something else was done since" in learner.html
    assert len(standing()) == 2


@pytest.mark.parametrize("act", ["", "x", "00000000-0000-7000-8000-000000000000"])
def test_undo_of_nothing_says_so(learner, act):
    learner.client.post(f"/practice/{learner.session.pk}/undo/", {"act": act})
    assert "There is nothing to take back." in learner.get("/practice/").html


def test_undo_takes_away_the_step_that_would_have_asked_again(learner):
    learner.send("skip").send("skip").send("more")
    assert learner.session.steps.count() == 4
    step = learner.session.steps.last()
    type(step).objects.filter(pk=step.pk).update(asked_at=None)
    learner.send("undo")
    assert learner.session.steps.count() == 3


def test_a_grade_after_the_session_was_ended_counts(learner, window):
    learner.send("reveal")
    window.get("/practice/").send("end")
    learner.send("grade", grade="missed")
    assert standing() == [("grade", "", "missed")]
    assert Session.objects.get().ended_at
