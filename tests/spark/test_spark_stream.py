"""What a stream looks like on the wire, event by event."""

import itertools
import json

import pytest

from interview.spark import tokens
from interview.spark.answer import OPENING
from tests.spark.spark_process import chunks_of, content_of, events_of

CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"

fresh = itertools.count(1)


def chat(**fields):
    """A body with a prompt of its own, so that no cache knows it."""
    text = f"Question {next(fresh)}: what is a prefill?"
    return {"messages": [{"role": "user", "content": text}], **fields}


def test_the_role_comes_in_the_same_write_as_the_first_token(spark):
    with spark.open(CHAT, chat(max_tokens=3, stream=True)) as connection:
        status, headers = connection.head()
        writes = list(connection.chunks())
    assert status == 200
    assert headers["transfer-encoding"] == "chunked"
    role, first = (json.loads(event) for event in events_of(writes[0])[:2])
    assert role["choices"] == [
        {
            "index": 0,
            "delta": {"role": "assistant", "content": ""},
            "logprobs": None,
            "finish_reason": None,
        }
    ]
    assert first["choices"][0]["delta"] == {"content": "This"}
    assert first["choices"][0]["finish_reason"] is None


def test_a_stream_is_one_event_per_token_between_role_and_done(spark):
    events = spark.stream(CHAT, chat(max_tokens=9, ignore_eos=True))
    assert len(events) == 1 + 9 + 1
    chunks = chunks_of(events)
    assert all(len(tokens.encode(content_of([c]))) == 1 for c in chunks[1:])
    assert OPENING.startswith(content_of(chunks))
    assert len({chunk["id"] for chunk in chunks}) == 1
    assert chunks[0]["id"].startswith("chatcmpl-")
    assert all("usage" not in chunk for chunk in chunks)


def test_the_finish_chunk_has_the_last_token_and_the_fingerprint(spark):
    *before, last = chunks_of(spark.stream(CHAT, chat(max_tokens=3)))
    assert last["choices"][0]["finish_reason"] == "length"
    assert last["choices"][0]["stop_reason"] is None
    assert last["choices"][0]["delta"]["content"] == " is"
    assert "simulated" in last["system_fingerprint"]
    assert all("system_fingerprint" not in chunk for chunk in before)


def test_a_natural_stop_counts_its_end_token_and_says_nothing_in_it(spark):
    options = {"include_usage": True}
    chunks = chunks_of(spark.stream(CHAT, chat(stream_options=options)))
    *_, last, usage = chunks
    assert last["choices"][0]["finish_reason"] == "stop"
    assert last["choices"][0]["delta"] == {"content": ""}
    assert usage["choices"] == []
    said = tokens.encode(content_of(chunks))
    assert usage["usage"]["completion_tokens"] == len(said) + 1


def test_ignore_eos_goes_on_to_max_tokens(spark):
    options = {"include_usage": True}
    body = chat(max_tokens=500, ignore_eos=True, stream_options=options)
    chunks = chunks_of(spark.stream(CHAT, body))
    assert chunks[-1]["usage"]["completion_tokens"] == 500
    assert chunks[-2]["choices"][0]["finish_reason"] == "length"
    assert content_of(chunks).count(OPENING) > 1


def test_min_tokens_puts_the_natural_stop_off(spark):
    options = {"include_usage": True}
    body = chat(min_tokens=300, stream_options=options)
    chunks = chunks_of(spark.stream(CHAT, body))
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["usage"]["completion_tokens"] > 300


def test_continuous_usage_counts_up_in_every_chunk(spark):
    options = {"include_usage": True, "continuous_usage_stats": True}
    body = chat(max_tokens=4, stream_options=options)
    chunks = chunks_of(spark.stream(CHAT, body))
    counts = [chunk["usage"]["completion_tokens"] for chunk in chunks]
    assert counts == [0, 1, 2, 3, 4, 4]
    prompt = chunks[0]["usage"]["prompt_tokens"]
    assert chunks[-1]["usage"]["total_tokens"] == prompt + 4


def test_continuous_usage_alone_does_nothing(spark):
    options = {"continuous_usage_stats": True}
    body = chat(max_tokens=4, stream_options=options)
    chunks = chunks_of(spark.stream(CHAT, body))
    assert all("usage" not in chunk for chunk in chunks)


def test_a_stop_string_is_never_sent_and_ends_the_stream(spark):
    before = spark.samples()
    body = chat(stop=["simulated: no"], max_tokens=50)
    chunks = chunks_of(spark.stream(CHAT, body))
    assert content_of(chunks) == "This answer is "
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["choices"][0]["stop_reason"] == "simulated: no"
    after = spark.samples()
    assert after["vllm:num_requests_running"] == 0
    name = "vllm:request_success_total"
    assert after[name] == before[name] + 1


