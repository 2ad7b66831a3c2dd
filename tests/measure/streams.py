"""Streams as sends: (milliseconds after the request, bytes); and what becomes of them.

`R`, `T`, `Th`, `Fin`, `U`, `D` and `BASE` are the building blocks of the cases.
"""

import json

from interview.measure.decoder import Decoder
from interview.measure.outcome import Ending
from interview.measure.result import result_of


def event(data):
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def chunk(delta, finish=None, *, index=0, **fields):
    choice = {
        "index": index,
        "delta": delta,
        "logprobs": None,
        "finish_reason": finish,
    }
    return event(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [choice],
            **fields,
        }
    )


def completion_chunk(text, finish=None, **fields):
    choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": finish}
    return event(
        {"id": "cmpl-1", "object": "text_completion", "choices": [choice]} | fields
    )


def counts(n, prompt=9):
    return {
        "prompt_tokens": prompt,
        "total_tokens": prompt + n,
        "completion_tokens": n,
    }


def T(text="w", finish=None, **fields):
    return chunk({"content": text}, finish, **fields)


def Th(text="w", key="reasoning"):
    return chunk({key: text})


def Fin(reason="stop", **fields):
    return chunk({"content": ""}, reason, **fields)


def U(n, **details):
    return event(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [],
            "usage": counts(n) | details,
        }
    )


R = chunk({"role": "assistant", "content": ""})
D = event("[DONE]")
END = U(8) + D


def base(texts="wwwwwwww", *, first=250, gap=40, end=END, **fields):
    """T1..T8 as sends of their own; R in the send of T1, the end in that of T8."""
    last = len(texts) - 1
    sends = []
    for i, text in enumerate(texts):
        data = T(text, "length" if i == last else None, **fields)
        data = (R if i == 0 else b"") + data + (end if i == last else b"")
        sends.append((first + i * gap, data))
    return sends


BASE = base()


def every(gap, first, *pieces):
    return [(first + i * gap, piece) for i, piece in enumerate(pieces)]


def rewritten(sends, change):
    return [(at, change(data)) for at, data in sends]


def decode(sends, **ending):
    """The result of one request with t0 at 0 and the body ending where sends do."""
    decoder = Decoder()
    for at_ms, data in sends:
        decoder.feed(round(at_ms * 1_000_000), data)
    end_ns = round(sends[-1][0] * 1_000_000) if sends else 0
    known = {"sent_ns": 0, "http_status": 200, "ended_ns": end_ns}
    return result_of(decoder.answer(), Ending(**known | ending))


def ms(ns):
    return None if ns is None else ns / 1e6


def numbers(result):
    """What the cases are compared on, in exact milliseconds."""
    return {
        "status": result.status,
        "ttft": ms(result.ttft_ns),
        "ttfo": ms(result.ttfo_ns),
        "e2e": ms(result.e2e_ns),
        "tpot": ms(result.tpot_ns),
        "itl": [ms(gap) for gap in result.itl_ns],
        "tokens": result.tokens,
        "event_tokens": list(result.event_tokens),
        "tokens_from": result.tokens_from,
        "stream_end": ms(result.stream_end_ns),
        "text": "".join(result.texts),
        "reasoning": result.reasoning,
        "error": result.error,
        "finish_reason": result.finish_reason,
        "notes": set(result.notes),
    }
