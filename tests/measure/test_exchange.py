"""Answers over a real socket: what becomes of them, and when, by the server's clock."""

import asyncio
import gzip
import json
import socket
import time

import pytest

from interview.measure.client import client
from interview.measure.exchange import Exchange
from interview.measure.target import target
from tests.measure.asking import ASK, STREAM, Noting, answering, ask, streaming
from tests.measure.cases import CASES
from tests.measure.raw_server import LAST_CHUNK, Close, RawServer, X, chunked
from tests.measure.streams import BASE, D, R, T, U, base, every

TOLERANCE_NS = 15_000_000

# One of each kind, short in time.
LIVE = {
    "row-1-",
    "row-3-",
    "row-7-",
    "rows-19-",
    "row-29-",
    "row-36-",
    "row-47-",
    "rows-51-",
    "rows-57-",
    "rows-75-",
    "rows-79-",
    "rows-89-",
    "row-107-an-error-object",
    "row-108-",
    "rows-116-",
}
LIVE_CASES = [case for case in CASES if any(case.id.startswith(row) for row in LIVE)]


def sent_at(served, index):
    """When the server sent the step with this number."""
    return served.sent[index].at_ns


def steps_of_events(case):
    """For each token event the first and last of the server's steps at its time."""
    expected, at = [], case.right["ttft"]
    for gap in [0, *case.right["itl"]]:
        at += gap
        times = [step for step, (when, _) in enumerate(case.sends, 1) if when == at]
        expected.append((times[0], times[-1]))
    return expected


def lateness_ns(result, served, case):
    """The client's stamps less the server's, of t0 and of each token event.

    The least and the most of each: any of the steps at its time may have ended it.
    """
    start = served.arrived_ns - result.sent_ns
    least, most = [start], [start]
    steps = steps_of_events(case)
    for stamp_ns, (first, last) in zip(result.event_stamps_ns, steps, strict=True):
        least.append(stamp_ns - sent_at(served, last))
        most.append(stamp_ns - sent_at(served, first))
    return least, most


@pytest.mark.parametrize("case", LIVE_CASES, ids=lambda case: case.id)
def test_over_a_socket_the_numbers_are_the_servers(case):
    right = case.right
    for _ in range(3):  # a busy machine may be late once, a faulty client always is
        with RawServer(streaming(case.sends)) as server:
            (result,) = ask(server.url)
            (served,) = server.served
        assert result.status == right["status"]
        assert result.tokens == right["tokens"]
        assert list(result.event_tokens) == right["event_tokens"]
        assert len(result.itl_ns) == len(right["itl"])
        assert "".join(result.texts) == right["text"]
        least, most = lateness_ns(result, served, case)
        assert min(most) >= 0
        if max(least) < TOLERANCE_NS:
            return
    pytest.fail(f"{max(least) / 1e6:.1f} ms late three times")


def test_rows_112_113_a_lost_connection_fails_one_request_alone():
    cut = streaming(every(5, 10, *[data for _, data in BASE[:5]]), end=b"")
    with RawServer(
        [*cut, Close() @ 40], streaming(every(5, 10, T("w", "stop"), D))
    ) as s:
        first, second = ask(s.url, times=2)
    assert (first.status, first.tokens) == ("failed", 5)
    assert "broke" in first.error
    assert second.status == "completed"


def test_a_connection_lost_after_the_finish_reason_is_a_completed_request():
    steps = streaming(every(5, 10, T(), T("w", "stop")), end=b"")
    with RawServer([*steps, Close() @ 30]) as server:
        (result,) = ask(server.url)
    assert result.status == "completed"
    assert "cut-after-finish" in result.notes


def test_a_stream_left_open_after_done_is_closed():
    with RawServer(
        [*streaming(every(5, 10, T("w", "stop"), D), end=b""), X(b"") @ 9_000]
    ) as server:
        (result,) = ask(server.url)
        assert server.served[0].gone.wait(2)
    assert result.status == "completed"
    assert "kept-open" in result.notes


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate"])
def test_rows_120_to_122_a_compressed_answer_fails(coding):
    body = gzip.compress(b"".join(data for _, data in BASE))
    head = STREAM.replace(
        b"\r\n\r\n", f"\r\nContent-Encoding: {coding}\r\n\r\n".encode()
    )
    with RawServer([X(head) @ 5, chunked(body) @ 10, X(LAST_CHUNK) @ 10]) as server:
        (result,) = ask(server.url)
        assert b"accept-encoding: identity" in server.served[0].head.lower()
    assert result.status == "failed"
    assert "compressed" in result.error
    assert coding in result.error
    assert result.tokens is None


