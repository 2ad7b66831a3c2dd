"""Opens the connections of a level before its clock starts; measures nothing."""

import asyncio
from contextlib import suppress

import httpx

from interview.measure.target import Target

WITHIN_S = 5.0


async def open_connections(
    http: httpx.AsyncClient, target: Target, number: int
) -> None:
    """Asks /version on as many connections at once, and keeps them.

    No answer is needed: a request that finds no open connection makes one before t0.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(WITHIN_S):
            await asyncio.gather(*(_ask(http, target) for _ in range(number)))


async def _ask(http: httpx.AsyncClient, target: Target) -> None:
    headers = dict(target.headers) | {"Accept": "application/json"}
    with suppress(httpx.HTTPError):
        await http.get(target.root + "/version", headers=headers)
