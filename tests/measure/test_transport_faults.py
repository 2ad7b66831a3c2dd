import asyncio
import socket
import time
from contextlib import aclosing

import httpx
import pytest

from tests.measure.loops import on_both_loops
from tests.measure.posting import OK, STREAM, client, post
from tests.measure.raw_server import LAST_CHUNK, Close, RawServer, X, chunked

LARGE = b"a" * 30_000_000
sinks = pytest.mark.parametrize("with_sink", [False, True])


async def broken_post(http, url, error, *, with_sink=False, content=b"{}"):
    """What was read before the expected error, and the error."""
    pieces = []
    sink = (lambda _, data: pieces.append(data)) if with_sink else None
    with pytest.raises(error) as raised:
        await post(http, url, content=content, sink=sink, into=pieces)
    return b"".join(pieces), raised.value


async def gone(served):
    return await asyncio.to_thread(served.gone.wait, 3)


@on_both_loops
@sinks
@pytest.mark.parametrize(
    "answer",
    [
        [STREAM @ 0, chunked(b"data: 1\n\n") @ 20, Close() @ 40],
        [
            X(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ndata: 1\n\n") @ 0,
            Close() @ 20,
        ],
    ],
    ids=["chunked", "content-length"],
)
async def test_a_cut_body_raises_after_what_came(with_sink, answer):
    with RawServer(answer) as server:
        async with client() as http:
            body, error = await broken_post(
                http, server.url, httpx.RemoteProtocolError, with_sink=with_sink
            )
    assert body == b"data: 1\n\n"
    assert "in the middle of the answer's body" in str(error)
    assert str(error.request.url) == server.url


@on_both_loops
@sinks
async def test_a_reset_in_the_body_is_a_read_error(with_sink):
    with RawServer([STREAM @ 0, chunked(b"x") @ 20, Close(reset=True) @ 60]) as server:
        async with client() as http:
            body, error = await broken_post(
                http, server.url, httpx.ReadError, with_sink=with_sink
            )
    assert body == b"x"
    assert "Connection reset" in str(error)


@on_both_loops
@pytest.mark.parametrize("reset", [False, True])
async def test_a_connection_closed_unanswered_is_not_tried_again(reset):
    error = httpx.ReadError if reset else httpx.RemoteProtocolError
    with RawServer([OK @ 0], [Close(reset)]) as server:
        async with client() as http:
            await http.post(server.url)
            await broken_post(http, server.url, error)
        assert [served.connection for served in server.served] == [0, 0]


@on_both_loops
@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"SSH-2.0-OpenSSH_9.2\r\n", "not valid HTTP"),
        (
            b"HTTP/1.1 101 Go\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
            "101",
        ),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000, "longer than 65536 bytes"),
    ],
    ids=["garbage", "upgrade", "endless-head"],
)
async def test_an_answer_that_is_no_http_ends_the_connection(answer, sentence):
    with RawServer([X(answer) @ 0, X(b"") @ 5000]) as server:
        async with client() as http:
            _, error = await broken_post(http, server.url, httpx.RemoteProtocolError)
            assert await gone(server.served[0])
    assert sentence in str(error)


@on_both_loops
async def test_a_silent_server_runs_into_the_read_timeout():
    with RawServer([OK @ 3000]) as server:
        async with client(read=0.1) as http:
            _, error = await broken_post(http, server.url, httpx.ReadTimeout)
            assert await gone(server.served[0])
    assert str(error) == "Nothing came from the server for 0.1 s."
    assert str(error.request.url) == server.url


@on_both_loops
@sinks
async def test_a_stream_that_stalls_runs_into_the_read_timeout(with_sink):
    tokens = [chunked(b"x") @ (150 * n) for n in range(6)]
    with RawServer([STREAM @ 0, *tokens, LAST_CHUNK @ 3000]) as server:
        async with client(read=0.5) as http:
            body, error = await broken_post(
                http, server.url, httpx.ReadTimeout, with_sink=with_sink
            )
            assert await gone(server.served[0])
    assert body == b"xxxxxx"
    assert str(error.request.url) == server.url


@on_both_loops
async def test_a_slow_reader_is_no_read_timeout():
    piece = X(b"a" * 262_144)
    head = X(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(piece) * 100))
    with RawServer([head @ 0, *[piece @ 0] * 100]) as server:
        async with (
            client(read=0.5) as http,
            http.stream("POST", server.url) as response,
        ):
            await asyncio.sleep(1)
            assert len(await response.aread()) == len(piece) * 100


@on_both_loops
async def test_a_server_that_takes_no_body_runs_into_the_write_timeout():
    with RawServer([OK @ 1500], reads_body=False) as server:
        async with client(write=0.2, read=0.1) as http:
            _, error = await broken_post(
                http, server.url, httpx.WriteTimeout, content=LARGE
            )
    assert str(error) == "The server took no byte of the request for 0.2 s."
    assert str(error.request.url) == server.url


