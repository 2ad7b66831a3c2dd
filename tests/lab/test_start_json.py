"""The programmatic way in: the same fields, the same caps, answers a program reads."""

import json
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interview.lab.models import Run, Status, Worker
from tests.lab.cast import at

RUNS = "/lab/runs/"
ONE = {"experiment": "one-request"}


@pytest.fixture
def post(at_alice):
    def send(body, **options):
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        return at_alice.post(RUNS, text, content_type="application/json", **options)

    return send


def test_a_run_is_queued_and_told_where_it_stands(post, alice, worker):
    worker.beat(timezone.now())
    answer = post({"prompt": "Why?", "max_tokens": 64, "ttft": 257, "tpot": "32.3 ms"})
    run = Run.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, at("run", run))
    told = answer.json()
    assert (told["slug"], told["status"], told["place"]) == (run.slug, "queued", 1)
    assert (told["wait_s"], told["left_s"]) == (0, None)
    assert told["expected_s"] > 0
    assert told["links"]["json"] == at("run_json", run)
    assert told["links"]["stop"] == at("stop", run)
    assert (run.owner, run.asked.prompt, run.asked.max_tokens) == (alice, "Why?", 64)
    made = dict(run.predictions.values_list("metric", "value"))
    assert made == {"ttft_ms": 257.0, "tpot_ms": 32.3}


def test_what_is_left_out_is_as_in_the_form(post):
    assert post({"prompt": "Why?", "repeat": None}).status_code == 201
    asked = Run.objects.get().asked
    assert (asked.max_tokens, asked.fresh_prompt, asked.is_load) == (256, True, False)


def test_a_load_is_asked_with_a_list(post):
    load = {"prompt_tokens": 64, "max_tokens": 8, "load": "custom", "repeat": 2}
    assert post(load | {"levels": [1, 4]}).status_code == 201
    asked = Run.objects.get().asked
    assert (asked.levels, asked.repeat, asked.prompt_tokens) == ([1, 4], 2, 64)


def test_a_card_alone_is_enough(post):
    assert post({"card": "two-phases-of-a-request"}).status_code == 201
    assert Run.objects.get().asked.source == "card"


def test_an_experiment_brings_its_load(post):
    assert post({"experiment": "two-loads"}).status_code == 201
    asked = Run.objects.get().asked
    assert (asked.experiment, asked.levels[-1]) == ("two-loads", 64)


@pytest.mark.parametrize(
    ("body", "field", "sentence"),
    [
        ({}, "prompt", "Choose a card, write a prompt or give a length."),
        ({"prompt": "x", "max_tokens": 0}, "max_tokens", "at least 1"),
        ({"max_tokens": True}, "max_tokens", "Write one number."),
        ({"prompt_tokens": False}, "prompt_tokens", "Write one number."),
        ({"prompt_tokens": [1]}, "prompt_tokens", "Write one number."),
        ({"prompt": {"a": 1}}, "prompt", "Write a text."),
        ({"prompt": "\ud800"}, "prompt", "half of a surrogate pair"),
        ({"prompt": "x", "ttft": "\udfff"}, "ttft", "half of a surrogate pair"),
        ({"card": 5}, "card", "Write a text."),
        ({"card": "none"}, "card", "No card has the id “none”."),
        ({"load": "none"}, "load", "“none” is none of them"),
        ({"load": ["custom"]}, "load", "Write a text."),
        ({"source": "none"}, "source", "“none” is none of them"),
        ({"prompt": "x", "ttft": "fast"}, "ttft", "is not a duration"),
        ({"prompt": "x", "users": 3}, "users", "no such field. It has: source,"),
        ({"experiment": "none"}, "experiment", "No experiment has this id"),
        ({"experiment": 7}, "experiment", "No experiment has this id"),
        ({"experiment": ["x"]}, "experiment", "No experiment has this id"),
        (ONE | {"ttft": "300"}, "ttft", "ttft_ms@1, ttft_ms@1_low, ttft_ms@1_high"),
        (ONE | {"max_tokens": 7}, "max_tokens", "are the experiment’s own"),
        (ONE | {"card": "x"}, "card", "are the experiment’s own"),
        (ONE | {"load": "custom"}, "load", "are the experiment’s own"),
        ({"experiment": "two-loads", "load": "custom"}, "load", "is none of them"),
        (
            {"prompt": "x", "load": "custom", "levels": [4, "x"]},
            "levels",
            "Write a list of numbers.",
        ),
        ({"prompt": "x", "load": "custom", "levels": []}, "levels", "rising numbers"),
    ],
)
def test_what_is_wrong_is_said_by_field(post, body, field, sentence):
    answer = post(body)
    told = answer.json()
    assert (answer.status_code, told["cap"]) == (422, None)
    assert list(told["errors"]) == [field]
    assert sentence in told["errors"][field][0]
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"prompt": "x", "card": "two-phases-of-a-request"}, {"prompt", "card"}),
        ({"prompt": "x", "prompt_tokens": 5}, {"prompt", "prompt_tokens"}),
        ({"prompt": "x", "load": "two-loads-live"}, {"prompt"}),
        ({"load": "two-loads-live", "repeat": 2}, {"repeat"}),
        ({"prompt": "x", "levels": [1, 4]}, {"levels"}),
        ({"prompt": "x", "limit_ttft": 5, "repeat": 2}, {"limit_ttft", "repeat"}),
    ],
)
def test_nothing_that_was_asked_is_dropped_without_a_word(post, body, fields):
    answer = post(body)
    assert answer.status_code == 422
    assert set(answer.json()["errors"]) == fields


