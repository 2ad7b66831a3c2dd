"""A model's shape as numbers, and the sizes that follow from it.

Knows no machine and no formula of time; see `roofline`.
"""

from dataclasses import dataclass

BF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class Model:
    """One decoder-only model. Parameter counts follow from the shape [H:MOD-4]."""

    name: str
    layers: int
    hidden: int
    query_heads: int
    kv_heads: int
    head_dim: int
    mlp_width: int
    """Per expert; of the whole MLP when the model is dense."""
    experts: int
    """0 for a dense model."""
    active_experts: int
    vocabulary: int
    max_positions: int
    qk_norm: bool = False
    """Whether queries and keys of each head pass a norm [H:MOD-6]."""
    routing_spread: float = 0.0
    """Standard deviation of the log of an expert's popularity; 0 is uniform."""
    coverage_cap: float = 1.0
    """Share of experts that traffic ever uses; unverified [C:CAL-11]."""

    @property
    def attention_parameters(self) -> int:
        """Of one layer: query, key, value and output projections, QK norms if any."""
        query = self.hidden * self.query_heads * self.head_dim
        key_value = self.hidden * self.kv_heads * self.head_dim
        norms = 2 * self.head_dim if self.qk_norm else 0
        return 2 * query + 2 * key_value + norms

    @property
    def mlp_parameters(self) -> int:
        """Of one expert, or of the MLP of a dense layer: gate, up and down."""
        return 3 * self.hidden * self.mlp_width

    @property
    def projection_parameters(self) -> int:
        """What each token passes outside experts and head, in all layers."""
        router = self.hidden * self.experts
        dense_mlp = 0 if self.experts else self.mlp_parameters
        layer = self.attention_parameters + router + 2 * self.hidden + dense_mlp
        return self.layers * layer + self.hidden

    @property
    def head_parameters(self) -> int:
        """`lm_head`; read whole in each step that samples [H:MOD-5]."""
        return self.hidden * self.vocabulary

    @property
    def expert_parameters(self) -> int:
        """One expert in all layers."""
        return self.layers * self.mlp_parameters if self.experts else 0

    @property
    def weight_bytes(self) -> int:
        """Everything in memory, both embedding tables included."""
        experts = self.experts * self.expert_parameters
        tables = 2 * self.head_parameters
        return BF16_BYTES * (self.projection_parameters + experts + tables)

    @property
    def kv_bytes_per_token(self) -> int:
        """[H:MOD-1]"""
        return 2 * self.layers * self.kv_heads * self.head_dim * BF16_BYTES