def test_a_stop_string_may_be_kept_and_waits_for_min_tokens(spark):
    body = chat(stop="is", include_stop_str_in_output=True, min_tokens=5)
    answer = spark.post(CHAT, body)
    choice = answer["choices"][0]
    assert choice["message"]["content"].endswith(" Only the timing is")
    assert choice["stop_reason"] == "is"


def test_completions_have_no_role_and_sixteen_tokens_by_default(spark):
    options = {"include_usage": True}
    body = {"prompt": "Once upon a time", "stream_options": options}
    chunks = chunks_of(spark.stream(COMPLETIONS, body))
    assert len(chunks) == 16 + 1
    assert chunks[0]["object"] == "text_completion"
    assert chunks[0]["id"].startswith("cmpl-")
    assert chunks[0]["choices"][0]["text"] == "This"
    assert chunks[-1]["usage"]["completion_tokens"] == 16
    assert chunks[-1]["usage"]["prompt_tokens"] == len(tokens.encode(body["prompt"]))


def test_token_ids_come_back_when_asked_for(spark):
    body = {"prompt": [5, 6, 7], "max_tokens": 2, "return_token_ids": True}
    chunks = chunks_of(spark.stream(COMPLETIONS, body))
    choices = [chunk["choices"][0] for chunk in chunks]
    assert choices[0]["prompt_token_ids"] == [5, 6, 7]
    assert choices[1]["prompt_token_ids"] is None
    ids = [token for choice in choices for token in choice["token_ids"]]
    assert tokens.decode(ids) == "".join(choice["text"] for choice in choices)


def test_reasoning_comes_first_and_is_counted(spark_with):
    server = spark_with("--reasoning")
    options = {"include_usage": True}
    chunks = chunks_of(server.stream(CHAT, chat(stream_options=options)))
    fields = [
        next(iter(chunk["choices"][0]["delta"]))
        for chunk in chunks[1:]
        if chunk["choices"]
    ]
    assert fields == sorted(fields, reverse=True)
    assert {"reasoning", "content"} == set(fields)
    thought, said = content_of(chunks, "reasoning"), content_of(chunks)
    assert "simulation" in thought
    assert said.startswith(OPENING)
    usage = chunks[-1]["usage"]
    reasoning = usage["completion_tokens_details"]["reasoning_tokens"]
    assert reasoning == len(tokens.encode(thought))
    # Both marks and the end token have no text of their own.
    assert usage["completion_tokens"] == reasoning + len(tokens.encode(said)) + 3


@pytest.mark.parametrize(
    "switch",
    [
        {"include_reasoning": False},
        {"chat_template_kwargs": {"enable_thinking": False}},
    ],
)
def test_reasoning_can_be_hidden_or_switched_off(spark_with, switch):
    server = spark_with("--reasoning")
    chunks = chunks_of(server.stream(CHAT, chat(**switch)))
    assert content_of(chunks, "reasoning") == ""
    assert content_of(chunks).startswith(OPENING)


def test_usage_agrees_with_the_tokenizer_when_thinking_is_off(spark_with):
    server = spark_with("--reasoning")
    for switch in ({}, {"chat_template_kwargs": {"enable_thinking": False}}):
        body = chat(**switch)
        usage = server.post(CHAT, {**body, "max_tokens": 1})["usage"]
        assert usage["prompt_tokens"] == server.post("/tokenize", body)["count"]


def test_a_client_that_leaves_ends_its_request(spark):
    body = chat(max_tokens=30_000, ignore_eos=True, stream=True)
    with spark.open(CHAT, body) as connection:
        connection.head()
        next(connection.chunks())
        assert spark.gauge("vllm:num_requests_running") == 1
        assert spark.gauge("vllm:kv_cache_usage_perc") > 0
    for _ in range(200):
        if spark.gauge("vllm:num_requests_running") == 0:
            break
    assert spark.gauge("vllm:num_requests_running") == 0
    assert spark.gauge("vllm:kv_cache_usage_perc") == 0


def test_a_client_that_leaves_without_a_stream_ends_its_request_too(spark):
    body = chat(max_tokens=30_000, ignore_eos=True)
    with spark.open(CHAT, body):
        while spark.gauge("vllm:num_requests_running") == 0:
            pass
    for _ in range(200):
        if spark.gauge("vllm:num_requests_running") == 0:
            break
    assert spark.gauge("vllm:num_requests_running") == 0
