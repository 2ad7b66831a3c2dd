"""`--spec -`: one JSON line on stdin says what to measure, stdout tells it as NDJSON.

The spec line (unknown keys are an error; the key never stands on a command line):

    url            text, required; with or without /v1
    model          text, required
    api            "chat" (default) | "completions"
    api_key        text | null
    extra_body     object, merged into each request's body
    headers        object of texts, sent with each request
    users          1 … 256, default 1; or
    levels         numbers of users, each once and at most 8, measured in this order
    repeat         repetitions of each level, 1 … 20, default 1; each has a seed of its
                   own: seed, seed + 1, …
    requests       per level and repetition: a number, or a list with one for each
                   level; default max(4, 3 × users)
    limits         {ttft_ms, tpot_ms, e2e_ms}: numbers | null; goodput is the requests
                   that keep to all of them
    max_tokens     number, default 128
    prompt         text; or
    prompt_tokens  number, default 256 when there is no prompt
    ignore_eos     true | false; default true with prompt_tokens, false with prompt
    seed           number, default 1
    warmup         number per level, before its first repetition; default min(users, 4)
    timeout        seconds of silence that fail a request, default 60
    fresh_prompt   true (default): each prompt starts with words of its own
    max_seconds    seconds | null: a repetition is stopped after this long

stdin stays open after the line: its end means stop, as SIGTERM and SIGINT do. A stop
closes all connections, and the report of what was measured still follows: with the
repetition that was stopped, unless it had sent nothing, and none after it.

Each line on stdout is an object with `k` and `t_us`: microseconds since the start of
the run on the measuring clock; for `phase`, `tokens` and `request` it is the stamp of
the read or write itself, so lines of different streams may be out of order by a little.
`stream` is the number of a measured request in its repetition, from 0; it starts again
at the next `level` "started". Unknown keys and kinds are to be skipped: more may come.

When a repetition has several users, only stream 0 is told in `phase` and `tokens`
lines, and all streams together in `ticks` lines.

    hello    format, versions {python, httpx}, clock, url, model, api, engine (text |
             null), models [ids]. First contact was made.
    phase    phase, stream. With stream null the run is "preparing" (before hello, and
             before each further repetition), "warming-up" or "measuring"; else the
             request is "connecting", "sent" (t0), "accepted" (the head of the answer
             is here; what is waited for is queue and prefill), "first-token". A request
             that is asked again (see `no-continuous-usage`) goes through connecting to
             accepted again.
    tokens   stream, n, text, channel "content" | "reasoning". One event of the stream;
             n may be 0 (text without a token of its own) and text may be "" (a token
             without text of its own). The end-of-text token is only in `request`.
    ticks    ticks, starts, ends: what happened since the line before, at most 100 ms.
             ticks are [stream, n, dt_us] for each event with tokens, starts [stream,
             user, dt_us] for each request sent (t0; again if it is asked again), ends
             [stream, status, dt_us]. dt_us counts from this line's own t_us: 0 or less.
    request  stream, warmup (true | false; warm-ups are numbered apart and have no
             other lines), request: one entry of the report's `requests`. Its tokens
             and times stand where `tokens` lines differ. With several users those of
             other streams than 0 are "brief": true, and their lists and texts empty.
    gauge    running, waiting, kv_cache_usage: vLLM's own gauges just before and just
             after a repetition, and each second during it while /metrics answers within
             50 ms. others: running and waiting requests that are not ours; null when
             not known. No such lines where the server has no gauges.
    level    state "started" | "ended", index (of the level, from 0), levels, users,
             repetition (from 0), repetitions, requests, summary (that repetition's;
             null at the start), expected_s (at the start: seconds it will take at
             least, by the warm-ups, or as long as the repetition before; or null).
    report   report: the whole, format `prefill-measure/1`. The last line of a run. For
             one level and one repetition it has load, engine, requests, warmup and
             summary. For more it has notes and levels, a list of {users, load, summary,
             repetitions: [{load, engine, requests, warmup, summary}]}; see pooled.py
             for a level's summary. Of several levels, repetitions or users only stream
             0 of each repetition has its text.
    error    text, code "usage" | "endpoint" | "reader" | "fault". The whole
             measurement failed; the last line instead of a report.

Exit status: 0 after a report, 2 after "usage", 3 after "endpoint", 1 else.
"""

