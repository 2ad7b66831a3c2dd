"""Results of requests that never were: completed ones from times in milliseconds."""

from dataclasses import replace
from itertools import pairwise

from interview.measure.decoder import Decoder
from interview.measure.neighbourhood import Neighbour
from interview.measure.outcome import Ending
from interview.measure.result import result_of
from tests.measure.streams import decode


def done(sent, *events, user=0, n=1, tokens=None, ended=None, cached=None):
    """Completed: t0 at `sent`, token events at `events`, each of `n` tokens."""
    stamps = tuple(round(at * 1e6) for at in events)
    sent_ns = round(sent * 1e6)
    empty = decode([(0, b"data: [DONE]\n\n")])
    span = stamps[-1] - stamps[0]
    total = tokens if tokens is not None else n * len(stamps)
    return replace(
        empty,
        status="completed",
        error=None,
        sent_ns=sent_ns,
        ended_ns=round((ended or events[-1]) * 1e6),
        ttft_ns=stamps[0] - sent_ns,
        ttfo_ns=stamps[0] - sent_ns,
        e2e_ns=stamps[-1] - sent_ns,
        tpot_ns=span / (total - 1) if total > 1 else None,
        tokens=total,
        tokens_from="usage",
        prompt_tokens=100,
        cached_tokens=cached,
        itl_ns=tuple(b - a for a, b in pairwise(stamps)),
        event_stamps_ns=stamps,
        event_tokens=(n,) * len(stamps),
        user=user,
        notes=(),
    )


def beside(of, *results):
    """Neighbours of one measured stream."""
    return tuple(Neighbour(of, result) for result in results)


def failed(sent, ended, *, user=0, error="HTTP 500", status=500):
    ending = Ending(
        sent_ns=round(sent * 1e6),
        http_status=status,
        error=error,
        ended_ns=round(ended * 1e6),
    )
    return result_of(Decoder().answer(), ending, user=user)
