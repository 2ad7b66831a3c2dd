"""The command line: `python -m interview.measure URL --model M`.

Its flags, its JSON and its exit status are a contract: 0 when the load ran, 2 for a
usage error, 3 when there is no endpoint to measure.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from interview.measure.errors import EndpointError, UsageError
from interview.measure.fields import load_of, target_of
from interview.measure.measurement import measure
from interview.measure.progress import Progress, Silence
from interview.measure.running import run
from interview.measure.spec import run_spec
from interview.measure.table import table

UNREACHABLE = 3

_SAME_NAMES = (
    *("url", "model", "api", "users", "requests", "max_tokens", "prompt"),
    *("prompt_tokens", "ignore_eos", "seed", "warmup", "timeout"),
)
"""Options that are fields under the same name."""


def main(
    arguments: Sequence[str] | None = None, environ: Mapping[str, str] = os.environ
) -> int:
    """Returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.spec is not None:
        return run_spec()
    try:
        fields = _fields(options, environ)
        target, load = target_of(fields), load_of(fields)
        _check_writable(options.json)
    except UsageError as wrong:
        parser.error(str(wrong))
    watch = Progress(sys.stderr, load) if options.progress else Silence()

    async def measured(stop: asyncio.Event) -> dict[str, Any]:
        return await measure(
            target,
            load,
            watch,
            stop,
            clock=time.perf_counter_ns,
            origin_ns=time.perf_counter_ns(),
            chance=random.SystemRandom(),
        )

    try:
        told = run(measured)
    except EndpointError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return UNREACHABLE
    _tell(told, options.json)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m interview.measure",
        description="Measure the token streams of an OpenAI-compatible server.",
        epilog="Exit status: 0 the load ran, 2 usage error, 3 no endpoint to measure.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("url", nargs="?", metavar="URL", help="base URL, with or without /v1")
    add("--model", help="required with a URL: the model's name at the server")
    add("--api", choices=("chat", "completions"), default="chat")
    add("--users", type=int, help="each waits for its answer, then asks again (1)")
    add("--requests", type=int, help="of all users together (max(4, 3 x users))")
    add("--max-tokens", type=int, help="output tokens per request (128)")
    add("--prompt", metavar="TEXT", help="ask this; implies --natural-stop")
    add("--prompt-tokens", type=int, help="prompt length (256); implies --ignore-eos")
    add("--same-prompt", action="store_true", help="no fresh words before each prompt")
    ending = parser.add_mutually_exclusive_group()
    ending.add_argument("--ignore-eos", action="store_true", default=None)
    ending.add_argument("--natural-stop", action="store_false", dest="ignore_eos")
    add("--seed", type=int, help="of the prompts' words and the sampling (1)")
    add("--warmup", type=int, help="requests before, in no number (min(users, 4))")
    add("--timeout", type=float, help="seconds of silence that fail a request (60)")
    add("--header", action="append", default=[], metavar="K:V", help="repeatable")
    add("--key-env", metavar="NAME", help="environment variable with the API key")
    add("--json", metavar="-|FILE", help="write the report as JSON")
    add("--progress", action="store_true", help="tell on stderr how it goes")
    add("--spec", choices=("-",), help="read what to measure from stdin (see spec.py)")
    return parser


def _fields(options: argparse.Namespace, environ: Mapping[str, str]) -> dict[str, Any]:
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


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise UsageError(f"Write --header 'Name: value', not {text!r}.")
    return name.strip(), value.strip()


def _check_writable(path: str | None) -> None:
    if path is None or path == "-":
        return
    try:
        Path(path).open("a").close()
    except OSError as refused:
        raise UsageError(f"Cannot write {path}: {refused.strerror}.") from refused


def _tell(told: dict[str, Any], path: str | None) -> None:
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1)
    if path is None:
        print(table(told))
    elif path == "-":
        print(text)
    else:
        Path(path).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Our reader, such as `head`, has seen enough. Python would still flush stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
