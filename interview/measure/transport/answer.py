"""One HTTP/1.1 answer, from reads to head and body; knows no clock and no socket."""

import httptools
import httpx

HEAD_LIMIT_BYTES = 64 * 1024
SWITCHING_PROTOCOLS = 101


class Answer:
    """Parses the answer to one request (RFC 9112).

    Says when it ends and whether the connection can be used again.
    """

    def __init__(self, method: str) -> None:
        self.status = 0
        self.reason = b""
        self.http_version = b""
        self.headers: list[tuple[bytes, bytes]] = []
        self.has_head = False
        self.complete = False
        self.reusable = False
        self._to_head_request = method == "HEAD"
        self._until_close = False
        self._interim = False
        self._bodiless_bytes = 0
        self._pieces: list[bytes] = []
        self._parser = httptools.HttpResponseParser(self)

    def feed(self, data: bytes) -> None:
        """Takes one read; raises httpx.RemoteProtocolError when it cannot be HTTP."""
        if not self.has_head:
            data = self._within_head_limit(data)
        self._parse(data)
        if self._pieces:
            self._bodiless_bytes = 0
        else:
            self._limit_bodiless_bytes(len(data))

    def take_body(self) -> bytes:
        """The body since the last call; content-encoding is left alone."""
        pieces, self._pieces = self._pieces, []
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def finish(self) -> None:
        """The server closed: ends an answer that runs until then.

        Raises httpx.RemoteProtocolError for one that is cut.
        """
        if self.complete:
            return
        if not self.has_head:
            raise httpx.RemoteProtocolError(
                "The server closed the connection before it had sent an answer's head."
            )
        if not self._until_close:
            raise httpx.RemoteProtocolError(
                "The server closed the connection in the middle of the answer's body."
            )
        self.complete = True

    def _parse(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self.reusable = False
            if self.complete:
                return  # what follows the answer ends the connection, not it
            if self.status == SWITCHING_PROTOCOLS:
                raise httpx.RemoteProtocolError(
                    "The server switched protocols (101) without being asked."
                ) from error
            raise httpx.RemoteProtocolError(
                f"The server's answer is not valid HTTP/1.1: {error}."
            ) from error

    def _within_head_limit(self, data: bytes) -> bytes:
        """What is left to parse."""
        room_bytes = HEAD_LIMIT_BYTES - self._bodiless_bytes
        if len(data) <= room_bytes:
            return data
        self._parse(data[:room_bytes])
        if not self.has_head:
            raise httpx.RemoteProtocolError(
                f"The answer's head is longer than {HEAD_LIMIT_BYTES} bytes."
            )
        return data[room_bytes:]

    def _limit_bodiless_bytes(self, read_bytes: int) -> None:
        """Trailers and chunk extensions have no end of their own."""
        self._bodiless_bytes += read_bytes
        if self._bodiless_bytes > HEAD_LIMIT_BYTES and not self.complete:
            raise httpx.RemoteProtocolError(
                f"More than {HEAD_LIMIT_BYTES} bytes of framing came without any body."
            )

    # Called by httptools in this order. They raise nothing: it would come out wrapped.

    def on_message_begin(self) -> None:
        if self.complete:
            self.reusable = False
        self._interim = False

    def on_status(self, status: bytes) -> None:
        if not self.has_head:
            self.reason += status

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_head:  # later ones are trailers
            self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self.has_head:
            return
        self.status = self._parser.get_status_code()
        self._interim = 100 <= self.status < 200
        if self._interim:
            self.headers, self.reason = [], b""
            return
        self.http_version = b"HTTP/" + self._parser.get_http_version().encode()
        self._until_close = self._ends_with_the_connection()
        self.has_head = True
        self.complete = (
            self._to_head_request
        )  # llhttp cannot be told that no body follows, so it stops here

    def on_body(self, body: bytes) -> None:
        if not self.complete:
            self._pieces.append(body)

    def on_message_complete(self) -> None:
        if not self._interim and not self.complete:
            self.complete = True
            self.reusable = self._parser.should_keep_alive()

    def _ends_with_the_connection(self) -> bool:
        """RFC 9112 section 6.3: neither a length nor chunked as the last coding."""
        names = {name.lower(): value.lower() for name, value in self.headers}
        last_coding = names.get(b"transfer-encoding", b"").rpartition(b",")[2].strip()
        return b"content-length" not in names and last_coding != b"chunked"
