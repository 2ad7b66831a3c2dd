"""Results of vLLM's benchmark as one run: a report and a spec in our own shape.

Pure. Several results of one model are the levels of one load, those with the same
number of users its repetitions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from statistics import median
from typing import Any

from ..results.partial_load import band, known, total
from ..runs.spec import Spec
from .bench_file import BenchFile, Json, NotImported
from .bench_level import METRICS, from_requests, repetition
from .origin import OURS, VLLM

RATES = ("output_tokens_per_s", "peak_tokens_per_s")
SUMS = ("completed", "failed", "tokens", "prompt_tokens")
MOST_RESULTS = 500
BANDS = (*METRICS, "output_tokens_per_s")


@dataclass(frozen=True, slots=True)
class Imported:
    model: str
    simulated: bool
    moment: datetime | None
    """When the first of them was measured."""
    spec: Spec
    report: Json


def imported(files: Sequence[BenchFile]) -> Imported:
    """Raises NotImported for results that make no run together."""
    check_together(files)
    levels = [level(found) for found in by_users(files)]
    moments = [file.moment for file in files if file.moment]
    return Imported(
        model=files[0].model,
        simulated=files[0].simulated,
        moment=min(moments, default=None),
        spec=spec(levels),
        report={
            "format": "prefill-measure/1",
            "target": {"model": files[0].model, "engine": None},
            "imported": {
                "tool": OURS if files[0].is_ours else VLLM,
                "files": [about(file) for file in files],
            },
            "notes": [],
            "levels": levels,
        },
    )


def check_together(files: Sequence[BenchFile]) -> None:
    """Raises NotImported, with a sentence, for what would make a false run."""
    if len(files) > MOST_RESULTS:
        raise NotImported(
            f"At most {MOST_RESULTS} results go into one run; these are {len(files)}."
        )
    models = sorted({file.model for file in files})
    if len(models) > 1:
        named = " and ".join(f"“{model}”" for model in models)
        raise NotImported(f"The files are of different models, {named}: one at a time.")
    if len({file.simulated for file in files}) > 1:
        raise NotImported(
            "Some of the files are simulated and some are not: import them apart."
        )
    if len({file.is_ours for file in files}) > 1:
        raise NotImported(
            "Some of the files are exports of this lab and some are not, and their "
            "numbers are defined in two ways: import them apart."
        )
    if len({(file.users, file.load) for file in files}) > len({f.users for f in files}):
        raise NotImported(
            "The files are of loads with different names and the same number of users, "
            "which are no repetitions of each other: import them apart."
        )
    for one, other in combinations(files, 2):
        if one.told == other.told:
            raise NotImported(same_twice(one, other))


def same_twice(one: BenchFile, other: BenchFile) -> str:
    both = (
        f"{one.name} is there twice"
        if one.name == other.name
        else f"{one.name} and {other.name} hold the same result"
    )
    return f"{both}: a repetition is a measurement of its own."


def by_users(files: Sequence[BenchFile]) -> list[list[BenchFile]]:
    counts = sorted({file.users for file in files})
    return [[file for file in files if file.users == users] for users in counts]


def about(file: BenchFile) -> Json:
    """What its page says of a file."""
    numbers = ("num_prompts", "request_rate", "max_concurrency")
    words = {key: file.told.get(key) for key in ("date", "backend")}
    return (
        {"name": file.name, "detailed": file.is_detailed, "ours": file.is_ours}
        | {key: said if isinstance(said, str) else None for key, said in words.items()}
        | {key: file.told.get(key) for key in numbers}
    )


def level(files: Sequence[BenchFile]) -> Json:
    repetitions = [repetition(file) for file in files]
    first = repetitions[0]
    load = first["load"] | {"repeat": len(repetitions)}
    if len(repetitions) > 1:
        load |= {"reached_users": None, "duration_s": None}
    return {
        "users": files[0].users,
        "name": None,
        "load": load,
        "summary": pooled(repetitions),
        "repetitions": repetitions,
    }


def pooled(repetitions: Sequence[Json]) -> Json:
    """Over all requests where each file has its own; else the files' medians' median,
    and no percentiles, which cannot be pooled."""
    summaries = [repetition["summary"] for repetition in repetitions]
    if len(summaries) == 1:
        return {**summaries[0], "bands": None}
    found: Json = dict.fromkeys(summaries[0]) | {"notes": []}
    found |= {name: total(summaries, name) for name in SUMS}
    requests = [r for repetition in repetitions for r in repetition["requests"]]
    is_whole = all(repetition["requests"] for repetition in repetitions)
    for name in METRICS:
        told = from_requests(name, requests) if is_whole else middle(summaries, name)
        found[name] = told
    for rate in RATES:
        values = known(summaries, rate)
        found[rate] = median(values) if values else None
    return found | {"bands": {name: band(spread(summaries, name)) for name in BANDS}}


def spread(summaries: Sequence[Json], name: str) -> list[float]:
    if name in RATES:
        return known(summaries, name)
    return known([s[name] for s in summaries if s[name]], "p50")


def middle(summaries: Sequence[Json], name: str) -> Json | None:
    medians = spread(summaries, name)
    if not medians:
        return None
    none: Json = dict.fromkeys(("p90", "p99", "mean", "max", "n"))
    return none | {"p50": median(medians)}


def spec(levels: Sequence[Json]) -> Spec:
    """As if it had been asked here; the lengths are the largest of the levels'."""

    def most(name: str) -> int | None:
        lengths: list[Any] = known([one["load"] for one in levels], name)
        return max(lengths, default=None)

    return Spec(
        prompt="",
        source="length",
        prompt_tokens=most("prompt_tokens"),
        max_tokens=most("max_tokens") or 0,
        levels=[one["users"] for one in levels],
        repeat=max(len(one["repetitions"]) for one in levels),
        requests=[one["load"]["requests"] for one in levels],
    )
