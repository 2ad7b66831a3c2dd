"""The command line is a contract: flags, exit status and JSON."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.measure.asking import HELLO, answering, streaming
from tests.measure.raw_server import RawServer
from tests.measure.streams import D, R, T, U, every

GOOD = streaming(every(10, 20, R + T("a"), T("b", "length") + U(2) + D))
LONG = streaming([(10, R + T("a")), *every(20, 30, *[T("b")] * 400)])
NOT_FOUND = answering(404, b'{"error":{"message":"Not Found","code":404}}')


def command(*arguments, env=None):
    return [sys.executable, "-m", "interview.measure", *arguments]


def measure(*arguments, **env):
    return subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | env,
    )


def report_of(*arguments, **env):
    ran = measure(*arguments, "--json", "-", **env)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


SUMMARY_KEYS = {
    "completed",
    "failed",
    "incomplete",
    "cancelled",
    "ttft_ms",
    "itl_ms",
    "tpot_ms",
    "e2e_ms",
    "output_tokens_per_s",
    "steady_tokens_per_s",
    "peak_tokens_per_s",
    "tokens_per_event",
    "loop_lag_ms",
    "notes",
}
REQUEST_KEYS = {
    "status",
    "error",
    "http_status",
    "connect_ms",
    "headers_ms",
    "ttft_ms",
    "ttfo_ms",
    "e2e_ms",
    "stream_end_ms",
    "tpot_ms",
    "tokens",
    "tokens_from",
    "prompt_tokens",
    "cached_tokens",
    "events",
    "first_event_tokens",
    "itl_ms",
    "event_tokens",
    "finish_reason",
    "text",
    "notes",
}


def test_the_json_has_the_keys_of_the_contract():
    with RawServer(*HELLO, GOOD) as server:
        told = report_of(server.url, "--model", "m", "--prompt", "hi", "--users", "2")
    assert told["format"] == "prefill-measure/1"
    assert told["target"] == {
        "url": server.url,
        "model": "m",
        "api": "chat",
        "engine": "vllm 0.31.0",
        "extra_body": {},
    }
    assert told["load"]["users"] == 2
    assert told["load"]["requests"] == 6
    assert told["load"]["reached_users"] == 2
    assert len(told["requests"]) == 6
    assert len(told["warmup"]) == 2
    for request in told["requests"]:
        assert set(request) >= REQUEST_KEYS
        assert request["status"] == "completed"
        assert request["event_tokens"] == [1, 1]
        assert request["itl_ms"][0] == pytest.approx(
            request["e2e_ms"] - request["ttft_ms"], abs=0.001
        )
        assert request["cached_tokens"] is None
    assert set(told["summary"]) >= SUMMARY_KEYS
    assert told["summary"]["completed"] == 6
    assert told["summary"]["ttft_ms"]["n"] == 6
    assert set(told["summary"]["ttft_ms"]) == {
        *("p50", "p90", "p99", "mean", "max", "n")
    }


def test_without_a_model_the_first_that_is_served_is_measured():
    with RawServer(*HELLO, GOOD) as server:
        told = report_of(server.url, "--prompt", "hi")
    assert told["target"]["model"] == "m"
    assert told["target"]["engine"] == "vllm 0.31.0"
    assert json.loads(server.served[-1].body)["model"] == "m"


def test_an_endpoint_that_lists_no_model_asks_for_one():
    with RawServer(answering(404), answering(404), answering(404)) as server:
        ran = measure(server.url, "--prompt", "hi")
    assert ran.returncode == 3
    assert "lists no models at /v1/models: name yours with --model" in ran.stderr


def test_row_176_failed_requests_are_data():
    busy = answering(500, b"")
    with RawServer(*HELLO, busy) as server:
        told = report_of(server.url, "--model", "m", "--prompt", "hi")
    assert (told["summary"]["completed"], told["summary"]["failed"]) == (0, 4)
    assert told["summary"]["ttft_ms"]["p50"] is None
    assert told["summary"]["output_tokens_per_s"] is None
    assert told["requests"][0]["ttft_ms"] is None


def test_no_server_is_exit_status_3():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        ran = measure(f"http://127.0.0.1:{port}", "--model", "m")
    assert ran.returncode == 3
    assert f"127.0.0.1:{port}" in ran.stderr
    assert ran.stdout == ""


def test_row_198_a_wrong_path_is_told_before_the_load():
    with RawServer(NOT_FOUND) as server:
        ran = measure(server.url + "/wrong", "--model", "m", "--prompt", "hi")
        asked = [served.head.split(b" ")[1] for served in server.served]
    assert ran.returncode == 3
    assert "HTTP 404: Not Found" in ran.stderr
    assert asked.count(b"/wrong/v1/chat/completions") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "URL"),
        (["h:1", "--model", "m"], "no HTTP address"),
        (["http://h:1", "--model", "m", "--users", "0"], "users"),
        (["http://h:1", "--limits", "foo=3"], "ttft=500,tpot=50,e2e=9000"),
        (["http://h:1", "--model", "m", "--users", "x"], "users"),
        (["http://h:1", "--model", "m", "--api", "x"], "api"),
        (["http://h:1", "--model", "m", "--header", "x"], "header"),
        (["http://h:1", "--model", "m", "--key-env", "NO_SUCH_KEY"], "NO_SUCH_KEY"),
        (
            ["http://h:1", "--model", "m", "--prompt", "x", "--prompt-tokens", "5"],
            "both",
        ),
        (["http://h:1", "--model", "m", "--json", "/no/such/dir/x"], "/no/such/dir/x"),
        (["http://h:1", "--mod", "m"], "--mod"),
        (["http://u:p@h:1", "--model", "m"], "LAB_API_KEY, or --key-env NAME"),
    ],
)
def test_a_usage_error_is_exit_status_2(arguments, said):
    ran = measure(*arguments)
    assert ran.returncode == 2
    assert said in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_key_comes_from_the_environment_and_is_never_told():
    with RawServer(*HELLO, GOOD) as server:
        ran = measure(
            *(server.url, "--model", "m", "--prompt", "hi", "--requests", "1"),
            *("--key-env", "A_KEY", "--header", "X-Team: blue", "--json", "-"),
            A_KEY="s3cret",
        )
        heads = [served.head.lower() for served in server.served]
    assert all(b"authorization: bearer s3cret" in head for head in heads)
    assert all(b"x-team: blue" in head for head in heads)
    assert "s3cret" not in ran.stdout + ran.stderr


def test_prompt_stops_naturally_and_prompt_tokens_ignores_the_end():
    bodies = []
    for options in (
        ["--prompt", "hi"],
        ["--prompt-tokens", "20"],
        ["--prompt", "hi", "--ignore-eos"],
        ["--prompt-tokens", "20", "--natural-stop"],
    ):
        tokenizer = [] if "--prompt" in options else [NOT_FOUND]
        with RawServer(*HELLO, *tokenizer, GOOD) as server:
            report_of(server.url, "--model", "m", "--requests", "1", *options)
            bodies.append(json.loads(server.served[-1].body))
    assert [body.get("ignore_eos", False) for body in bodies] == [
        False,
        True,
        True,
        False,
    ]


def test_rows_157_158_warm_ups_are_shown_and_in_no_number():
    slow = streaming([(400, R + T("a")), (500, T("b", "length") + U(2) + D)])
    with RawServer(*HELLO, slow, GOOD) as server:
        told = report_of(server.url, "--model", "m", "--prompt", "hi")
    assert told["warmup"][0]["ttft_ms"] >= 390
    assert len(told["requests"]) == 4
    assert told["summary"]["ttft_ms"]["n"] == 4
    assert told["summary"]["ttft_ms"]["p99"] < 390


def test_row_161_prompts_differ_from_their_first_word():
    with RawServer(*HELLO, NOT_FOUND, GOOD) as server:
        told = report_of(server.url, "--model", "m", "--requests", "6")
        prompts = [
            json.loads(served.body)["messages"][0]["content"]
            for served in server.served
            if b"/v1/chat/completions" in served.head
        ]
    first_words = [re.split(r"\W", prompt)[0] for prompt in prompts]
    assert len(set(first_words)) == len(prompts) == 7
    assert "prompt-estimated" in told["summary"]["notes"]


def test_the_same_prompt_can_be_asked_again():
    with RawServer(*HELLO, GOOD) as server:
        report_of(server.url, "--model", "m", "--prompt", "hi there", "--same-prompt")
        prompts = [
            json.loads(served.body)["messages"][0]["content"]
            for served in server.served[3:]
        ]
    assert prompts[1:] == ["hi there"] * 4
    assert prompts[0] != "hi there"


def test_a_made_up_prompt_that_is_asked_again_is_warmed_up():
    with RawServer(*HELLO, NOT_FOUND, GOOD) as server:
        report_of(
            *(server.url, "--model", "m", "--prompt-tokens", "40", "--same-prompt"),
            *("--repeat", "2"),
        )
        prompts = {
            json.loads(served.body)["messages"][0]["content"]
            for served in server.served
            if b"/v1/chat/completions" in served.head
        }
    assert len(prompts) == 1


def test_the_table_names_each_formula(tmp_path):
    with RawServer(*HELLO, GOOD) as server:
        ran = measure(server.url, "--model", "m", "--prompt", "hi", "--progress")
        path = tmp_path / "report.json"
        filed = measure(
            server.url, "--model", "m", "--prompt", "x", "--json", str(path)
        )
    assert "(E2E - TTFT) / (N - 1)" in ran.stdout
    assert "4 completed" in ran.stdout
    assert "4/4 completed: 2 tokens" in ran.stderr
    assert "(E2E - TTFT) / (N - 1)" in filed.stdout
    assert json.loads(path.read_text())["format"] == "prefill-measure/1"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_the_stream_and_still_reports(number):
    with RawServer(*HELLO, LONG) as server:
        child = subprocess.Popen(
            command(
                *(server.url, "--model", "m", "--prompt", "hi", "--warmup", "0"),
                *("--json", "-"),
            ),
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,  # its end must not stop the command line
        )
        while len(server.served) < 4:
            time.sleep(0.02)
        time.sleep(0.3)
        assert child.poll() is None
        child.send_signal(number)
        out, _ = child.communicate(timeout=20)
        assert server.served[3].gone.wait(1)
    told = json.loads(out)
    assert child.returncode == 130
    assert told["requests"][0]["status"] == "cancelled"
    assert told["summary"]["cancelled"] == 1
    assert "stopped" in told["summary"]["notes"]


def test_help_says_which_model_is_the_default_and_each_exit_status():
    ran = measure("--help")
    assert ran.returncode == 0
    words = " ".join(ran.stdout.split())
    assert "130 it was stopped" in words
    assert "--model MODEL its name at the server (the first that it lists)" in words
