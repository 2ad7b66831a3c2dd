"""How far a run is by the events that were told, and how long it has left; pure."""

from collections.abc import Mapping, Sequence
from typing import Any


class Progress:
    """`modelled_s` are the seconds that a model gives each repetition, in order.

    Only their ratios count: `expected_s` is what the whole run would take.
    """

    def __init__(
        self, modelled_s: Sequence[float], expected_s: float, single_tokens: int | None
    ) -> None:
        """`single_tokens` is the longest answer of a run of one request, else None."""
        self._modelled_s = modelled_s
        self._expected_s = expected_s
        self._is_single = single_tokens is not None
        self._begun = 1 if self._is_single else 0
        """Repetitions, the present one too."""
        self._done, self._of = 0, single_tokens or 1
        """Requests of the present repetition, or tokens of a single request."""

    def take(self, event: Mapping[str, Any]) -> None:
        match event["k"]:
            case "tokens" if self._is_single:
                self._done += event["n"]
            case "level" if event["state"] == "started":
                self._begun += 1
                self._done, self._of = 0, event["requests"]
            case "level":
                self._done = self._of
            case "request" if not self._is_single and not event.get("warmup"):
                self._done += 1

    @property
    def share(self) -> float:
        """What of its work is done, 0 to 1."""
        if not self._begun:
            return 0.0
        *before, present = self._modelled_s[: self._begun]
        done_s = sum(before) + present * min(1.0, self._done / self._of)
        return done_s / sum(self._modelled_s)

    def left_s(self, elapsed_s: float) -> float:
        """The rest at the pace so far, which counts from half of `expected_s` on.

        Pace is the time taken over the time expected for the same work, with half of
        the whole added to both: at the start the expectation stands.
        """
        half_s = self._expected_s / 2
        done_s = self.share * self._expected_s
        pace = (elapsed_s + half_s) / (done_s + half_s) if half_s else 1.0
        return (self._expected_s - done_s) * pace
