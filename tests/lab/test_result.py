"""What the result page shows; what is missing is None, never 0."""

import pytest

from interview.lab.form.quantity import parse_rate
from interview.lab.measuring.storable import storable
from interview.lab.results.partial import partial_report
from interview.lab.results.result import Result
from tests.lab.cast import phase, token

REQUEST = {
    "status": "completed",
    "ttft_ms": 250.0,
    "ttfo_ms": 250.0,
    "e2e_ms": 1000.0,
    "tpot_ms": 30.0,
    "tokens": 26,
    "events": 13,
    "tokens_from": "usage",
    "prompt_tokens": 40,
    "cached_tokens": 0,
    "itl_ms": [60.0] * 12,
    "event_tokens": [2] * 13,
    "text": "Yes.",
    "notes": ["several-first"],
}
SUMMARY = {
    "itl_ms": {"p50": 60.0, "p90": 60.0, "p99": 60.0, "mean": 60.0, "n": 12},
    "notes": ["few-values"],
}


def result(summary=SUMMARY, **changes):
    return Result.of({"requests": [REQUEST | changes], "summary": summary})


def test_the_rate_of_a_request_counts_from_its_sending():
    assert result().output_tokens_per_s == 26.0


def test_tokens_per_event_are_told():
    assert result().tokens_per_event == 2.0


def test_the_first_answer_token_is_told_only_when_it_is_not_the_first():
    assert result().ttfo_ms is None
    assert result(ttfo_ms=400.0).ttfo_ms == 400.0


def test_notes_become_sentences():
    (only,) = result().notes
    assert only.startswith("The first event held more than one token")


def test_a_note_without_a_sentence_is_shown_as_it_is():
    assert result(notes=["newer-code"]).notes[0] == "newer-code"


@pytest.mark.parametrize(
    ("cached", "prefix"), [(None, "unknown"), (0, "cold"), (16, "warm")]
)
def test_the_prefix_is_cold_warm_or_unknown(cached, prefix):
    assert result(cached_tokens=cached).prefix == prefix


def test_a_percentile_of_few_values_is_marked():
    assert result().itl.is_few
    many = {"itl_ms": SUMMARY["itl_ms"] | {"n": 100}, "notes": []}
    assert not result(summary=many).itl.is_few


@pytest.mark.parametrize("field", ["ttft_ms", "tpot_ms", "tokens", "e2e_ms"])
def test_what_is_missing_is_none(field):
    shown = result(**{field: None})
    assert getattr(shown, field) is None
    if field in {"tokens", "e2e_ms"}:
        assert shown.output_tokens_per_s is None


def test_no_gaps_have_no_percentiles():
    assert result(summary={"itl_ms": {"p50": None, "n": 0}}).itl is None


def test_a_report_without_requests_has_no_result():
    assert Result.of({"requests": []}) is None


def test_one_request_is_not_told_that_it_is_few():
    report = {
        "requests": [{"status": "completed"}],
        "summary": {"notes": ["few-values", "cached-prompts", "loop-lag"]},
    }
    assert len(Result.of(report).notes) == 1


def test_its_figures_are_the_numbers_of_its_page():
    values = result().figures["1"]["values"]
    assert values["ttft_ms"] == [250.0, None, None]
    assert values["output_tokens_per_s"] == [26.0, None, None]
    assert "ttft_ms" not in result(ttft_ms=None).figures["1"]["values"]


def test_events_alone_give_ttft_gaps_and_tpot():
    events = [
        phase("connecting", 0),
        phase("sent", 1_000),
        token("Hm. ", 201_000, channel="reasoning"),
        token("Yes", 231_000, n=2),
        token("!", 281_000),
        token("other stream", 300_000, stream=1),
    ]
    report = partial_report(events, "cancelled", "It died.")
    shown = Result.of(report)
    assert (shown.ttft_ms, shown.gaps_ms) == (200.0, (30.0, 50.0))
    assert (shown.text, shown.reasoning) == ("Yes!", "Hm. ")
    assert (shown.itl.p50, shown.itl.n) == (40.0, 2)
    assert (shown.tpot_ms, shown.tokens) == (80 / 3, 4)
    assert (shown.status, shown.error) == ("cancelled", "It died.")


def test_events_without_the_moment_of_sending_give_no_ttft():
    assert (
        partial_report([token("a", 5)], "cancelled", "")["requests"][0]
        | {
            "ttft_ms": None,
            "e2e_ms": None,
        }
        == partial_report([token("a", 5)], "cancelled", "")["requests"][0]
    )


def test_a_request_that_was_sent_again_counts_from_the_second_time():
    events = [phase("sent", 1_000), phase("sent", 50_000), token("a", 60_000)]
    assert partial_report(events, "cancelled", "")["requests"][0]["ttft_ms"] == 10.0


def test_no_request_no_report():
    assert partial_report([phase("preparing", 0, None)], "cancelled", "") is None


@pytest.mark.parametrize(
    ("typed", "rate"),
    [("29.5", 29.5), ("29.5 tok/s", 29.5), ("1,200 t/s", 1200.0), (" 3 tokens/s", 3)],
)
def test_a_rate_is_read_as_people_type_it(typed, rate):
    assert parse_rate(typed) == rate


@pytest.mark.parametrize("typed", ["fast", "-3", "3 ms", "", "1e9", "NaN"])
def test_what_is_no_rate_is_refused_with_a_sentence(typed):
    with pytest.raises(ValueError, match=r"is not a rate\. Write 40 or"):
        parse_rate(typed)


@pytest.mark.parametrize("typed", ["29,5", "29,5 tok/s", "0,257 t/s", "12,34"])
def test_a_rate_with_a_decimal_comma_is_refused(typed):
    with pytest.raises(ValueError, match=r"write \d+\.\d+.* with a point"):
        parse_rate(typed)


def test_text_that_no_database_takes_is_marked():
    told = {"text": "a\x00b", "list": ["\ud800", 1, None]}
    assert storable(told) == {"text": "a\ufffdb", "list": ["\ufffd", 1, None]}
