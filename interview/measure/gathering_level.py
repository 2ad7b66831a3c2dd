"""The numbers of one number of streams, from what arrived in its window; pure.

A gap counts when it lies wholly in the window. TPOT is one value a stream: its gaps
over the tokens that ended them. What is not there is None, never guessed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from interview.measure.gathering_windows import Window
from interview.measure.level import LATE, SEVERAL_TOKENS, WARM
from interview.measure.milliseconds import latency, ms
from interview.measure.result import Result
from interview.measure.statistics import FEW_VALUES, known_sum, mean, percentile
from interview.measure.workload import Load

Json = dict[str, Any]

SECOND_NS = 1_000_000_000


# Not frozen: it grows with every token.
@dataclass(slots=True)
class Heard:
    """One answer, as far as it has come."""

    user: int
    """Its stream, from 0."""
    joins: bool
    """It is the first of its stream."""
    sent_ns: int | None = None
    stamps_ns: list[int] = field(default_factory=list)
    """Of its token events."""
    tokens: list[int] = field(default_factory=list)
    """Of each event."""
    result: Result | None = None
    """None while it streams."""

    @property
    def ttft_ns(self) -> int | None:
        if self.sent_ns is None or not self.stamps_ns:
            return None
        return self.stamps_ns[0] - self.sent_ns

    def ended(self, result: Result) -> None:
        """The result has the end-of-text token, too, which comes with no event."""
        self.result = result
        self.sent_ns = result.sent_ns
        self.stamps_ns = list(result.event_stamps_ns)
        self.tokens = list(result.event_tokens)


@dataclass(frozen=True, slots=True)
class Gap:
    user: int
    ns: int
    tokens: int
    """That ended it."""


def gathering_level(
    load: Load,
    window: Window,
    heard: Sequence[Heard],
    lags_ns: Sequence[int],
    notes: Sequence[str] = (),
) -> Json | None:
    """In the format of a level's summary, with `joined_ttft_ms` and `stood_ms`.

    None when the window is shorter than a second, or one of its streams has no gap.
    Its `ttft_ms` and `e2e_ms` are of answers that were asked for in it.
    """
    gaps = [gap for answer in heard for gap in gaps_in(window, answer)]
    tpots_ns = tpots(gaps)
    gap_ns = percentile([gap.ns for gap in gaps], 50) or 0.0
    if not window.is_long_enough or len(tpots_ns) < window.users:
        return None
    ended = [a.result for a in heard if a.result and holds_end(window, a.result)]
    whole = [r for r in ended if is_done(r) and is_within(window, r)]
    per_event = sum(gap.tokens for gap in gaps) / len(gaps)
    rate = rounded(tokens_per_s(window, heard, gap_ns))
    return {
        **counts(ended),
        "joined_ttft_ms": joined_ttft_ms(window.users, heard),
        "stood_ms": ms(window.length_ns),
        "ttft_ms": latency(asked_waits_ns(window, heard)),
        "ttfo_ms": latency(r.ttfo_ns for r in whole),
        "itl_ms": latency(gap.ns for gap in gaps),
        "itl_per_token_ms": None,
        "tpot_ms": latency(tpots_ns.values()),
        "e2e_ms": latency(r.e2e_ns for r in whole),
        "neighbour_ttft_ms": None,
        "goodput": None,
        "tokens_per_event": round(per_event, 3),
        "tokens": tokens_in(window, heard),
        "tokens_mean": mean([r.tokens or 0 for r in ended if is_done(r)]),
        "prompt_tokens": known_sum(r.prompt_tokens for r in ended),
        "cached_tokens": known_sum(r.cached_tokens for r in ended),
        "loop_lag_ms": {
            "p50": ms(percentile(lags_ns, 50)),
            "p99": ms(percentile(lags_ns, 99)),
        },
        "notes": [*notes, *codes(load, ended, lags_ns, per_event, gap_ns, len(gaps))],
        "output_tokens_per_s": rate,
        "steady_tokens_per_s": rate,
        "peak_tokens_per_s": None,
    }


def gaps_in(window: Window, answer: Heard) -> list[Gap]:
    """Between the token events of one answer."""
    events = pairwise(zip(answer.stamps_ns, answer.tokens, strict=True))
    return [
        Gap(answer.user, at - before, tokens)
        for (before, _), (at, tokens) in events
        if window.holds(before, at)
    ]


def tpots(gaps: Iterable[Gap]) -> dict[int, float]:
    """By stream, in ns: the time of its gaps over the tokens that came with them."""
    spent: dict[int, int] = {}
    tokens: dict[int, int] = {}
    for gap in gaps:
        spent[gap.user] = spent.get(gap.user, 0) + gap.ns
        tokens[gap.user] = tokens.get(gap.user, 0) + gap.tokens
    return {user: spent[user] / tokens[user] for user in spent}


def tokens_per_s(window: Window, heard: Sequence[Heard], gap_ns: float) -> float | None:
    """Of all streams, over whole steps; `gap_ns` is the median gap.

    The tokens of one step come within a millisecond or two, and a cut in the midst of
    them would add or lose up to a step. So it counts from half a gap behind the
    window's first token to half a gap behind its last one.
    """
    events = [
        (stamp_ns, tokens)
        for answer in heard
        for stamp_ns, tokens in zip(answer.stamps_ns, answer.tokens, strict=True)
        if window.holds(stamp_ns, stamp_ns)
    ]
    half_ns = gap_ns / 2
    whole = [at for at, _ in events if at + half_ns <= window.end_ns]
    if window.start_ns is None or not whole or max(whole) <= window.start_ns:
        return None
    start_ns, last_ns = window.start_ns, max(whole)
    tokens = sum(
        n for at, n in events if half_ns < at - start_ns <= last_ns - start_ns + half_ns
    )
    return tokens * SECOND_NS / (last_ns - start_ns)


def tokens_in(window: Window, heard: Sequence[Heard]) -> int:
    """Those that arrived in it, its first moment left out."""
    return sum(
        tokens
        for answer in heard
        for stamp_ns, tokens in zip(answer.stamps_ns, answer.tokens, strict=True)
        if window.holds(stamp_ns, stamp_ns) and stamp_ns != window.start_ns
    )


def joined_ttft_ms(users: int, heard: Sequence[Heard]) -> float | None:
    """The wait of the stream that made so many of them, behind the others' steps."""
    joined = [a.ttft_ns for a in heard if a.joins and a.user == users - 1]
    return ms(next((wait for wait in joined if wait is not None), None))


