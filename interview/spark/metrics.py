"""What the server counts and times, under vLLM 0.31's metric names [V:MET-1] on.

Fed with delivered outputs; times become seconds of the wall clock, as a client's are.
"""

from itertools import groupby

from .exposition import Histogram
from .request import FinishReason, Request
from .scheduler import Output

# Bucket bounds as in vLLM's v1/metrics/buckets.py.
_REQUEST_S = (
    *(0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480),
    *(960, 1920, 7680),
)
_TTFT_S = (
    *(0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5),
    *(7.5, 10, 20, 40, 80, 160, 640, 2560),
)
_ITL_S = (
    *(0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5),
    *(10, 20, 40, 80),
)
_STEP_TOKENS = (1, *(2**power for power in range(3, 15)))
_FEW = (1, 2, 5, 10, 20)
_PREEMPTIONS = (1, 2, 3, 4, 5, 10, 20)


def _request_tokens(longest: int) -> tuple[float, ...]:
    """The series 1, 2, 5, 10, 20, 50 … up to the longest context."""
    series = (m * 10**power for power in range(9) for m in (1, 2, 5))
    return tuple(bound for bound in series if bound <= longest)


HISTOGRAMS = {
    "request_prompt_tokens": "Number of prefill tokens processed.",
    "request_generation_tokens": "Number of generation tokens processed.",
    "iteration_tokens_total": "Tokens of each engine step.",
    "request_max_num_generation_tokens": "Most generation tokens a request asked for.",
    "request_params_n": "The n request parameter.",
    "request_params_max_tokens": "The max_tokens request parameter.",
    "time_to_first_token_seconds": "Time to first token in seconds.",
    "inter_token_latency_seconds": "Inter-token latency in seconds.",
    "request_time_per_output_token_seconds": "Time per output token of each request.",
    "e2e_request_latency_seconds": "End-to-end request latency in seconds.",
    "request_queue_time_seconds": "Time a request spent waiting.",
    "request_inference_time_seconds": "Time a request spent running.",
    "request_prefill_time_seconds": "Time a request spent in prefill.",
    "request_decode_time_seconds": "Time a request spent in decode.",
    "request_num_preemptions": "How often a request was preempted.",
    "request_prefill_kv_computed_tokens": "Prompt tokens computed, not cached.",
}


def _bounds(name: str, longest: int) -> tuple[float, ...]:
    special = {
        "iteration_tokens_total": _STEP_TOKENS,
        "request_params_n": _FEW,
        "time_to_first_token_seconds": _TTFT_S,
        "inter_token_latency_seconds": _ITL_S,
        "request_time_per_output_token_seconds": _ITL_S,
        "request_num_preemptions": _PREEMPTIONS,
    }
    general = _REQUEST_S if name.endswith("_seconds") else _request_tokens(longest)
    return special.get(name, general)


class Metrics:
    """The server's ledger; `observe` takes outputs as they reach clients."""

    def __init__(self, model_name: str, longest: int, speed: float) -> None:
        self.labels = {"engine": "0", "model_name": model_name}
        self.speed = speed
        self.prompt_tokens = 0
        self.cached_tokens = 0
        self.generation_tokens = 0
        self.finished = dict.fromkeys(FinishReason, 0)
        self.histograms = {
            name: Histogram(_bounds(name, longest)) for name in HISTOGRAMS
        }
        self._delivered_at: dict[Request, float] = {}

    def observe(self, outputs: list[Output]) -> None:
        """Take outputs in order of delivery; equal times are one engine step."""
        for _, step in groupby(outputs, key=lambda output: output.at):
            tokens = sum(self._token(output) for output in step)
            self.histograms["iteration_tokens_total"].observe(tokens)

    def stopped(self, request: Request) -> None:
        """A stop string ended a request before the engine did [V:LIFE-7]."""
        self._finish(request, FinishReason.STOP)

    def forget(self, request: Request) -> None:
        """An aborted request counts no further, as in vLLM."""
        self._delivered_at.pop(request, None)

    def _token(self, output: Output) -> int:
        request = output.request
        before = self._delivered_at.get(request)
        self._delivered_at[request] = output.at
        self.generation_tokens += 1
        tokens = 1
        if before is None:
            self.prompt_tokens += len(request.prompt)
            self.cached_tokens += request.cached_tokens or 0
            tokens += len(request.prompt)
            self._time("time_to_first_token", request.arrived_at, output.at)
        else:
            self._time("inter_token_latency", before, output.at)
        if output.finish_reason is not None:
            self._finish(request, output.finish_reason)
        return tokens

    def _finish(self, request: Request, reason: FinishReason) -> None:
        self.finished[reason] += 1
        delivered = self._delivered_at.pop(request, None)
        first, last = request.first_token_at, request.last_token_at
        self._time("e2e_request_latency", request.arrived_at, delivered)
        self._time("request_queue_time", request.queued_at, request.scheduled_at)
        self._time("request_prefill_time", request.scheduled_at, first)
        self._time("request_decode_time", first, last)
        self._time("request_inference_time", request.scheduled_at, last)
        self._per_output_token(request)
        prompt, output = len(request.prompt), len(request.output)
        for name, value in (
            ("request_prompt_tokens", prompt),
            ("request_generation_tokens", output),
            ("request_max_num_generation_tokens", output),
            ("request_params_n", 1),
            ("request_params_max_tokens", request.max_tokens),
            ("request_num_preemptions", request.preemptions),
            (
                "request_prefill_kv_computed_tokens",
                prompt - (request.cached_tokens or 0),
            ),
        ):
            self.histograms[name].observe(value)

    def _per_output_token(self, request: Request) -> None:
        first, last = request.first_token_at, request.last_token_at
        if first is not None and last is not None:
            gaps = max(1, len(request.output) - 1)
            per_token = (last - first) / gaps / self.speed
            self.histograms["request_time_per_output_token_seconds"].observe(per_token)

    def _time(self, name: str, begin: float | None, end: float | None) -> None:
        if begin is not None and end is not None:
            self.histograms[f"{name}_seconds"].observe((end - begin) / self.speed)
