"""Where the time of one request went: the spans between its stamps."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spans:
    """Where one request's time went, in ms; None where a stamp is missing."""

    connect_ms: float | None
    accept_ms: float | None
    wait_ms: float | None
    """Queue and prefill: from the head of the answer to the first token."""
    decode_ms: float | None

    @property
    def is_one_read(self) -> bool:
        """Head and first token came together: nothing tells acceptance from prefill."""
        return self.wait_ms == 0


def request_spans(
    connect_ms: float | None,
    headers_ms: float | None,
    ttft_ms: float | None,
    e2e_ms: float | None,
) -> Spans:
    """All but `connect_ms` count from the request: spans are their differences."""
    return Spans(
        connect_ms, headers_ms, _between(headers_ms, ttft_ms), _between(ttft_ms, e2e_ms)
    )


def _between(start: float | None, end: float | None) -> float | None:
    return None if start is None or end is None else end - start
