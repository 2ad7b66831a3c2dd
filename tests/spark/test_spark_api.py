"""Paths, whole answers, refusals and the metrics page."""

import json

import openai
import pytest

from interview.spark import tokens
from tests.spark.spark_process import chunks_of

CHAT = "/v1/chat/completions"
COMPLETIONS = "/v1/completions"
HI = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 2}
MODEL = "Qwen/Qwen3-30B-A3B-simulated"


def test_every_answer_wears_the_badge(spark):
    for path, body in (
        ("/health", None),
        ("/nowhere", None),
        (CHAT, HI),
        (CHAT, {**HI, "stream": True}),
    ):
        _, headers, _ = spark.ask(path, body)
        assert headers["x-prefill-simulated"] == "dgx-spark; speed=50"


def test_the_served_model_says_that_it_is_simulated(spark, spark_with):
    (card,) = json.loads(spark.get("/v1/models"))["data"]
    assert card["id"] == MODEL
    assert card["max_model_len"] == 40_960
    assert spark.post(CHAT, HI)["model"] == MODEL
    assert spark.post(CHAT, {**HI, "model": "Qwen/Qwen3-30B-A3B"})["model"] == MODEL
    (dense,) = json.loads(spark_with("--dense").get("/v1/models"))["data"]
    assert dense["id"] == "Qwen/Qwen3-8B-simulated"


def test_health_and_version(spark):
    assert spark.ask("/health")[2] == b""
    assert json.loads(spark.get("/version"))["version"] == "0.31.0"


def test_a_whole_chat_answer_has_vllms_fields(spark):
    answer = spark.post(CHAT, HI)
    assert answer["object"] == "chat.completion"
    message = answer["choices"][0]["message"]
    assert message["content"] == "This answer"
    assert message["reasoning"] is None
    usage = answer["usage"]
    assert usage["completion_tokens"] == 2
    assert usage["total_tokens"] == usage["prompt_tokens"] + 2


def test_a_whole_completion_takes_text_or_token_ids(spark):
    for prompt in ("Hi there", ["Hi there"], [1, 2, 3], [[1, 2, 3]]):
        answer = spark.post(COMPLETIONS, {"prompt": prompt, "max_tokens": 2})
        assert answer["object"] == "text_completion"
        assert answer["choices"][0]["text"] == "This answer"
    assert answer["usage"]["prompt_tokens"] == 3


def test_usage_agrees_with_the_tokenizer(spark):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "Wer bist du, ☃?"}]},
    ]
    counted = spark.post("/tokenize", {"messages": messages, "return_token_strs": True})
    usage = spark.post(CHAT, {"messages": messages, "max_tokens": 1})["usage"]
    assert usage["prompt_tokens"] == counted["count"] == len(counted["tokens"])
    assert len(counted["token_strs"]) == counted["count"]


def test_detokenize_undoes_tokenize(spark):
    text = "The KV cache, 16 tokens a block — naïve?\n"
    ids = spark.post("/tokenize", {"prompt": text})["tokens"]
    assert spark.post("/detokenize", {"tokens": ids}) == {"prompt": text}
    assert spark.post("/detokenize", {"tokens": []}) == {"prompt": ""}


def cached(server, body):
    return server.post(COMPLETIONS, {"max_tokens": 1, **body})["usage"][
        "prompt_tokens_details"
    ]["cached_tokens"]


def test_usage_tells_what_the_prefix_cache_held(spark, spark_with):
    prompt = list(range(5_000, 5_040))
    assert cached(spark, {"prompt": prompt}) == 0
    assert cached(spark, {"prompt": prompt}) == 32
    assert cached(spark, {"prompt": prompt, "cache_salt": "s"}) == 0
    options = {"include_usage": True}
    body = {"prompt": prompt, "max_tokens": 1, "stream_options": options}
    last = chunks_of(spark.stream(COMPLETIONS, body))[-1]
    assert last["usage"]["prompt_tokens_details"] == {"cached_tokens": 32}
    without = spark_with("--no-prefix-cache")
    assert cached(without, {"prompt": prompt}) == 0
    assert cached(without, {"prompt": prompt}) == 0