def test_null_and_an_empty_text_leave_a_field_out(post):
    empty = {"card": "", "prompt_tokens": None, "load": "", "levels": "", "ttft": ""}
    assert post(empty | {"prompt": "Why?"}).status_code == 201


def test_an_experiments_prediction_is_asked_by_its_quantity(post):
    said = {"ttft_ms@1": "0.3 s", "ttft_ms@1_low": 250, "ttft_ms@1_high": 400}
    assert post(ONE | said).status_code == 201
    made = Run.objects.get().predictions.get()
    assert (made.metric, made.value, made.low) == ("ttft_ms@1", 300.0, 250.0)


def test_a_body_that_is_too_long_is_a_sentence(post, settings, caplog):
    answer = post(b" " * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1))
    assert answer.status_code == 413
    assert "2,621,440 bytes at most" in answer.json()["errors"]["body"][0]
    assert all(record.exc_info is None for record in caplog.records)


def test_a_form_that_is_too_long_is_one_line_in_the_log(at_alice, settings, caplog):
    form = {"prompt": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE}
    answer = at_alice.post(RUNS, urlencode(form), "application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert any("RequestDataTooBig" in record.name for record in caplog.records)
    assert all(record.exc_info is None for record in caplog.records)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("{", "The body is no JSON from line 1, column 2 on."),
        (" ", "The body is no JSON from line 1"),
        (b"\xff\xfe\x00", "The body is no JSON: write it in UTF-8."),
        ('{"max_tokens": NaN}', "NaN is no number"),
        ('{"max_tokens": ' + "9" * 5000 + "}", "a number with too many digits."),
        ("[" * 100_000, "The body is nested too deeply for a run."),
        ("[]", "must be a JSON object"),
        ('"text"', "must be a JSON object"),
    ],
)
def test_a_body_that_is_no_object_is_a_sentence(post, body, sentence):
    answer = post(body)
    assert answer.status_code == 400
    assert sentence in answer.json()["errors"]["body"][0]


def test_without_an_endpoint_the_reason_is_said(post, settings):
    settings.LAB_URL = ""
    answer = post({"prompt": "Why?"})
    assert answer.status_code == 422
    assert "No endpoint" in answer.json()["errors"]["run"][0]


def test_the_document_of_a_waiting_run_says_where_it_stands(
    at_alice, claimed, make_run, bob
):
    Worker.objects.get().beat(timezone.now())
    running, claim = claimed
    running.renew(claim, timezone.now(), 60.0)
    waiting = make_run()
    told = at_alice.get(at("run_json", waiting)).json()["run"]
    assert (told["status"], told["place"], told["wait_s"]) == ("queued", 1, 60)
    told = at_alice.get(at("run_json", running)).json()["run"]
    assert (told["status"], told["place"]) == ("running", None)
    assert 50 < told["left_s"] <= 60


def test_without_a_worker_nobody_knows_the_wait(at_alice, make_run):
    told = at_alice.get(at("run_json", make_run())).json()["run"]
    assert (told["place"], told["wait_s"]) == (1, None)


def test_a_document_of_a_run_that_is_over_has_no_queue(at_alice, finished):
    told = at_alice.get(at("run_json", finished)).json()["run"]
    assert told["status"] == Status.COMPLETED
    assert "place" not in told


def test_a_program_sends_the_cookie_and_its_token(alice, make_run):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    body = {"content_type": "application/json", "data": '{"prompt": "Why?"}'}
    assert client.post(RUNS, **body).status_code == 403
    client.get(reverse("lab:lab"))
    token = client.cookies["prefill_csrf"].value
    assert client.post(RUNS, **body, headers={"X-CSRFToken": token}).status_code == 201
