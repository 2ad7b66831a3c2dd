import pytest

from interview.measure.result import token_gaps_ns
from tests.measure.streams import (
    BASE,
    D,
    Fin,
    R,
    T,
    Th,
    U,
    base,
    chunk,
    completion_chunk,
    counts,
    decode,
    event,
    every,
)


def with_choice(text, finish=None, **choice):
    return event(
        {
            "choices": [
                {"index": 0, "delta": {"content": text}, "finish_reason": finish}
                | choice
            ]
        }
    )


def test_the_rise_of_usage_comes_before_token_ids_and_logprobs():
    ids = {"token_ids": [1, 2, 3], "logprobs": {"content": [{}, {}]}}
    choice = {"index": 0, "delta": {"content": "w"}, "finish_reason": None} | ids
    result = decode([(1, event({"choices": [choice], "usage": counts(5)}))])
    assert result.event_tokens == (5,)
    assert result.tokens_from == "usage"


def test_token_ids_come_before_logprobs():
    data = with_choice("w", token_ids=[1, 2, 3], logprobs={"content": [{}, {}]})
    result = decode([(1, data)])
    assert (result.event_tokens, result.tokens_from) == ((3,), "token_ids")


@pytest.mark.parametrize(
    "logprobs", [{"content": [{}, {}]}, {"tokens": ["a", "b"]}], ids=["chat", "text"]
)
def test_logprobs_count_tokens(logprobs):
    result = decode([(1, with_choice("w", logprobs=logprobs))])
    assert (result.event_tokens, result.tokens_from) == ((2,), "logprobs")
    assert "one-token-per-event" not in result.notes


def test_a_token_without_text_counts_by_its_id():
    sends = every(
        10, 10, with_choice("", token_ids=[7]), with_choice("w", token_ids=[8])
    )
    assert decode(sends).itl_ns == (10_000_000,)


def test_null_token_ids_are_no_evidence():
    result = decode([(1, with_choice("w", token_ids=None))])
    assert (result.event_tokens, result.tokens_from) == ((1,), "events")


def test_an_empty_finish_event_holds_the_end_of_text_token():
    result = decode(every(10, 10, T(), T(), Fin() + U(3) + D))
    assert result.event_tokens == (1, 1, 1)
    assert result.e2e_ns == 30_000_000
    assert set(result.notes) == {"one-token-per-event", "end-token"}


def test_a_finish_event_with_text_holds_no_other_token():
    result = decode(every(10, 10, T(), T("w", "stop") + U(3) + D))
    assert result.event_tokens == (1, 1)
    assert result.tokens == 3
    assert "token-sum" in result.notes


def test_an_answer_of_the_end_of_text_token_alone_is_completed():
    result = decode([(10, R), (20, Fin() + U(1) + D)])
    assert (result.status, result.ttft_ns, result.tokens) == (
        "completed",
        20_000_000,
        1,
    )


def test_running_usage_places_the_end_of_text_token_by_itself():
    sends = every(
        10, 10, T(usage=counts(1)), T(usage=counts(2)), Fin(usage=counts(3)) + U(3) + D
    )
    result = decode(sends)
    assert result.event_tokens == (1, 1, 1)
    assert result.notes == ()


def test_usage_on_the_last_choice_event_is_the_total():
    sends = base(end=D)
    sends[-1] = (530, T("w", "length", usage=counts(8)) + D)
    result = decode(sends)
    assert result.event_tokens == (1,) * 8
    assert (result.tokens, result.tokens_from) == (8, "usage")


def test_usage_on_the_only_event_counts_its_tokens():
    result = decode([(10, T("many", "length", usage=counts(5)) + D)])
    assert result.event_tokens == (5,)


def test_running_usage_of_a_constant_zero_is_no_evidence():
    result = decode(base(usage=counts(0)))
    assert result.event_tokens == (1,) * 8
    assert result.tokens == 8


def test_text_without_a_rise_is_no_token_once_usage_has_risen():
    sends = every(
        10,
        10,
        T(usage=counts(1)),
        T(usage=counts(2)),
        T("same token", usage=counts(2)),
        T("w", "stop", usage=counts(3)),
    )
    result = decode(sends)
    assert result.event_tokens == (1, 1, 1)
    assert result.itl_ns == (10_000_000, 20_000_000)
    assert "same token" in result.texts[0]


def test_usage_on_some_events_sets_the_count_right():
    sends = every(
        10, 10, T(), T(), T("www", usage=counts(5)), T("w", "stop") + U(6) + D
    )
    assert decode(sends).event_tokens == (1, 1, 3, 1)


