"""One request on the wire, from connecting to the end of its answer.

Times nothing itself: stamps come from the transport.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from interview.measure.client import CONNECT_TIMEOUT_S, Client
from interview.measure.decoder import Piece
from interview.measure.intake import Backlog, Intake
from interview.measure.outcome import Ending
from interview.measure.refusal import (
    connection_words,
    error_in,
    no_stream,
    refusal,
)
from interview.measure.transport import Stamps

DRAIN_S = 1.0
"""How long after [DONE] the body may stay open before its connection is closed."""

_PHASES = {"sent_ns": "sent", "headers_ns": "accepted"}


class Watcher(Protocol):
    """Told what happens to a request as it happens; must return at once."""

    def phase(self, name: str, stamp_ns: int) -> None:
        """connecting, sent, accepted or first-token."""

    def piece(self, piece: Piece) -> None:
        """New text or tokens."""


class Unwatched:
    """Watches a request that nobody follows."""

    def phase(self, name: str, stamp_ns: int) -> None:
        pass

    def piece(self, piece: Piece) -> None:
        pass


@dataclass(slots=True)
class LiveStamps(Stamps):
    """Stamps that are told on: the transport sets a field the moment it knows it."""

    watcher: Watcher | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        Stamps.__setattr__(self, name, value)
        if value is not None and name in _PHASES and self.watcher is not None:
            self.watcher.phase(_PHASES[name], value)


class Turn:
    """Sends one request once and follows its answer."""

    def __init__(self, http: Client, watcher: Watcher, backlog: Backlog) -> None:
        self.stamps = LiveStamps(watcher=watcher)
        self.intake = Intake(backlog, self._piece, self._ended)
        self._http = http
        self._watcher = watcher
        self._limit: asyncio.Timeout | None = None
        self._had_token = False

    async def run(self, request: httpx.Request) -> Ending:
        """Raises nothing; a cancelled turn closes its connection and says so."""
        ending = Ending()
        response: httpx.Response | None = None
        try:
            response = await self._http.ask(request)
            ending.http_status = response.status_code
            await self._follow(response, ending)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            ending.error = connection_words(error, _place(request.url))
            ending.unreachable = isinstance(
                error, httpx.ConnectError | httpx.ConnectTimeout
            )
        except asyncio.CancelledError:
            ending.cancelled = True
        finally:
            self.intake.close()
            if response is not None:
                await response.aclose()
        ending.sent_ns = self.stamps.sent_ns
        ending.connect_ns = self.stamps.connect_ns
        ending.headers_ns = self.stamps.headers_ns
        return ending

    async def _follow(self, response: httpx.Response, ending: Ending) -> None:
        status, headers = response.status_code, response.headers
        problem = no_stream(headers) if status == 200 else None
        if status == 200 and problem is None:
            await self._stream(response, ending)
            return
        self.intake.refuse()
        # The head says enough; a body that is cut or slow must not hide it.
        with suppress(TimeoutError, httpx.TransportError):
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await _exhaust(response)
        body = self.intake.refused
        if problem is not None:
            ending.error = problem + error_in(body)
        else:
            ending.error = refusal(status, headers, body)

    async def _stream(self, response: httpx.Response, ending: Ending) -> None:
        try:
            async with asyncio.timeout(None) as self._limit:
                self.intake.open()
                await _exhaust(response)
        except TimeoutError:
            ending.notes += ("kept-open",)
        finally:
            self._limit = None

    def _piece(self, piece: Piece) -> None:
        if piece.tokens and not self._had_token:
            self._had_token = True
            self._watcher.phase("first-token", piece.stamp_ns)
        self._watcher.piece(piece)

    def _ended(self) -> None:
        if self._limit is not None and self._limit.when() is None:
            self._limit.reschedule(asyncio.get_running_loop().time() + DRAIN_S)


async def _exhaust(response: httpx.Response) -> None:
    async for _ in response.aiter_raw():
        pass


def _place(url: httpx.URL) -> str:
    return f"{url.host}:{url.port or (443 if url.scheme == 'https' else 80)}"
