"""The web server: uvicorn on the ASGI application, in this process.

`python -m interview.serve --host H --port P`; with --stop-on-eof it ends when its
standard input closes, which is how it notices that its parent has died.
"""

import argparse
import os
import signal
import threading

import uvicorn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8765)
    parser.add_argument("--stop-on-eof", action="store_true")
    options = parser.parse_args()
    if options.stop_on_eof:
        threading.Thread(target=stop_on_eof, daemon=True).start()
    uvicorn.run(
        "interview.asgi:application",
        host=options.host,
        port=options.port,
        lifespan="off",
        timeout_graceful_shutdown=3,
        access_log=False,
        log_level="warning",
        # A proxy's word on who is asking counts only when it is configured.
        proxy_headers=False,
    )


def stop_on_eof() -> None:
    # os.read, because a buffered reader's lock would abort the interpreter's exit.
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
