"""The machines and models that come with the product, from `profiles.toml`.

Adds what the simulated machine is calibrated to. No figure here was measured by us.
"""

from dataclasses import replace
from pathlib import Path

from .accelerator import GIB, Accelerator, Machine
from .architecture import BF16_BYTES, Model
from .catalogue import read_catalogue

__all__ = [
    "BF16_BYTES",
    "DGX_SPARK",
    "GIB",
    "PROFILES",
    "QWEN3_8B",
    "QWEN3_30B_A3B",
    "Accelerator",
    "Machine",
    "Model",
    "kv_blocks",
]

PROFILES = read_catalogue(Path(__file__).with_name("profiles.toml"))

_SPARK = PROFILES.machines["dgx spark"]

DGX_SPARK = Machine(
    name=_SPARK.name,
    peak_bytes_per_s=_SPARK.peak_bytes_per_s,
    read_bytes_per_s=225e9,
    matrix_flop_per_s=70e12,
    step_overhead_s=4.5e-3,
    memory_bytes=int(121.6 * GIB),
    memory_utilization=0.85,
    reserve_bytes=3 * GIB,
)

# Spread and cap are those of [C:CAL] set A.
QWEN3_30B_A3B = replace(
    PROFILES.models["qwen/qwen3-30b-a3b"], routing_spread=0.75, coverage_cap=0.90
)

QWEN3_8B = PROFILES.models["qwen/qwen3-8b"]


def kv_blocks(machine: Machine, model: Model, block_tokens: int) -> int:
    """How many KV cache blocks fit beside the weights [H:MOD-7]."""
    usable = machine.memory_bytes * machine.memory_utilization
    free = usable - model.weight_bytes - machine.reserve_bytes
    return int(free // (model.kv_bytes_per_token * block_tokens))
