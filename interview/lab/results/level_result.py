"""One level of a load as its page shows it; None where something is missing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..runs.asked_load import AskedLoad, load_title
from ..runs.spec import Spec
from .engine_split import engine_split
from .goodput import Goodput
from .levels import Json, name_of, requests_of
from .limits import RunLimit, mean_context
from .result import Percentiles, percentiles, sentences


@dataclass(frozen=True, slots=True)
class Band:
    """One number over the repetitions."""

    low: float
    median: float
    high: float

    def overlaps(self, other: "Band") -> bool:
        return self.low <= other.high and other.low <= self.high


LimitOf = Callable[[int, int, float | None], RunLimit]
"""Of users, tokens in each one's KV cache, and the measured TPOT in ms."""


@dataclass(frozen=True, slots=True)
class LevelResult:
    """One number of users. Latencies are over all completed requests, in ms."""

    name: str
    """The number of users where the load has no other."""
    users: int
    neighbours: int | None
    """Others that were sent beside each request."""
    is_joined: bool
    """So many streams of a gathering, whose numbers are of the time they stood."""
    stood_ms: float | None
    """Of a gathering."""
    joined_ttft_ms: float | None
    """Of a gathering: the wait of the stream that made so many of them."""
    reached_users: int | None
    """Most requests that were in flight at once."""
    repetitions: int
    repetitions_asked: int
    requests: int
    """Those that have ended, and those that were cancelled."""
    completed: int
    failed: int
    incomplete: int
    cancelled: int
    ttft: Percentiles | None
    tpot: Percentiles | None
    itl: Percentiles | None
    e2e: Percentiles | None
    neighbour_ttft: Percentiles | None
    bands: Mapping[str, Band]
    """By metric; without the metrics that no two repetitions have."""
    output_tokens_per_s: float | None
    steady_tokens_per_s: float | None
    """While all users are busy."""
    peak_tokens_per_s: float | None
    """Of the best second."""
    goodput: Goodput | None
    tokens: int | None
    tokens_per_event: float | None
    cached_percent: float | None
    """Of the prompts' tokens."""
    queue_ms: float | None
    """Mean on the engine's clock, as the next two; None is "not separable here"."""
    prefill_ms: float | None
    rest_ms: float | None
    """The client's TTFT less the engine's: network, HTTP, rendering."""
    preemptions: int | None
    prefix_hit_tokens: int | None
    prefix_query_tokens: int | None
    error: str | None
    """Of the first request that did not complete, in words; rather of one that
    nobody stopped."""
    notes: tuple[str, ...]
    """Sentences, without those that the run's own words say."""
    limit: RunLimit | None

    @classmethod
    def of(cls, level: Json, asked: Spec, limit_of: LimitOf | None) -> Self:
        summary, load, requests = level["summary"], level["load"], requests_of(level)
        get, tpot = summary.get, percentiles(summary.get("tpot_ms"))
        users, prompt, name = level["users"], get("prompt_tokens"), name_of(level)
        odd = [request for request in requests if request.get("error")]
        odd.sort(key=lambda request: request.get("status") == "cancelled")
        wanted = asked_load(asked, name)
        codes = worth_saying(get("notes") or (), wanted)
        return cls(
            name=name,
            users=users,
            neighbours=(load.get("neighbours") or {}).get("requests"),
            is_joined=bool(level.get("joined")),
            stood_ms=get("stood_ms"),
            joined_ttft_ms=get("joined_ttft_ms"),
            reached_users=load.get("reached_users"),
            repetitions=len(level["repetitions"]),
            repetitions_asked=load.get("repeat") or asked.repeat,
            requests=len(requests),
            **{name: get(name) or 0 for name in COUNTS},
            ttft=percentiles(get("ttft_ms")),
            tpot=tpot,
            itl=percentiles(get("itl_ms")),
            e2e=percentiles(get("e2e_ms")),
            neighbour_ttft=percentiles(get("neighbour_ttft_ms")),
            bands=bands(get("bands") or {}),
            output_tokens_per_s=get("output_tokens_per_s"),
            steady_tokens_per_s=get("steady_tokens_per_s"),
            peak_tokens_per_s=get("peak_tokens_per_s"),
            goodput=Goodput.of(get("goodput")),
            tokens=get("tokens"),
            tokens_per_event=get("tokens_per_event"),
            cached_percent=cached_percent(prompt, get("cached_tokens")),
            **engine_split(level["repetitions"]),
            error=odd[0]["error"] if odd else None,
            notes=sentences(codes),
            limit=limit_at(limit_of, wanted, tpot),
        )

    @property
    def repetition_numbers(self) -> range:
        """From 1."""
        return range(1, self.repetitions + 1)

    @property
    def title(self) -> str:
        return load_title(self.name, self.users)

    @property
    def place(self) -> str:
        """Where it was, at the beginning of a sentence."""
        by_users = self.name == str(self.users)
        return f"With {self.title}" if by_users else f"In “{self.name}”"

    @property
    def is_measured(self) -> bool:
        """There are numbers: of completed requests, or of the time it stood."""
        return self.is_joined or bool(self.completed)

    @property
    def lost(self) -> int:
        """Requests that nobody stopped and that came to nothing; a gathering's table
        tells its own."""
        return 0 if self.is_joined else self.failed + self.incomplete

    @property
    def is_whole(self) -> bool:
        """Every repetition ran to its end; so many streams have no other."""
        return self.is_joined or self._ran_to_its_end

    @property
    def _ran_to_its_end(self) -> bool:
        return self.repetitions == self.repetitions_asked and not self.cancelled

    @property
    def is_separable(self) -> bool:
        """The engine's sums hold this level's requests, all of them and no others."""
        return self.queue_ms is not None and self.prefill_ms is not None


COUNTS = ("completed", "failed", "incomplete", "cancelled")
SAID_ELSEWHERE = frozenset({"stopped", "time-limit"})
"""The run's own sentence says these."""


def asked_load(asked: Spec, name: str) -> AskedLoad | None:
    return next((load for load in asked.asked_loads if load.name == name), None)


def worth_saying(notes: Sequence[str], asked: AskedLoad | None) -> list[str]:
    """Codes: a prompt that was sent again on purpose is to be in the cache."""
    wanted = set(SAID_ELSEWHERE)
    if asked is not None and not asked.fresh_prompt:
        wanted.add("cached-prompts")
    return [code for code in notes if code not in wanted]


def p50(found: Percentiles | None) -> float | None:
    return found.p50 if found else None


def bands(stored: Mapping[str, Any]) -> dict[str, Band]:
    return {
        name: Band(band["low"], band["median"], band["high"])
        for name, band in stored.items()
        if band and band["median"] is not None and band.get("n") != 1
    }


def cached_percent(prompt: int | None, cached: int | None) -> float | None:
    return 100 * cached / prompt if prompt and cached is not None else None


def limit_at(
    limit_of: LimitOf | None, load: AskedLoad | None, tpot: Percentiles | None
) -> RunLimit | None:
    """None when nobody knows limits here; a limit that cannot be has its reason."""
    if limit_of is None or load is None:
        return None
    context = mean_context(load.prompt_tokens, load.max_tokens)
    return limit_of(load.users, context, p50(tpot))
