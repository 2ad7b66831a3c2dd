"""An OpenAI server that does what a test says, on a free port."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "scripted"


class Endpoint:
    """`script` gets the handler of each chat request and writes its answer."""

    def __init__(self, script):
        self.script = script
        self.bodies = []
        self.keys = []
        self.most_at_once = 0
        self._under_way = set()
        self.closed = threading.Event()
        """The client hung up in the middle of an answer."""

    def answer(self, handler):
        length = int(handler.headers.get("Content-Length", 0))
        self.bodies.append(json.loads(handler.rfile.read(length)))
        self.keys.append(handler.headers.get("Authorization"))
        self._under_way.add(handler)
        self.most_at_once = max(self.most_at_once, len(self._under_way))
        try:
            self.script(handler)
        except (BrokenPipeError, ConnectionResetError):
            self.closed.set()
        finally:
            self.over(handler)

    def over(self, handler):
        """Before the last byte: who has it may ask again before this thread goes on."""
        self._under_way.discard(handler)


class Server(ThreadingHTTPServer):
    request_queue_size = 256
    """Many users connect at once; with 5 places the system makes some wait."""


@contextlib.contextmanager
def serving(script):
    """Yields (url, Endpoint)."""
    endpoint = Endpoint(script)

    class Handler(BaseHTTPRequestHandler):
        def over(self):
            endpoint.over(self)

        def do_GET(self):
            send_json(self, 200, {"data": [{"id": MODEL, "owned_by": "vllm"}]})

        def do_POST(self):
            if self.path.endswith("/chat/completions"):
                endpoint.answer(self)
            else:
                send_json(self, 404, {"error": {"message": "no such path"}})

        def log_message(self, *args):
            pass

    server = Server(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def send_json(handler, status, payload, **headers):
    body = json.dumps(payload).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def refuse(status, message):
    def script(handler):
        send_json(handler, status, {"error": {"message": message, "code": status}})

    return script


def start(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.end_headers()
    say(handler, {"choices": [{"index": 0, "delta": {"role": "assistant"}}]})


def say(handler, event):
    handler.wfile.write(f"data: {json.dumps(event)}\n\n".encode())


def tokens(handler, *texts, pause_s=0.0):
    for text in texts:
        say(handler, {"choices": [{"index": 0, "delta": {"content": text}}]})
        time.sleep(pause_s)


def end(handler):
    say(handler, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    handler.over()
    handler.wfile.write(b"data: [DONE]\n\n")


def streams(*texts, pause_s=0.0):
    """A whole answer."""

    def script(handler):
        start(handler)
        tokens(handler, *texts, pause_s=pause_s)
        end(handler)

    return script


def endless(handler):
    """Tokens until the client hangs up, a minute at most."""
    start(handler)
    for n in range(3000):
        tokens(handler, f"{n} ", pause_s=0.02)
