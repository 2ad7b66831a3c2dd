"""How long one engine step takes on a machine, from the bytes and FLOP it needs.

Pure arithmetic over `profiles`; knows no request, scheduler or clock.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from statistics import NormalDist

from .profiles import BF16_BYTES, Machine, Model


@dataclass(frozen=True, slots=True)
class Chunk:
    """The tokens of one request in one step."""

    tokens: int
    """Scheduled in this step: 1 for a decode, more for a prompt chunk."""
    context: int
    """Already in the KV cache before the step."""
    samples: bool = True
    """Whether the step ends with a token for this request."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Bytes read and FLOP done by one class of operators in a step."""

    bytes: float
    flop: float

    def seconds(self, machine: Machine) -> float:
        reading = self.bytes / machine.read_bytes_per_s
        return max(reading, self.flop / machine.matrix_flop_per_s)


def distinct_experts(model: Model, tokens: int) -> float:
    """Expected distinct experts of a layer that `tokens` tokens touch [H:ROOF-3].

    Each expert is missed by a token with probability 1 - p, with p log-normal over
    the experts and adding up to the active ones. Never below the active ones.
    """
    if tokens == 0:
        return 0.0
    missed = _log_missed(
        model.experts, model.active_experts, model.routing_spread, tokens
    )
    return max(float(model.active_experts), model.coverage_cap * missed)


@lru_cache(maxsize=8192)
def _log_missed(experts: int, active: int, spread: float, tokens: int) -> float:
    shares = _shares(experts, spread)
    return sum(1 - (1 - min(1.0, active * share)) ** tokens for share in shares)


@lru_cache
def _shares(experts: int, spread: float) -> tuple[float, ...]:
    """Popularity of each expert, adding up to 1: evenly spaced quantiles."""
    quantile = NormalDist().inv_cdf
    weights = [math.exp(spread * quantile((i + 0.5) / experts)) for i in range(experts)]
    total = sum(weights)
    return tuple(weight / total for weight in weights)


@dataclass(frozen=True)
class Roofline:
    """Step times of one model on one machine."""

    machine: Machine
    model: Model

    @cached_property
    def _dense_bytes(self) -> int:
        return BF16_BYTES * self.model.projection_parameters

    def projections(self, tokens: int) -> Cost:
        """Attention projections, norms, router (or the dense MLP)."""
        flop = 2 * tokens * self.model.projection_parameters
        return Cost(self._dense_bytes if tokens else 0, flop)

    def head(self, rows: int) -> Cost:
        """`lm_head` for the rows that sample."""
        parameters = self.model.head_parameters
        return Cost(BF16_BYTES * parameters if rows else 0, 2 * rows * parameters)

    def experts(self, tokens: int) -> Cost:
        """The experts that the step's tokens touch, in all layers."""
        parameters = self.model.expert_parameters
        if not parameters:
            return Cost(0, 0)
        touched = distinct_experts(self.model, tokens)
        flop = 2 * tokens * self.model.active_experts * parameters
        return Cost(BF16_BYTES * parameters * touched, flop)

    def kv(self, chunks: Iterable[Chunk]) -> Cost:
        """Keys and values of every scheduled request, read once."""
        tokens = sum(chunk.context + chunk.tokens for chunk in chunks)
        return Cost(tokens * self.model.kv_bytes_per_token, 0)

    def chunk_attention(self, chunks: Iterable[Chunk]) -> Cost:
        """Causal attention of prompt chunks: scores and values, 4 FLOP a pair.

        A prompt of T tokens in one chunk needs 2 T^2 x layers x heads x head_dim.
        """
        width = self.model.layers * self.model.query_heads * self.model.head_dim
        pairs = sum(
            chunk.tokens * (chunk.context + chunk.tokens / 2)
            for chunk in chunks
            if chunk.tokens > 1
        )
        return Cost(0, 4 * pairs * width)

    def step_seconds(self, chunks: list[Chunk]) -> float:
        """Time of one step; operator classes run one after another, so they add.

        overhead + each of projections, head, experts, KV and chunk attention at
        the slower of its reading and its computing [C:CAL].
        """
        tokens = sum(chunk.tokens for chunk in chunks)
        rows = sum(chunk.samples for chunk in chunks)
        costs = (
            self.projections(tokens),
            self.head(rows),
            self.experts(tokens),
            self.kv(chunks),
            self.chunk_attention(chunks),
        )
        spent = sum(cost.seconds(self.machine) for cost in costs)
        return self.machine.step_overhead_s + spent
