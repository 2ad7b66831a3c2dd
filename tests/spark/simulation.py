"""Small machines for tests: requests by length, steps without a clock."""

from zlib import crc32

from interview.spark.blocks import BlockPool
from interview.spark.request import Request
from interview.spark.scheduler import Limits, Scheduler

END = -1


def make_scheduler(blocks=1000, **limits):
    return Scheduler(Limits(**limits), BlockPool(blocks + 1))


def make_request(name, prompt=16, max_tokens=8, *, ends_after=None, salt=None):
    """A request; `prompt` is a length (then unlike any other) or token ids."""
    if isinstance(prompt, int):
        first = 10_000 * crc32(name.encode())
        prompt = range(first, first + prompt)
    return Request(
        id=name,
        prompt=tuple(prompt),
        max_tokens=max_tokens,
        sample=lambda i: END if ends_after == i else 1000 + i,
        end_token=END,
        cache_salt=salt,
    )


def queue(scheduler, *requests):
    for request in requests:
        scheduler.add(request, 0.0)
    return requests


def step(scheduler):
    """Schedule one step and take its results at once; tokens by request id."""
    shares = scheduler.schedule(0.0)
    scheduler.update(shares, 0.0)
    return tokens_of(shares)


def tokens_of(shares):
    return {share.request.id: share.chunk.tokens for share in shares}


def run_out(scheduler, limit=1000):
    """Steps until nothing is left."""
    steps = []
    while scheduler.busy:
        steps.append(step(scheduler))
        assert len(steps) < limit
    return steps
