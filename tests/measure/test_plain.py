"""The plain events of vLLM, taken without a JSON parser, are what the parser says."""

import json
import random

import pytest

from interview.measure import decoder
from interview.measure.decoder import Decoder
from interview.measure.plain import plain_event
from interview.measure.sse import EVENT_LIMIT_BYTES

NULLS = {"logprobs": None, "finish_reason": None, "token_ids": None}


def wire(choice, tokens, *, details=None, **more):
    """One event as vLLM writes it: without blanks, what is not ASCII as it is."""
    usage = {
        "prompt_tokens": 9,
        "total_tokens": 9 + tokens,
        "completion_tokens": tokens,
        "completion_tokens_details": details,
    }
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1}
    payload = head | {"model": "m", "choices": [choice], "usage": usage} | more
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    return f"data: {text}\n\n".encode()


def said(content, tokens, **more):
    return wire({"index": 0, "delta": {"content": content}} | NULLS, tokens, **more)


def thought(reasoning, tokens):
    choice = {"index": 0, "delta": {"reasoning": reasoning}} | NULLS
    return wire(choice, tokens, details={"reasoning_tokens": tokens})


def written(text, tokens):
    stop = {"stop_reason": None, "prompt_token_ids": None}
    return wire({"index": 0, "text": text} | NULLS | stop, tokens)


ROLE = wire({"index": 0, "delta": {"role": "assistant", "content": ""}} | NULLS, 0)
TWO = {"index": 1, "delta": {"content": "b"}} | NULLS
FINISH = wire({"index": 0, "delta": {"content": ""}, "finish_reason": "stop"}, 9)
STREAM = [
    ROLE,
    said("one", 1),
    said(" caf\u00e9 \u2028\u0085\U0001f30d", 2),
    thought("hm", 3),
    thought("", 4),
    said("", 5),
    said("", 5),
    said("a\nb", 6),
    said('a"b', 7),
    said("three at once", 10),
    said("fewer", 4),
    written("as completions", 11),
    said("a name that error has", 12, error=None),
    said("refused", 13, error={"message": "out of memory"}),
]
PLAIN = [said("w", 3), said("", 3), thought("hm", 3), written("w", 3)]


def answers(monkeypatch, reads):
    """With the plain path and without."""
    told = []
    for find in (plain_event, lambda read, start: None):
        with monkeypatch.context() as patch:
            patch.setattr(decoder, "plain_event", find)
            decoding = Decoder()
            pieces = [decoding.feed(stamp, read) for stamp, read in enumerate(reads)]
            told.append((pieces, decoding.answer(), decoding.ended))
    return told


@pytest.mark.parametrize("event", PLAIN)
def test_what_vllm_writes_for_a_token_is_plain(event):
    assert plain_event(b"ahead" + event, 5)[-1] == len(event) + 5


@pytest.mark.parametrize(
    "event",
    [
        said("w", 3, error={"message": "no"}),
        said("w", 3, metrics={"queue_time_ms": 1}),
        said("a\nb", 3),
        FINISH,
        wire(TWO, 3),
        said("w", 3).replace(b"\n\n", b"\r\n\r\n"),
        said("w", 3).replace(b'"completion_tokens":3', b'"completion_tokens":03'),
        said("w", 3).replace(b'"completion_tokens":3', b'"completion_tokens":-3'),
        said("w", 3).replace(b'"content":"w"', b'"content":"\x01"'),
        said("w", 3)[:-1],
        said("w" * EVENT_LIMIT_BYTES, 3),
    ],
    ids=lambda event: str(event[:60]),
)
def test_what_is_odd_is_not_plain(event):
    assert plain_event(event, 0) is None


@pytest.mark.parametrize("size", [None, 1, 97, 700, 10**6])
def test_a_stream_has_the_same_numbers_with_and_without_it(monkeypatch, size):
    whole = b"".join(STREAM)
    cuts = range(0, len(whole), size) if size else []
    reads = [whole[cut : cut + size] for cut in cuts] or STREAM
    quick, plodding = answers(monkeypatch, reads)
    assert quick == plodding
    assert quick[1].error == "out of memory"


def test_streams_of_any_order_and_spoilt_ones_have_the_same_numbers(monkeypatch):
    chance = random.Random(7)
    for _ in range(300):
        reads = [
            chance.choice([*STREAM[:-1], wire(TWO, chance.randint(0, 12)), FINISH])
            for _ in range(12)
        ]
        if chance.random() < 0.5:
            spoilt = bytearray(reads[5])
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
            reads[5] = bytes(spoilt)
        quick, plodding = answers(monkeypatch, reads)
        assert quick == plodding
