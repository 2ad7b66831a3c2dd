"""The hardware's limit of a run's TPOT: which profiles, which lengths, in words.

The arithmetic is `interview.spark.limits`; nothing here measures.
"""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from interview.spark.accelerator import Accelerator
from interview.spark.architecture import Model
from interview.spark.catalogue import Catalogue, ProfileError, read_catalogue
from interview.spark.limits import Limit, limit
from interview.spark.profiles import DGX_SPARK, PROFILES
from interview.web.numbers import number, with_unit

from ..endpoint import Endpoint
from ..models import Kind, Run
from .result import Result

GB = 1e9
OVER_PERCENT = 100.5
"""A share above it is no rounding: the run was faster than the limit."""


class NoLimit(Exception):
    """No limit can be given; the sentence says why and what to do."""


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the working."""

    name: str
    gigabytes: float
    working: str


@dataclass(frozen=True, slots=True)
class RunLimit:
    """The limit at one load beside what was measured there; or why there is none."""

    limit: Limit | None = None
    reason: str = ""
    """A sentence when there is no limit."""
    measured_ms: float | None = None
    """TPOT."""
    users: int = 1
    """Requests in each step."""
    machine: str = ""
    model: str = ""
    parts: tuple[Part, ...] = ()
    """Bytes that a step reads."""

    @property
    def tpot_ms(self) -> float | None:
        return self.limit.tpot_ms if self.limit else None

    @property
    def share_percent(self) -> float | None:
        """Of the peak bandwidth, by the measured TPOT."""
        if self.limit is None or not self.measured_ms:
            return None
        return self.limit.share_percent(self.measured_ms)

    @property
    def is_beaten(self) -> bool:
        """Measured below the limit: one of the assumptions does not hold."""
        return (self.share_percent or 0) > OVER_PERCENT

    @property
    def needs_routing(self) -> bool:
        """Requests that share a step touch as many experts as uniform routing says."""
        found = self.limit
        return found is not None and bool(found.distinct_experts) and self.users > 1

    @property
    def reads(self) -> str:
        """A sentence: what a step has to read before it can end."""
        amount = with_unit(self.gigabytes, 3, "GB")
        memory = f"from the memory of the {self.machine}"
        if self.users == 1:
            return f"Every step must read {amount} {memory}."
        step = f"step in which {number(self.users)} requests decode"
        if self.needs_routing:
            return f"With uniform routing a {step} would read {amount} {memory}."
        return f"A {step} reads {amount} {memory}."

    @property
    def gigabytes(self) -> float | None:
        return self.limit.bytes_all / GB if self.limit else None

    @property
    def gigabytes_per_s(self) -> float | None:
        return self.limit.bandwidth_bytes_per_s / GB if self.limit else None


def limit_of(run: Run, result: Result | None) -> RunLimit:
    """Of a single request: its own lengths where they are known, else those asked."""
    prompt, tokens = run.asked.prompt_tokens_at_most, run.asked.max_tokens
    if result is not None:
        prompt, tokens = result.prompt_tokens or prompt, result.tokens or tokens
    measured_ms = result.tpot_ms if result else None
    return limit_at(run, 1, mean_context(prompt, tokens), measured_ms)


def mean_context(prompt_tokens: int, output_tokens: int) -> int:
    """Tokens in a request's KV cache, averaged over its decode steps [H:ROOF-4]."""
    return prompt_tokens + output_tokens // 2


def limit_at(
    run: Run, users: int, context_tokens: int, measured_ms: float | None = None
) -> RunLimit:
    """On this run's machine and model, with `users` requests in each step."""
    try:
        machine, model = profiles_of(run)
    except NoLimit as why:
        return RunLimit(reason=f"No limit is drawn: {why}", measured_ms=measured_ms)
    found = limit(machine, model, users, context_tokens)
    return RunLimit(
        limit=found,
        measured_ms=measured_ms,
        users=users,
        machine=machine.name,
        model=model.name,
        parts=parts(found, model, users, context_tokens),
    )


def profiles_of(run: Run) -> tuple[Accelerator, Model]:
    """What the run ran on, by LAB_HARDWARE then and the served model; or NoLimit."""
    if run.simulated:
        # The simulator knows no other machine, whatever the settings say.
        return matched(DGX_SPARK.name, run.model, PROFILES)
    hardware = run.hardware or hardware_in_force(run)
    try:
        catalogue = known_profiles(own_profiles())
    except ProfileError as wrong:
        raise NoLimit(str(wrong)) from wrong
    if not hardware:
        raise NoLimit(
            "LAB_HARDWARE is not set: set it to the machine’s name to see its limit."
        )
    return matched(hardware, run.model, catalogue)


def hardware_in_force(run: Run) -> str:
    """For a run that does not know its machine; raises NoLimit for other endpoints."""
    if run.kind == Kind.IMPORTED:
        raise NoLimit("the imported file does not say on which machine it was made.")
    if run.endpoint != Endpoint.current().name:
        raise NoLimit(
            f"this run was made at {run.endpoint}, and LAB_HARDWARE speaks of another "
            "endpoint."
        )
    return str(settings.LAB_HARDWARE)


def own_profiles() -> Path:
    return Path(settings.DATA_DIR) / "profiles.toml"


def known_profiles(own: Path) -> Catalogue:
    """Own profiles over those that come with the product; raises ProfileError."""
    return read_catalogue(own).over(PROFILES) if own.exists() else PROFILES


def matched(
    hardware: str, served: str, catalogue: Catalogue
) -> tuple[Accelerator, Model]:
    machine, model = catalogue.machine(hardware), catalogue.model(served)
    if machine is None or model is None:
        unknown = [] if machine else [f"the machine “{hardware}” (LAB_HARDWARE)"]
        unknown += [] if model else [f"the model “{served}”"]
        named = " and ".join(unknown)
        raise NoLimit(f"no profile for {named}: add one in {own_profiles()}.")
    if machine.memory_bytes and model.weight_bytes > machine.memory_bytes:
        raise NoLimit(
            f"{model.name} has {number(model.weight_bytes / GB, 1)} GB of 16-bit "
            f"weights, more than the {number(machine.memory_bytes / GB, 1)} GB of one "
            f"{machine.name}. If it is split over several, add a machine with their "
            f"bandwidth and memory together in {own_profiles()}."
        )
    return machine, model


def parts(
    found: Limit, model: Model, users: int, context_tokens: int
) -> tuple[Part, ...]:
    mlp = "router" if model.experts else "MLP"
    dense = f"attention, {mlp}, norms and lm_head: all of them, once a step"
    lines = [Part("Dense part", found.bytes_dense / GB, dense)]
    if found.distinct_experts is not None:
        each = found.bytes_experts / found.distinct_experts / GB
        lines.append(
            Part(
                "Distinct experts",
                found.bytes_experts / GB,
                f"{number(found.distinct_experts, 1)} of {number(model.experts)} in "
                f"each layer × {number(each, 3)} GB",
            )
        )
    requests = f"{number(users)} request{'' if users == 1 else 's'}"
    kv = (
        f"{requests} × {number(context_tokens)} tokens (prompt and half the answer) "
        f"× {number(model.kv_bytes_per_token)} bytes"
    )
    return (*lines, Part("KV cache", found.bytes_kv / GB, kv))
