"""`python -m interview.spark` as a process: its line, its end, its refusals."""

import json
import re
import signal
import subprocess
import sys

import pytest

from interview.spark.__main__ import main
from tests.spark.spark_process import SparkProcess, events_of

COMMAND = [sys.executable, "-m", "interview.spark"]
LONG = {
    "messages": [{"role": "user", "content": "Hi"}],
    "max_tokens": 30_000,
    "ignore_eos": True,
    "stream": True,
}


def test_one_line_names_the_address_and_the_end_of_stdin_stops_it():
    server = SparkProcess()
    assert server.ready_line == f"Simulated DGX Spark at {server.url}\n"
    assert server.ask("/health")[0] == 200
    assert server.stop() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_and_aborts_what_runs(number):
    server = SparkProcess()
    with server.open("/v1/chat/completions", LONG) as connection:
        connection.head()
        chunks = connection.chunks()
        next(chunks)
        server.process.send_signal(number)
        last, done = events_of(b"".join(chunks))[-2:]
    assert server.process.wait(timeout=5) == 0
    assert json.loads(last)["choices"][0]["finish_reason"] == "abort"
    assert done == "[DONE]"
    server.stop()


def test_a_taken_port_is_said_in_one_sentence(spark):
    command = [*COMMAND, "--port", str(spark.port)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=10)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Cannot listen on 127.0.0.1:{spark.port}: ")


def test_help_says_which_option_is_required(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert re.search(r"--port PORT +required; ", capsys.readouterr().out)


@pytest.mark.parametrize("flags", [["--speed", "0"], ["--token-budget", "x"], []])
def test_nonsense_is_a_usage_error(flags, capsys):
    port = ["--port", "0"] if flags else []
    with pytest.raises(SystemExit, match="2"):
        main([*port, *flags])
    assert "error: " in capsys.readouterr().err
