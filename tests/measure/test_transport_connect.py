import asyncio
import contextlib
import socket
import time

import httpx
import pytest

from interview.measure.transport import StampingTransport
from tests.measure.loops import on_both_loops
from tests.measure.posting import OK, STREAM, client, post
from tests.measure.raw_server import LAST_CHUNK, Authority, Close, RawServer, chunked


@contextlib.contextmanager
def listener(host="127.0.0.1"):
    """A port that takes connections and never says a word."""
    with socket.create_server((host, 0), family=socket.AF_INET) as sock:
        sock.settimeout(5)
        yield sock


@on_both_loops
async def test_a_port_where_nobody_listens_is_a_connect_error():
    with listener() as sock:
        port = sock.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    async with client() as http:
        with pytest.raises(httpx.ConnectError) as raised:
            await http.post(url)
    assert f"Cannot connect to http://127.0.0.1:{port}: " in str(raised.value)
    assert "refused" in str(raised.value).lower() or "failed" in str(raised.value)
    assert raised.value.request.url == url


@on_both_loops
@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "ws://127.0.0.1/"])
async def test_another_scheme_is_refused(url):
    async with StampingTransport() as transport:
        with pytest.raises(httpx.UnsupportedProtocol, match="http://host"):
            await transport.handle_async_request(httpx.Request("GET", url))


@on_both_loops
async def test_a_handshake_that_hangs_runs_into_the_connect_timeout():
    with listener() as sock:
        url = f"https://127.0.0.1:{sock.getsockname()[1]}"
        async with client(connect=0.2) as http:
            with pytest.raises(httpx.ConnectTimeout, match=r"within 0\.2 s") as raised:
                await http.post(url)
        assert await says_goodbye(sock)
    assert raised.value.request.url == url


@on_both_loops
async def test_cancelling_in_the_handshake_closes_the_connection():
    with listener() as sock:
        async with client() as http:
            task = asyncio.create_task(
                http.post(f"https://127.0.0.1:{sock.getsockname()[1]}")
            )
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        assert await says_goodbye(sock)


async def says_goodbye(sock):
    """Whether the client's end of the accepted connection gets closed within 3 s."""

    def read_to_the_end():
        accepted, _ = sock.accept()
        with accepted:
            accepted.settimeout(3)
            with contextlib.suppress(ConnectionResetError):
                while accepted.recv(1 << 16):
                    pass
        return True

    return await asyncio.to_thread(read_to_the_end)


@on_both_loops
async def test_a_server_that_speaks_first_is_an_error():
    with listener() as sock:
        async with client() as http:
            task = asyncio.create_task(
                http.post(f"http://127.0.0.1:{sock.getsockname()[1]}")
            )
            accepted, _ = await asyncio.to_thread(sock.accept)
            with accepted:
                accepted.sendall(b"220 smtp ready\r\n")
                with pytest.raises((httpx.ConnectError, httpx.RemoteProtocolError)):
                    await task


@on_both_loops
async def test_a_tls_connection_speaks_http_1_1_and_is_used_again():
    authority = Authority()
    with RawServer([OK @ 0], tls=authority.server_context("localhost")) as server:
        async with client(ssl_context=authority.client_context()) as http:
            for _ in range(2):
                url = f"https://localhost:{server.port}"
                _, stamps, body = await post(http, url)
        assert server.protocols == ["http/1.1"]
        assert [served.connection for served in server.served] == [0, 0]
    assert (stamps.connect_ns, body) == (None, b"ok")


@on_both_loops
async def test_closing_in_the_body_closes_the_connection_over_tls_too():
    authority = Authority()
    tls = authority.server_context("127.0.0.1")
    with RawServer(
        [STREAM @ 0, chunked(b"x") @ 0, LAST_CHUNK @ 3000], tls=tls
    ) as server:
        async with client(ssl_context=authority.client_context()) as http:
            async with http.stream("POST", server.url):
                pass
            assert await asyncio.to_thread(server.served[0].gone.wait, 3)


@on_both_loops
async def test_a_kept_tls_connection_the_server_closed_is_replaced():
    authority = Authority()
    tls = authority.server_context("127.0.0.1")
    with RawServer([OK @ 0, Close() @ 20], tls=tls) as server:
        async with client(ssl_context=authority.client_context()) as http:
            await http.post(server.url)
            time.sleep(0.1)  # noqa: ASYNC251 - so the event loop cannot have seen the close
            await http.post(server.url)
        assert [served.connection for served in server.served] == [0, 1]


@on_both_loops
async def test_a_certificate_of_an_unknown_authority_is_a_connect_error():
    tls = Authority().server_context("127.0.0.1")
    with RawServer([OK @ 0], tls=tls) as server:
        async with client() as http:
            with pytest.raises(httpx.ConnectError) as raised:
                await http.post(server.url)
    assert f"The certificate of {server.url} is not trusted: " in str(raised.value)
    assert "SSL_CERT_FILE" in str(raised.value)


@on_both_loops
async def test_a_certificate_for_another_host_is_a_connect_error():
    authority = Authority()
    tls = authority.server_context("other.example")
    with RawServer([OK @ 0], tls=tls) as server:
        async with client(ssl_context=authority.client_context()) as http:
            with pytest.raises(httpx.ConnectError, match="not valid for"):
                await http.post(server.url)


@on_both_loops
async def test_https_to_a_plain_server_is_a_connect_error():
    with listener() as sock:
        async with client() as http:
            url = f"https://127.0.0.1:{sock.getsockname()[1]}"
            task = asyncio.create_task(http.post(url))
            accepted, _ = await asyncio.to_thread(sock.accept)
            with accepted:
                accepted.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                with pytest.raises(httpx.ConnectError, match="speaks https"):
                    await task


@on_both_loops
async def test_a_server_that_hangs_up_in_the_handshake_is_a_connect_error():
    with listener() as sock:
        async with client() as http:
            url = f"https://127.0.0.1:{sock.getsockname()[1]}"
            task = asyncio.create_task(http.post(url))
            accepted, _ = await asyncio.to_thread(sock.accept)
            await asyncio.to_thread(accepted.recv, 1 << 16)
            accepted.close()
            with pytest.raises(httpx.ConnectError, match=r"127\.0\.0\.1:"):
                await task
