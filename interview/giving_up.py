"""How a command that cannot start ends: with a sentence, and status 1."""

import sys
from typing import NoReturn


def say(line: str) -> None:
    print(line, flush=True)


def give_up(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr, flush=True)
    raise SystemExit(1)
