"""Machines and models as numbers: sizes, rates, and where each figure comes from.

Knows no formula of time; see `roofline`. No figure here was measured by us.
"""

from dataclasses import dataclass

GIB = 2**30
BF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class Machine:
    """One accelerator as the roofline sees it."""

    name: str
    peak_bytes_per_s: float
    """Memory bandwidth on the data sheet [H:HW-1]."""
    read_bytes_per_s: float
    """What a step reaches: 97 % of a read kernel's 232 GB/s [H:HW-7], [C:CAL] set A."""
    matrix_flop_per_s: float
    """BF16 matrix rate, inside the 62 to 125 TFLOPS of [H:HW-5], [C:CAL] set A."""
    step_overhead_s: float
    """Small kernels, launch gaps and sampling, per step, [C:CAL] set A."""
    memory_bytes: int
    """What CUDA and the operating system see [H:HW-2]."""
    memory_utilization: float
    """Share of memory an engine may take; recipes for GB10 say 0.85 [H:HW-10]."""
    reserve_bytes: int
    """Activations and CUDA graphs, assumed [H:MOD-7]."""


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
    routing_spread: float = 0.0
    """Standard deviation of the log of an expert's popularity; 0 is uniform."""
    coverage_cap: float = 1.0
    """Share of experts that traffic ever uses; unverified [C:CAL-11]."""

    @property
    def attention_parameters(self) -> int:
        """Of one layer: query, key, value and output projections, two QK norms."""
        query = self.hidden * self.query_heads * self.head_dim
        key_value = self.hidden * self.kv_heads * self.head_dim
        return 2 * query + 2 * key_value + 2 * self.head_dim

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


DGX_SPARK = Machine(
    name="DGX Spark",
    peak_bytes_per_s=273e9,
    read_bytes_per_s=225e9,
    matrix_flop_per_s=70e12,
    step_overhead_s=4.5e-3,
    memory_bytes=int(121.6 * GIB),
    memory_utilization=0.85,
    reserve_bytes=3 * GIB,
)

# Spread and cap are those of [C:CAL] set A.
QWEN3_30B_A3B = Model(
    name="Qwen/Qwen3-30B-A3B",
    layers=48,
    hidden=2048,
    query_heads=32,
    kv_heads=4,
    head_dim=128,
    mlp_width=768,
    experts=128,
    active_experts=8,
    vocabulary=151936,
    max_positions=40960,
    routing_spread=0.75,
    coverage_cap=0.90,
)

QWEN3_8B = Model(
    name="Qwen/Qwen3-8B",
    layers=36,
    hidden=4096,
    query_heads=32,
    kv_heads=8,
    head_dim=128,
    mlp_width=12288,
    experts=0,
    active_experts=0,
    vocabulary=151936,
    max_positions=40960,
)


def kv_blocks(machine: Machine, model: Model, block_tokens: int) -> int:
    """How many KV cache blocks fit beside the weights [H:MOD-7]."""
    usable = machine.memory_bytes * machine.memory_utilization
    free = usable - model.weight_bytes - machine.reserve_bytes
    return int(free // (model.kv_bytes_per_token * block_tokens))
