"""A gathering as a report by level; no network, no clock.

Requests go on from one number of streams to the next, so they stand once, above the
levels. A level's own list is of those that ended in its window, without their tokens.
"""

from collections.abc import Sequence
from typing import Any

from interview.measure.gathering import Gathered
from interview.measure.gathering_bench import GatheredLevel, GatheringMeasured
from interview.measure.gathering_level import Heard
from interview.measure.gathering_windows import Window
from interview.measure.milliseconds import ms
from interview.measure.report import about, load_json, request
from interview.measure.target import Target

Json = dict[str, Any]


def gathering_report(
    target: Target, engine: str | None, measured: GatheringMeasured, origin_ns: int
) -> Json:
    """`levels` are the numbers of streams that stood for a second, rising."""
    heard = measured.gathered.heard
    found = {level.window.users for level in measured.levels}
    return about(target, engine) | {
        "notes": [],
        "gathering": {
            "ended": measured.gathered.end,
            "joins": joins(measured.gathered, origin_ns),
            "missing": [
                missing(window)
                for window in measured.gathered.windows
                if window.users not in found
            ],
        },
        "engine": measured.engine,
        "warmup": [request(r, origin_ns, text=False) for r in measured.warmups],
        "requests": [
            request(a.result, origin_ns, text=False) for a in heard if a.result
        ],
        "levels": [level(one, heard, origin_ns) for one in measured.levels],
    }


def joins(gathered: Gathered, origin_ns: int) -> list[Json]:
    """Each stream's first request; a stream whose first one failed asked again."""
    first: dict[int, Heard] = {}
    for answer in gathered.heard:
        if answer.joins:
            first[answer.user] = answer
    return [
        {
            "users": user + 1,
            "sent_ms": since(answer.sent_ns, origin_ns),
            "ttft_ms": ms(answer.ttft_ns),
        }
        for user, answer in sorted(first.items())
    ]


def missing(window: Window) -> Json:
    """A number of streams that has no numbers, and how long it stood."""
    return {"users": window.users, "stood_ms": ms(window.length_ns)}


def level(one: GatheredLevel, heard: Sequence[Heard], origin_ns: int) -> Json:
    window = one.window
    load = load_json(one.load, window.users) | {"requests": None}
    ended = [
        request(a.result, origin_ns, text=False, lists=False)
        for a in heard
        if a.result and window.holds(a.result.ended_ns, a.result.ended_ns)
    ]
    repetition = {
        "load": load,
        "engine": None,
        "requests": ended,
        "neighbours": [],
        "warmup": [],
        "summary": one.summary,
    }
    return {
        "name": None,
        "users": window.users,
        "joined": True,
        "window": window_json(window, origin_ns),
        "load": load | {"repeat": 1},
        "summary": one.summary | {"bands": {}, "repetitions": 1},
        "repetitions": [repetition],
    }


def window_json(window: Window, origin_ns: int) -> Json:
    return {
        "from_ms": since(window.start_ns, origin_ns),
        "to_ms": since(window.end_ns, origin_ns),
    }


def since(stamp_ns: int | None, origin_ns: int) -> float | None:
    return None if stamp_ns is None else ms(stamp_ns - origin_ns)
