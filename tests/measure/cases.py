"""Streams that broke other tools: the bytes, when they came, and the right numbers.

`row-N-…` follows the numbering of the collection the cases come from. Expectations are
what differs from `BASE_NUMBERS`.
"""

from dataclasses import dataclass, field
from itertools import chain

from tests.measure.streams import (
    BASE,
    END,
    D,
    Fin,
    R,
    T,
    Th,
    U,
    base,
    chunk,
    completion_chunk,
    counts,
    event,
    every,
    rewritten,
)

BASE_NUMBERS = {
    "status": "completed",
    "ttft": 250,
    "ttfo": 250,
    "e2e": 530,
    "tpot": 40,
    "itl": [40] * 7,
    "tokens": 8,
    "event_tokens": [1] * 8,
    "tokens_from": "usage",
    "stream_end": 530,
    "text": "wwwwwwww",
    "reasoning": "",
    "error": None,
    "finish_reason": "length",
    "notes": {"one-token-per-event"},
}


@dataclass(frozen=True)
class Case:
    id: str
    sends: list
    differs: dict = field(default_factory=dict)

    @property
    def right(self):
        return BASE_NUMBERS | self.differs


FIFTEEN = U(15)


def thinking(key="reasoning", end=FIFTEEN):
    """Ten reasoning tokens from 200 every 30, five of the answer from 500."""
    thoughts = every(30, 200, *[Th(key=key)] * 10)
    thoughts[0] = (200, R + thoughts[0][1])
    answer = every(30, 500, *[T()] * 5)
    answer[-1] = (620, answer[-1][1] + Fin() + end + D)
    return thoughts + answer


THINKING = {
    "ttft": 200,
    "ttfo": 500,
    "e2e": 620,
    "tpot": 30,
    "itl": [30] * 14,
    "tokens": 15,
    "event_tokens": [1] * 15,
    "stream_end": 620,
    "text": "wwwww",
    "reasoning": "w" * 10,
    "finish_reason": "stop",
}

CUT_AFTER_T5 = BASE[:5]
CUT = {
    "e2e": 410,
    "itl": [40] * 4,
    "tokens": 5,
    "event_tokens": [1] * 5,
    "tokens_from": "events",
    "stream_end": 410,
    "text": "wwwww",
    "finish_reason": None,
    "notes": {"one-token-per-event", "counted-by-client"},
}


def call(name=None, arguments="", **first):
    function = {"name": name} if name else {}
    function["arguments"] = arguments
    return chunk({"tool_calls": [{"index": 0, **first, "function": function}]})


TOOL_CALL = [
    (200, R + call("f", id="c1", type="function")),
    *every(30, 230, *[call(arguments="a")] * 7),
    (440, call(arguments="a") + chunk({}, "tool_calls") + U(9) + D),
]


def fives(n=4, *, end=b""):
    """Events of five tokens every 100 with the running count 1, 6, 11 …"""
    running = [1 + 5 * i for i in range(n)]
    sends = [
        (250 + 100 * i, T("five ", usage=counts(count)))
        for i, count in enumerate(running)
    ]
    at_ms, last = sends[-1]
    finish = chunk({"content": ""}, "length", usage=counts(running[-1]))
    sends[-1] = (at_ms, last + finish + (end or U(running[-1]) + D))
    return sends


def one_byte_a_send(sends):
    """Every byte on its own, all at the time of their send."""
    return list(
        chain.from_iterable(
            [(at, bytes([byte])) for byte in data] for at, data in sends
        )
    )


def cut_inside(sends, index, needle, later):
    """One send cut after `needle`, its rest `later` ms later; none overtakes it."""
    at, data = sends[index]
    where = data.index(needle) + len(needle)
    return [
        *sends[:index],
        (at, data[:where]),
        (at + later, data[where:]),
        *[(max(at + later, then), rest) for then, rest in sends[index + 1 :]],
    ]


def with_send(sends, at, data):
    return sorted([*sends, (at, data)], key=lambda send: send[0])


SEPARATORS = ["w", "w", "a\u2028b", *"wwwww"]
ODD_LINES = ["w", "w", "\u0085", "\u2029", *"wwww"]
LATE_T2 = [100, 0, 20, *[40] * 4]

