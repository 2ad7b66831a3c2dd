"""The console by plain forms: marks, what is before the candidate, who may, and how."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.accounts.models import Role
from interview.bank.errors import BankError
from interview.bank.models import (
    AuditEntry,
    Evidence,
    Interview,
    KitQuestion,
    Note,
    Scorecard,
    Verb,
)
from interview.bank.privacy.forgetting import anonymise
from interview.lab.models import Run, Status
from interview.lab.runs.spec import Spec
from interview.web.content import library
from tests.bank import stage

pytestmark = pytest.mark.django_db


class Console:
    """One interviewer at the console of one interview."""

    def __init__(self, interview, person):
        self.interview, self.person = interview, person
        self.client = stage.browser(person)

    def at(self, name="question", position=1):
        return reverse(f"bank:{name}", args=[self.interview.pk, position])

    def see(self, position=1):
        response = self.client.get(self.at(position=position))
        assert response.status_code == 200
        return response.text

    def save(self, position=1, **fields):
        return self.client.post(self.at(position=position), self.form(position, fields))

    def form(self, position, fields):
        return {"revision": self.score(position).revision} | fields

    def put(self, rung="", position=1, **fields):
        sent = {"put": rung} | fields
        return self.client.post(self.at("put", position), sent)

    def score(self, position=1):
        card = Scorecard.objects.of(self.interview, self.person, timezone.now())
        return card.in_order()[position - 1]

    def rungs(self, position=1):
        return self.score(position).asked.question.rungs_named

    def wrong_id(self, position=1):
        card = library().cards[self.score(position).card_id]
        return card.wrong_answers[0].id

    def now(self):
        return Interview.objects.get(pk=self.interview.pk)


@pytest.fixture(autouse=True)
def shared_mode(settings):
    settings.PREFILL_MODE = "shared"


@pytest.fixture
def ian():
    return stage.interviewer("Ian")


@pytest.fixture
def mia():
    return stage.interviewer("Mia")


@pytest.fixture
def planned(ian, mia):
    return stage.interview(stage.kit(ian), [ian, mia])


@pytest.fixture
def console(planned, ian):
    return Console(planned, ian)


def all_met(console, position=1):
    return {f"mark-{rung}": "met" for rung in console.rungs(position)}


def test_the_console_opens_at_the_question_before_the_candidate(console):
    address = reverse("bank:console", args=[console.interview.pk])
    assert console.client.get(address).url == console.at(position=1)
    console.put(position=2)
    assert console.client.get(address).url == console.at(position=2)


def test_the_page_holds_the_script_the_anchors_and_the_warning(console):
    page = console.see()
    assert "do not share this window" in page
    assert page.count("Expected answer") == len(console.rungs())
    assert "Wrong answers heard" in page


def test_a_plain_form_saves_all_marks_of_a_question(console):
    wrong = re.search(r'name="said" value="([^"]+)"', console.see())[1]
    sent = all_met(console) | {"said": wrong, "hinted": console.rungs()[2]}
    assert console.save(**sent).status_code == 303
    saved = console.score()
    assert set(saved.marks.values()) == {"met"}
    assert saved.said == [wrong]
    assert saved.hinted == [console.rungs()[2]]
    assert saved.rating == 2
    assert "L2 · capped by a hint at L3" in console.see()


def test_a_rating_given_at_once_fills_the_marks_in(console):
    console.save(rate="2")
    saved = console.score()
    rungs = stage.rungs_of(console.interview)[saved.asked_id]
    usual = {"L1": "met", "L2": "met", "L3": "not-met", "L4": "not-asked"}
    assert saved.marks == {rung.id: usual[rung.level] for rung in rungs}
    assert saved.rating == 2


@pytest.mark.parametrize("rate", ["5", "-1", "x", ""])
def test_a_rating_that_there_is_not_fills_nothing_in(console, rate):
    console.save(rate=rate)
    assert console.score().marks == {}


def test_a_mark_can_be_taken_back(console):
    console.save(**all_met(console))
    first, *others = console.rungs(1)
    console.save(revision=1, unmark=first, **all_met(console))
    assert console.score().marks == dict.fromkeys(others, "met")
    assert console.score().rating is None


def test_a_rating_takes_not_asked_back(console):
    console.save(not_asked="1")
    assert console.score().not_asked
    console.save(not_asked="1", rate="0")
    assert (console.score().not_asked, console.score().rating) == (False, 0)


def test_the_same_form_sent_twice_is_saved_once(console):
    sent = {"revision": 0, **all_met(console)}
    for _ in range(2):
        assert console.client.post(console.at(), sent).status_code == 303
    assert console.score().revision == 1


def test_a_second_tab_is_told_and_loses_nothing(console):
    first, last = console.rungs()[0], console.rungs()[-1]
    console.client.post(console.at(), {"revision": 0, f"mark-{first}": "met"})
    key = uuid4()
    late = {
        "revision": 0,
        f"mark-{first}": "not-met",
        f"mark-{last}": "met",
        "note": key,
        f"text-{key}": "said it at once",
    }
    refused = console.client.post(console.at(), late)
    assert refused.status_code == 409
    assert console.score().marks == {first: "met"}
    assert "saved in another tab" in refused.text
    assert "<td>met</td><td>not met</td>" in refused.text
    assert f'name="mark-{last}" value="met" checked' in refused.text
    assert Note.objects.get(pk=key).text == "said it at once"
    again = late | {"revision": re.search(r'"revision" value="(\d)"', refused.text)[1]}
    assert console.client.post(console.at(), again).status_code == 303
    assert console.score().marks == {first: "not-met", last: "met"}


def test_a_save_in_the_background_is_told_what_is_saved(console):
    def send(**fields):
        accept = {"Accept": "application/json"}
        return console.client.post(console.at(), fields, headers=accept)

    saved = send(revision=0, rate="1")
    assert saved.json()["revision"] == 1
    assert saved.json()["rated"] == "L1"
    assert set(saved.json()["marks"].values()) == {"met", "not-met", "not-asked"}
    late = send(revision=0, not_asked="1")
    assert late.status_code == 409
    assert late.json()["revision"] == 1
    assert {"of": "not asked", "saved": "no", "sent": "yes"} in late.json()["differs"]
    assert not late.json()["is_final"]


def test_a_mark_of_a_follow_up_that_the_kit_does_not_ask_is_left_out(ian):
    lines = [stage.line(stage.FIRST, levels=("L1",))]
    kit = stage.kit(ian)
    draft = kit.draft(stage.NOW)
    draft.save_lines(lines, role="", level="L4", notes="", revision=draft.revision)
    console = Console(stage.interview(kit, [ian]), ian)
    other = stage.line(stage.FIRST, levels=("L4",)).rung_ids[0]
    console.save(**all_met(console), **{f"mark-{other}": "met"})
    assert list(console.score().marks) == console.rungs()
    assert f'id="rung-{other}"' not in console.see()


def test_a_submitted_scorecard_is_shown_and_not_changed(console, planned, ian):
    stage.submit(planned, ian, [3, 2])
    page = console.see()
    assert "Your scorecard is submitted" in page
    assert "data-save" not in page
    refused = console.save(rate="0")
    assert refused.status_code == 409
    assert "This scorecard is submitted" in refused.text
    assert console.score().rating == 3


def test_an_anonymised_interview_takes_no_note(console):
    anonymise(console.now(), console.person, timezone.now())
    assert "This interview is anonymised" in console.see()
    key = uuid4()
    refused = console.save(rate="3", note=key, **{f"text-{key}": "Ada said"})
    assert refused.status_code == 409
    assert not Note.objects.exists()


def test_putting_a_question_starts_the_clocks(console):
    assert "not begun" in console.see()
    assert console.put().status_code == 303
    now = console.now()
    assert now.asked_now == console.score().asked
    assert now.started_at
    assert "not begun" not in console.see()


def test_the_next_thing_to_put_is_the_question_then_each_follow_up(console):
    put = []
    while found := re.search(
        r'name="put" value="([^"]*)"[^>]*data-next', console.see()
    ):
        put.append(found[1])
        console.put(found[1])
    assert put == ["", *console.rungs()]


def test_what_is_put_keeps_what_the_form_held(console):
    key = uuid4()
    note = {"note": key, f"text-{key}": "thinks aloud"}
    console.put(revision=0, rate="1", **note)
    assert console.score().rating == 1
    assert Note.objects.get(pk=key).text == "thinks aloud"


def test_nothing_is_put_when_the_form_with_it_is_refused(console):
    console.save(rate="3")
    refused = console.put(revision=0, not_asked="1")
    assert refused.status_code == 409
    assert console.now().asked_now is None


def test_a_follow_up_that_the_kit_does_not_ask_is_not_put(console):
    refused = console.put("no-such-rung")
    assert refused.status_code == 409
    assert "not in the kit" in refused.text


def test_clearing_leaves_nothing_before_the_candidate(console):
    console.put()
    clear = reverse("bank:clear", args=[console.interview.pk])
    assert console.client.post(clear, {"position": 2}).url.startswith(
        console.at(position=2)
    )
    assert console.now().asked_now is None


def test_after_the_end_nothing_is_put_and_scoring_goes_on(console):
    console.put()
    end = reverse("bank:end_interview", args=[console.interview.pk])
    for _ in range(2):
        assert console.client.post(end).status_code == 303
    assert AuditEntry.objects.filter(verb=Verb.ENDED).count() == 1
    assert console.put().status_code == 409
    assert console.save(rate="4").status_code == 303
    assert console.score().rating == 4


def test_the_list_says_how_each_question_stands(console):
    console.save(rate="3")
    console.save(2, not_asked="1")
    console.put(position=2)
    lines = re.findall(r"<li[^>]*><span>\d</span>.*", console.see())
    assert "L3" in lines[0]
    assert "not asked" in lines[1]
    assert "asked now" in lines[1]
    assert "asked now" not in lines[0]


def test_a_void_question_says_why(console):
    question = console.score().asked.question
    question.void("It was told to the candidates before.", stage.NOW)
    assert "It was told to the candidates before." in console.see()


def lose_card(console):
    question = console.score().asked.question
    KitQuestion.objects.filter(pk=question.pk).update(card_id="gone", card_hash="")


def test_a_question_whose_card_cannot_be_read_may_be_left_out(console):
    lose_card(console)
    assert "A card that can’t be read any more" in console.see()
    assert console.save(not_asked="1").status_code == 303
    assert console.score().not_asked


def test_marks_of_a_card_that_cannot_be_read_any_more_stay(console):
    console.save(rate="3", said=[console.wrong_id()])
    marked = console.score()
    lose_card(console)
    revision = marked.revision
    for sent in (
        console.save(),
        console.put(revision=revision),
        console.save(rate="1"),
    ):
        assert sent.status_code == 303
    now = console.score()
    assert (now.marks, now.hinted, now.said) == (marked.marks, [], marked.said)
    assert (now.rating, now.revision) == (3, revision)


def test_colleagues_marks_and_notes_are_not_on_the_console(console, planned, mia):
    other = Console(planned, mia)
    key = uuid4()
    other.save(rate="4", note=key, **{f"text-{key}": "brilliant-marker"})
    page = console.see()
    assert "brilliant-marker" not in page
    assert "L4 ·" not in page
    assert console.score().rating is None


@pytest.mark.parametrize("role", [Role.INTERVIEWER, Role.OWNER])
def test_who_is_not_on_the_panel_has_no_console(planned, role):
    client = stage.browser(stage.interviewer("Olga", role))
    address = reverse("bank:question", args=[planned.pk, 1])
    assert client.get(address).status_code == 404
    assert client.post(address, {"rate": "4"}).status_code == 404


def test_a_question_that_the_kit_does_not_have_is_not_found(console):
    assert console.client.get(console.at(position=3)).status_code == 404
    assert console.client.get(console.at(position=0)).status_code == 404


def test_a_console_asks_the_database_a_constant_number_of_times(
    ian, django_assert_max_num_queries
):
    counts = []
    kits = [
        stage.kit(ian, stage.FIRST, title="One"),
        stage.kit(ian, stage.FIRST, stage.SECOND, stage.THIRD, title="Three"),
    ]
    for kit in kits:
        console = Console(stage.interview(kit, [ian]), ian)
        console.see()
        with django_assert_max_num_queries(40) as found:
            console.see()
        counts.append(len(found))
    assert counts[0] == counts[1]


class TestEvidence:
    @pytest.fixture
    def run(self, ian, settings):
        settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:1", "m"
        run = Run.objects.queue(ian, Spec(prompt="Hello"), timezone.now())
        Run.objects.filter(pk=run.pk).update(status=Status.COMPLETED)
        return run

    def attach(self, console, run, **fields):
        sent = {"run": run.slug, "claim": "TTFT grows"} | fields
        return console.client.post(console.at("evidence"), sent)

    def act(self, console, name, **fields):
        one = Evidence.objects.get()
        address = reverse(f"bank:{name}", args=[console.interview.pk, one.pk])
        return console.client.post(address, fields)

    def test_a_run_is_attached_once(self, console, run):
        assert run.slug in console.see()
        for _ in range(2):
            assert self.attach(console, run).status_code == 303
        one = Evidence.objects.get()
        assert (one.run, one.claim, one.asked) == (
            run,
            "TTFT grows",
            console.score().asked,
        )
        assert AuditEntry.objects.filter(verb=Verb.ATTACHED).count() == 1
        assert f'value="{run.slug}"' not in console.see()

    def test_what_no_database_takes_is_left_out(self, console, run):
        assert self.attach(console, run, claim="TTFT\0 grows").status_code == 303
        assert Evidence.objects.get().claim == "TTFT grows"

    def test_only_runs_of_ones_own_are_attached(self, planned, mia, run):
        other = Console(planned, mia)
        assert run.slug not in other.see()
        assert self.attach(other, run).status_code == 404

    def test_a_run_under_way_is_not_attached(self, console, run):
        Run.objects.filter(pk=run.pk).update(status=Status.RUNNING)
        assert self.attach(console, run).status_code == 409
        assert not Evidence.objects.exists()

    def test_too_long_a_claim_is_shown_again(self, console, run):
        refused = self.attach(console, run, claim="c" * 501)
        assert refused.status_code == 409
        assert "c" * 501 in refused.text

    def test_the_panel_reads_the_run_that_is_a_colleagues(
        self, console, planned, mia, run
    ):
        self.attach(console, run)
        other = Console(planned, mia)
        one = Evidence.objects.get()
        address = reverse("bank:evidence_run", args=[planned.pk, one.pk])
        assert address in other.see()
        page = other.client.get(address)
        assert page.status_code == 200
        assert "TTFT grows" in page.text
        assert reverse("lab:run", args=[run.slug]) not in page.text

    def test_a_run_is_shown_beside_its_question_alone(self, console, run):
        self.attach(console, run)
        assert self.act(console, "show_evidence", shown="1").status_code == 409
        console.put()
        assert self.act(console, "show_evidence", shown="1").status_code == 303
        assert console.now().evidence_now == Evidence.objects.get()
        assert self.act(console, "show_evidence", shown="0").status_code == 303
        assert console.now().evidence_now is None

    def test_a_run_that_is_taken_away_is_shown_no_more(self, console, run):
        self.attach(console, run)
        console.put()
        self.act(console, "show_evidence", shown="1")
        before = console.now().revision
        assert self.act(console, "remove_evidence").status_code == 303
        assert console.now().evidence_now is None
        assert console.now().revision > before
        assert Run.objects.filter(pk=run.pk).exists()

    def test_no_run_is_shown_beside_a_question_that_came_meanwhile(self, console, run):
        self.attach(console, run)
        console.put()
        read_before = Evidence.objects.select_related("interview").get()
        console.put(position=2)
        with pytest.raises(BankError):
            read_before.show()
        assert console.now().evidence_now is None

    @pytest.mark.parametrize("verb", [Evidence.hide, Evidence.remove])
    def test_a_run_that_was_shown_meanwhile_is_taken_away(self, console, run, verb):
        self.attach(console, run)
        console.put()
        read_before = Evidence.objects.select_related("interview").get()
        self.act(console, "show_evidence", shown="1")
        shown = console.now().revision
        verb(read_before)
        assert console.now().evidence_now is None
        assert console.now().revision > shown
