import asyncio
import time
from itertools import pairwise

import pytest

from tests.measure.loops import on_both_loops
from tests.measure.posting import OK, STREAM, client, post
from tests.measure.raw_server import (
    LAST_CHUNK,
    Authority,
    Close,
    RawServer,
    X,
    byte_by_byte,
    chunked,
)


@on_both_loops
@pytest.mark.parametrize("with_sink", [False, True])
async def test_an_answer_cut_into_bytes_is_the_same_answer(with_sink):
    parts = (
        STREAM
        + chunked(b"data: \xe4\xbd\xa0\n\n")
        + chunked(b"data: [DONE]\n\n")
        + LAST_CHUNK
    )
    reads = []
    with RawServer(byte_by_byte(parts)) as server:
        async with client() as http:
            sink = (lambda _, data: reads.append(data)) if with_sink else None
            response, _, body = await post(http, server.url, sink=sink)
    assert (response.status_code, response.headers["content-type"]) == (
        200,
        "text/event-stream",
    )
    assert (
        b"".join(reads) if with_sink else body
    ) == b"data: \xe4\xbd\xa0\n\ndata: [DONE]\n\n"


@on_both_loops
async def test_a_body_that_the_close_ends_is_whole():
    head = X(b"HTTP/1.1 200 OK\r\n\r\n")
    with RawServer(
        [head @ 0, X(b"to the ") @ 20, X(b"end") @ 40, Close() @ 60]
    ) as server:
        async with client() as http:
            _, _, body = await post(http, server.url)
    assert body == b"to the end"


@on_both_loops
async def test_a_content_encoding_is_left_alone():
    answer = X(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
        b"Content-Length: 3\r\n\r\n\x1f\x8b\x00"
    )
    reads = []
    with RawServer([answer @ 0]) as server:
        async with client() as http:
            _, _, body = await post(http, server.url)
            await post(http, server.url, sink=lambda _, data: reads.append(data))
    assert [body] == reads == [b"\x1f\x8b\x00"]


