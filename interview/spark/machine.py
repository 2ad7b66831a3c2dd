"""Puts a simulated server together from options; opens no socket."""

from dataclasses import dataclass

from .app import VERSION, App
from .blocks import BLOCK_TOKENS, BlockPool
from .core import EngineCore
from .engine import Engine
from .frontend import FrontEnd
from .generation import Generator
from .metrics import Metrics
from .profiles import DGX_SPARK, QWEN3_8B, QWEN3_30B_A3B, Machine, Model, kv_blocks
from .roofline import Roofline
from .scheduler import Limits, Scheduler


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line may change."""

    speed: float = 1.0
    prefix_cache: bool = True
    token_budget: int = 2048
    dense: bool = False
    """Serve Qwen3-8B, whose every step reads the same weights [H:ROOF-5]."""
    reasoning: bool = False
    api_key: str | None = None
    max_queued_requests: int | None = None

    @property
    def model(self) -> Model:
        return QWEN3_8B if self.dense else QWEN3_30B_A3B

    @property
    def limits(self) -> Limits:
        """A budget must cover a token of every running request [V:SCH-17]."""
        sequences = min(256, self.token_budget)
        return Limits(self.token_budget, sequences, self.prefix_cache)

    @property
    def badge(self) -> str:
        """The value of the X-Prefill-Simulated header of every answer."""
        return f"dgx-spark; speed={self.speed:g}"


def build_front_end(
    limits: Limits, model: Model = QWEN3_30B_A3B, machine: Machine = DGX_SPARK
) -> FrontEnd:
    """A cold machine on its own virtual clock."""
    pool = BlockPool(kv_blocks(machine, model, BLOCK_TOKENS))
    core = EngineCore(Scheduler(limits, pool), Roofline(machine, model))
    return FrontEnd(core)


def build_app(options: Options) -> App:
    """The application; its clock starts now."""
    model = options.model
    served = f"{model.name}-simulated"
    limits = options.limits
    metrics = Metrics(served, model.max_positions, options.speed)
    engine = Engine(build_front_end(limits, model), metrics, options.speed)
    fingerprint = f"vllm-{VERSION}-simulated-dgx-spark-speed-{options.speed:g}"
    generator = Generator(engine, served, fingerprint, options.max_queued_requests)
    return App(
        generator,
        aliases=frozenset({model.name}),
        longest=model.max_positions,
        reasoning=options.reasoning,
        api_key=options.api_key,
        badge=options.badge.encode(),
    )
