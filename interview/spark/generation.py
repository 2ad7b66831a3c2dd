"""From a checked ask to its answer: runs one request on the engine and sends it.

Knows the engine, the transcript and the exchange; no route.
"""

import asyncio
import secrets
import time
from collections.abc import Iterator

from .ask import Ask
from .engine import Engine, Feed
from .errors import Overloaded
from .exchange import JSON, Exchange, cancel
from .request import Request
from .scheduler import Output
from .script import END_TOKEN, write_script
from .transcript import Delta, Transcript
from .wire import DONE, Answer


class Generator:
    """Answers asks under one model name."""

    def __init__(
        self, engine: Engine, model: str, fingerprint: str, queue_limit: int | None
    ) -> None:
        self.engine = engine
        self.model = model
        self.fingerprint = fingerprint
        self.queue_limit = queue_limit

    async def answer(self, ask: Ask, exchange: Exchange, arrived_at: float) -> None:
        """Generate and send; a client that leaves ends the request at once."""
        if self.queue_limit is not None and self.engine.unfinished >= self.queue_limit:
            raise Overloaded
        prefix = "chatcmpl" if ask.api == "chat" else "cmpl"
        name = f"{prefix}-{secrets.token_hex(8)}"
        head = Answer(name, int(time.time()), self.model, self.fingerprint, ask)
        feed = self.engine.submit(_request(name, ask), arrived_at)
        watcher = asyncio.create_task(self._abort_when_gone(exchange, feed))
        send = self._stream if ask.stream else self._whole
        try:
            await send(head, feed, exchange)
        finally:
            self.engine.abort(feed.request)
            await cancel(watcher)

    async def _abort_when_gone(self, exchange: Exchange, feed: Feed) -> None:
        await exchange.gone()
        self.engine.abort(feed.request)

    async def _stream(self, head: Answer, feed: Feed, exchange: Exchange) -> None:
        await exchange.open_stream()
        ask, transcript = head.ask, _transcript(head.ask)
        opening = head.role_chunk() if ask.api == "chat" else b""
        async for outputs in feed:
            events = [opening]
            for delta in self._deltas(outputs, transcript):
                if not _swallowed(delta, ask):
                    events.append(head.token_chunk(delta, transcript))
            await exchange.write(b"".join(events))
            opening = b""
        rest = opening
        if not transcript.finished:
            rest += head.token_chunk(transcript.cut(), transcript)
        if ask.include_usage:
            rest += head.usage_chunk(transcript, feed.request.cached_tokens or 0)
        await exchange.write(rest + DONE, last=True)

    async def _whole(self, head: Answer, feed: Feed, exchange: Exchange) -> None:
        transcript = _transcript(head.ask)
        parts: list[Delta] = []
        async for outputs in feed:
            parts += self._deltas(outputs, transcript)
        if not transcript.finished:
            parts.append(transcript.cut())
        cached = feed.request.cached_tokens or 0
        await exchange.reply(200, head.whole(parts, transcript, cached), JSON)

    def _deltas(self, outputs: list[Output], transcript: Transcript) -> Iterator[Delta]:
        """What the outputs add; a stop string ends the request in the engine."""
        for output in outputs:
            if transcript.finished:
                return
            delta = transcript.add(output.token, output.finish_reason)
            if transcript.finished:
                self.engine.stop(output.request)
            yield delta


def _request(name: str, ask: Ask) -> Request:
    earliest_end = None if ask.ignore_eos else ask.min_tokens
    script = write_script(ask.prompt, thinking=ask.thinking, earliest_end=earliest_end)
    return Request(
        id=name,
        prompt=ask.prompt,
        max_tokens=ask.max_tokens,
        sample=script.token,
        end_token=END_TOKEN,
        cache_salt=ask.cache_salt,
    )


def _transcript(ask: Ask) -> Transcript:
    return Transcript(
        ask.stop, include_stop=ask.include_stop, min_tokens=ask.min_tokens
    )


def _swallowed(delta: Delta, ask: Ask) -> bool:
    """Whether vLLM's reasoning parser would send nothing for this token."""
    if delta.finish_reason is not None or ask.return_token_ids:
        return False
    return delta.mark or (delta.reasoning and not ask.include_reasoning)
