"""The one HTTP client of a measurement: no proxy, no redirect, no retry, HTTP/1.1."""

import ssl
from collections.abc import Callable

import httpx

from interview.measure.transport import StampingTransport

CONNECT_TIMEOUT_S = 10.0
WRITE_TIMEOUT_S = 30.0

Clock = Callable[[], int]
"""Nanoseconds of one monotonic clock, the same for sending and reading."""


def client(clock: Clock, read_timeout_s: float) -> httpx.AsyncClient:
    """The transport stamps with `clock`; `read_timeout_s` of silence is an error."""
    return httpx.AsyncClient(
        transport=StampingTransport(
            ssl_context=ssl.create_default_context(), clock=clock
        ),
        trust_env=False,
        follow_redirects=False,
        headers={"User-Agent": "prefill-measure/1", "Accept-Encoding": "identity"},
        timeout=httpx.Timeout(
            connect=CONNECT_TIMEOUT_S,
            read=read_timeout_s,
            write=WRITE_TIMEOUT_S,
            pool=None,
        ),
    )