import asyncio
import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

from interview.measure.errors import EndpointError, ReaderStalled, UsageError
from interview.measure.events import EventLines
from interview.measure.fields import plan_of, target_of
from interview.measure.measurement import measure
from interview.measure.outbox import LIMIT_BYTES, Outbox
from interview.measure.running import run
from interview.measure.target import Target
from interview.measure.workload import Plan

SPEC_LIMIT_BYTES = 16 * 2**20
"""A prompt of the largest context fits."""

EXIT = {"usage": 2, "endpoint": 3, "reader": 1, "fault": 1}


def run_spec(stdin: int = 0, stdout: int = 1) -> int:
    """Reads one spec, measures, tells; returns the exit status."""
    clock = time.perf_counter_ns
    started_ns = clock()
    try:
        target, plan = read_spec(_first_line(stdin))
    except UsageError as wrong:
        elapsed_us = (clock() - started_ns) // 1000
        event = {"k": "error", "t_us": elapsed_us, "text": str(wrong), "code": "usage"}
        _write_all(stdout, json.dumps(event).encode() + b"\n")
        return EXIT["usage"]
    return run(lambda stop: _measure(target, plan, stop, stdin, stdout))


def read_spec(line: bytes) -> tuple[Target, Plan]:
    """Raises UsageError for anything that is not a whole, right spec."""
    try:
        fields = json.loads(line)
    except ValueError as broken:
        raise UsageError(
            "The first line on stdin must be one JSON object that says what to measure."
        ) from broken
    if not isinstance(fields, dict):
        raise UsageError("The spec must be a JSON object.")
    return target_of(fields), plan_of(fields)


async def _measure(
    target: Target, plan: Plan, stop: asyncio.Event, stdin: int, stdout: int
) -> int:
    stop_soon = _from_any_thread(stop)
    outbox = Outbox(lambda portion: os.write(stdout, portion), stop_soon)
    _at_end(stdin, stop_soon)
    lines = EventLines(outbox.put, time.perf_counter_ns, target)
    status, last_line = 0, b""
    try:
        told = await measure(
            target,
            plan,
            lines,
            stop,
            clock=time.perf_counter_ns,
            origin_ns=lines.origin_ns,
            chance=random.SystemRandom(),
            texts=not plan.is_load,
        )
        if outbox.full:
            raise ReaderStalled(
                f"Nobody read what the measurement told: {LIMIT_BYTES // 2**20} MB"
                " waited, so it was stopped."
            )
        last_line = lines.line("report", report=told)
    except Exception as error:
        status, last_line = _failure(error, lines)
    told_all = outbox.close(last_line) and outbox.broken is None
    if outbox.full or not told_all:
        print("prefill-measure: the reader of stdout stalled.", file=sys.stderr)
    return status if status or told_all else EXIT["reader"]


def _failure(error: Exception, lines: EventLines) -> tuple[int, bytes]:
    if isinstance(error, EndpointError):
        code, text = "endpoint", str(error)
    elif isinstance(error, ReaderStalled):
        code, text = "reader", str(error)
    else:
        code = "fault"
        text = f"The client itself failed: {type(error).__name__}: {error}"
        traceback.print_exception(error)
    return EXIT[code], lines.line("error", text=text, code=code)


def _from_any_thread(stop: asyncio.Event) -> Callable[[], None]:
    loop = asyncio.get_running_loop()

    def stop_soon() -> None:
        # After its end the loop is closed, and there is nothing left to stop.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(stop.set)

    return stop_soon


def _at_end(stdin: int, stop: Callable[[], None]) -> None:
    def wait() -> None:
        # A file or a terminal cannot be watched by every loop; a thread can wait.
        with suppress(OSError):
            while os.read(stdin, 4096):
                pass
        stop()

    threading.Thread(target=wait, name="stdin", daemon=True).start()


def _first_line(stdin: int) -> bytes:
    line = bytearray()
    while b"\n" not in line and len(line) <= SPEC_LIMIT_BYTES:
        read = os.read(stdin, 64 * 1024)
        if not read:
            break
        line += read
    return bytes(line.partition(b"\n")[0])


def _write_all(stdout: int, line: bytes) -> None:
    while line:
        line = line[os.write(stdout, line) :]
