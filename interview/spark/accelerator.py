"""Accelerators as numbers: what a data sheet says, and what a calibration adds.

Knows no model and no formula of time; see `roofline`.
"""

from dataclasses import dataclass

GIB = 2**30


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One accelerator by its data sheet."""

    name: str
    peak_bytes_per_s: float
    """Memory bandwidth."""
    memory_bytes: int | None
    """None where no checked figure is at hand."""


@dataclass(frozen=True, slots=True)
class Machine(Accelerator):
    """An accelerator calibrated for the simulation of step times."""

    memory_bytes: int
    """What CUDA and the operating system see [H:HW-2]."""
    read_bytes_per_s: float
    """What a step reaches: 97 % of a read kernel's 232 GB/s [H:HW-7], [C:CAL] set A."""
    matrix_flop_per_s: float
    """BF16 matrix rate, inside the 62 to 125 TFLOPS of [H:HW-5], [C:CAL] set A."""
    step_overhead_s: float
    """Small kernels, launch gaps and sampling, per step, [C:CAL] set A."""
    memory_utilization: float
    """Share of memory an engine may take; recipes for GB10 say 0.85 [H:HW-10]."""
    reserve_bytes: int
    """Activations and CUDA graphs, assumed [H:MOD-7]."""