def test_running_usage_may_be_per_choice():
    def token(index, n, finish=None):
        return chunk({"content": "w"}, finish, index=index, usage=counts(n))

    roles = [
        chunk({"role": "assistant", "content": ""}, index=index, usage=counts(0))
        for index in (0, 1)
    ]
    # As vLLM sends it: the choices do not keep step.
    tokens = [token(0, 1), token(0, 2), token(1, 1), token(0, 3), token(1, 2)]
    ends = [token(0, 4, "length"), token(1, 3), token(1, 4, "length") + U(8) + D]
    result = decode(every(10, 10, *roles, *tokens, *ends))
    assert result.event_tokens == (1,) * 8
    assert result.tokens == 8
    assert "token-sum" not in result.notes


def test_a_choice_that_starts_with_several_tokens_is_set_right():
    def token(index, n):
        return chunk({"content": "w"}, index=index, usage=counts(n))

    result = decode(every(10, 10, token(0, 1), token(1, 3), token(0, 2), token(1, 4)))
    assert sum(result.event_tokens) == 6


def test_running_usage_may_be_over_all_choices():
    sends = every(
        10,
        10,
        *[chunk({"content": "w"}, index=i % 2, usage=counts(i + 1)) for i in range(6)],
        U(6) + D,
    )
    result = decode(sends)
    assert result.event_tokens == (1,) * 6
    assert result.tokens == 6


def test_a_cut_stream_with_running_usage_knows_its_tokens():
    result = decode([(10, T("five", usage=counts(5)))])
    assert (result.status, result.tokens, result.tokens_from) == (
        "incomplete",
        5,
        "usage",
    )
    assert "counted-by-client" not in result.notes


def test_per_token_gaps_have_the_mean_tpot():
    running = (3, 5, 9, 10)
    sends = every(100, 50, *[T("w", usage=counts(n)) for n in running], Fin() + U(10))
    result = decode(sends)
    gaps = token_gaps_ns(result)
    assert gaps[:2] == [0.0, 0.0]
    assert len(gaps) == 9
    assert sum(gaps) / len(gaps) == pytest.approx(result.tpot_ns)


def test_several_tokens_in_the_first_event_are_said():
    result = decode(
        every(40, 10, T("www", usage=counts(3)), T("w", "length", usage=counts(4)))
    )
    assert "several-first" in result.notes
    assert result.tpot_ns == 40e6 / 3
    assert result.tpot_after_first_event_ns == 40e6


def test_the_first_answer_token_is_no_silent_token_of_the_reasoning():
    silent = chunk({"content": ""}, usage=counts(2))
    thought = chunk({"reasoning": "hm"}, usage=counts(1))
    answer = T("w", "stop", usage=counts(3))
    result = decode(every(10, 10, thought, silent, answer))
    assert (result.ttft_ns, result.ttfo_ns) == (10_000_000, 30_000_000)


def test_an_answer_of_reasoning_alone_has_no_first_answer_token():
    result = decode(every(10, 10, Th(), Fin("length") + U(1) + D))
    assert result.status == "completed"
    assert result.ttfo_ns is None


def test_cached_and_reasoning_tokens_come_from_the_details():
    end = U(
        8,
        prompt_tokens_details={"cached_tokens": 1024},
        completion_tokens_details={"reasoning_tokens": 3},
    )
    result = decode(base(end=end + D))
    assert (result.cached_tokens, result.reasoning_tokens) == (1024, 3)
    assert decode(BASE).cached_tokens is None


def test_row_212_the_servers_own_timing_is_kept_apart():
    timing = {"queue_time_ms": 200, "time_to_first_token_ms": 45.0}
    end = event({"choices": [], "usage": counts(8), "metrics": timing})
    result = decode(base(end=end + D))
    assert result.ttft_ns == 250_000_000
    assert result.server == timing


@pytest.mark.parametrize(
    "data", [b"data: nonsense\n\n", b"data: [1]\n\n", b"data: 3\n\n"]
)
def test_an_event_that_is_no_object_fails_the_request(data):
    result = decode([*BASE[:2], (300, data)])
    assert result.status == "failed"
    assert "JSON" in result.error
    assert result.tokens == 2


def test_fields_of_wrong_types_are_missing():
    odd = event(
        {
            "choices": [
                "x",
                {"index": "0", "delta": {"content": 5, "tool_calls": "y"}},
                {"delta": {"content": "w"}, "finish_reason": 7, "logprobs": []},
            ],
            "usage": {"completion_tokens": True, "prompt_tokens": -1},
        }
    )
    result = decode([(10, odd)])
    assert result.texts == ("w",)
    assert result.prompt_tokens is None
    assert result.finish_reason is None


def test_completions_count_like_chat():
    sends = every(
        10, 10, completion_chunk("a"), completion_chunk("b", "length") + U(2) + D
    )
    result = decode(sends)
    assert (result.tokens, result.texts) == (2, ("ab",))


def test_nothing_after_done_counts():
    result = decode([*BASE, (600, T())])
    assert result.tokens == 8
    assert result.stream_end_ns == 530_000_000
