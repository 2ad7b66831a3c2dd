"""Asks one target, one request after another or many at once, and gives their results.

It alone decides what is asked again: nothing but a 400 that names the stream options.
"""

from collections.abc import Sequence
from dataclasses import replace

import httpx

from interview.measure.client import Clock
from interview.measure.outcome import Ending
from interview.measure.result import Result, result_of
from interview.measure.target import Ask, Target, UsageLevel, body
from interview.measure.turn import Turn, Watcher

_FEWER: dict[UsageLevel, UsageLevel] = {"continuous": "final", "final": "none"}


class Exchange:
    """Remembers which token counts the endpoint refuses to stream.

    A request refused for them is sent again with fewer and a new t0; it and all later
    ones carry the note `no-continuous-usage`.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        target: Target,
        clock: Clock,
        models: Sequence[str] = (),
    ) -> None:
        self._http = http
        self._target = target
        self._clock = clock
        self._models = tuple(models)
        self._usage: UsageLevel = "continuous"

    async def send(self, ask: Ask, watcher: Watcher, *, user: int = 0) -> Result:
        """Raises nothing for what server and network do; cancelled, it says so."""
        while True:
            usage = self._usage
            turn = Turn(self._http, watcher)
            watcher.phase("connecting", self._clock())
            ending = await turn.run(self._request(turn, ask, usage))
            if not _names_stream_options(turn, ending) or usage == "none":
                break
            if self._usage == usage:
                self._usage = _FEWER[usage]
        notes = ending.notes + (
            () if usage == "continuous" else ("no-continuous-usage",)
        )
        ending = replace(
            ending,
            ended_ns=self._clock(),
            error=self._with_models(ending),
            notes=notes,
        )
        result = result_of(turn.intake.decoder.answer(), ending, user=user)
        return replace(result, error=self._target.without_key(result.error))

    def _with_models(self, ending: Ending) -> str | None:
        """The error; when the server lacks the model, with the models it has."""
        unknown = self._models and self._target.model not in self._models
        if ending.http_status == 404 and unknown:
            return f"{ending.error} Models here: {', '.join(self._models)}."
        return ending.error

    def _request(self, turn: Turn, ask: Ask, usage: UsageLevel) -> httpx.Request:
        return self._http.build_request(
            "POST",
            self._target.completions_url,
            json=body(self._target, ask, usage),
            headers=dict(self._target.headers),
            extensions={"stamps": turn.stamps, "sink": turn.intake},
        )


def _names_stream_options(turn: Turn, ending: Ending) -> bool:
    return ending.http_status == 400 and any(
        name in turn.intake.refused
        for name in (b"stream_options", b"continuous_usage_stats")
    )
