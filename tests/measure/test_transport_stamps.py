import time

import pytest

from interview.measure.transport import Stamps
from tests.measure.loops import on_both_loops
from tests.measure.posting import OK, STREAM, client, post
from tests.measure.raw_server import LAST_CHUNK, Authority, RawServer, X, chunked

TOLERANCE_NS = 15_000_000


def soon_after(cause_ns, effect_ns):
    assert cause_ns <= effect_ns
    return effect_ns - cause_ns < TOLERANCE_NS


async def one_of_three(attempt):
    """A busy machine may be late once; a wrong stamp is wrong three times."""
    for _ in range(3):
        if await attempt():
            return
    pytest.fail(f"a stamp is more than {TOLERANCE_NS / 1e6:g} ms late")


@on_both_loops
@pytest.mark.parametrize("with_tls", [False, True], ids=["http", "https"])
async def test_each_read_is_stamped_when_the_server_sent_it(with_tls):
    authority = Authority()
    tls = authority.server_context("localhost") if with_tls else None
    tokens = [chunked(b"data: %d\n\n" % n) @ (100 + 40 * n) for n in range(4)]

    async def attempt():
        reads = []
        with RawServer([STREAM @ 50, *tokens, LAST_CHUNK @ 300], tls=tls) as server:
            url = server.url.replace("127.0.0.1", "localhost")
            async with client(ssl_context=authority.client_context()) as http:
                _, stamps, body = await post(
                    http, url, sink=lambda *read: reads.append(read)
                )
            served = server.served[0]
        assert body == b""
        expected = b"data: 0\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\n"
        assert b"".join(data for _, data in reads) == expected
        if len(reads) < len(tokens):
            return False  # so busy that two sends came in one read
        return all(
            [
                soon_after(stamps.sent_ns, served.arrived_ns),
                soon_after(served.sent[0].at_ns, stamps.headers_ns),
                *(
                    soon_after(sent.at_ns, read_ns)
                    for sent, (read_ns, _) in zip(served.sent[1:5], reads, strict=True)
                ),
                soon_after(served.sent[5].at_ns, stamps.last_read_ns),
            ]
        )

    await one_of_three(attempt)


@on_both_loops
async def test_an_interim_answer_is_not_the_headers_time():
    async def attempt():
        interim = X(b"HTTP/1.1 100 Continue\r\n\r\n")
        with RawServer([interim @ 0, OK @ 100]) as server:
            async with client() as http:
                response, stamps, body = await post(http, server.url)
            final = server.served[0].sent[1]
        assert (response.status_code, body) == (200, b"ok")
        return soon_after(final.at_ns, stamps.headers_ns)

    await one_of_three(attempt)


@on_both_loops
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_localhost_is_found_on_either_loopback_address_before_t0(host):
    async def attempt():
        with RawServer([OK @ 0], host=host) as server:
            async with client() as http:
                _, stamps, body = await post(http, f"http://localhost:{server.port}")
            served = server.served[0]
        assert (body, stamps.connect_ns > 0) == (b"ok", True)
        return soon_after(stamps.sent_ns, served.arrived_ns)

    try:
        RawServer([OK @ 0], host=host).forget()
    except OSError:
        pytest.skip("this machine has no IPv6")
    await one_of_three(attempt)


@on_both_loops
async def test_connecting_lies_before_t0():
    with RawServer([OK @ 0]) as server:
        before_ns = time.perf_counter_ns()
        async with client() as http:
            _, stamps, _ = await post(http, server.url)
    assert 0 < stamps.connect_ns <= stamps.sent_ns - before_ns


@on_both_loops
async def test_what_one_read_brings_is_handed_over_at_once_with_one_stamp():
    everything = STREAM + chunked(b"data: 1\n\n") + chunked(b"data: 2\n\n") + LAST_CHUNK
    reads = []
    with RawServer([X(everything) @ 0]) as server:
        async with client() as http:
            _, stamps, _ = await post(
                http, server.url, sink=lambda *read: reads.append(read)
            )
    assert reads == [(stamps.headers_ns, b"data: 1\n\ndata: 2\n\n")]
    assert stamps.last_read_ns == stamps.headers_ns


@on_both_loops
async def test_the_stamps_come_from_the_clock_it_was_given():
    ticks = iter(range(1, 100))
    with RawServer([OK @ 0]) as server:
        async with client(clock=lambda: next(ticks)) as http:
            _, stamps, _ = await post(http, server.url)
    assert stamps == Stamps(connect_ns=1, sent_ns=3, headers_ns=4, last_read_ns=4)
