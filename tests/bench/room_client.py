"""People of a room as cheap programs: join, ask, watch; for the benchmarks of rooms.

One protocol for all: hundreds of clients share the machine with what they measure.
"""

import asyncio
import re
import time
from urllib.parse import urlencode

import httptools

FRAME_END = b"\n\n"
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


class Exchange(asyncio.Protocol):
    """One request and its answer; `on_frame` gets each frame of a stream."""

    def __init__(self, request, on_frame=None):
        self.request, self.on_frame = request, on_frame
        self.parser = httptools.HttpResponseParser(self)
        self.body, self.cookies, self.location = b"", {}, ""
        self.done = asyncio.get_running_loop().create_future()

    @property
    def status(self):
        return self.parser.get_status_code()

    def connection_made(self, transport):
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data):
        self.now = time.monotonic()
        self.parser.feed_data(data)

    def on_header(self, name, value):
        if name.lower() == b"set-cookie":
            key, _, rest = value.decode().partition("=")
            self.cookies[key] = rest.partition(";")[0]
        elif name.lower() == b"location":
            self.location = value.decode()

    def on_body(self, body):
        self.body += body
        if self.on_frame:
            *frames, self.body = self.body.split(FRAME_END)
            for frame in frames:
                self.on_frame(frame, self.now)

    def on_message_complete(self):
        self.transport.close()

    def connection_lost(self, error):
        if not self.done.done():
            self.done.set_result(self)


async def ask(port, path, *, cookies=(), form=None, headers=(), on_frame=None):
    """The answer once it is complete, or cut; OSError when nobody listens."""
    lines = {"Host": f"127.0.0.1:{port}", "Connection": "close", **dict(headers)}
    if cookies:
        lines["Cookie"] = "; ".join(f"{k}={v}" for k, v in dict(cookies).items())
    body = urlencode(form).encode() if form is not None else b""
    if form is not None:
        lines["Content-Type"] = "application/x-www-form-urlencoded"
        lines["Content-Length"] = str(len(body))
    method = "GET" if form is None else "POST"
    head = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in lines.items())]
    request = "\r\n".join(head).encode() + b"\r\n\r\n" + body
    loop = asyncio.get_running_loop()
    _, exchange = await loop.create_connection(
        lambda: Exchange(request, on_frame), "127.0.0.1", port
    )
    try:
        return await exchange.done
    finally:
        exchange.transport.abort()


async def post(port, page, path, *, cookies=(), **form):
    """Send a form with the token of its page."""
    shown = await ask(port, page, cookies=cookies)
    found = TOKEN.search(shown.body)
    assert found, (page, shown.status, shown.body[:300])
    own = dict(cookies) | shown.cookies
    form = {"csrfmiddlewaretoken": found[1].decode(), **form}
    return await ask(port, path, cookies=own, form=form)


async def open_room(port, **first):
    """Address of a new room of the installation's owner, and its code."""
    made = await post(port, "/rooms/", "/rooms/", title="", **first)
    assert made.status == 303, (made.status, made.body[-2000:])
    page = (await ask(port, made.location)).body.decode()
    return made.location, re.search(r"/join/([0-9A-Z]{6})/", page)[1]


async def join(port, code, name):
    """The cookie of a new seat."""
    door = f"/join/{code}/"
    sat = await post(port, door, door, name=name)
    assert sat.status == 303, (sat.status, sat.body[-2000:])
    return {"prefill_seat": sat.cookies["prefill_seat"]}


def field(frame, name):
    """Of an event frame; None when it has no such line."""
    for line in frame.split(b"\n"):
        if line.startswith(name + b": "):
            return line[len(name) + 2 :]
    return None
