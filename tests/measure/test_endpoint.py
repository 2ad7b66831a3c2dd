import time

import pytest

from interview.measure.client import client
from interview.measure.endpoint import Endpoint, look, token_count
from interview.measure.errors import EndpointError
from interview.measure.target import target
from tests.measure.asking import JSON, MODELS, NOTHING, VERSION, answering
from tests.measure.raw_server import RawServer


async def looked(url, ask=look, *arguments):
    async with client(time.perf_counter_ns, 5) as http:
        return await ask(http, target(url, "m"), *arguments)


async def test_engine_and_models_are_told():
    with RawServer(MODELS, VERSION, NOTHING) as server:
        assert await looked(server.url) == Endpoint("vllm 0.31.0", ("m",))


@pytest.mark.parametrize(
    "answer",
    [
        answering(404, b"no"),
        answering(200, b"<html>"),
        answering(200, b"[]", JSON),
        answering(200, b'{"data": [7, {"id": 3}], "version": 1}', JSON),
        answering(200, b'{"data": null}', JSON),
    ],
    ids=["404", "html", "list", "types", "null"],
)
async def test_what_an_endpoint_does_not_tell_is_missing(answer):
    with RawServer(answer) as server:
        assert await looked(server.url) == Endpoint(None, ())


async def test_nobody_there_is_an_error():
    with RawServer(MODELS) as server:
        url = server.url
    with pytest.raises(EndpointError, match="Could not connect"):
        await looked(url)


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (answering(200, b'{"count": 12, "tokens": []}', JSON), 12),
        (answering(404, b"{}"), None),
        (answering(200, b'{"count": true}', JSON), None),
    ],
)
async def test_the_servers_tokenizer_counts_if_there_is_one(answer, count):
    with RawServer(answer) as server:
        assert await looked(server.url, token_count, "hi") == count
        assert server.served[0].head.startswith(b"POST /tokenize ")
