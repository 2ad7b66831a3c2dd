"""Requests through the measuring transport, with what tests want to know about them."""

import httpx

from interview.measure.transport import StampingTransport, Stamps
from tests.measure.raw_server import X

OK = X(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
STREAM = X(
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)


def client(*, connect=5.0, read=5.0, write=5.0, **options):
    limits = httpx.Timeout(connect=connect, read=read, write=write, pool=None)
    transport = StampingTransport(**options)
    return httpx.AsyncClient(transport=transport, trust_env=False, timeout=limits)


async def post(http, url, *, content=b"{}", sink=None, into=None, **options):
    """The response, its stamps and its raw body, which is also put `into` a list."""
    stamps, pieces = Stamps(), [] if into is None else into
    extensions = {"stamps": stamps} | ({"sink": sink} if sink else {})
    async with http.stream(
        "POST", url, content=content, extensions=extensions, **options
    ) as response:
        async for piece in response.aiter_raw():
            pieces.append(piece)
    return response, stamps, b"".join(pieces)
