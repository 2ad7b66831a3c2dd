"""The lab's pages: who gets what, the form, the exports."""

import pytest
from django.urls import reverse
from django.utils import timezone

from interview.lab.models import Run, Status, Worker
from tests.lab.cast import at, later

FORM = {
    "source": "text",
    "prompt": "Why is prefill compute-bound?",
    "max_tokens": "64",
    "freshness": "fresh",
}


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("run", "get"),
        ("events", "get"),
        ("replay", "get"),
        ("log", "get"),
        ("run_json", "get"),
        ("run_csv", "get"),
        ("stop", "post"),
        ("again", "post"),
    ],
)
def test_another_persons_run_is_not_there(client, make_run, bob, name, method):
    run = make_run()
    client.force_login(bob)
    assert getattr(client, method)(at(name, run)).status_code == 404
    run.refresh_from_db()
    assert (run.status, Run.objects.count()) == (Status.QUEUED, 1)


def test_another_persons_runs_are_not_listed(client, make_run, bob):
    run = make_run()
    client.force_login(bob)
    for name in ("lab", "runs"):
        assert run.slug not in client.get(reverse(f"lab:{name}")).content.decode()


def test_a_posted_run_is_queued_with_its_prediction(at_alice, alice):
    form = FORM | {"ttft": "0.257 s", "tpot": "32.3", "rate": "29.5 tok/s"}
    answer = at_alice.post(reverse("lab:runs"), form)
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, at("run", run))
    assert (run.owner, run.status) == (alice, Status.QUEUED)
    assert run.asked.prompt == FORM["prompt"]
    assert run.asked.fresh_prompt
    made = dict(run.predictions.values_list("metric", "value"))
    assert made == {"ttft_ms": 257.0, "tpot_ms": 32.3, "output_tokens_per_s": 29.5}


def test_a_length_replaces_the_prompt(at_alice):
    at_alice.post(reverse("lab:runs"), FORM | {"prompt_tokens": "128"})
    asked = Run.objects.get().asked
    assert (asked.prompt, asked.prompt_tokens, asked.source) == ("", 128, "length")
    assert asked.ignores_eos


def test_the_same_prompt_again_is_sent_unsalted(at_alice):
    at_alice.post(reverse("lab:runs"), FORM | {"freshness": "same"})
    assert not Run.objects.get().asked.fresh_prompt


