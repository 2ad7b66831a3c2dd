"""Our client and `vllm bench serve` in turn on one real vLLM, each beside its counters.

    python tests/bench/vllm_agreement.py http://127.0.0.1:8000 --turns 3

Both ask for 256 prompt and 64 output tokens, without warm-up. The engine counts TPOT
and TTFT of the same requests itself (the means of /metrics), so each row tells how far
a client is from what it measured, whatever the machine did meanwhile: on a small one
two runs differ by more than two clients do. The server must serve nobody else, and its
own prompts must be new to it (no prefix hits): each run has a seed of its own.
`vllm bench serve` and the tokenizer are in REAL_VLLM_HOME, see peer_commands.py.
"""

import argparse
import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.peer_commands import TOKENIZER, VLLM

LOADS = {1: 12, 4: 24, 16: 48}
"""Requests by users."""
PROMPT_TOKENS, OUTPUT_TOKENS = 256, 64
TEMPLATE_TOKENS = 10
"""The tiny model's chat template adds so many to a prompt."""
SUM_AND_COUNT = re.compile(
    r"^vllm:(request_time_per_output_token|time_to_first_token)_seconds_(sum|count)"
    r"\{[^}]*\} (\S+)$",
    re.MULTILINE,
)


def ours(url, users, requests, folder):
    """Means of TPOT and TTFT in ms, output tokens per second, tokens."""
    told = folder / "ours.json"
    command = [sys.executable, "-m", "interview.measure", url]
    command += ["--users", users, "--requests", requests, "--warmup", 0]
    command += ["--prompt-tokens", PROMPT_TOKENS, "--max-tokens", OUTPUT_TOKENS]
    run([*command, "--json", told])
    found = json.loads(told.read_text())["summary"]
    means = found["tpot_ms"]["mean"], found["ttft_ms"]["mean"]
    return *means, found["output_tokens_per_s"], found["tokens"]


def theirs(url, users, requests, folder):
    told = folder / "theirs.json"
    command = [VLLM, "bench", "serve", "--backend", "openai-chat", "--base-url", url]
    command += ["--endpoint", "/v1/chat/completions", "--model", TOKENIZER.name]
    command += ["--tokenizer", TOKENIZER, "--dataset-name", "random", "--ignore-eos"]
    command += ["--random-input-len", PROMPT_TOKENS - TEMPLATE_TOKENS]
    command += ["--random-output-len", OUTPUT_TOKENS, "--num-prompts", requests]
    command += ["--max-concurrency", users, "--seed", secrets.randbelow(10**6)]
    command += ["--num-warmups", 0, "--ready-check-timeout-sec", 0, "--save-result"]
    run([*command, "--result-filename", told])
    found = json.loads(told.read_text())
    means = found["mean_tpot_ms"], found["mean_ttft_ms"]
    return *means, found["output_throughput"], found["total_output_tokens"]


CLIENTS = {"ours": ours, "vllm bench": theirs}


def run(command):
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    words = [str(word) for word in command]
    subprocess.run(words, check=True, capture_output=True, env=environment)


def counted(url):
    """Sum and count of both histograms, in seconds."""
    with urllib.request.urlopen(f"{url}/metrics") as answer:
        text = answer.read().decode()
    return {(m[1], m[2]): float(m[3]) for m in SUM_AND_COUNT.finditer(text)}


def means_between(before, after):
    """The engine's own mean TPOT and TTFT in ms."""
    for name in ("request_time_per_output_token", "time_to_first_token"):
        total, count = (
            after[name, part] - before.get((name, part), 0) for part in ("sum", "count")
        )
        yield 1000 * total / count


def compared(client, url, users, requests):
    """Client over engine of TPOT and TTFT, then what the client said."""
    before = counted(url)
    with tempfile.TemporaryDirectory() as folder:
        said = client(url, users, requests, Path(folder))
    # The engine counts a request's end a little after its last token left.
    time.sleep(0.5)
    engine = means_between(before, counted(url))
    ratios = [value / own for value, own in zip(said, engine, strict=False)]
    return *ratios, *said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url")
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    head = ("users", "client", "TPOT/engine", "TTFT/engine", "TPOT ms", "TTFT ms")
    print(("{:>6} {:<11}" + "{:>12}" * 6).format(*head, "tok/s", "tokens"))
    for users, requests in LOADS.items():
        rows = {name: [] for name in CLIENTS}
        for _ in range(options.turns):
            for name, client in CLIENTS.items():
                rows[name].append(compared(client, options.url, users, requests))
        for name, found in rows.items():
            values = [median(column) for column in zip(*found, strict=True)]
            line = "{:>6} {:<11}{:>12.3f}{:>12.3f}{:>12.2f}{:>12.0f}{:>12.1f}{:>12.0f}"
            print(line.format(users, name, *values), flush=True)


if __name__ == "__main__":
    main()