@on_both_loops
async def test_an_answer_before_the_end_of_the_body_counts_and_ends_the_connection():
    refused = X(b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno")
    with RawServer([refused @ 0, X(b"") @ 1500], reads_body=False) as server:
        async with client() as http:
            response = await http.post(server.url, content=LARGE)
            assert (response.status_code, response.content) == (413, b"no")
            again = await http.post(server.url)
            assert again.status_code == 413
        assert [served.connection for served in server.served] == [0, 1]


@on_both_loops
async def test_a_reset_while_sending_is_a_write_error():
    with RawServer([Close(reset=True) @ 200], reads_body=False) as server:
        async with client() as http:
            await broken_post(http, server.url, httpx.WriteError, content=LARGE)


@on_both_loops
async def test_a_fault_in_the_sink_reaches_the_reader_as_it_is():
    def sink(stamp_ns, data):
        raise ValueError("no such token")

    with RawServer([STREAM @ 0, chunked(b"x") @ 20, LAST_CHUNK @ 3000]) as server:
        async with client() as http:
            with pytest.raises(ValueError, match="no such token"):
                async with http.stream(
                    "POST", server.url, extensions={"sink": sink}
                ) as response:
                    await response.aread()
            assert await gone(server.served[0])


@on_both_loops
@sinks
async def test_closing_in_the_body_closes_the_connection_at_once(with_sink):
    extensions = {"sink": lambda *_: None} if with_sink else {}
    with RawServer([STREAM @ 0, chunked(b"x") @ 0, LAST_CHUNK @ 3000]) as server:
        async with client() as http:
            async with http.stream("POST", server.url, extensions=extensions):
                pass
            assert await gone(server.served[0])


@on_both_loops
async def test_leaving_the_iteration_closes_the_connection():
    with RawServer([STREAM @ 0, chunked(b"x") @ 0, LAST_CHUNK @ 3000]) as server:
        async with client() as http:
            request = http.build_request("POST", server.url)
            response = await http.send(request, stream=True)
            async with aclosing(response.aiter_raw()) as pieces:
                assert await anext(pieces) == b"x"
            assert await gone(server.served[0])
            await response.aclose()


@on_both_loops
async def test_closing_the_client_ends_what_is_under_way():
    with RawServer([STREAM @ 0, chunked(b"x") @ 0, LAST_CHUNK @ 3000]) as server:
        http = client()
        request = http.build_request("POST", server.url)
        response = await http.send(request, stream=True)
        await http.aclose()
        assert await gone(server.served[0])
        await response.aclose()


@on_both_loops
@pytest.mark.parametrize("after_ms", [50, 250, 450], ids=["head", "body", "later"])
@sinks
async def test_cancelling_closes_the_connection(with_sink, after_ms):
    reads = []
    extensions = {"sink": lambda _, data: reads.append(data)} if with_sink else {}

    async def stream(http, url):
        async with http.stream("POST", url, extensions=extensions) as response:
            await response.aread()

    tokens = [STREAM @ 150, chunked(b"x") @ 350, LAST_CHUNK @ 5000]
    with RawServer(tokens) as server:
        async with client() as http:
            task = asyncio.create_task(stream(http, server.url))
            await asyncio.sleep(after_ms / 1000)
            await asyncio.to_thread(server.wait_until_served)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await gone(server.served[0])


@on_both_loops
async def test_cancelling_while_sending_closes_the_connection():
    with RawServer([OK @ 1500], reads_body=False) as server:
        async with client() as http:
            task = asyncio.create_task(http.post(server.url, content=LARGE))
            await asyncio.sleep(0.3)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(server.wait_until_all_closed, 3)


@on_both_loops
@pytest.mark.parametrize(
    ("headers", "sentence"),
    [
        ({"X-Key": "a\r\nX-Other: b"}, "line break"),
        ({"X-Key": "a\nb"}, "line break"),
        ({"X-Key": "a\x00b"}, "NUL"),
        ({"X-Key\r\nX-Other": "b"}, "not an HTTP token"),
        ({"X Key": "b"}, "not an HTTP token"),
        ({"Content-Length": "1"}, "Content-Length is 1, the body has 2 bytes"),
    ],
)
async def test_a_request_that_would_be_another_message_is_refused(headers, sentence):
    with RawServer([OK @ 0]) as server:
        async with client() as http:
            with pytest.raises(httpx.LocalProtocolError, match=sentence) as raised:
                await http.post(server.url, content=b"{}", headers=headers)
        assert server.accepted == 0
    assert str(raised.value.request.url) == server.url
    assert "X-Other: b" not in str(raised.value)


@on_both_loops
async def test_a_method_that_is_no_token_is_refused():
    async with client() as http:
        with pytest.raises(httpx.LocalProtocolError, match="method"):
            await http.request("GET /x HTTP/1.1\r\nX:", "http://127.0.0.1:9")


@on_both_loops
async def test_a_server_that_takes_the_body_slowly_is_no_write_timeout():
    def read_slowly(listener):
        sock, _ = listener.accept()
        with sock:
            received_bytes = 0
            while received_bytes < len(LARGE) // 2:
                received_bytes += len(sock.recv(1 << 19))
                time.sleep(0.03)
            sock.sendall(OK)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = asyncio.create_task(asyncio.to_thread(read_slowly, listener))
        async with client(write=0.5) as http:
            _, _, body = await post(http, url, content=LARGE)
        await server
    assert body == b"ok"
