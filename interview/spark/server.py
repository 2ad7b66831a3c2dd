"""Runs the application under uvicorn: sockets, signals, and the end of its parent."""

import gc
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from .app import App
from .machine import Options, build_app

_KEEP_ALIVE_S = 75
"""Longer than vLLM's 5 s, so that a client's pause costs no new connection."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, app: App) -> None:
        super().__init__(config)
        self.app = app

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        gc.collect()
        gc.freeze()
        for listener in sockets or ():
            host, port = listener.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(f"Simulated DGX Spark at http://{shown}:{port}", flush=True)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # As vLLM's default: requests in flight are aborted, not drained [V:API-12].
        self.app.engine.close()
        await super().shutdown(sockets=sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # uvicorn would raise the signal again and so end with its status.
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self.handle_exit) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def serve(host: str, port: int, options: Options, *, stop_on_eof: bool) -> None:
    """Serve until SIGTERM, SIGINT or, if asked, the end of standard input.

    Port 0 takes a free one. Raises OSError when the address cannot be bound.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=1024)
    app = build_app(options)
    config = uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config, app)
    if stop_on_eof:
        threading.Thread(target=_stop_at_eof, args=(server,), daemon=True).start()
    with listener:
        server.run(sockets=[listener])


def _stop_at_eof(server: uvicorn.Server) -> None:
    # os.read, because a buffered reader's lock would abort the interpreter's exit.
    while os.read(0, 4096):
        pass
    server.should_exit = True
