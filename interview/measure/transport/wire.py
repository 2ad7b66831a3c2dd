"""A request as HTTP/1.1 bytes; refuses a header that would change the message."""

import re

import httpx

TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
TARGET = re.compile(rb"[^\x00-\x20\x7f]+")
VALUE = re.compile(rb"[^\x00\r\n]*")


def request_bytes(request: httpx.Request, body: bytes) -> bytes:
    """Head and body in one piece (RFC 9112); raises httpx.LocalProtocolError."""
    if not TOKEN.fullmatch(request.method.encode()):
        raise httpx.LocalProtocolError(
            f"The request method {request.method!r} is not an HTTP token."
        )
    if not TARGET.fullmatch(request.url.raw_path):
        raise httpx.LocalProtocolError(
            f"The path {request.url.raw_path!r} holds a blank or a control character."
        )
    lines = [b"%b %b HTTP/1.1" % (request.method.encode(), request.url.raw_path)]
    for name, value in request.headers.raw:
        _refuse_injection(name, value)
        lines.append(b"%b: %b" % (name, value))
    return b"\r\n".join(lines) + b"\r\n\r\n" + _framed(request.headers, body)


def _refuse_injection(name: bytes, value: bytes) -> None:
    """The value is not named in the message: it may be a key."""
    if not TOKEN.fullmatch(name):
        raise httpx.LocalProtocolError(
            f"The header name {name!r} is not an HTTP token."
        )
    if not VALUE.fullmatch(value):
        raise httpx.LocalProtocolError(
            f"The value of header {name.decode()} holds a line break or NUL; remove it."
        )


def _framed(headers: httpx.Headers, body: bytes) -> bytes:
    """The body as the headers announce it; a streamed one goes as a single chunk."""
    length, coding = headers.get("content-length"), headers.get("transfer-encoding")
    if coding is not None:
        if length is not None or coding.lower() != "chunked":
            raise httpx.LocalProtocolError(
                "A request body is sent by Content-Length or as chunked, not both."
            )
        return (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"
    if (length or "0") != str(len(body)):
        raise httpx.LocalProtocolError(
            f"Content-Length is {length or 'missing'}, the body has {len(body)} bytes."
        )
    return body