def asked_waits_ns(window: Window, heard: Sequence[Heard]) -> list[int]:
    """TTFT of those that asked again and got their first token in the window."""
    return [
        a.ttft_ns
        for a in heard
        if a.sent_ns is not None
        and a.ttft_ns is not None
        and window.holds(a.sent_ns, a.stamps_ns[0])
    ]


def holds_end(window: Window, result: Result) -> bool:
    return window.holds(result.ended_ns, result.ended_ns)


def is_within(window: Window, result: Result) -> bool:
    sent_ns = result.sent_ns
    return sent_ns is not None and window.holds(sent_ns, result.ended_ns)


def counts(ended: Sequence[Result]) -> Json:
    """Of answers that ended in the window; the end of all cuts none of them short."""
    statuses = ("completed", "failed", "incomplete", "cancelled")
    return {s: sum(result.status == s for result in ended) for s in statuses}


def codes(
    load: Load,
    ended: Sequence[Result],
    lags_ns: Sequence[int],
    per_event: float,
    gap_ns: float,
    gaps: int,
) -> list[str]:
    """As a level's notes, of what is in the window."""
    done = [result for result in ended if is_done(result)]
    cached = known_sum(r.cached_tokens for r in done) or 0
    prompt = known_sum(r.prompt_tokens for r in done) or 0
    short = any((result.tokens or 0) < load.max_tokens for result in done)
    found = {
        "loop-lag": (percentile(lags_ns, 99) or 0) > LATE * gap_ns,
        "few-values": gaps < FEW_VALUES,
        "short-output": load.ignore_eos and short,
        "several-tokens-per-event": per_event > SEVERAL_TOKENS,
        "cached-prompts": cached > WARM * prompt,
    }
    return [code for code, is_so in found.items() if is_so]


def is_done(result: Result) -> bool:
    return result.status == "completed"


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
