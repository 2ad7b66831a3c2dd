"""Asks one target, one request after another or many at once, and gives their results.

It alone decides what is asked again: nothing but a 400 that names the stream options.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import httpx

from interview.measure.client import Client, Clock
from interview.measure.intake import Backlog
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
        http: Client,
        target: Target,
        clock: Clock,
        models: Sequence[str] = (),
    ) -> None:
        self._http = http
        self._target = target
        self._clock = clock
        self._models = tuple(models)
        self._usage: UsageLevel = "continuous"
        self._backlog = Backlog()
        self._like = http.build_request(
            "POST", target.completions_url, json={}, headers=dict(target.headers)
        )

    async def send(self, ask: Ask, watcher: Watcher, *, user: int = 0) -> Result:
        """Raises nothing for what server and network do; cancelled, it says so."""
        while True:
            usage = self._usage
            turn = Turn(self._http, watcher, self._backlog)
            watcher.phase("connecting", self._clock())
            ending = await turn.run(self._request(turn, ask, usage))
            if not _names_stream_options(turn, ending) or usage == "none":
                break
            if self._usage == usage:
                self._usage = _FEWER[usage]
        ending.ended_ns = self._clock()
        ending.error = self._with_models(ending)
        if usage != "continuous":
            ending.notes += ("no-continuous-usage",)
        result = result_of(turn.intake.decoder.answer(), ending, user=user)
        if result.error is None:
            return result
        return replace(result, error=self._target.without_key(result.error))

    def _with_models(self, ending: Ending) -> str | None:
        """The error; when the server lacks the model, with the models it has."""
        unknown = self._models and self._target.model not in self._models
        if ending.http_status == 404 and unknown:
            return f"{ending.error} Models here: {', '.join(self._models)}."
        return ending.error

    def _request(self, turn: Turn, ask: Ask, usage: UsageLevel) -> httpx.Request:
        # With a stream httpx leaves the headers as they are: to read the URL and merge
        # the headers anew would take a third of what a request costs.
        content = _json(body(self._target, ask, usage))
        like = self._like
        request = httpx.Request(
            like.method,
            like.url,
            headers=like.headers,
            stream=httpx.ByteStream(content),
            extensions=like.extensions | {"stamps": turn.stamps, "sink": turn.intake},
        )
        request.headers["Content-Length"] = str(len(content))
        return request


def _json(fields: dict[str, Any]) -> bytes:
    text = json.dumps(
        fields, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )
    return text.encode()


def _names_stream_options(turn: Turn, ending: Ending) -> bool:
    return ending.http_status == 400 and any(
        name in turn.intake.refused
        for name in (b"stream_options", b"continuous_usage_stats")
    )
