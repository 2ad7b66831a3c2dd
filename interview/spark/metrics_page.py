"""The page at /metrics: the ledger and the scheduler's state, in vLLM's order."""

from collections.abc import Iterator, Mapping

from .blocks import BLOCK_TOKENS
from .exposition import Labels, family, sample
from .metrics import HISTOGRAMS, Metrics
from .scheduler import Scheduler


def metrics_page(metrics: Metrics, scheduler: Scheduler) -> str:
    """Prometheus text of everything that this server counts."""
    lines = (
        *_gauges(metrics.labels, scheduler),
        *_scheduler_counters(metrics.labels, scheduler),
        *_request_counters(metrics),
        *_histograms(metrics),
        *_cache_config(metrics.labels, scheduler),
    )
    return "\n".join((*lines, ""))


def _gauges(labels: Labels, scheduler: Scheduler) -> Iterator[str]:
    waiting = len(scheduler.waiting)
    yield from _one(
        "gauge",
        "num_requests_running",
        "Number of requests in model execution batches.",
        labels,
        len(scheduler.running),
    )
    yield from _one(
        "gauge",
        "num_requests_waiting",
        "Number of requests waiting to be processed.",
        labels,
        waiting,
    )
    yield from _by(
        "gauge",
        "num_requests_waiting_by_reason",
        "Number of waiting requests by reason.",
        labels,
        ("reason", {"capacity": waiting, "deferred": 0}),
    )
    yield from _one(
        "gauge",
        "kv_cache_usage_perc",
        "KV-cache usage. 1 means 100 percent usage.",
        labels,
        scheduler.pool.usage,
    )


def _scheduler_counters(labels: Labels, scheduler: Scheduler) -> Iterator[str]:
    tally = scheduler.tally
    for name, text, value in (
        ("prefix_cache_queries", "Prompt tokens looked up.", tally.prefix_queries),
        ("prefix_cache_hits", "Prompt tokens found cached.", tally.prefix_hits),
        ("num_preemptions", "Preemptions so far.", tally.preemptions),
    ):
        yield from _one("counter", f"{name}_total", text, labels, value)


def _request_counters(metrics: Metrics) -> Iterator[str]:
    labels, cached = metrics.labels, metrics.cached_tokens
    prompt = metrics.prompt_tokens
    yield from _one(
        "counter", "prompt_tokens_total", "Prompt tokens done.", labels, prompt
    )
    sources = {
        "local_compute": prompt - cached,
        "local_cache_hit": cached,
        "external_kv_transfer": 0,
    }
    yield from _by(
        "counter",
        "prompt_tokens_by_source_total",
        "Prompt tokens by source.",
        labels,
        ("source", sources),
    )
    for name, text, value in (
        ("prompt_tokens_cached", "Prompt tokens from the cache.", cached),
        ("generation_tokens", "Tokens generated.", metrics.generation_tokens),
    ):
        yield from _one("counter", f"{name}_total", text, labels, value)
    yield from _by(
        "counter",
        "request_success_total",
        "Finished requests by reason.",
        labels,
        ("finished_reason", {str(k): v for k, v in metrics.finished.items()}),
    )


def _histograms(metrics: Metrics) -> Iterator[str]:
    for name, histogram in metrics.histograms.items():
        full = f"vllm:{name}"
        samples = histogram.samples(full, metrics.labels)
        yield from family("histogram", full, HISTOGRAMS[name], samples)


def _cache_config(labels: Labels, scheduler: Scheduler) -> Iterator[str]:
    config = {
        "block_size": str(BLOCK_TOKENS),
        "enable_prefix_caching": str(scheduler.limits.prefix_cache),
        "engine": labels["engine"],
        "num_gpu_blocks": str(scheduler.pool.usable + 1),
    }
    text = "Sizes of the KV cache."
    yield from _one("gauge", "cache_config_info", text, config, 1)


def _one(
    kind: str, name: str, text: str, labels: Labels, value: float
) -> Iterator[str]:
    full = f"vllm:{name}"
    yield from family(kind, full, text, [sample(full, labels, value)])


def _by(
    kind: str,
    name: str,
    text: str,
    labels: Labels,
    split: tuple[str, Mapping[str, float]],
) -> Iterator[str]:
    full, (key, values) = f"vllm:{name}", split
    samples = [sample(full, {**labels, key: of}, n) for of, n in values.items()]
    yield from family(kind, full, text, samples)
