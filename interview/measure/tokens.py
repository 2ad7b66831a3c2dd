"""How many tokens an event carries, by the best evidence it has; no clock, no text.

Evidence in this order: (a) the rise of the running `usage.completion_tokens`, (b) the
length of `token_ids`, (c) the length of the log probabilities, (d) any output counts 1.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from interview.measure.chunks import Choice
from interview.measure.usage import Usage

Evidence = Literal["usage", "token_ids", "logprobs", "events"]


class TokenCounter:
    """Counts over one stream; what (b) to (d) placed is set off against (a).

    The running count of vLLM is per choice, that of others over all choices: it is per
    choice once a choice comes with no more than another one had.
    """

    def __init__(self) -> None:
        self.used: set[Evidence] = set()
        self.total = 0
        self._by_choice: defaultdict[int, int] = defaultdict(int)
        self._running: dict[int, int] = {}
        self._highest = 0
        self._holder = 0
        """The choice that had the highest running count."""
        self._rose = False
        self.per_choice = False

    @property
    def running_peak(self) -> int:
        """Largest count that running usage ever claimed, over all choices."""
        return sum(self._running.values())

    def count(self, choices: Sequence[Choice], usage: Usage | None) -> int:
        """Tokens of one event that has choices; 0 when it is no token event."""
        if not choices:
            return 0
        tokens = self._by_usage(choices, usage)
        if tokens is None:
            tokens = sum(self._by_content(choice) for choice in choices)
        self.total += tokens
        self._by_choice[choices[0].index] += tokens
        return tokens

    def rise(self, running: int) -> int | None:
        """As `count`, for choice 0 alone whose proven running usage rises once more.

        The case of nearly every event; None when it is another.
        """
        if running <= self._highest or not self._rose:
            return None
        if self.per_choice or self._holder != 0:
            return None
        self._highest = self._running[0] = running
        tokens = running - self.total
        if tokens <= 0:
            return 0
        self.used.add("usage")
        self.total = running
        self._by_choice[0] += tokens
        return tokens

    def _by_usage(self, choices: Sequence[Choice], usage: Usage | None) -> int | None:
        """None when usage is no evidence for this event."""
        running = usage.completion_tokens if usage else None
        if running is None or (not self._running and self._is_final(choices)):
            return None
        index = choices[0].index
        self._settle_scope(index, running)
        scope = index if self.per_choice else 0
        last = self._running.get(scope)
        if last is None or running > last:
            self._running[scope] = running
            self._rose = self._rose or bool(last)
        counted = self._by_choice[index] if self.per_choice else self.total
        if running > counted:
            self.used.add("usage")
            return running - counted
        # A count that never rose may be of the chunk alone: it proves nothing, and
        # text that came with it is a token. One that rises says "no token here".
        if self._rose:
            return 0
        return None if any(choice.has_output for choice in choices) else 0

    def _is_final(self, choices: Sequence[Choice]) -> bool:
        """The first usage at all on a finish event is the total, not a running one."""
        return self.total > 0 and any(choice.finish_reason for choice in choices)

    def _settle_scope(self, index: int, running: int) -> None:
        """A count over all choices only rises, whichever choice comes next."""
        if running > self._highest:
            self._highest, self._holder = running, index
        elif running > 0 and index != self._holder and not self.per_choice:
            self.per_choice = True
            self._running = dict(self._by_choice)

    def _by_content(self, choice: Choice) -> int:
        if choice.token_ids is not None and (choice.token_ids or not choice.has_output):
            return self._used("token_ids", choice.token_ids)
        if choice.logprobs:
            return self._used("logprobs", choice.logprobs)
        return self._used("events", int(choice.has_output))

    def _used(self, evidence: Evidence, tokens: int) -> int:
        if tokens:
            self.used.add(evidence)
        return tokens
