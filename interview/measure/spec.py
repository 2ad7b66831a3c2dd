"""`--spec -`: one JSON line on stdin says what to measure, stdout tells it as NDJSON.

The spec line (unknown keys are an error; the key never stands on a command line):

    url            text, required; with or without /v1
    model          text; default is the first model that the endpoint lists
    api            "chat" (default) | "completions"
    api_key        text | null
    extra_body     object, merged into each request's body
    headers        object of texts, sent with each request
    users          1 … 256, default 1; or
    levels         numbers of users, each once and at most 8, measured in this order; or
    loads          1 … 8 objects {name, users, requests, prompt_tokens, max_tokens,
                   fresh_prompt, ignore_eos, warmup, neighbours}, measured in this
                   order. name: small letters, digits and hyphens, each once. What an
                   object leaves out (or is null) is taken from the spec's own field of
                   that name, then from the default
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
    warmup         number per level, before its first repetition, each with neighbours
                   if the measured ones have some; default min(users, 4)
    timeout        seconds of silence that fail a request, default 60
    fresh_prompt   true (default): each prompt starts with words of its own; false: one
                   prompt is sent again and again. A made-up one is also that of the
                   warm-ups, which puts it into the prefix cache, and is the same in
                   all repetitions of a level
    neighbours     {requests, prompt_tokens, max_tokens, after_tokens} | null (default;
                   also in a load, whose spec has some). While a measured request
                   streams, as many others are sent beside it: the k-th, from 1, when it
                   has received after_tokens × k tokens, so after_tokens × requests must
                   be below its max_tokens. requests: 1 … 64, requests × users at most
                   256. max_tokens: default 1. Their prompts are always fresh. They
                   are in no number but neighbour_ttft_ms, and a repetition ends when
                   they have ended, too
    max_seconds    seconds | null: a repetition is stopped after this long
    gathers        true | false (default). true: a gathering, see below; it has
                   max_users and none of users, levels, loads, repeat, requests, warmup,
                   limits, neighbours; its prompts are fresh, max_seconds is its own
    max_users      2 … 256: so many streams may join a gathering

stdin stays open after the line: its end means stop, as SIGTERM and SIGINT do. A stop
closes all connections, and the report of what was measured still follows: with the
repetition that was stopped, unless it had sent nothing, and none after it.

In a gathering nothing streams until somebody joins: each line {"join": n} on stdin, n
rising from 1, starts one stream more, which asks again with a fresh prompt whenever its
answer has ended. It starts at once, or when the number of streams before has stood for
a second (or has not come to stand for ten). The warm-up is one request of at most 16
tokens. The numbers of n streams are of their window: from the first token of
the one that joined last until the next is about to ask. A gap counts when it lies
wholly in it. What stood for less than a second has no numbers. A gathering ends by a
stop, which is its ordinary end, after max_seconds, 20 s after all that may join have
joined, or when nobody joined for 60 s. Other lines on stdin are skipped.

Each line on stdout is an object with `k` and `t_us`: microseconds since the start of
the run on the measuring clock; for `phase`, `tokens` and `request` it is the stamp of
the read or write itself, so lines of different streams may be out of order by a little.
`stream` is the number of a measured request in its repetition, from 0; it starts again
at the next `level` "started". Unknown keys and kinds are to be skipped: more may come.

When a repetition has several users or neighbours, only stream 0 is told in `phase` and
`tokens` lines, and all streams together in `ticks` lines. There neighbour j (from 0) of
the measured stream s is stream requests + s × neighbours + j, of the user users + j.

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
             and times stand where `tokens` lines differ. Where there are `ticks`, those
             of other streams than 0 are "brief": true, and their lists and texts empty.
             Neighbours have no such line.
    gauge    running, waiting, kv_cache_usage: vLLM's own gauges just before and just
             after a repetition, and each second during it while /metrics answers within
             50 ms. others: running and waiting requests that are not ours; null when
             not known. No such lines where the server has no gauges.
    level    state "started" | "ended", index (of the level, from 0), levels, name (text
             | null without `loads`), users, repetition (from 0), repetitions, requests,
             neighbours (of each request; or null), summary (that repetition's;
             null at the start), expected_s (at the start: about how many seconds it
             will take, as long as the level's repetition before, or by the warm-ups:
             where these were fewer than the users, √(users / warm-ups) times their
             time, since nobody knows yet how full the machine will be; or null).
             In a gathering joined is true, requests null, users the streams so far:
             "started" when one joins, "ended" only for a window with numbers, with
             window_us: [from, to] of it, as t_us.
    report   report: the whole, format `prefill-measure/1`. The last line of a run. For
             one level and one repetition it has load, engine, requests, neighbours,
             warmup and summary. For more, and always with `loads`, it has notes and
             levels, a list of {name, users, load, summary, repetitions: [{load, engine,
             requests, neighbours, warmup, summary}]}; see pooled.py for a level's
             summary. A latency in it is {p50, p90, p99, mean, max, n};
             neighbour_ttft_ms is null without neighbours. neighbours are entries as in
             requests, with empty lists and texts, and with of: the measured stream. Of
             several levels, repetitions, users or neighbours only stream 0 of each
             repetition has its text.
             A gathering has levels with joined true, whose requests are those that
             ended in their window, without their tokens; and, above them, all requests,
             engine, warmup and gathering: {ended, joins [{users, sent_ms, ttft_ms}],
             missing [{users, stood_ms}]}.
    error    text, code "usage" | "endpoint" | "reader" | "fault". The whole
             measurement failed; the last line instead of a report.

Exit status: 0 after a report, 2 after "usage", 3 after "endpoint", 1 else.
"""

import asyncio
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress

from interview.measure.errors import EndpointError, ReaderStalled, UsageError
from interview.measure.events import EventLines
from interview.measure.fields import plan_of, target_of
from interview.measure.gathering_joins import Joins
from interview.measure.measurement import measure
from interview.measure.outbox import LIMIT_BYTES, Outbox
from interview.measure.running import run
from interview.measure.stdin import Stdin
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
        orders = Stdin(stdin)
        target, plan = read_spec(orders.first_line(SPEC_LIMIT_BYTES))
    except UsageError as wrong:
        elapsed_us = (clock() - started_ns) // 1000
        event = {"k": "error", "t_us": elapsed_us, "text": str(wrong), "code": "usage"}
        _write_all(stdout, json.dumps(event).encode() + b"\n")
        return EXIT["usage"]
    return run(lambda stop: _measure(target, plan, stop, orders, stdout))


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
    target: Target, plan: Plan, stop: asyncio.Event, orders: Stdin, stdout: int
) -> int:
    stop_soon = _from_any_thread(stop)
    outbox = Outbox(lambda portion: os.write(stdout, portion), stop_soon)
    joins = Joins()
    orders.follow(joins.take, stop_soon)
    lines = EventLines(outbox.put, time.perf_counter_ns)
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
            joins=joins,
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


def _write_all(stdout: int, line: bytes) -> None:
    while line:
        line = line[os.write(stdout, line) :]