@on_both_loops
async def test_the_answer_to_head_has_no_body():
    with RawServer(
        [X(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n") @ 0]
    ) as server:
        async with client() as http:
            response = await http.head(server.url)
    assert (response.headers["content-length"], response.content) == ("500", b"")


@on_both_loops
async def test_the_request_goes_out_as_it_was_made():
    with RawServer([OK @ 0]) as server:
        async with client() as http:
            await post(
                http,
                server.url + "/v1/a%20b?q=1",
                content=b"{}",
                headers={"X-Key": "s"},
            )
        served = server.served[0]
    lines = served.head.split(b"\r\n")
    assert lines[0] == b"POST /v1/a%20b?q=1 HTTP/1.1"
    assert b"Host: 127.0.0.1:%d" % server.port in lines
    assert {b"X-Key: s", b"Content-Length: 2"} <= set(lines)
    assert served.body == b"{}"


@on_both_loops
@pytest.mark.parametrize("with_tls", [False, True])
async def test_a_large_body_arrives_whole(with_tls):
    content = bytes(range(256)) * 20_000
    authority = Authority()
    tls = authority.server_context("127.0.0.1") if with_tls else None
    with RawServer([OK @ 0], tls=tls) as server:
        async with client(ssl_context=authority.client_context()) as http:
            for _ in range(2):
                await post(http, server.url, content=content)
        assert [served.body == content for served in server.served] == [True, True]
        assert [served.connection for served in server.served] == [0, 0]


@on_both_loops
async def test_a_streamed_request_body_goes_as_one_chunk():
    async def pieces():
        yield b"one "
        yield b"two"

    with RawServer([OK @ 0]) as server:
        async with client() as http:
            await post(http, server.url, content=pieces())
        assert server.served[0].body == b"7\r\none two\r\n0\r\n\r\n"


@on_both_loops
@pytest.mark.parametrize("with_sink", [False, True])
async def test_a_connection_is_used_again(with_sink):
    sink = (lambda *_: None) if with_sink else None
    with RawServer([STREAM @ 0, chunked(b"x") @ 0, LAST_CHUNK @ 0]) as server:
        async with client() as http:
            stamps = [(await post(http, server.url, sink=sink))[1] for _ in range(3)]
        assert [served.connection for served in server.served] == [0, 0, 0]
    assert [s.connect_ns is None for s in stamps] == [False, True, True]
    assert all(a.last_read_ns < b.sent_ns for a, b in pairwise(stamps))


@on_both_loops
async def test_an_idle_connection_is_closed_when_it_expires():
    with RawServer([OK @ 0]) as server:
        async with client(keepalive_expiry=0.05) as http:
            await post(http, server.url)
            await asyncio.sleep(0.3)
            assert server.open_now() == 0
            _, stamps, _ = await post(http, server.url)
    assert stamps.connect_ns is not None


@on_both_loops
async def test_an_expired_connection_is_not_used_even_if_the_loop_was_busy():
    with RawServer([OK @ 0]) as server:
        async with client(keepalive_expiry=0.05) as http:
            await post(http, server.url)
            time.sleep(0.1)  # noqa: ASYNC251 - so the expiry timer had no turn
            _, stamps, _ = await post(http, server.url)
    assert stamps.connect_ns is not None


@on_both_loops
async def test_a_connection_the_server_closed_is_replaced_before_anything_is_sent():
    with RawServer([OK @ 0, Close() @ 20]) as server:
        async with client() as http:
            await post(http, server.url)
            time.sleep(0.1)  # noqa: ASYNC251 - so the event loop cannot have seen the close
            response, stamps, _ = await post(http, server.url)
        assert [served.connection for served in server.served] == [0, 1]
    assert response.status_code == 200
    assert stamps.connect_ns is not None


@on_both_loops
@pytest.mark.parametrize(
    "answer",
    [
        [X(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok") @ 0],
        [X(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok") @ 0],
        [X(OK + b"extra") @ 0],
        [X(OK + b"HTTP/1.1 200 OK\r\n") @ 0],
        [OK @ 0, X(b"late") @ 20],
    ],
    ids=["connection-close", "http-1.0", "extra-bytes", "second-answer", "late-bytes"],
)
async def test_a_connection_that_cannot_go_on_is_dropped(answer):
    with RawServer(answer) as server:
        async with client() as http:
            for _ in range(2):
                _, _, body = await post(http, server.url)
                assert body == b"ok"
                await asyncio.sleep(0.1)
        assert [served.connection for served in server.served] == [0, 1]


@on_both_loops
async def test_any_number_of_requests_run_at_once():
    users = 80
    with RawServer([STREAM @ 0, chunked(b"x") @ 400, LAST_CHUNK @ 400]) as server:
        async with client() as http:
            answers = await asyncio.gather(
                *(post(http, server.url) for _ in range(users))
            )
            await asyncio.gather(*(post(http, server.url) for _ in range(users)))
        assert (server.peak_open, server.accepted) == (users, users)
    assert [body for _, _, body in answers] == [b"x"] * users


@on_both_loops
async def test_a_slow_reader_slows_the_server():
    piece = X(b"a" * 262_144)
    head = X(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(piece) * 120))
    with RawServer([head @ 0, *[piece @ 0] * 120]) as server:
        async with client() as http, http.stream("POST", server.url) as response:
            await asyncio.sleep(0.5)
            assert len(server.served[0].sent) < 120
            received = [len(piece) async for piece in response.aiter_raw()]
    assert sum(received) == len(piece) * 120


@on_both_loops
async def test_a_sink_is_never_slowed():
    piece = X(b"a" * 262_144)
    head = X(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(piece) * 120))
    received = []
    whole = asyncio.Event()

    def sink(_, data):
        received.append(len(data))
        if sum(received) == len(piece) * 120:
            whole.set()

    with RawServer([head @ 0, *[piece @ 0] * 120]) as server:
        async with (
            client() as http,
            http.stream("POST", server.url, extensions={"sink": sink}),
            asyncio.timeout(10),
        ):
            await whole.wait()  # without ever reading the response
