"""Requests that kept to limits: how many, and the limits in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from interview.web.numbers import ms, tpot

LIMITS = {"ttft_ms": ("TTFT", ms), "tpot_ms": ("TPOT", tpot), "e2e_ms": ("E2E", ms)}


@dataclass(frozen=True, slots=True)
class Goodput:
    """Completed requests that kept to every limit."""

    limits: dict[str, float | None]
    """ttft_ms, tpot_ms, e2e_ms; None is no limit."""
    requests: int | None
    requests_per_s: float | None
    share_percent: float | None
    """Of all requests that were not cancelled."""

    @classmethod
    def of(cls, stored: Mapping[str, Any] | None) -> Self | None:
        if not stored:
            return None
        share = stored.get("share")
        return cls(
            limits={name: stored.get(name) for name in LIMITS},
            requests=stored.get("requests"),
            requests_per_s=stored.get("requests_per_s"),
            share_percent=None if share is None else 100 * share,
        )


def limit_words(limits: Mapping[str, float | None] | None) -> str:
    """ "TTFT up to 500 ms, TPOT up to 50.0 ms"; "" without a limit."""
    return ", ".join(
        f"{title} up to {write(value)}"
        for name, (title, write) in LIMITS.items()
        if (value := (limits or {}).get(name)) is not None
    )
