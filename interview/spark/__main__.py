"""python -m interview.spark: the simulated DGX Spark as a server of its own."""

import argparse
import sys
from collections.abc import Sequence

from .machine import Options
from .server import serve


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status 0 after a stop, 1 when the address is taken, 2 for bad usage."""
    arguments = _parser().parse_args(argv)
    options = Options(
        speed=arguments.speed,
        prefix_cache=arguments.prefix_cache,
        token_budget=arguments.token_budget,
        dense=arguments.dense,
        reasoning=arguments.reasoning,
        api_key=arguments.api_key,
        max_queued_requests=arguments.max_num_queued_reqs,
    )
    stop_on_eof = arguments.stop_on_eof
    try:
        serve(arguments.host, arguments.port, options, stop_on_eof=stop_on_eof)
    except OSError as error:
        where = f"{arguments.host}:{arguments.port}"
        print(f"Cannot listen on {where}: {error.strerror}.", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m interview.spark",
        description="A simulated DGX Spark that speaks vLLM's API. No model runs; "
        "step times are computed.",
    )
    add = parser.add_argument
    add("--host", default="127.0.0.1")
    add("--port", type=int, required=True, help="required; 0 takes a free port")
    add("--speed", type=_positive, default=1.0, help="divides every wait; default 1")
    add(
        "--no-prefix-cache",
        dest="prefix_cache",
        action="store_false",
        help="compute every prompt from its first token",
    )
    add(
        "--token-budget",
        type=_count,
        default=2048,
        metavar="N",
        help="tokens per step; default 2048",
    )
    add("--dense", action="store_true", help="serve the dense Qwen3-8B instead")
    add("--reasoning", action="store_true", help="think before each chat answer")
    add("--api-key", metavar="KEY", help="ask for it on /v1 paths")
    add(
        "--max-num-queued-reqs",
        type=_count,
        metavar="N",
        help="answer 503 when so many requests are unfinished",
    )
    add("--stop-on-eof", action="store_true", help="stop when standard input ends")
    return parser


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is below 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