def test_a_cards_question_is_the_prompt(at_alice):
    form = FORM | {"source": "card", "card": "two-phases-of-a-request", "prompt": ""}
    assert at_alice.post(reverse("lab:runs"), form).status_code == 303
    asked = Run.objects.get().asked
    assert (asked.card, asked.source) == ("two-phases-of-a-request", "card")
    assert len(asked.prompt) > 20
    assert "**" not in asked.prompt


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"prompt": " "}, "Choose a card, write a prompt or give a length."),
        ({"source": "card", "card": ""}, "Choose a card"),
        ({"source": "card", "card": "no-such-card"}, "No card has the id"),
        ({"max_tokens": "513"}, "allows 512 tokens at most"),
        ({"prompt_tokens": "4097"}, "allows 4,096 tokens at most"),
        ({"prompt": "word " * 4000}, "this lab allows 4,096"),
        ({"ttft": "fast"}, "is not a duration"),
        ({"rate": "0"}, "above 0"),
        ({"prompt": "a\x00b"}, "The text holds a NUL character: take it out."),
        ({"prompt": "x" * 100_001}, "Shorten it to 100000 characters"),
        ({"max_tokens": "0"}, "Write a whole number of at least 1."),
        ({"max_tokens": "x"}, "Write a whole number, such as 128."),
        ({"max_tokens": ""}, "Write a whole number."),
        ({"source": "dream"}, "Choose one of these; “dream” is none of them."),
    ],
)
def test_a_wrong_form_comes_back_with_a_sentence(at_alice, changes, sentence):
    answer = at_alice.post(reverse("lab:runs"), FORM | changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Run.objects.exists()


def test_a_prompt_with_a_nul_has_one_error(at_alice):
    answer = at_alice.post(reverse("lab:runs"), FORM | {"prompt": "a\x00b"})
    page = answer.content.decode()
    assert page.count('id="id_prompt_error"') == 1
    assert "Choose a card, write" not in page


def test_a_full_queue_is_said_in_the_form(at_alice, make_run, settings):
    settings.LAB_MAX_QUEUED_PER_PERSON = 1
    make_run()
    answer = at_alice.post(reverse("lab:runs"), FORM)
    assert answer.status_code == 422
    assert "You have 1 run waiting; this lab allows 1" in answer.content.decode()


def test_a_fragment_is_answered_with_the_form_alone(at_alice):
    answer = at_alice.post(
        reverse("lab:runs"),
        FORM | {"prompt": ""},
        headers={"HX-Request-Type": "partial"},
    )
    assert answer.status_code == 422
    assert "<html" not in answer.content.decode()


def test_stop_leads_back_to_the_run(at_alice, make_run):
    run = make_run()
    answer = at_alice.post(at("stop", run))
    run.refresh_from_db()
    assert (answer.status_code, answer["Location"]) == (303, at("run", run))
    assert run.status == Status.CANCELLED


def test_again_leads_to_a_new_run(at_alice, finished):
    answer = at_alice.post(at("again", finished))
    new = Run.objects.exclude(pk=finished.pk).get()
    assert (answer.status_code, answer["Location"]) == (303, at("run", new))


def test_a_refused_again_says_why(at_alice, finished, settings):
    settings.LAB_MAX_TOKENS = 4
    answer = at_alice.post(at("again", finished), follow=True)
    assert answer.redirect_chain == [(at("run", finished), 303)]
    assert "may have 4 tokens at most" in answer.content.decode()


def test_a_get_changes_nothing(at_alice, make_run):
    run = make_run()
    for name in ("stop", "again"):
        assert at_alice.get(at(name, run)).status_code == 405


def test_a_running_run_reloads_itself_without_scripts(at_alice, make_run):
    refresh = '<noscript><meta http-equiv="refresh"'
    run = make_run()
    assert refresh in at_alice.get(at("run", run)).content.decode()
    run.ask_stop(later(1))
    assert refresh not in at_alice.get(at("run", run)).content.decode()


def test_the_result_page_escapes_what_the_engine_said(at_alice, finished):
    page = at_alice.get(at("run", finished)).content.decode()
    assert "&lt;b&gt;Because&lt;/b&gt;" in page
    assert "257" in page


def test_looking_at_a_run_ends_it_when_its_worker_is_dead(at_alice, claimed):
    run, _ = claimed
    at_alice.get(at("run", run))
    run.refresh_from_db()
    assert run.status == Status.INTERRUPTED


def test_the_list_is_filtered_by_its_address(at_alice, finished, make_run):
    waiting = make_run()
    page = at_alice.get(reverse("lab:runs"), {"status": "queued"}).content.decode()
    assert waiting.slug in page
    assert finished.slug not in page


def test_an_experiment_fills_the_form(at_alice):
    page = at_alice.get(reverse("lab:lab"), {"experiment": "one-request"})
    assert page.context["form"].initial["experiment"] == "one-request"


def test_an_unknown_experiment_is_not_there(at_alice):
    where = reverse("lab:experiment", args=["no-such-thing"])
    assert at_alice.get(where).status_code == 404


@pytest.mark.parametrize(
    ("prepare", "state"),
    [
        (lambda run, claim: Worker.objects.all().delete(), "no lab worker"),
        (lambda run, claim: None, "running"),
        (
            lambda run, claim: run.finish(
                claim, Status.COMPLETED, later(1), report=None
            ),
            "idle",
        ),
        (
            lambda run, claim: run.finish(
                claim,
                Status.FAILED,
                later(1),
                report=None,
                error="Could not connect to x",
            ),
            "unreachable",
        ),
    ],
)
def test_the_header_tells_how_the_endpoint_stands(claimed, prepare, state):
    run, claim = claimed
    Worker.objects.get().beat(timezone.now())
    prepare(run, claim)
    assert Run.objects.endpoint_state(timezone.now()).state == state


def test_an_endpoint_is_unreachable_until_a_run_has_asked_it_again(claimed, make_run):
    run, claim = claimed
    Worker.objects.get().beat(timezone.now())
    lost = "Could not connect to x"
    run.finish(claim, Status.FAILED, later(1), report=None, error=lost)
    make_run().ask_stop(later(2))
    assert Run.objects.endpoint_state(timezone.now()).state == "unreachable"


def test_the_header_counts_those_who_wait(claimed, make_run):
    make_run()
    Worker.objects.get().beat(timezone.now())
    state = Run.objects.endpoint_state(timezone.now())
    assert state.state == "running, 1 waiting"
    assert (state.name, state.model) == ("127.0.0.1:9", "a-model")


def test_an_endpoint_that_has_not_answered_is_named_as_such(at_alice, settings):
    settings.LAB_URL, settings.LAB_MODEL = "http://user:secret@spark:8000", ""
    page = at_alice.get(reverse("lab:lab")).content.decode()
    assert "spark:8000 has not answered yet" in page
    assert "spark:8000 · not answering" in " ".join(page.split())
    assert "No endpoint is set" not in page
    settings.LAB_URL = ""
    assert "No endpoint is set" in at_alice.get(reverse("lab:lab")).content.decode()


def test_no_page_shows_credentials_of_the_endpoint(at_alice, settings, make_run):
    settings.LAB_URL = "http://user:secret@host:8000/v1"
    settings.LAB_API_KEY = "sk-key"
    run = make_run()
    for where in (reverse("lab:lab"), at("run", run), at("run_json", run)):
        page = at_alice.get(where).content.decode()
        assert "secret" not in page
        assert "sk-key" not in page
    assert run.endpoint == "host:8000"
