"""What decoding one streamed event costs; by hand: `python tests/bench/decode.py`.

The plain case of vLLM: one event per read, one choice, a content delta, running usage.
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
LIMIT = 2.2
EVENT = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,'
    b'"model":"m","choices":[{"index":0,"delta":{"content":"word"},"logprobs":null,'
    b'"finish_reason":null,"token_ids":null}],"usage":{"prompt_tokens":9,'
    b'"total_tokens":%d,"completion_tokens":%d}}\n\n'
)


def decode(reads: list[bytes]) -> None:
    decoder = Decoder()
    for stamp_ns, read in enumerate(reads):
        decoder.feed(stamp_ns, read)


def load(payloads: list[bytes]) -> None:
    for payload in payloads:
        json.loads(payload)


def us_per_event(work: Callable[[list[bytes]], None], data: list[bytes]) -> float:
    start = time.process_time()
    work(data)
    return (time.process_time() - start) / EVENTS * 1e6


def main() -> int:
    """The exit status is 1 when the target is not met."""
    reads = [EVENT % (9 + tokens, tokens) for tokens in range(1, EVENTS + 1)]
    payloads = [read.removeprefix(b"data: ") for read in reads]
    rounds = [
        (us_per_event(decode, reads), us_per_event(load, payloads))
        for _ in range(ROUNDS)
    ]
    ratio = statistics.median(decoding / loading for decoding, loading in rounds)
    decoding_us, loading_us = map(statistics.median, zip(*rounds, strict=True))
    verdict = "met" if ratio <= LIMIT else "not met"
    print(f"decode     {decoding_us:5.1f} us/event")
    print(f"json.loads {loading_us:5.1f} us/event")
    print(f"ratio      {ratio:5.2f}, <= {LIMIT:g}: {verdict}")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
