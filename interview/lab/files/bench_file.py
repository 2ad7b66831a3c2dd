"""A file of `vllm bench serve --save-result`, read and checked; no database.

Keys and units are those of vLLM 0.31.0, `vllm/benchmarks/serve.py`: times in seconds,
statistics in ms. Without `--save-detailed` the lists of requests are missing.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NoReturn

from ..errors import LabError

Json = dict[str, Any]

NEEDED = ("model_id", "num_prompts", "max_concurrency", "completed")
LISTS = ("input_lens", "output_lens", "ttfts", "itls", "errors")
"""All there or none of them: they come with --save-detailed."""
MORE_LISTS = ("latencies", "start_times")
"""Of some versions only."""
LARGEST = 1e15
MOST_USERS = 100_000
COUNTS = (
    *("num_prompts", "completed", "failed", "total_input_tokens"),
    "total_output_tokens",
)
NUMBERS = (
    *("duration", "output_throughput", "max_output_tokens_per_s"),
    "max_concurrent_requests",
    *(f"{s}_{m}_ms" for m in ("ttft", "tpot", "itl", "e2el") for s in ("mean", "p90")),
    *(
        f"{s}_{m}_ms"
        for m in ("ttft", "tpot", "itl", "e2el")
        for s in ("median", "p99")
    ),
)
YEARS = range(2000, 2200)
"""Of a clock that is set; with others no page could reckon."""
SPACE = re.compile(r"\s*")
HOW = "Write one with `vllm bench serve --save-result`."


class NotImported(LabError):
    """The sentence says what is wrong with which file."""


@dataclass(frozen=True, slots=True)
class BenchFile:
    """One result: one number of users, once."""

    name: str
    """Of the file."""
    told: Json
    """What the file holds, checked."""

    @property
    def model(self) -> str:
        return str(self.told["model_id"])

    @property
    def users(self) -> int:
        """Without --max-concurrency all requests are sent at once."""
        told = self.told["max_concurrency"]
        return int(self.told["num_prompts"] if told is None else told)

    @property
    def is_detailed(self) -> bool:
        return "ttfts" in self.told

    @property
    def is_ours(self) -> bool:
        """An export of this product, which keeps to our definitions."""
        return isinstance(self.told.get("run"), str)

    @property
    def load(self) -> str | None:
        """The name of the load that an export of this product is of."""
        told = self.told.get("load")
        return told if self.is_ours and isinstance(told, str) else None

    @property
    def simulated(self) -> bool:
        return self.told.get("simulated") is True

    @property
    def moment(self) -> datetime | None:
        """When it was measured, as its machine's clock said; the file has no zone."""
        try:
            told = datetime.strptime(str(self.told.get("date")), "%Y%m%d-%H%M%S")
        except ValueError:
            return None
        return told.replace(tzinfo=UTC) if told.year in YEARS else None


def read_bench(name: str, content: bytes) -> list[BenchFile]:
    """The results of one file: several with --append-result. Raises NotImported."""
    found = [BenchFile(name, checked(name, told)) for told in documents(name, content)]
    if not found:
        raise NotImported(f"{name} is empty. {HOW}")
    return found


def documents(name: str, content: bytes) -> Iterator[Any]:
    try:
        text = content.decode("utf-8-sig").rstrip()
        decoder = json.JSONDecoder(parse_constant=lambda word: refuse(name, word))
        at = 0
        while at < len(text):
            told, at = decoder.raw_decode(text, after_space(text, at))
            yield told
    except UnicodeDecodeError as wrong:
        raise NotImported(f"{name} is no JSON: it is not UTF-8 text.") from wrong
    except json.JSONDecodeError as wrong:
        raise NotImported(
            f"{name} is no JSON: {wrong.msg} in line {wrong.lineno}, column "
            f"{wrong.colno}."
        ) from wrong
    except (RecursionError, ValueError) as wrong:
        raise NotImported(f"{name} is no JSON that can be read: {wrong}.") from wrong


def after_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at


def refuse(name: str, word: str) -> NoReturn:
    raise NotImported(f"{name} holds {word}, which is no number in JSON.")


