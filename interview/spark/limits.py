"""The least time per output token that a machine's memory bandwidth allows.

Bytes are those of `roofline`, at the data sheet's bandwidth and with uniform routing
[H:ROOF-1]. Uniform routing touches the most experts: where requests share a step,
skewed routing may be faster [H:ROOF-4]. Knows no measurement.
"""

from dataclasses import dataclass, replace

from .accelerator import Accelerator
from .architecture import Model
from .catalogue import Catalogue
from .profiles import DGX_SPARK, PROFILES
from .roofline import Chunk, Roofline, distinct_experts


@dataclass(frozen=True, slots=True)
class Limit:
    """One decode step with a token for each of `users`, limited by reading alone."""

    tpot_ms: float
    output_tokens_per_s: float
    """Of all users together."""
    bytes_dense: int
    """Attention, norms, router and `lm_head`; of a dense model its MLP, too."""
    bytes_experts: float
    bytes_kv: float
    distinct_experts: float | None
    """Of a layer, expected; None for a dense model."""
    bandwidth_bytes_per_s: float
    assumptions: tuple[str, ...]
    """Sentences."""

    @property
    def bytes_all(self) -> float:
        return self.bytes_dense + self.bytes_experts + self.bytes_kv

    def share_percent(self, tpot_ms: float) -> float:
        """How much of the peak bandwidth a measured TPOT amounts to."""
        return 100 * self.tpot_ms / tpot_ms


def find(
    hardware_name: str, model_name: str, catalogue: Catalogue = PROFILES
) -> tuple[Accelerator, Model] | None:
    """The profiles of both, or None when one is unknown."""
    machine = catalogue.machine(hardware_name)
    model = catalogue.model(model_name)
    return (machine, model) if machine and model else None


def limit(machine: Accelerator, model: Model, users: int, context_tokens: int) -> Limit:
    """The limit at a batch of `users`, each with `context_tokens` in its KV cache.

    [H:ROOF-1] to [H:ROOF-4]; a context of 0 leaves the weights alone.
    """
    uniform = replace(model, routing_spread=0.0, coverage_cap=1.0)
    # Bytes depend on the model alone: the machine of this roofline gives none.
    reads = Roofline(DGX_SPARK, uniform)
    dense = reads.projections(users).bytes + reads.head(users).bytes
    experts = reads.experts(users).bytes
    kv = reads.kv([Chunk(1, context_tokens - 1)] * users).bytes
    step_s = (dense + experts + kv) / machine.peak_bytes_per_s
    return Limit(
        tpot_ms=1e3 * step_s,
        output_tokens_per_s=users / step_s,
        bytes_dense=int(dense),
        bytes_experts=experts,
        bytes_kv=kv,
        distinct_experts=distinct_experts(uniform, users) if model.experts else None,
        bandwidth_bytes_per_s=machine.peak_bytes_per_s,
        assumptions=assumptions(machine, model, users),
    )


def assumptions(machine: Accelerator, model: Model, users: int) -> tuple[str, ...]:
    """What must hold for the limit, as sentences."""
    peak = machine.peak_bytes_per_s / 1e9
    said = [
        f"The memory of one {machine.name} delivers all of its {peak:,.10g} GB/s; "
        "computing, launching kernels and sampling cost no time.",
        "Weights and KV cache are 16-bit. Quantized ones need fewer bytes: "
        "their limit is lower.",
        "A step makes one token per request: no speculative decoding.",
    ]
    if model.experts and users > 1:
        said.append(
            "Routing is uniform: each token picks its "
            f"{model.active_experts} of {model.experts} experts evenly and "
            "independently. Skewed routing touches fewer: its limit is lower."
        )
    if users > 1:
        said.append(f"All {users:,} requests decode in every step.")
    return tuple(said)
