"""How long a run will take: the roofline's time for it, scaled by the last runs.

Pure arithmetic; which runs those are is the caller's. A closed loop goes in rounds: in
each, every user's prompt takes steps of its own, in which the others decode, too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from interview.measure.workload import default_warmup
from interview.spark.profiles import DGX_SPARK, QWEN3_8B, QWEN3_30B_A3B
from interview.spark.roofline import Chunk, Roofline

from .errors import OverCap
from .spec import Spec

STEP_TOKENS = 2048
"""Prompt tokens that one step takes at most."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Of one run, from its first request to its last token."""

    seconds: float
    longest_s: float
    """Its longest repetition of a level."""
    runs: int
    """Past runs that scaled it; 0 when there were none."""

    @property
    def origin(self) -> str:
        """Where the seconds come from, in words."""
        if not self.runs:
            return "by the roofline of the simulated DGX Spark"
        if self.runs == 1:
            return "by the last run on this endpoint"
        return f"by the last {self.runs} runs on this endpoint"

    @property
    def sentence(self) -> str:
        return f"about {duration(self.seconds)}, {self.origin}"

    def check(self, run_cap_s: float, repetition_cap_s: float) -> None:
        """Raises OverCap with a sentence that names the cap."""
        if self.seconds > run_cap_s:
            raise OverCap(
                f"This load would take {self.sentence}; this lab allows "
                f"{duration(run_cap_s)} for a whole run. Take fewer levels, "
                "repetitions or requests."
            )
        if self.longest_s > repetition_cap_s:
            raise OverCap(
                f"One repetition of this load would take about "
                f"{duration(self.longest_s)}, {self.origin}; this lab allows "
                f"{duration(repetition_cap_s)}. Take fewer requests or shorter answers."
            )


def expectation(
    spec: Spec, model_name: str, past: Sequence[tuple[Spec, float]] = ()
) -> Expectation:
    """`past` are runs of this model at this endpoint, each with its seconds."""
    repetitions = modelled_s(spec, model_name)
    scale = median([took / sum(modelled_s(s, model_name)) for s, took in past] or [1])
    return Expectation(
        seconds=scale * sum(repetitions),
        longest_s=scale * max(repetitions),
        runs=len(past),
    )


def modelled_s(spec: Spec, model_name: str) -> list[float]:
    """Seconds of each repetition, the first of a load's level with its warm-up."""
    dense = QWEN3_8B.name.lower() in model_name.lower()
    roofline = Roofline(DGX_SPARK, QWEN3_8B if dense else QWEN3_30B_A3B)
    found = []
    for users, requests in spec.level_requests:
        seconds = requests / users * round_s(roofline, spec, users)
        warmup_s = round_s(roofline, spec, default_warmup(users))
        found += [seconds + warmup_s * spec.is_load] + [seconds] * (spec.repeat - 1)
    return found


def round_s(roofline: Roofline, spec: Spec, users: int) -> float:
    """Each of `users` gets one whole answer."""
    prompt, answer = spec.prompt_tokens_at_most, spec.max_tokens
    others = [Chunk(1, prompt + answer // 2)] * (users - 1)
    chunks = math.ceil(prompt / STEP_TOKENS)
    with_prompt_s = sum(
        roofline.step_seconds(
            [
                Chunk(min(STEP_TOKENS, prompt - STEP_TOKENS * n), STEP_TOKENS * n),
                *others,
            ]
        )
        for n in range(chunks)
    )
    decode_s = roofline.step_seconds([*others, Chunk(1, prompt + answer // 2)])
    return users * with_prompt_s + max(0, answer - users * chunks) * decode_s


def duration(seconds: float) -> str:
    """Rounded as one says it: "40 s", "6 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min"
