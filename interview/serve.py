"""The web server: uvicorn on the ASGI application, in this process.

`python -m interview.serve --host H --port P`, or `--fd N` with a socket that listens
already; with --stop-on-eof it ends when its standard input closes, which is how it
notices that its parent has died.
"""

import argparse
import contextlib
import os
import signal
import socket
import threading

import uvicorn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--fd", type=int, help="a socket shared with others")
    parser.add_argument("--stop-on-eof", action="store_true")
    options = parser.parse_args()
    if options.stop_on_eof:
        threading.Thread(target=stop_on_eof, daemon=True).start()
    config = uvicorn.Config(
        "interview.asgi:application",
        host=options.host,
        port=options.port,
        lifespan="off",
        timeout_graceful_shutdown=3,
        access_log=False,
        log_level="warning",
        # The application itself knows which proxies to believe.
        proxy_headers=False,
    )
    shared = None if options.fd is None else [socket.socket(fileno=options.fd)]
    server = uvicorn.Server(config)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=shared)
    if not server.started:
        raise SystemExit(3)


def stop_on_eof() -> None:
    # os.read, because a buffered reader's lock would abort the interpreter's exit.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