ASK = {"prompt": "a", "max_tokens": 2}


@pytest.mark.parametrize(
    ("path", "body", "status", "kind", "says"),
    [
        (CHAT, {**HI, "model": "no"}, 404, "NotFoundError", "`no` does not exist"),
        (CHAT, {}, 400, "Bad Request", "Field required"),
        (CHAT, {"messages": []}, 400, "BadRequestError", "empty conversation"),
        (CHAT, {"messages": "Hi"}, 400, "Bad Request", "body.messages"),
        (CHAT, {"messages": [1]}, 400, "Bad Request", "body.messages.0.role"),
        (CHAT, b'{"a":', 400, "Bad Request", "JSON decode error"),
        (CHAT, b"[]", 400, "Bad Request", "valid dictionary"),
        (CHAT, {**HI, "n": 2}, 400, "BadRequestError", "set n to 1"),
        (CHAT, {**HI, "logprobs": True}, 400, "BadRequestError", "logprobs is not"),
        (CHAT, {**HI, "tools": [{}]}, 400, "BadRequestError", "tool choice"),
        (CHAT, {**HI, "max_tokens": "x"}, 400, "Bad Request", "valid integer"),
        (CHAT, {**HI, "stream": "x"}, 400, "Bad Request", "valid boolean"),
        (CHAT, {**HI, "stop": [1]}, 400, "Bad Request", "body.stop"),
        (CHAT, {**HI, "max_tokens": 99_999}, 400, "BadRequestError", "cannot be great"),
        (COMPLETIONS, {}, 400, "BadRequestError", "must be provided"),
        (COMPLETIONS, {"prompt": ""}, 400, "BadRequestError", "must be provided"),
        (COMPLETIONS, {"prompt": ["a", "b"]}, 400, "BadRequestError", "one prompt"),
        (COMPLETIONS, {"prompt": [151936]}, 400, "BadRequestError", "out of vocab"),
        (COMPLETIONS, {**ASK, "max_tokens": 0}, 400, "BadRequestError", "at least 1"),
        (COMPLETIONS, {**ASK, "min_tokens": 5}, 400, "BadRequestError", "max_tokens=2"),
        (COMPLETIONS, {**ASK, "temperature": -1}, 400, "BadRequestError", "got -1.0"),
        (COMPLETIONS, {**ASK, "cache_salt": ""}, 400, "BadRequestError", "cache_salt"),
        (
            COMPLETIONS,
            {**ASK, "stream_options": {"include_usage": True}},
            400,
            "BadRequestError",
            "`stream=True`",
        ),
        (
            COMPLETIONS,
            {"prompt": [1] * 40_960, "max_tokens": 5},
            400,
            "BadRequestError",
            "contains 40960 input tokens, for a total of 40965 tokens",
        ),
    ],
)
def test_a_refusal_has_vllms_status_and_kind(spark, path, body, status, kind, says):
    found, _, answer = spark.ask(path, body)
    error = json.loads(answer)["error"]
    assert (found, error["type"], error["code"]) == (status, kind, status)
    assert says in error["message"]


def test_paths_methods_and_content_types_are_checked(spark):
    assert spark.ask("/v1/nothing")[::2] == (404, b'{"detail":"Not Found"}')
    status, headers, _ = spark.ask(CHAT)
    assert (status, headers["allow"]) == (405, "POST")
    status, headers, _ = spark.ask("/v1/models/")
    assert (status, headers["location"]) == (307, "http://test/v1/models")
    status, _, body = spark.ask(CHAT, HI, headers={"content-type": "text/plain"})
    assert (status, b"Unsupported Media Type" in body) == (400, True)


def test_the_key_guards_v1_and_nothing_else(spark_with):
    server = spark_with("--api-key", "secret", "--max-num-queued-reqs", "1")
    assert server.ask("/v1/models")[::2] == (401, b'{"error":"Unauthorized"}')
    wrong = {"authorization": "Bearer guess"}
    assert server.ask("/v1/models", headers=wrong)[0] == 401
    right = {"authorization": "Bearer secret"}
    assert server.ask("/v1/models", headers=right)[0] == 200
    assert server.ask("/health")[0] == 200
    assert server.ask("/metrics")[0] == 200