def test_silence_for_the_timeout_fails_the_request():
    with RawServer(streaming([(10, R + T()), (5_000, T())])) as server:
        (result,) = ask(server.url, timeout_s=0.3)
    assert result.status == "failed"
    assert "silent" in result.error
    assert result.tokens == 1


def test_rows_188_189_a_refused_request_is_not_sent_again():
    busy = answering(503, b"", "Retry-After: 1")
    limited = answering(
        429,
        b'{"error":{"message":"rate limited","type":"rate_limit_error","code":429}}',
        "Retry-After: 2",
    )
    good = streaming(every(10, 20, R + T(), T("w", "length") + U(2) + D))
    with RawServer(busy, limited, good) as server:
        first, second, third = ask(server.url, times=3)
        assert len(server.served) == 3
    assert first.error == "HTTP 503 (Retry-After: 1)"
    assert second.error == "HTTP 429: rate limited (Retry-After: 2)"
    assert (first.http_status, first.status, first.ttft_ns) == (503, "failed", None)
    assert third.status == "completed"
    assert third.ttft_ns < 900_000_000


def test_rows_192_193_a_redirect_is_the_error():
    to = "/other/v1/chat/completions"
    with RawServer(answering(307, b"", f"Location: {to}")) as server:
        (result,) = ask(server.url)
        assert len(server.served) == 1
    assert result.error.startswith(f"307 to {to}")


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions"])
def test_rows_196_197_a_base_url_with_or_without_v1(path):
    with RawServer(streaming(every(5, 10, T("w", "stop"), D))) as server:
        (result,) = ask(server.url + path)
        assert server.served[0].head.startswith(b"POST /v1/chat/completions HTTP/1.1")
    assert result.status == "completed"


def test_row_200_an_unknown_model_is_told_with_the_models_there_are():
    body = json.dumps(
        {
            "error": {
                "message": "The model `m` does not exist.",
                "type": "NotFoundError",
                "param": "model",
                "code": 404,
            }
        }
    ).encode()
    with RawServer(answering(404, body)) as server:
        (result,) = ask(server.url, models=("a", "b"))
    assert result.error == (
        "HTTP 404: The model `m` does not exist. Models here: a, b."
    )


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (
            502,
            b"<html><head><title>t</title></head><h1>Bad Gateway</h1>",
            "HTTP 502: Bad Gateway",
        ),
        (500, b"", "HTTP 500"),
        (500, b"\xff\xfe\x00", "HTTP 500: \ufffd\ufffd"),
        (401, b'{"error": "Unauthorized"}', "HTTP 401: Unauthorized"),
        (400, b'{"detail": [{"msg": "no"}]}', 'HTTP 400: [{"msg": "no"}]'),
        (400, b'{"object": "error", "message": "too long"}', "HTTP 400: too long"),
        (500, b"[1]", "HTTP 500: [1]"),
    ],
    ids=["html", "empty", "binary", "text-error", "detail", "object-error", "list"],
)
def test_row_201_error_bodies_of_any_form_are_safe(status, body, error):
    with RawServer(answering(status, body)) as server:
        (result,) = ask(server.url)
    assert (result.status, result.error) == ("failed", error)


def test_row_208_a_whole_answer_is_no_stream_and_is_asked_once():
    body = b'{"choices":[{"message":{"content":"hello"}}]}'
    with RawServer(answering(200, body, "Content-Type: application/json")) as server:
        (result,) = ask(server.url)
        assert len(server.served) == 1
    assert result.status == "failed"
    assert "did not stream" in result.error


def test_an_error_with_status_200_is_told():
    body = b'{"error": {"message": "engine is down"}}'
    with RawServer(answering(200, body, "Content-Type: application/json")) as server:
        (result,) = ask(server.url)
    assert result.error.endswith("engine is down")


def test_a_key_that_the_server_quotes_is_not_told():
    body = b'{"error": {"message": "Incorrect key s3cret."}}'
    with RawServer(answering(403, body)) as server:
        (result,) = ask(server.url, api_key="s3cret")
    assert result.error == "HTTP 403: Incorrect key [key]."


def refusing_options(*names):
    body = {"error": {"message": f"Unknown field {names[0]}", "code": 400}}
    return answering(400, json.dumps(body).encode())


