"""Runs the application under uvicorn: sockets, signals, and the end of its parent."""

import gc
import os
import socket
import threading

import uvicorn

from .machine import Options, build_app

_KEEP_ALIVE_S = 75
"""Longer than vLLM's 5 s, so that a client's pause costs no new connection."""


class _Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        gc.collect()
        gc.freeze()
        for listener in sockets or ():
            host, port = listener.getsockname()[:2]
            print(f"Simulated DGX Spark at http://{host}:{port}", flush=True)


def serve(host: str, port: int, options: Options, *, stop_on_eof: bool) -> None:
    """Serve until SIGTERM, SIGINT or, if asked, the end of standard input.

    Port 0 takes a free one. Raises OSError when the address cannot be bound.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=1024)
    config = uvicorn.Config(
        build_app(options),
        http="httptools",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        # As vLLM's default: requests in flight are cut, not drained [V:API-12].
        timeout_graceful_shutdown=0,
    )
    server = _Server(config)
    if stop_on_eof:
        threading.Thread(target=_stop_at_eof, args=(server,), daemon=True).start()
    with listener:
        server.run(sockets=[listener])


def _stop_at_eof(server: uvicorn.Server) -> None:
    # os.read, because a buffered reader's lock would hang the interpreter's exit.
    while os.read(0, 4096):
        pass
    server.should_exit = True
