import httpx
import pytest

from interview.measure.transport.answer import HEAD_LIMIT_BYTES, Answer


def whole(data):
    return [data]


def byte_by_byte(data):
    return [data[i : i + 1] for i in range(len(data))]


def in_pairs(data):
    return [data[i : i + 2] for i in range(0, len(data), 2)]


cuts = pytest.mark.parametrize("cut", [whole, byte_by_byte, in_pairs])


def read(cut, data, *, method="POST", closed=False):
    answer, body = Answer(method), b""
    for piece in cut(data):
        answer.feed(piece)
        body += answer.take_body()
    if closed:
        answer.finish()
    return answer, body


@cuts
def test_a_length_ends_the_body(cut):
    answer, body = read(
        cut, b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello"
    )
    assert (answer.status, answer.reason, answer.http_version) == (
        200,
        b"OK",
        b"HTTP/1.1",
    )
    assert answer.headers == [(b"Content-Length", b"5"), (b"X-A", b"b")]
    assert (body, answer.complete, answer.reusable) == (b"hello", True, True)


@cuts
def test_chunks_lose_their_framing_extensions_and_trailers(cut):
    answer, body = read(
        cut,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        b'3;a=b;c="d"\r\nhel\r\n2\r\nlo\r\n0\r\nX-Trailer: 1\r\nSet-Cookie: x\r\n\r\n',
    )
    assert answer.headers == [(b"Transfer-Encoding", b"chunked")]
    assert (body, answer.complete, answer.reusable) == (b"hello", True, True)


@cuts
@pytest.mark.parametrize("coding", [b"", b"Transfer-Encoding: gzip\r\n"])
def test_without_length_or_chunks_the_close_ends_the_body(cut, coding):
    answer, body = read(cut, b"HTTP/1.1 200 OK\r\n" + coding + b"\r\nhello")
    assert (body, answer.complete) == (b"hello", False)
    answer.finish()
    assert (answer.complete, answer.reusable) == (True, False)


@cuts
def test_interim_answers_are_skipped(cut):
    answer, body = read(
        cut,
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        b"HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx",
    )
    assert (answer.status, answer.reason) == (201, b"Created")
    assert answer.headers == [(b"Content-Length", b"1")]
    assert (body, answer.reusable) == (b"x", True)


@cuts
def test_an_interim_answer_alone_is_no_head(cut):
    answer, _ = read(cut, b"HTTP/1.1 100 Continue\r\n\r\n")
    assert not answer.has_head
    with pytest.raises(httpx.RemoteProtocolError, match="before it had sent"):
        answer.finish()


@cuts
@pytest.mark.parametrize("status", [b"204 No Content", b"304 Not Modified"])
def test_some_statuses_have_no_body(cut, status):
    answer, body = read(cut, b"HTTP/1.1 " + status + b"\r\n\r\n")
    assert (body, answer.complete, answer.reusable) == (b"", True, True)


@cuts
def test_the_answer_to_head_has_no_body_and_ends_the_connection(cut):
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    answer, body = read(cut, head, method="HEAD")
    assert (body, answer.complete, answer.reusable) == (b"", True, False)


@cuts
@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 5\r\n\r\nhell",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nhell",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
    ],
)
def test_a_body_cut_by_the_close_is_an_error(cut, body):
    with pytest.raises(
        httpx.RemoteProtocolError, match="in the middle of the answer's body"
    ):
        read(cut, b"HTTP/1.1 200 OK\r\n" + body, closed=True)


@cuts
@pytest.mark.parametrize("data", [b"", b"HTTP/1.1 200 OK\r\nContent-Le"])
def test_a_head_cut_by_the_close_is_an_error(cut, data):
    with pytest.raises(
        httpx.RemoteProtocolError, match="before it had sent an answer's head"
    ):
        read(cut, data, closed=True)


@cuts
@pytest.mark.parametrize(
    "data",
    [
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x00\x00\x12\x04\x00\x00\x00\x00\x00",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n",
    ],
)
def test_what_is_not_http_is_an_error(cut, data):
    with pytest.raises(httpx.RemoteProtocolError, match="not valid HTTP"):
        read(cut, data)


@cuts
def test_switching_protocols_is_an_error(cut):
    head = b"HTTP/1.1 101 Go on\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n"
    with pytest.raises(httpx.RemoteProtocolError, match="101"):
        read(cut, head)


@cuts
@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ],
)
def test_a_server_that_will_close_is_not_used_again(cut, data):
    answer, body = read(cut, data)
    assert (body, answer.complete, answer.reusable) == (b"ok", True, False)


@cuts
@pytest.mark.parametrize("extra", [b"HTTP/1.1 200 OK\r\n", b"garbage"])
@pytest.mark.parametrize("connection", [b"", b"Connection: close\r\n"])
def test_bytes_after_the_answer_end_the_connection_not_the_answer(
    cut, extra, connection
):
    data = b"HTTP/1.1 200 OK\r\n" + connection + b"Content-Length: 2\r\n\r\nok" + extra
    answer, body = read(cut, data)
    assert (answer.status, body, answer.complete, answer.reusable) == (
        200,
        b"ok",
        True,
        False,
    )


def head_of(size_bytes):
    start, end = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ", b"\r\n\r\n"
    return start + b"a" * (size_bytes - len(start) - len(end)) + end


@pytest.mark.parametrize("cut", [whole, in_pairs])
def test_a_head_of_64_kib_is_taken(cut):
    answer, _ = read(cut, head_of(HEAD_LIMIT_BYTES))
    assert answer.complete


@pytest.mark.parametrize("cut", [whole, in_pairs])
def test_a_longer_head_is_refused(cut):
    with pytest.raises(httpx.RemoteProtocolError, match="longer than 65536 bytes"):
        read(cut, head_of(HEAD_LIMIT_BYTES + 1))


def test_a_short_head_may_come_with_much_body():
    size_bytes = 4 * HEAD_LIMIT_BYTES
    data = (
        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % size_bytes
        + b"a" * size_bytes
    )
    answer, body = read(whole, data)
    assert (len(body), answer.complete) == (size_bytes, True)


def test_trailers_without_an_end_are_refused():
    start = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"
    answer = Answer("POST")
    answer.feed(start)
    assert answer.take_body() == b"a"
    trailer = b"X-Trailer: " + b"a" * 1011 + b"\r\n"
    for _ in range(64):
        answer.feed(trailer)
    with pytest.raises(httpx.RemoteProtocolError, match="framing"):
        answer.feed(trailer)
