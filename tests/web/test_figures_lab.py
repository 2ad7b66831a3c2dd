"""The words of the lab's result, from templates and values alone."""

import re
from dataclasses import dataclass, field, replace

import pytest
from django.template.loader import render_to_string

from interview.lab.experiments.said import said
from interview.lab.form.guess import Guess
from interview.lab.results.result import Percentiles, Result

REQUEST = {
    "status": "completed",
    "connect_ms": None,
    "headers_ms": 6.0,
    "ttft_ms": 261.4,
    "ttfo_ms": 261.4,
    "e2e_ms": 3314.9,
    "tpot_ms": 31.8,
    "tokens": 97,
    "events": 97,
    "prompt_tokens": 512,
    "cached_tokens": 0,
    "itl_ms": [31.8] * 95 + [84.2],
    "event_tokens": [1] * 97,
    "text": "a <b>bold</b> answer",
}
ITL = {"p50": 31.8, "p90": 31.8, "p99": 84.2, "mean": 32.3, "n": 96}


@dataclass
class FakeRun:
    status: str = "completed"
    simulated: bool = False
    first_after_start: bool = False
    spec: dict = field(default_factory=dict)


@pytest.fixture
def result():
    return Result.of({"requests": [REQUEST], "summary": {"itl_ms": ITL}})


def shown(template, **context):
    context.setdefault("run", FakeRun())
    return re.sub(r"[ \n]+", " ", render_to_string(f"lab/{template}.html", context))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (400.0, "<b>53&nbsp;% too high.</b>"),
        (200.0, "<b>23&nbsp;% too low.</b>"),
        (261.0, "<b>Spot on.</b>"),
    ],
)
def test_a_prediction_is_compared_in_words(result, value, words):
    row = said(Guess("ttft_ms", value), result.figures, "1")
    assert words in shown("_compared", compared=[row])


def test_a_prediction_without_a_measurement_says_so():
    row = said(Guess("tpot_ms", 25.0), {}, "1")
    assert "It was not measured." in shown("_compared", compared=[row])


@pytest.mark.parametrize(
    ("low", "high", "word"), [(200, 280, "held"), (270, 280, "missed")]
)
def test_a_range_held_the_measurement_or_missed_it(result, low, high, word):
    row = said(Guess("ttft_ms", 275.0, low, high), result.figures, "1")
    html = shown("_compared", compared=[row])
    assert f"The range {word} it." in html
    assert f"{low}\u00a0ms to {high}\u00a0ms" in html
    assert "chart__guessed" in html


def test_the_phases_of_a_result_are_the_time_between_its_stamps(result):
    html = shown("_result", result=result)
    assert "queue + prefill <span>255\u00a0ms</span>" in html
    assert "decode <span>3,054\u00a0ms · 97 tokens</span>" in html
    assert "connect <span>· kept open</span>" in html


def test_a_head_that_came_with_the_first_token_hides_no_prefill(result):
    html = shown("_result", result=replace(result, headers_ms=result.ttft_ms))
    assert "accepted <span>with the first token</span>" in html
    assert "queue + prefill <span>up to 261\u00a0ms</span>" in html
    assert "prefill <span>0" not in html


def test_numbers_carry_their_origin_and_few_gaps_are_marked(result):
    html = shown("_result", result=result)
    assert "our client’s clock" in html
    assert "96 gaps: fewer than 100, take with care" in html
    many = replace(result, itl=Percentiles(31.8, 33.0, 84.2, 32.0, 100))
    assert "take with care" not in shown("_result", result=many)


def test_the_answer_is_text_and_never_markup(result):
    assert "a &lt;b&gt;bold&lt;/b&gt; answer" in shown("_result", result=result)


def test_a_missing_number_is_a_dash_and_no_zero():
    nothing = Result.of({"requests": [{"status": "failed"}]})
    html = shown("_result", result=nothing)
    assert html.count('numbers__value">–</dd>') == 4
    assert "<svg" not in html
    assert "no gaps" in html


@pytest.mark.parametrize(
    ("cached", "words"),
    [
        (0, "<b>Cold.</b>"),
        (496, "<b>Warm.</b> The engine took 496 of 512 prompt tokens"),
        (None, "<b>Cold or warm is unknown.</b>"),
    ],
)
def test_the_notes_say_cold_warm_or_unknown(cached, words):
    result = Result.of({"requests": [REQUEST | {"cached_tokens": cached}]})
    assert words in shown("_notes", result=result)


def test_a_simulated_run_is_badged_and_explained(result):
    run = FakeRun(simulated=True)
    assert '<span class="badge">simulated</span>' in shown(
        "_result", result=result, run=run
    )
    assert "no answer to “what did you measure?”" in shown(
        "_notes", result=result, run=run
    )
    assert "imulated" not in shown("_notes", result=result)