CASES = [
    Case("rows-21-98-usage-counts-not-a-tokenizer", BASE),
    Case("row-1-an-early-role-chunk", [(5, R), *base()]),
    Case(
        "row-2-a-role-chunk-a-second-before",
        [(900, R), *[(at, d.replace(R, b"")) for at, d in base(first=2200, gap=20)]],
        {
            "ttft": 2200,
            "ttfo": 2200,
            "e2e": 2340,
            "tpot": 20,
            "itl": [20] * 7,
            "stream_end": 2340,
        },
    ),
    Case("row-3-reasoning-starts-the-clock", thinking(), THINKING),
    Case("row-4-the-older-key", thinking("reasoning_content"), THINKING),
    Case(
        "row-5-empty-content-beside-reasoning",
        every(40, 200, chunk({"content": "", "reasoning": "x"}), T(), Fin() + U(2) + D),
        {
            "ttft": 200,
            "ttfo": 240,
            "e2e": 240,
            "itl": [40],
            "tokens": 2,
            "event_tokens": [1, 1],
            "stream_end": 280,
            "text": "w",
            "reasoning": "x",
            "finish_reason": "stop",
        },
    ),
    Case(
        "row-5-null-content-beside-reasoning",
        every(
            40, 200, chunk({"content": None, "reasoning": "x"}), T(), Fin() + U(2) + D
        ),
        {
            "ttft": 200,
            "ttfo": 240,
            "e2e": 240,
            "itl": [40],
            "tokens": 2,
            "event_tokens": [1, 1],
            "stream_end": 280,
            "text": "w",
            "reasoning": "x",
            "finish_reason": "stop",
        },
    ),
    Case(
        "row-6-reasoning-without-usage",
        thinking(end=b""),
        THINKING
        | {
            "tokens_from": "events",
            "notes": {"one-token-per-event", "counted-by-client"},
        },
    ),
    Case(
        "row-7-tool-calls-are-tokens",
        TOOL_CALL,
        {
            "ttft": 200,
            "ttfo": 200,
            "e2e": 440,
            "tpot": 30,
            "itl": [30] * 8,
            "tokens": 9,
            "event_tokens": [1] * 9,
            "stream_end": 440,
            "text": "faaaaaaaa",
            "finish_reason": "tool_calls",
        },
    ),
    Case(
        "row-8-no-token-at-all",
        [(250, R), (260, Fin() + U(0) + D)],
        {
            "status": "failed",
            "error": "0 tokens: the answer ended empty (finish reason: stop).",
            "ttft": None,
            "ttfo": None,
            "e2e": None,
            "tpot": None,
            "itl": [],
            "tokens": 0,
            "event_tokens": [],
            "stream_end": 260,
            "text": "",
            "finish_reason": "stop",
            "notes": set(),
        },
    ),
    Case(
        "row-9-empty-texts-in-prefill",
        [
            *every(100, 100, *[completion_chunk("", usage=counts(0))] * 3),
            (400, completion_chunk("w", usage=counts(1))),
            (440, completion_chunk("w", "length", usage=counts(2)) + U(2) + D),
        ],
        {
            "ttft": 400,
            "ttfo": 400,
            "e2e": 440,
            "itl": [40],
            "tokens": 2,
            "event_tokens": [1, 1],
            "stream_end": 440,
            "text": "ww",
            "notes": set(),
        },
    ),
    Case(
        "rows-19-20-five-tokens-an-event",
        fives(),
        {
            "e2e": 550,
            "tpot": 20,
            "itl": [100] * 3,
            "tokens": 16,
            "event_tokens": [1, 5, 5, 5],
            "stream_end": 550,
            "text": "five " * 4,
            "notes": set(),
        },
    ),
    Case(
        "row-23-four-tokens-an-event-usage-at-the-end",
        every(160, 250, *[T("four")] * 4, T("four", "length") + U(20) + D),
        {
            "e2e": 890,
            "tpot": 640 / 19,
            "itl": [160] * 4,
            "tokens": 20,
            "event_tokens": [1] * 5,
            "stream_end": 890,
            "text": "four" * 5,
            "notes": {"one-token-per-event", "token-sum"},
        },
    ),
    Case(
        "row-29-a-running-total-is-not-added-up",
        [
            (at, T("w", "length" if i == 7 else None, usage=counts(i + 1)))
            for i, (at, _) in enumerate(BASE)
        ]
        + [(530, END)],
        {"notes": set()},
    ),
    Case(
        "row-30-a-count-per-chunk",
        [
            *every(40, 250, *[T(usage=counts(1))] * 3),
            (370, T("w", "length", usage=counts(1)) + U(4) + D),
        ],
        {
            "e2e": 370,
            "itl": [40] * 3,
            "tokens": 4,
            "event_tokens": [1] * 4,
            "stream_end": 370,
            "text": "wwww",
        },
    ),
    Case(
        "row-30-a-final-count-below-the-running-one",
        [*every(40, 250, *[T(usage=counts(i)) for i in (1, 2, 3)], Fin() + U(2) + D)],
        {
            "e2e": 330,
            "itl": [40, 40],
            "tokens": 3,
            "event_tokens": [1] * 3,
            "stream_end": 370,
            "text": "www",
            "finish_reason": "stop",
            "notes": {"usage-fell"},
        },
    ),
    Case(
        "row-31-a-token-when-the-count-rises",
        [
            *every(100, 100, *[T("", usage=counts(n)) for n in (0, 0, 1)]),
            (340, T("ab", usage=counts(2))),
            (380, T("c", "length", usage=counts(3)) + U(3) + D),
        ],
        {
            "ttft": 300,
            "ttfo": 300,
            "e2e": 380,
            "itl": [40, 40],
            "tokens": 3,
            "event_tokens": [1] * 3,
            "stream_end": 380,
            "text": "abc",
            "notes": set(),
        },
    ),
    Case("row-32-null-usage-on-every-chunk", base(usage=None)),
    Case(
        "row-35-ttft-is-no-gap",
        base(first=2000),
        {"ttft": 2000, "ttfo": 2000, "e2e": 2280, "stream_end": 2280},
    ),
    Case(
        "row-36-role-chunk-makes-no-gap",
        [(250, R), (252, T()), *BASE[1:]],
        {"ttft": 252, "ttfo": 252, "tpot": 278 / 7, "itl": [38, *[40] * 6]},
    ),
    Case(
        "row-39-a-line-separator-in-the-text",
        base(SEPARATORS),
        {"text": "".join(SEPARATORS)},
    ),
    Case(
        "rows-40-42-next-line-in-the-text",
        base(ODD_LINES),
        {"text": "".join(ODD_LINES)},
    ),
    Case(
        "row-41-one-byte-a-send",
        one_byte_a_send(base(ODD_LINES)),
        {"text": "".join(ODD_LINES)},
    ),
    Case("row-43-a-check-mark", base("w\u2705wwwwww"), {"text": "w\u2705wwwwww"}),
    Case(
        "row-47-a-character-in-two-sends",
        cut_inside(base("w\u4f60wwwwww"), 1, b"\xe4", 20),
        {"text": "w\u4f60wwwwww", "itl": [60, 20, *[40] * 5]},
    ),
    Case(
        "row-48-an-emoji-in-two-sends",
        cut_inside(base("w\U0001f30dwwwwww"), 1, b"\xf0\x9f", 20),
        {"text": "w\U0001f30dwwwwww", "itl": [60, 20, *[40] * 5]},
    ),
    Case(
        "rows-51-52-carriage-return-and-line-feed",
        rewritten(BASE, lambda data: data.replace(b"\n", b"\r\n")),
    ),
    Case(
        "row-51-carriage-return-alone-is-not-late",
        rewritten(BASE, lambda data: data.replace(b"\n", b"\r")),
    ),
    Case(
        "rows-57-58-no-blank-after-data",
        rewritten(BASE, lambda data: data.replace(b"data: ", b"data:")),
    ),
    Case("row-61-a-comment-before", with_send(BASE, 100, b": keep-alive\n\n")),
    Case("row-62-a-comment-between", with_send(BASE, 350, b": keep-alive\n\n")),
    Case("row-63-a-blank-data-line", with_send(BASE, 100, b"data:\n\n")),
    Case(
        "row-64-other-fields",
        rewritten(
            BASE, lambda data: data.replace(b"data: ", b"event: message\nid: 7\ndata: ")
        ),
    ),
    Case(
        "row-68-data-in-two-lines",
        rewritten(BASE, lambda data: data.replace(b', "object"', b',\ndata: "object"')),
    ),
    Case("row-71-a-byte-order-mark", [(250, b"\xef\xbb\xbf" + BASE[0][1]), *BASE[1:]]),
    Case(
        "row-72-a-later-mark-is-text",
        base("www\ufeffwwww"),
        {"text": "www\ufeffwwww"},
    ),
    Case(
        "rows-75-76-several-events-a-send",
        [
            (250, b"".join(data for _, data in BASE[:4])),
            (410, b"".join(data for _, data in BASE[4:])),
        ],
        {
            "e2e": 410,
            "tpot": 160 / 7,
            "itl": [0, 0, 0, 160, 0, 0, 0],
            "stream_end": 410,
            "notes": {"one-token-per-event", "buffered"},
        },
    ),
    Case(
        "rows-79-80-an-event-in-two-sends",
        cut_inside(BASE, 1, b'"delta"', 60),
        {"itl": LATE_T2},
    ),
    Case(
        "rows-83-84-forty-thousand-prompt-ids",
        [
            (250, chunk({"role": "assistant"}, prompt_token_ids=list(range(40_000)))),
            *BASE,
        ],
    ),
    Case("row-85-a-line-of-two-mebibytes", with_send(BASE, 100, b":" + b"x" * 2**21)),
    Case(
        "rows-89-90-an-end-without-a-word",
        CUT_AFTER_T5,
        CUT
        | {
            "status": "incomplete",
            "error": "The stream ended after 5 tokens with neither a finish reason nor"
            " [DONE].",
        },
    ),
    Case(
        "row-91-done-without-a-reason",
        [*BASE[:7], (530, T() + U(8) + D)],
        {
            "finish_reason": None,
            "notes": {"one-token-per-event", "no-finish-reason"},
        },
    ),
    Case(
        "row-91-a-reason-without-done",
        base(end=U(8)),
        {"notes": {"one-token-per-event", "no-done"}},
    ),
    Case(
        "row-93-usage-and-done-come-late",
        [*base(end=b""), (1430, U(8)), (1730, D)],
        {"stream_end": 1730},
    ),
    Case(
        "row-99-usage-without-the-key-choices",
        base(end=event({"usage": counts(8)}) + D),
    ),
    Case(
        "row-102-null-delta-and-null-choices",
        with_send(BASE, 100, chunk(None) + event({"choices": None})),
    ),
    Case("row-103-null-content", with_send(BASE, 100, chunk({"content": None}))),
    Case("row-104-an-empty-delta", with_send(BASE, 100, chunk({}))),
    Case(
        "row-107-an-error-object-in-the-stream",
        [
            *BASE[:3],
            (
                370,
                event(
                    {
                        "error": {
                            "message": "EngineCore encountered an issue",
                            "type": "InternalServerError",
                            "param": None,
                            "code": 500,
                        }
                    }
                )
                + D,
            ),
        ],
        CUT
        | {
            "status": "failed",
            "error": "EngineCore encountered an issue",
            "e2e": 330,
            "itl": [40, 40],
            "tokens": 3,
            "event_tokens": [1] * 3,
            "stream_end": 370,
            "text": "www",
        },
    ),
    Case(
        "row-107-an-error-event",
        [*CUT_AFTER_T5, (450, b'event: error\ndata: {"message":"gone"}\n\n')],
        CUT | {"status": "failed", "error": "gone", "stream_end": 450},
    ),
    Case(
        "row-108-an-error-field",
        [*CUT_AFTER_T5, (450, b'error: {"code":500,"message":"x"}\n\n')],
        CUT
        | {
            "status": "failed",
            "error": "x",
            "stream_end": 450,
        },
    ),
    Case(
        "rows-116-117-all-in-one-send",
        [(530, b"".join(data for _, data in BASE))],
        {
            "ttft": 530,
            "ttfo": 530,
            "tpot": 0,
            "itl": [0] * 7,
            "notes": {"one-token-per-event", "one-piece"},
        },
    ),
    Case(
        "row-125-six-seconds-to-the-first-token",
        base(first=6000),
        {"ttft": 6000, "ttfo": 6000, "e2e": 6280, "stream_end": 6280},
    ),
    Case(
        "row-126-a-gap-of-twenty-seconds",
        [*BASE[:3], *[(at + 20_000 - 40, data) for at, data in BASE[3:]]],
        {
            "e2e": 20_490,
            "tpot": 20_240e6 / 7 / 1e6,
            "itl": [40, 40, 20_000, *[40] * 4],
            "stream_end": 20_490,
        },
    ),
    Case(
        "rows-170-171-one-token",
        [(250, R + T("w", "length") + U(1) + D)],
        {
            "e2e": 250,
            "tpot": None,
            "itl": [],
            "tokens": 1,
            "event_tokens": [1],
            "stream_end": 250,
            "text": "w",
        },
    ),
    Case(
        "row-170-two-tokens",
        [(250, R + T()), (290, T("w", "length") + U(2) + D)],
        {
            "e2e": 290,
            "itl": [40],
            "tokens": 2,
            "event_tokens": [1, 1],
            "stream_end": 290,
            "text": "ww",
        },
    ),
    Case(
        "row-204-two-choices",
        [
            (250, R + T("a") + T("x", index=1)),
            (290, T("b") + T("y", index=1)),
            (330, Fin() + Fin(index=1) + U(4) + D),
        ],
        {
            "e2e": 290,
            "tpot": 40 / 3,
            "itl": [0, 40, 0],
            "tokens": 4,
            "event_tokens": [1] * 4,
            "stream_end": 330,
            "text": "abxy",
            "finish_reason": "stop",
            "notes": {"one-token-per-event", "several-choices"},
        },
    ),
]
