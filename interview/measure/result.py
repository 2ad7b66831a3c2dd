"""One request's numbers from its stamps; pure arithmetic on nanoseconds.

The definitions are the field's: TTFT, E2E to the last token, TPOT = (E2E - TTFT) /
(N - 1), ITL one gap per token event after the first. It reads no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from interview.measure.decoder import Answer, Piece
from interview.measure.outcome import Ending, Status, notes_of, status_of
from interview.measure.tokens import Evidence


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of one request. Durations count from t0; missing is None."""

    status: Status
    error: str | None
    http_status: int | None
    sent_ns: int | None
    ended_ns: int
    connect_ns: int | None
    headers_ns: int | None
    ttft_ns: int | None
    ttfo_ns: int | None
    e2e_ns: int | None
    stream_end_ns: int | None
    tpot_ns: float | None
    tpot_after_first_event_ns: float | None
    """(E2E - TTFT) / (N - k) when the first event held k > 1 tokens."""
    tokens: int | None
    tokens_from: Evidence | None
    prompt_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    itl_ns: tuple[int, ...]
    event_stamps_ns: tuple[int, ...]
    event_tokens: tuple[int, ...]
    finish_reason: str | None
    texts: tuple[str, ...]
    reasoning: str
    server: dict[str, float] | None
    unreachable: bool
    notes: tuple[str, ...]
    user: int = 0


def result_of(answer: Answer, ending: Ending, *, user: int = 0) -> Result:
    """Numbers of one request, whatever became of it."""
    status, error = status_of(answer, ending)
    events = answer.events
    stamps = tuple(event.stamp_ns for event in events)
    sent_ns = ending.sent_ns
    span_ns = stamps[-1] - stamps[0] if stamps else None
    after_first = answer.tokens - events[0].tokens if events else 0
    held_many = bool(events) and events[0].tokens > 1
    result = Result(
        status=status,
        error=error,
        http_status=ending.http_status,
        sent_ns=sent_ns,
        ended_ns=ending.ended_ns,
        connect_ns=ending.connect_ns,
        headers_ns=_since(ending.headers_ns, sent_ns),
        ttft_ns=_since(stamps[0] if stamps else None, sent_ns),
        ttfo_ns=_since(_first_output_ns(events), sent_ns),
        e2e_ns=_since(stamps[-1] if stamps else None, sent_ns),
        stream_end_ns=_since(answer.end_ns, sent_ns),
        tpot_ns=_per_token(span_ns, answer.tokens - 1),
        tpot_after_first_event_ns=(
            _per_token(span_ns, after_first) if held_many else None
        ),
        tokens=answer.tokens if answer.end_ns is not None else None,
        tokens_from=answer.tokens_from,
        prompt_tokens=answer.prompt_tokens,
        cached_tokens=answer.cached_tokens,
        reasoning_tokens=answer.reasoning_tokens,
        itl_ns=tuple(after - before for before, after in pairwise(stamps)),
        event_stamps_ns=stamps,
        event_tokens=tuple(event.tokens for event in events),
        finish_reason=answer.finish_reason,
        texts=answer.texts,
        reasoning=answer.reasoning,
        server=answer.server,
        unreachable=ending.unreachable,
        notes=notes_of(answer, ending, status),
        user=user,
    )
    found = faults(result)
    return replace(result, notes=result.notes + found) if found else result


def faults(result: Result) -> tuple[str, ...]:
    """Codes of what does not add up: gaps to 1 us, tokens exactly."""
    found = []
    if result.ttft_ns is not None and result.e2e_ns is not None:
        off_ns = sum(result.itl_ns) - (result.e2e_ns - result.ttft_ns)
        if abs(off_ns) > 1_000:
            found.append("itl-sum")
    if result.tokens is not None and sum(result.event_tokens) != result.tokens:
        found.append("token-sum")
    return tuple(found)


def token_gaps_ns(result: Result) -> list[float]:
    """Each gap spread over the tokens of its event; their mean is TPOT.

    The first event adds a zero for each of its tokens but one.
    """
    gaps = [0.0] * (result.event_tokens[0] - 1) if result.event_tokens else []
    for gap_ns, tokens in zip(result.itl_ns, result.event_tokens[1:], strict=True):
        gaps += [gap_ns / tokens] * tokens
    return gaps


def _first_output_ns(events: Sequence[Piece]) -> int | None:
    """First token event that is not reasoning.

    Where there is reasoning, a token without text does not tell which it is, so only
    an event with answer text counts.
    """
    thinks = any(event.reasoning for event in events)
    for event in events:
        if event.channel == "content" or not thinks:
            return event.stamp_ns
    return None


def _since(stamp_ns: int | None, sent_ns: int | None) -> int | None:
    return None if stamp_ns is None or sent_ns is None else stamp_ns - sent_ns


def _per_token(span_ns: int | None, tokens: int) -> float | None:
    return span_ns / tokens if span_ns is not None and tokens > 0 else None
