"""Our client and `vllm bench serve` in turn on one real vLLM, each beside its counters.

    python tests/bench/vllm_agreement.py http://127.0.0.1:8000 --turns 3

Both ask for 64 prompt and 192 output tokens, without warm-up. The last lines compare
the two clients: at most 5 % between them is the aim. The engine counts TPOT
and TTFT of the same requests itself (the means of /metrics), so each row tells how far
a client is from what it measured, whatever the machine did meanwhile: on a small one
two runs differ by more than two clients do. A client's own work must be small beside a
step of the engine, else it slows the server that it shares the machine with: here the
server has a core of its own (taskset -c 0), and the tiny model is made larger by

    --hf-overrides '{"hidden_size": 1024, "intermediate_size": 3072,
    "num_hidden_layers": 8, "num_attention_heads": 16, "num_key_value_heads": 4}'

The server must serve nobody else, and its
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

LOADS = {1: 12, 4: 24, 16: 32}
"""Requests by users."""
PROMPT_TOKENS, OUTPUT_TOKENS = 64, 192
"""A long prompt before a short answer gives TPOT two humps, of those that waited for
the prefill of others and those that did not; a median between them is chance."""
TEMPLATE_TOKENS = 10
"""The tiny model's chat template adds so many to a prompt."""
SUM_AND_COUNT = re.compile(
    r"^vllm:(request_time_per_output_token|time_to_first_token)_seconds_(sum|count)"
    r"\{[^}]*\} (\S+)$",
    re.MULTILINE,
)


def ours(url, users, requests, folder):
    """Means of TPOT and TTFT in ms, output tokens per second, tokens, median TPOT."""
    told = folder / "ours.json"
    command = [sys.executable, "-m", "interview.measure", url]
    command += ["--users", users, "--requests", requests, "--warmup", 0]
    command += ["--prompt-tokens", PROMPT_TOKENS, "--max-tokens", OUTPUT_TOKENS]
    run([*command, "--json", told])
    found = json.loads(told.read_text())["summary"]
    means = found["tpot_ms"]["mean"], found["ttft_ms"]["mean"]
    rate, tokens = found["output_tokens_per_s"], found["tokens"]
    return *means, rate, tokens, found["tpot_ms"]["p50"]


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
    rate, tokens = found["output_throughput"], found["total_output_tokens"]
    return *means, rate, tokens, found["median_tpot_ms"]


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
    parser.add_argument("--users", type=int, nargs="+", default=[*LOADS])
    options = parser.parse_args()
    head = ("users", "client", "TPOT/engine", "TTFT/engine", "TPOT ms", "TTFT ms")
    head += ("tok/s", "tokens", "TPOT p50")
    print(("{:>6} {:<11}" + "{:>12}" * 7).format(*head))
    differences = []
    for users in options.users:
        requests = LOADS[users]
        rows = {name: [] for name in CLIENTS}
        for _ in range(options.turns):
            for name, client in CLIENTS.items():
                rows[name].append(compared(client, options.url, users, requests))
        medians = {}
        for name, found in rows.items():
            values = [median(column) for column in zip(*found, strict=True)]
            medians[name] = values
            line = "{:>6} {:<11}{:>12.3f}{:>12.3f}{:>12.2f}{:>12.0f}{:>12.1f}{:>12.0f}"
            print((line + "{:>12.2f}").format(users, name, *values), flush=True)
        ratios = [a / b - 1 for a, b in zip(*medians.values(), strict=True)]
        differences.append((users, ratios[6], ratios[4]))
    for users, tpot, rate in differences:
        print(f"{users:>6} users: median TPOT {tpot:+.1%}, throughput {rate:+.1%}")


if __name__ == "__main__":
    main()
