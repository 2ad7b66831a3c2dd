"""What decoding one streamed event costs; by hand: `python tests/bench/decode.py`.

The plain case of vLLM: one event per read, one choice, a content delta, running usage;
and the same with a line break in its text, which takes the way of all odd events.
Other work on the machine slows both sides alike, so the target is the ratio to
json.loads of the same bytes, in CPU time, by the median of alternating rounds.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from interview.measure.decoder import Decoder

EVENTS, ROUNDS = 2000, 25
TEXTS = {"plain": b"word", "odd": b"\\n"}
LIMITS = {"plain": 1.0, "odd": 3.0}
EVENT = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,'
    b'"model":"m","choices":[{"index":0,"delta":{"content":"%b"},"logprobs":null,'
    b'"finish_reason":null,"token_ids":null}],"usage":{"prompt_tokens":9,'
    b'"total_tokens":%d,"completion_tokens":%d}}\n\n'
)


def decode(reads: list[bytes]) -> None:
    decoder = Decoder()
    for stamp_ns, read in enumerate(reads):
        decoder.feed(stamp_ns, read)


def load(payloads: list[str]) -> None:
    for payload in payloads:
        json.loads(payload)


def us_per_event(work: Callable[[list], None], data: list) -> float:
    start = time.process_time()
    work(data)
    return (time.process_time() - start) / EVENTS * 1e6


def is_met(kind: str) -> bool:
    reads = [EVENT % (TEXTS[kind], 9 + n, n) for n in range(1, EVENTS + 1)]
    payloads = [read[6:-2].decode() for read in reads]
    rounds = [
        (us_per_event(decode, reads), us_per_event(load, payloads))
        for _ in range(ROUNDS)
    ]
    ratio = statistics.median(decoding / loading for decoding, loading in rounds)
    decoding_us, loading_us = map(statistics.median, zip(*rounds, strict=True))
    verdict = "met" if ratio <= LIMITS[kind] else "not met"
    print(f"{kind:<5} decode {decoding_us:5.1f}, json.loads {loading_us:5.1f} us/event")
    print(f"      ratio  {ratio:5.2f}, <= {LIMITS[kind]:g}: {verdict}")
    return ratio <= LIMITS[kind]


def main() -> int:
    """The exit status is 1 when a target is not met."""
    met = [is_met(kind) for kind in LIMITS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