def test_a_400_that_names_the_stream_options_is_sent_again_without():
    good = streaming(every(10, 20, R + T(), T("w", "length") + U(2) + D))
    with RawServer(
        refusing_options("continuous_usage_stats"),
        refusing_options("stream_options"),
        good,
    ) as server:
        watcher = Noting()
        first, second = ask(server.url, times=2, watcher=watcher)
        bodies = [json.loads(served.body) for served in server.served]
        arrived = server.served[2].arrived_ns
    assert [body.get("stream_options") for body in bodies] == [
        {"include_usage": True, "continuous_usage_stats": True},
        {"include_usage": True},
        None,
        None,
    ]
    assert (first.status, second.status) == ("completed", "completed")
    assert "no-continuous-usage" in first.notes
    assert "no-continuous-usage" in second.notes
    assert abs(first.sent_ns - arrived) < TOLERANCE_NS
    assert [name for name, _ in watcher.phases].count("connecting") == 4


def test_another_400_is_not_sent_again():
    body = b'{"error":{"message":"max_tokens is too large","code":400}}'
    with RawServer(answering(400, body)) as server:
        (result,) = ask(server.url)
        assert len(server.served) == 1
    assert result.error == "HTTP 400: max_tokens is too large"


def test_the_body_asks_for_a_greedy_stream_of_fixed_length():
    with RawServer(streaming(every(5, 10, T("w", "stop"), D))) as server:
        ask(
            server.url,
            api_key="secret",
            extra_body={"chat_template_kwargs": {"enable_thinking": False}},
        )
        (served,) = server.served
    assert json.loads(served.body) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Say w."}],
        "max_tokens": 8,
        "temperature": 0,
        "seed": 1,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
        "ignore_eos": True,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    assert b"authorization: bearer secret" in served.head.lower()


def test_phases_are_told_in_order_with_their_stamps():
    with RawServer(streaming(every(10, 20, R, T(), T("w", "stop") + D))) as server:
        watcher = Noting()
        (result,) = ask(server.url, watcher=watcher)
    names = [name for name, _ in watcher.phases]
    stamps = [stamp for _, stamp in watcher.phases]
    assert names == ["connecting", "sent", "accepted", "first-token"]
    assert stamps == sorted(stamps)
    assert stamps[1] == result.sent_ns
    assert stamps[3] == result.event_stamps_ns[0]
    assert [piece.text for piece in watcher.pieces] == ["w", "w"]


def test_no_server_is_said_with_its_place():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        (result,) = ask(f"http://127.0.0.1:{port}")
    assert result.status == "failed"
    assert result.unreachable
    assert result.error.startswith(f"Could not connect to 127.0.0.1:{port}: ")
    assert "Cannot connect" not in result.error
    assert (result.sent_ns, result.tokens) == (None, None)


def test_row_183_a_cancelled_request_closes_its_connection():
    endless = streaming(every(50, 20, *[T()] * 100))

    async def cancel_after_two(url):
        seen = asyncio.Event()

        class Watching(Noting):
            def piece(self, piece):
                super().piece(piece)
                if len(self.pieces) == 2:
                    seen.set()

        async with client(time.perf_counter_ns, 5) as http:
            exchange = Exchange(http, target(url, "m"), time.perf_counter_ns)
            sending = asyncio.create_task(exchange.send(ASK, Watching()))
            await seen.wait()
            sending.cancel()
            return await sending

    with RawServer(endless) as server:
        result = asyncio.run(cancel_after_two(server.url))
        assert server.served[0].gone.wait(1)
    assert (result.status, result.tokens) == ("cancelled", 2)
    assert result.error == "stopped before its end"


def test_row_137_a_closed_kept_connection_is_replaced_with_a_new_t0():
    good = streaming(every(10, 20, R + T(), T("w", "length") + U(2) + D))
    with RawServer([*good, Close() @ 40], good) as server:
        first, second = ask(server.url, times=2, pause_s=0.1)
        assert server.accepted == 2
        arrived_ns = server.served[1].arrived_ns
    assert (first.status, second.status) == ("completed", "completed")
    assert second.connect_ns is not None
    assert 0 <= arrived_ns - second.sent_ns < 100_000_000


def test_row_201_a_cut_error_body_keeps_its_status():
    head = b"HTTP/1.1 500 X\r\nContent-Length: 999\r\n\r\nEngine is"
    with RawServer([X(head) @ 5, Close() @ 10]) as server:
        (result,) = ask(server.url)
    assert result.error == "HTTP 500: Engine is"


def test_an_early_byte_of_the_body_keeps_its_own_stamp():
    together = STREAM + bytes(chunked(b"".join(data for _, data in base()[:1])))
    later = [chunked(data) @ (at - 200) for at, data in base()[1:]]
    with RawServer([X(together) @ 50, *later, X(LAST_CHUNK) @ 330]) as server:
        (result,) = ask(server.url)
        (served,) = server.served
    assert result.status == "completed"
    assert result.event_stamps_ns[0] - sent_at(served, 0) < TOLERANCE_NS
    assert result.headers_ns == result.ttft_ns