def checked(name: str, told: Any) -> Json:
    """The same document, once all that is read of it is what it must be."""
    if not isinstance(told, dict):
        raise NotImported(f"{name} holds no result: its JSON is no object. {HOW}")
    if told.get("format") == "prefill-measure/1":
        raise NotImported(
            f"{name} is a run of this lab as JSON. Take the run as vLLM’s benchmark "
            "writes it, and import that."
        )
    missing = [key for key in NEEDED if key not in told]
    if missing:
        keys = ", ".join(f"“{key}”" for key in missing)
        raise NotImported(f"{name} is no result of vllm bench serve: no {keys}. {HOW}")
    for key in COUNTS:
        check_number(name, key, told.get(key), whole=True)
    for key in NUMBERS:
        check_number(name, key, told.get(key))
    check_users(name, told)
    check_lists(name, told)
    return told


def check_number(name: str, key: str, value: Any, *, whole: bool = False) -> None:
    if value is None:
        return
    kind = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kind):
        what = "whole number" if whole else "number"
        raise NotImported(f"In {name}, “{key}” is no {what}: {shown(value)}.")
    if not 0 <= value <= LARGEST:
        raise NotImported(f"In {name}, “{key}” is {shown(value)}, which cannot be.")


def check_users(name: str, told: Json) -> None:
    model, users = told["model_id"], told["max_concurrency"]
    if not isinstance(model, str) or not 0 < len(model) <= 200:
        raise NotImported(f"In {name}, “model_id” is no model’s name: {shown(model)}.")
    for key in ("num_prompts", "completed"):
        if told[key] is None:
            raise NotImported(f"In {name}, “{key}” is null: it must be a number.")
    if told["completed"] > told["num_prompts"]:
        raise NotImported(
            f"In {name}, “completed” is {told['completed']}, more than “num_prompts”."
        )
    rate = told.get("request_rate")
    if not isinstance(rate, str):
        check_number(name, "request_rate", rate)
    if users is None and rate not in ("inf", None):
        raise NotImported(
            f"{name} was measured at a request rate, without --max-concurrency: it has "
            "no number of users to compare with."
        )
    check_number(name, "max_concurrency", users, whole=True)
    count = told["num_prompts"] if users is None else users
    if not 0 < count <= MOST_USERS:
        key = "num_prompts" if users is None else "max_concurrency"
        raise NotImported(f"In {name}, “{key}” is {count}: no number of users.")


def check_lists(name: str, told: Json) -> None:
    """The lists of requests have an entry for each, of the right kind."""
    there = [key for key in LISTS if key in told]
    if there and len(there) < len(LISTS):
        missing = ", ".join(f"“{key}”" for key in LISTS if key not in told)
        raise NotImported(f"{name} has lists of requests, but no {missing}.")
    lists = [key for key in (*LISTS, *MORE_LISTS) if key in told]
    for key in lists:
        entries = told[key]
        if not isinstance(entries, list):
            raise NotImported(f"In {name}, “{key}” is no list: {shown(entries)}.")
        first = told[lists[0]]
        if len(entries) != len(first):
            raise NotImported(
                f"In {name}, “{key}” has {len(entries)} entries, and “{lists[0]}” has "
                f"{len(first)}: each request has one in both."
            )
        check_entries(name, key, entries)


def check_entries(name: str, key: str, entries: list[Any]) -> None:
    for at, entry in enumerate(entries):
        where = f"{key}[{at}]"
        if key == "errors":
            if not isinstance(entry, str | None):
                raise NotImported(f"In {name}, “{where}” is no text: {shown(entry)}.")
        elif key == "itls":
            if not isinstance(entry, list):
                raise NotImported(f"In {name}, “{where}” is no list: {shown(entry)}.")
            check_gaps(name, where, entry)
        else:
            check_number(name, where, entry, whole=key.endswith("_lens"))


def check_gaps(name: str, where: str, gaps: list[Any]) -> None:
    """At once: a file has hundreds of thousands of them."""
    if all(type(gap) in (float, int) and 0 <= gap <= LARGEST for gap in gaps):
        return
    for gap in gaps:
        if gap is None:
            raise NotImported(f"In {name}, “{where}” holds null: a gap is a number.")
        check_number(name, where, gap)


def shown(value: Any) -> str:
    """Short, whatever it is."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:40]}…"
