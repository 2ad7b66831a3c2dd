"""Where `manage.py up` listens: one socket, which all of its web processes share.

The socket outlives each of them: who connects while one is started again waits.
"""

import errno
import ipaddress
import socket

from .giving_up import give_up

WAITING = 2048
"""Connections that nobody has accepted yet."""


def listen(host: str, port: int) -> socket.socket:
    """Exits with a sentence when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            give_up(
                f"Port {port} is taken. Is Prefill already up there? "
                f"Else choose another one, such as --port {port + 1}."
            )
        reason = error.strerror or str(error)
        give_up(f"Cannot listen on {host} port {port}: {reason}.")


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds it."""
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "::1"}
    host = everywhere.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
