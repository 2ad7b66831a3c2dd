"""A run without a report says what its events prove, and no more."""

from interview.lab.results.partial import partial_report
from interview.lab.results.result import Result


def phase(name, t_us):
    return {"k": "phase", "phase": name, "stream": 0, "t_us": t_us}


def token(t_us, n=1, text="w", channel="content"):
    return {
        "k": "tokens",
        "stream": 0,
        "t_us": t_us,
        "n": n,
        "text": text,
        "channel": channel,
    }


SENT = [phase("connecting", 0), phase("sent", 1_000), phase("accepted", 6_000)]


def request_of(events):
    report = partial_report(events, "cancelled", "The worker died.")
    return report["requests"][0]


def test_what_arrived_gives_ttft_tpot_and_gaps():
    found = request_of([*SENT, token(201_000), token(231_000), token(271_000)])
    assert found["headers_ms"] == 5
    assert found["ttft_ms"] == 200
    assert found["e2e_ms"] == 270
    assert found["itl_ms"] == [30, 40]
    assert found["tpot_ms"] == 35
    assert found["tokens"] == 3


def test_tpot_counts_tokens_and_not_events():
    found = request_of([*SENT, token(201_000, n=5), token(301_000, n=5)])
    assert found["tokens"] == 10
    assert found["tpot_ms"] == 100 / 9


def test_text_without_a_token_is_no_event():
    found = request_of([*SENT, token(201_000), token(211_000, n=0), token(231_000)])
    assert found["events"] == 2
    assert found["itl_ms"] == [30]
    assert found["text"] == "www"


def test_one_token_has_no_tpot_and_none_has_no_ttft():
    assert request_of([*SENT, token(201_000)])["tpot_ms"] is None
    assert request_of(SENT)["ttft_ms"] is None


def test_a_request_that_was_asked_again_counts_from_its_last_start():
    again = [phase("sent", 50_000), phase("accepted", 55_000), token(250_000)]
    assert request_of([*SENT, *again])["ttft_ms"] == 200


def test_other_streams_and_nothing_at_all():
    assert partial_report([{"k": "hello", "t_us": 0}], "cancelled", "x") is None
    other = token(900_000) | {"stream": 1}
    assert request_of([*SENT, token(201_000), other])["events"] == 1


def test_the_page_can_show_it():
    events = [*SENT, token(201_000), token(231_000)]
    result = Result.of(partial_report(events, "cancelled", "The worker died."))
    assert result.ttft_ms == 200
    assert result.tpot_ms == 30
    assert result.tokens == 2
