"""Checks the simulation against the manual's six published figures, in virtual time.

    python -m interview.spark.calibration                     the table
    python -m interview.spark.calibration --prompts 192 > prompts.jsonl

The second form writes prompts of exactly 512 tokens, as this server counts them, for a
check over HTTP with the real benchmark. Its `random` data is of no use here, since it
counts with another tokenizer; its `custom` data needs pandas beside it:

    vllm bench serve --backend openai --base-url http://127.0.0.1:PORT \
      --endpoint /v1/completions --model Qwen/Qwen3-30B-A3B-simulated \
      --tokenizer ANY --dataset-name custom --dataset-path prompts.jsonl \
      --custom-output-len 128 --skip-chat-template --disable-shuffle --ignore-eos \
      --num-prompts 192 --max-concurrency 64

and 4 prompts at concurrency 1 (write them apart, or the cache has seen them). 512/128
is our assumption: the manual states no lengths.
"""

import argparse
import json
import random
import statistics
import string
from dataclasses import astuple, dataclass
from functools import cache

from .closedloop import Load, run_load
from .machine import build_front_end
from .scheduler import Limits


@dataclass(frozen=True, slots=True)
class Figures:
    """Medians over all requests, ramp-up included; tokens over the whole run."""

    ttft_ms: float
    tpot_ms: float
    tokens_per_s: float


PUBLISHED = {1: Figures(257, 32.3, 29.5), 64: Figures(965, 243.8, 239.3)}
"""The manual's figures by users: vLLM 0.31.0, DGX Spark, Qwen3-30B-A3B."""

LOADS = (Load(1, 4), Load(64, 192))
PREDICTIONS = (Load(1, 4, 1024), Load(64, 192, 1024))

CAVEAT = (
    "512/128 is our assumption: the manual states no lengths. Other lengths are\n"
    "predictions that nobody measured; at 1,024/128 prompts come back in pairs and\n"
    "split at the budget's edge, so TTFT at 64 users is about a third higher. The fit\n"
    "has five or six constants for six figures: a check of size, not of the model."
)


@cache
def figures(load: Load) -> Figures:
    """What the default simulated machine gives under a load."""
    traces = run_load(load, build_front_end(Limits()))
    tokens = sum(len(trace.tokens_at) for trace in traces)
    return Figures(
        1e3 * statistics.median(trace.ttft for trace in traces),
        1e3 * statistics.median(trace.tpot for trace in traces),
        tokens / max(trace.tokens_at[-1] for trace in traces),
    )


def differences(simulated: Figures, published: Figures) -> list[float]:
    """Simulated over published, less 1, in the order of the fields."""
    pairs = zip(astuple(simulated), astuple(published), strict=True)
    return [ours / theirs - 1 for ours, theirs in pairs]


def table() -> str:
    """Published, simulated and the difference, for the check and the prediction."""
    lines = ["users   lengths  figure      published simulated   diff"]
    for load in LOADS:
        lines += _rows(load)
    lines.append("\npredictions, against the same published figures")
    for load in PREDICTIONS:
        lines += _rows(load)
    return "\n".join((*lines, "", CAVEAT))


def _rows(load: Load) -> list[str]:
    simulated, published = figures(load), PUBLISHED[load.users]
    lengths = f"{load.prompt_tokens}/{load.output_tokens}"
    rows = zip(
        ("TTFT ms", "TPOT ms", "tok/s"),
        astuple(published),
        astuple(simulated),
        differences(simulated, published),
        strict=True,
    )
    head = f"{load.users:>5} {lengths:>9}"
    return [
        f"{head}  {name:<12}{theirs:>9.1f} {ours:>9.1f} {off:>+6.1%}"
        for name, theirs, ours, off in rows
    ]


def prompt_text(tokens: int, source: random.Random) -> str:
    """A text of exactly so many tokens: two letters and a blank are one piece."""
    letters = string.ascii_lowercase
    return "".join(
        f" {source.choice(letters)}{source.choice(letters)}" for _ in range(tokens)
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m interview.spark.calibration")
    parser.add_argument("--prompts", type=int, metavar="N", help="write N prompts")
    parser.add_argument("--tokens", type=int, default=512, help="tokens of a prompt")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.prompts is None:
        print(table())
        return
    source = random.Random(arguments.seed)
    for _ in range(arguments.prompts):
        print(json.dumps({"prompt": prompt_text(arguments.tokens, source)}))


if __name__ == "__main__":
    main()
