"""What the result page shows of a run, read from its report; None where missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from interview.measure import statistics
from interview.measure.notes import NOTES

ENOUGH_FOR_P99 = 100
"""With fewer values a 99th percentile is one of the largest, and is marked."""

SAID_OF_ONE = frozenset({"few-values", "cached-prompts"})
"""One request is few values, and its prefix has a sentence of its own."""


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Of the gaps between token events, in ms."""

    p50: float | None
    p90: float | None
    p99: float | None
    mean: float | None
    n: int | None
    """None where a file of another tool does not tell."""
    max: float | None = None

    @property
    def is_few(self) -> bool:
        return self.n is not None and self.n < ENOUGH_FOR_P99


@dataclass(frozen=True, slots=True)
class Result:
    """One request's numbers, durations in ms since the request was sent."""

    status: str
    error: str | None
    http_status: int | None
    engine: str | None
    connect_ms: float | None
    headers_ms: float | None
    ttft_ms: float | None
    ttfo_ms: float | None
    """First answer token; None when it is the first token."""
    tpot_ms: float | None
    e2e_ms: float | None
    stream_end_ms: float | None
    itl: Percentiles | None
    output_tokens_per_s: float | None
    """Tokens of this request / E2E."""
    tokens: int | None
    tokens_from: str | None
    events: int | None
    tokens_per_event: float | None
    prompt_tokens: int | None
    cached_tokens: int | None
    prefix: str
    """cold | warm | unknown"""
    finish_reason: str | None
    text: str
    reasoning: str
    notes: tuple[str, ...]
    """Sentences."""
    gaps_ms: tuple[float, ...]
    event_tokens: tuple[int, ...]

    @classmethod
    def of(cls, report: Mapping[str, Any]) -> Self | None:
        """The first request of `report` (prefill-measure/1); None when it has none."""
        requests: Sequence[Mapping[str, Any]] = report.get("requests") or ()
        if not requests:
            return None
        first, summary = requests[0], report.get("summary") or {}
        get = first.get
        return cls(
            status=first["status"],
            error=get("error"),
            http_status=get("http_status"),
            engine=(report.get("target") or {}).get("engine"),
            connect_ms=get("connect_ms"),
            headers_ms=get("headers_ms"),
            ttft_ms=get("ttft_ms"),
            ttfo_ms=get("ttfo_ms") if get("ttfo_ms") != get("ttft_ms") else None,
            tpot_ms=get("tpot_ms"),
            e2e_ms=get("e2e_ms"),
            stream_end_ms=get("stream_end_ms"),
            itl=itl_of(first, summary),
            output_tokens_per_s=rate(get("tokens"), get("e2e_ms")),
            tokens=get("tokens"),
            tokens_from=get("tokens_from"),
            events=get("events"),
            tokens_per_event=ratio(get("tokens"), get("events")),
            prompt_tokens=get("prompt_tokens"),
            cached_tokens=get("cached_tokens"),
            prefix=prefix(get("cached_tokens")),
            finish_reason=get("finish_reason"),
            text=get("text") or "",
            reasoning=get("reasoning") or "",
            notes=sentences([*(get("notes") or ()), *notes_of(summary, requests)]),
            gaps_ms=tuple(get("itl_ms") or ()),
            event_tokens=tuple(get("event_tokens") or ()),
        )

    @property
    def figures(self) -> dict[str, Any]:
        """Its numbers as a run's figures have them, also of a request that was cut."""
        itl = self.itl
        values = {
            "ttft_ms": self.ttft_ms,
            "tpot_ms": self.tpot_ms,
            "itl_p50_ms": itl.p50 if itl else None,
            "itl_p99_ms": itl.p99 if itl else None,
            "itl_max_ms": max(self.gaps_ms, default=None),
            "e2e_ms": self.e2e_ms,
            "output_tokens_per_s": self.output_tokens_per_s,
        }
        known = {name: [v, None, None] for name, v in values.items() if v is not None}
        return {"1": {"values": known, "spoiled": []}}


def notes_of(summary: Mapping[str, Any], requests: Sequence[object]) -> list[str]:
    """The load's notes; of one request those that its page says anyway are left out."""
    notes = summary.get("notes") or ()
    return [note for note in notes if note not in SAID_OF_ONE or len(requests) > 1]


def percentiles(stored: Mapping[str, Any] | None) -> Percentiles | None:
    if not stored or stored.get("p50") is None:
        return None
    p50, p90, p99, mean = (stored.get(name) for name in ("p50", "p90", "p99", "mean"))
    return Percentiles(p50, p90, p99, mean, stored["n"], stored.get("max"))


def itl_of(
    request: Mapping[str, Any], summary: Mapping[str, Any]
) -> Percentiles | None:
    """As summed up; a request that did not complete is in no summary."""
    told = percentiles(summary.get("itl_ms"))
    if told or request["status"] == "completed":
        return told
    gaps_ms: Sequence[float] = request.get("itl_ms") or ()
    found = statistics.summary(gaps_ms)
    parts = {name: getattr(found, name) for name in ("p50", "p90", "p99", "mean", "n")}
    return percentiles(parts | {"max": found.max})


def ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None


def rate(tokens: int | None, e2e_ms: float | None) -> float | None:
    per_ms = ratio(tokens, e2e_ms)
    return None if per_ms is None else per_ms * 1000


def prefix(cached_tokens: int | None) -> str:
    """Whether the engine had a part of the prompt in its prefix cache."""
    if cached_tokens is None:
        return "unknown"
    return "warm" if cached_tokens else "cold"


def sentences(codes: Sequence[str]) -> tuple[str, ...]:
    return tuple(NOTES.get(code, code) for code in dict.fromkeys(codes))
