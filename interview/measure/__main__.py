"""The command line: `python -m interview.measure URL`.

Its flags, its JSON and its exit status are a contract: 0 when the load ran, 2 for a
usage error, 3 when there is no endpoint to measure, 130 when a signal stopped it; the
report of what was measured until then still follows.
"""

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
from interview.measure.fields import plan_of, target_of
from interview.measure.measurement import measure
from interview.measure.options import argument_parser, fields_from
from interview.measure.progress import Progress, Silence
from interview.measure.running import run
from interview.measure.spec import run_spec
from interview.measure.table import table

UNREACHABLE = 3
STOPPED = 130


def main(
    arguments: Sequence[str] | None = None, environ: Mapping[str, str] = os.environ
) -> int:
    """Returns the exit status."""
    parser = argument_parser()
    options = parser.parse_args(arguments)
    if options.spec is not None:
        return run_spec()
    try:
        fields = fields_from(options, environ)
        target, plan = target_of(fields), plan_of(fields)
        _check_writable(options.json)
    except UsageError as wrong:
        parser.error(str(wrong))
    is_told = options.progress or plan.is_series
    watch = Progress(sys.stderr, time.monotonic) if is_told else Silence()

    async def measured(stop: asyncio.Event) -> tuple[dict[str, Any], bool]:
        told = await measure(
            target,
            plan,
            watch,
            stop,
            clock=time.perf_counter_ns,
            origin_ns=time.perf_counter_ns(),
            chance=random.SystemRandom(),
        )
        return told, stop.is_set()

    try:
        told, is_stopped = run(measured)
    except EndpointError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return UNREACHABLE
    _tell(told, options.json)
    return STOPPED if is_stopped else 0


def _check_writable(path: str | None) -> None:
    if path is None or path == "-":
        return
    try:
        Path(path).open("a").close()
    except OSError as refused:
        raise UsageError(f"Cannot write {path}: {refused.strerror}.") from refused


def _tell(told: dict[str, Any], path: str | None) -> None:
    text = json.dumps(told, ensure_ascii=False, allow_nan=False, indent=1)
    if path == "-":
        print(text)
        return
    if path is not None:
        Path(path).write_text(text + "\n", "utf-8")
    print(table(told))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        # Our reader, such as `head`, has seen enough. Python would still flush stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