def test_a_full_queue_answers_503(spark_with):
    server = spark_with("--api-key", "secret", "--max-num-queued-reqs", "1")
    key = {"authorization": "Bearer secret"}
    body = {**HI, "max_tokens": 30_000, "ignore_eos": True, "stream": True}
    with server.open(CHAT, body, headers=key) as connection:
        connection.head()
        status, _, answer = server.ask(CHAT, HI, headers=key)
    error = json.loads(answer)["error"]
    assert (status, error["type"]) == (503, "Service Unavailable")
    assert "currently busy" in error["message"]


def test_metrics_count_what_was_served(spark):
    before = spark.samples()
    for _ in range(3):
        spark.post(CHAT, {**HI, "max_tokens": 5, "ignore_eos": True})
    after = spark.samples()

    def grown(name):
        return after[f"vllm:{name}"] - before[f"vllm:{name}"]

    assert grown("generation_tokens_total") == 15
    assert grown("prompt_tokens_total") == 3 * 12
    assert grown("request_success_total") == 3
    assert grown("time_to_first_token_seconds_count") == 3
    assert grown("inter_token_latency_seconds_count") == 12
    assert grown("iteration_tokens_total_sum") == 3 * 12 + 15
    phases = ("queue", "prefill", "decode", "inference")
    for phase in phases:
        assert grown(f"request_{phase}_time_seconds_count") == 3
    assert grown("request_inference_time_seconds_sum") == pytest.approx(
        grown("request_prefill_time_seconds_sum")
        + grown("request_decode_time_seconds_sum")
    )
    assert grown("request_decode_time_seconds_sum") == pytest.approx(
        4 * grown("request_time_per_output_token_seconds_sum")
    )
    assert after["vllm:num_requests_running"] == 0


def test_metrics_carry_vllms_labels_and_cumulative_buckets(spark):
    spark.post(CHAT, HI)
    page = spark.get("/metrics")
    labels = f'engine="0",model_name="{MODEL}"'
    assert f"vllm:num_requests_waiting{{{labels}}} 0.0" in page
    assert f'vllm:num_requests_waiting_by_reason{{{labels},reason="capacity"}}' in page
    success = f'{{engine="0",finished_reason="length",model_name="{MODEL}"}}'
    assert f"vllm:request_success_total{success}" in page
    buckets = [
        float(line.split()[-1])
        for line in page.splitlines()
        if line.startswith("vllm:time_to_first_token_seconds_bucket")
    ]
    assert buckets == sorted(buckets)
    assert 'le="+Inf"' in page
    assert "# TYPE vllm:inter_token_latency_seconds histogram" in page


@pytest.fixture
def client(spark):
    with openai.OpenAI(
        base_url=f"{spark.url}/v1", api_key="none", max_retries=0
    ) as client:
        yield client


def test_the_openai_client_streams_and_counts(client):
    stream = client.chat.completions.create(
        model=client.models.list().data[0].id,
        messages=[{"role": "user", "content": "Hello"}],
        max_completion_tokens=12,
        stream=True,
        stream_options={"include_usage": True},
        extra_body={"ignore_eos": True},
    )
    *chunks, last = stream
    text = "".join(chunk.choices[0].delta.content for chunk in chunks)
    assert tokens.encode(text) == tokens.encode(text)[:12]
    assert chunks[-1].choices[0].finish_reason == "length"
    assert last.usage.completion_tokens == 12


def test_the_openai_client_reads_whole_answers_and_refusals(client):
    answer = client.completions.create(model=MODEL, prompt="Hello", max_tokens=3)
    assert answer.choices[0].text == "This answer is"
    with pytest.raises(openai.NotFoundError, match="does not exist"):
        client.completions.create(model="other", prompt="Hello")
    with pytest.raises(openai.BadRequestError, match="set n to 1"):
        client.completions.create(model=MODEL, prompt="Hello", n=3)
