"""Tokens per second of a level from the stamps of its results; pure arithmetic."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from interview.measure.result import Result

SECOND_NS = 1_000_000_000


def reached_users(results: Sequence[Result]) -> int:
    """Most requests that were in flight at once, from t0 to the end of the turn."""
    edges = [(r.sent_ns, 1) for r in results if r.sent_ns is not None]
    edges += [(r.ended_ns, -1) for r in results if r.sent_ns is not None]
    most = now = 0
    for _, step in sorted(edges):
        now += step
        most = max(most, now)
    return most


def output_tokens_per_s(completed: Sequence[Result]) -> float | None:
    """Sum of N over (first t0 to last token) of the completed requests."""
    window = window_ns(completed)
    tokens = sum(result.tokens or 0 for result in completed)
    return _rate(tokens, *window) if window else None


def steady_tokens_per_s(results: Sequence[Result], users: int) -> float | None:
    """Tokens by their own time while all users are busy.

    That is from the last user's first t0 to the first user's last end; None when there
    was no such time. A cancelled request streamed as fast as the others, so what it
    gave counts; one that failed keeps its user busy and gives nothing.
    """
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for result in results:
        if result.sent_ns is not None:
            user = result.user
            starts[user] = min(starts.get(user, result.sent_ns), result.sent_ns)
            ends[user] = max(ends.get(user, 0), result.ended_ns)
    if len(starts) < users:
        return None
    start_ns, end_ns = max(starts.values()), min(ends.values())
    streamed = [r for r in results if r.status in {"completed", "cancelled"}]
    tokens = sum(n for at, n in _timed_tokens(streamed) if start_ns < at <= end_ns)
    return _rate(tokens, start_ns, end_ns) if tokens else None


def peak_tokens_per_s(completed: Sequence[Result]) -> float | None:
    """Most tokens (not events) in one of the whole-second bins from the first t0.

    None when the level is shorter than a second.
    """
    window = window_ns(completed)
    if window is None or window[1] - window[0] < SECOND_NS:
        return None
    bins: defaultdict[int, float] = defaultdict(float)
    for at, tokens in _timed_tokens(completed):
        bins[(at - window[0]) // SECOND_NS] += tokens
    return max(bins.values())


def window_ns(completed: Sequence[Result]) -> tuple[int, int] | None:
    """Stamps of the first t0 and of the last token."""
    sent = [r.sent_ns for r in completed if r.sent_ns is not None]
    last = [r.event_stamps_ns[-1] for r in completed if r.event_stamps_ns]
    return (min(sent), max(last)) if sent and last else None


def _timed_tokens(results: Sequence[Result]) -> Iterator[tuple[int, float]]:
    """Each event's stamp and tokens, scaled so that a request's add up to its N.

    Of a request that was cut N is unknown, and its events are taken as they are.
    """
    for result in results:
        counted = sum(result.event_tokens)
        scale = 1.0 if result.tokens is None else result.tokens / max(counted, 1)
        for at, tokens in zip(result.event_stamps_ns, result.event_tokens, strict=True):
            yield at, tokens * scale


def _rate(tokens: float, start_ns: int, end_ns: int) -> float | None:
    return tokens / ((end_ns - start_ns) / SECOND_NS) if end_ns > start_ns else None
