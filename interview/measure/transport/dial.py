"""Opens a connection: name lookup, TCP, TLS. A failure is an httpx error."""

import asyncio
import ssl
from collections.abc import Callable

import httpx

from interview.measure.transport.connection import Connection
from interview.measure.transport.origin import Origin


async def dial(
    origin: Origin,
    tls: ssl.SSLContext | None,
    within: float | None,
    make: Callable[[], Connection],
) -> Connection:
    """`within` bounds all of it; raises httpx.ConnectTimeout or httpx.ConnectError."""
    try:
        async with asyncio.timeout(within):
            return await _first_open(origin, tls, make)
    except TimeoutError as error:
        limit = "in time" if within is None else f"within {within:g} s"
        raise httpx.ConnectTimeout(f"No connection to {origin} {limit}.") from error
    except ssl.SSLCertVerificationError as error:
        reason = error.verify_message.rstrip(".")
        raise httpx.ConnectError(
            f"The certificate of {origin} is not trusted: {reason}. "
            "If an authority of your own signed it, name its file in SSL_CERT_FILE."
        ) from error
    except ssl.SSLError as error:
        raise httpx.ConnectError(
            f"TLS with {origin} failed: {error.reason or error}. "
            "Check that this port speaks https."
        ) from error
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise httpx.ConnectError(
            f"Cannot connect to {origin}: {reason}. Is the server running?"
        ) from error


async def _first_open(
    origin: Origin, tls: ssl.SSLContext | None, make: Callable[[], Connection]
) -> Connection:
    *others, last = origin.addresses
    for address in others:
        try:
            return await _open(origin, address, tls, make)
        except ssl.SSLError:
            raise  # someone answers there; another address would hide why it failed
        except OSError:
            continue
    return await _open(origin, last, tls, make)


async def _open(
    origin: Origin,
    address: str,
    tls: ssl.SSLContext | None,
    make: Callable[[], Connection],
) -> Connection:
    name = origin.host if tls else None
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(
        make, address, origin.port, ssl=tls, server_hostname=name
    )
    return connection
