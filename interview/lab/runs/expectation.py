"""How long a run will take: the roofline's time for it, scaled by the last runs.

Pure arithmetic; which runs those are is the caller's. A closed loop goes in rounds: in
each, every user's prompt takes steps of its own, in which the others decode, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from interview.measure.workload import default_warmup
from interview.spark.profiles import DGX_SPARK, QWEN3_8B, QWEN3_30B_A3B
from interview.spark.roofline import Chunk, Roofline

from ..errors import OverCap
from .asked_load import AskedLoad
from .spec import Spec

STEP_TOKENS = 2048
"""Prompt tokens that one step takes at most."""
BLOCK_TOKENS = 16
"""Of the prefix cache; the last block of a prompt is computed in any case."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Of one run, from its first request to its last token."""

    seconds: float
    longest_s: float
    """Its longest repetition of a level."""
    runs: int
    """Past runs that scaled it; 0 when there were none."""
    is_bound: bool = False
    """It takes no longer, and may well end sooner."""

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
        if self.is_bound:
            return f"{duration(self.seconds)} at most; whoever drives ends it sooner"
        return f"about {duration(self.seconds)}, {self.origin}"

    def check(self, run_cap_s: float, repetition_cap_s: float) -> None:
        """Raises OverCap with a sentence that names the cap."""
        if self.seconds > run_cap_s:
            raise OverCap(
                f"This load would take {self.sentence}; this lab allows "
                f"{duration(run_cap_s)} for a whole run. Take fewer levels, "
                "repetitions or requests.",
                "LAB_MAX_RUN_SECONDS",
            )
        if self.longest_s > repetition_cap_s:
            raise OverCap(
                f"One repetition of this load would take about "
                f"{duration(self.longest_s)}, {self.origin}; this lab allows "
                f"{duration(repetition_cap_s)}. Take fewer requests or shorter "
                "answers.",
                "LAB_MAX_SECONDS",
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
    for load in spec.asked_loads:
        seconds = load.requests / load.users * round_s(roofline, load, load.users)
        warmup_s = warmup_round_s(roofline, load) if spec.is_load else 0
        found += [seconds + warmup_s] + [seconds] * (spec.repeat - 1)
    return found


def warmup_round_s(roofline: Roofline, load: AskedLoad) -> float:
    """Without neighbours, and before a prompt that comes again can be cached."""
    first = replace(load, neighbours=None, fresh_prompt=True)
    return round_s(roofline, first, default_warmup(load.users))


def round_s(roofline: Roofline, load: AskedLoad, users: int) -> float:
    """Each of `users` gets one whole answer, its neighbours their prompts' work."""
    context = load.prompt_tokens + load.max_tokens // 2
    others = [Chunk(1, context)] * (users - 1)
    prompts = [prefill(load.prompt_tokens, cached=not load.fresh_prompt)] * users
    if beside := load.neighbours:
        prompts += [prefill(beside.prompt_tokens)] * (users * beside.requests)
    chunks = [chunk for prompt in prompts for chunk in prompt]
    # Prompts of one kind take the same steps: each is worked out once.
    step_s = {chunk: roofline.step_seconds([chunk, *others]) for chunk in {*chunks}}
    decode_s = roofline.step_seconds([*others, Chunk(1, context)])
    decode_steps = max(0, load.max_tokens - len(chunks))
    return sum(step_s[chunk] for chunk in chunks) + decode_steps * decode_s


def prefill(prompt_tokens: int, *, cached: bool = False) -> list[Chunk]:
    """Its steps; of a prompt that is in the prefix cache the last block's."""
    start = max(0, prompt_tokens - BLOCK_TOKENS) if cached else 0
    return [
        Chunk(min(STEP_TOKENS, prompt_tokens - done), done)
        for done in range(start, prompt_tokens, STEP_TOKENS)
    ]


def duration(seconds: float) -> str:
    """Rounded as one says it: "40 s", "6 min", "2.5 h"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600, 1):g} h"
