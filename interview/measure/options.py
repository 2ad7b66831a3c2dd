"""The command line's options, and the fields that they stand for; measures nothing."""

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interview.measure.errors import UsageError

_SAME_NAMES = (
    *("url", "model", "api", "users", "levels", "loads", "repeat", "requests"),
    *("limits", "max_tokens", "prompt"),
    *("prompt_tokens", "ignore_eos", "seed", "warmup", "timeout"),
)
"""Options that are fields under the same name."""


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m interview.measure",
        description="Measure the token streams of an OpenAI-compatible server.",
        epilog="Exit status: 0 the load ran, 2 usage error, 3 no endpoint to measure, "
        "130 it was stopped and what was measured until then is told.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("url", nargs="?", metavar="URL", help="base URL, with or without /v1")
    add("--model", help="its name at the server (the first that it lists)")
    add("--api", choices=("chat", "completions"), default="chat")
    add("--users", type=int, help="each waits for its answer, then asks again (1)")
    add("--levels", type=_numbers, help="several numbers of users, as in 1,4,16,64")
    add("--loads", type=_loads, metavar="FILE", help="JSON list, see loads in spec.py")
    add("--repeat", type=int, help="repetitions of each level (1)")
    add(
        "--requests",
        type=_one_or_more,
        help="of all users together (max(4, 3 x users)); one number, or one per level",
    )
    add(
        "--limits",
        type=_limits,
        metavar="NAME=MS,...",
        help="goodput: requests within ttft=MS,tpot=MS,e2e=MS",
    )
    add("--max-tokens", type=int, help="output tokens per request (128)")
    add("--prompt", metavar="TEXT", help="ask this; implies --natural-stop")
    add("--prompt-tokens", type=int, help="prompt length (256); implies --ignore-eos")
    add("--same-prompt", action="store_true", help="no fresh words before each prompt")
    ending = parser.add_mutually_exclusive_group()
    ending.add_argument("--ignore-eos", action="store_true", default=None)
    ending.add_argument("--natural-stop", action="store_false", dest="ignore_eos")
    add("--seed", type=int, help="of the prompts' words and the sampling (1)")
    add("--warmup", type=int, help="requests before a level (min(users, 4))")
    add("--timeout", type=float, help="seconds of silence that fail a request (60)")
    add("--header", action="append", default=[], metavar="K:V", help="repeatable")
    add("--key-env", metavar="NAME", help="environment variable with the API key")
    add("--json", metavar="-|FILE", help="the report as JSON; - leaves the table out")
    add("--progress", action="store_true", help="tell on stderr, as a series does")
    add("--spec", choices=("-",), help="read what to measure from stdin (see spec.py)")
    return parser


def fields_from(
    options: argparse.Namespace, environ: Mapping[str, str]
) -> dict[str, Any]:
    """As a spec would have them; raises UsageError."""
    if options.url is None:
        raise UsageError("Give the URL of the server, or --spec -.")
    fields = {name: getattr(options, name) for name in _SAME_NAMES}
    fields["fresh_prompt"] = not options.same_prompt
    fields["headers"] = dict(_header(text) for text in options.header)
    if options.key_env is not None:
        fields["api_key"] = environ.get(options.key_env)
        if not fields["api_key"]:
            raise UsageError(f"The environment variable {options.key_env} is not set.")
    return fields


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be whole numbers with commas between."
        ) from wrong


def _loads(path: str) -> object:
    try:
        return json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as wrong:
        raise argparse.ArgumentTypeError(
            f"{path} must be a file with a JSON list."
        ) from wrong


def _one_or_more(text: str) -> int | list[int]:
    numbers = _numbers(text)
    return numbers if len(numbers) > 1 else numbers[0]


def _limits(text: str) -> dict[str, float]:
    pairs = [part.partition("=") for part in text.split(",")]
    unlike = argparse.ArgumentTypeError(
        f"{text!r} must be like ttft=500,tpot=50,e2e=9000, in ms; each may be left out."
    )
    if not {name.strip() for name, _, _ in pairs} <= {"ttft", "tpot", "e2e"}:
        raise unlike
    try:
        return {f"{name.strip()}_ms": float(value) for name, _, value in pairs}
    except ValueError as wrong:
        raise unlike from wrong


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise UsageError(f"Write --header 'Name: value', not {text!r}.")
    return name.strip(), value.strip()
