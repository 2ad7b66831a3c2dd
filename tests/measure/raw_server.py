"""An HTTP server that sends the bytes it is told, when told, and notes when it did.

    with RawServer([X(HEAD) @ 0, X(b"data: 1\n\n") @ 250, Close() @ 300]) as server:
        ...  # server.url, server.served[0].sent[1].at_ns

`X(b"...") @ t` leaves in a send of its own (TCP_NODELAY), t ms after the whole request
was read. Threads and blocking sockets: no event loop is shared with what is tested.
"""

import re
import select
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import trustme


@dataclass(frozen=True)
class Send:
    data: bytes
    at_ms: float


class X(bytes):
    """Bytes that know when to leave: `X(b"...") @ 250`."""

    def __matmul__(self, at_ms: float) -> Send:
        return Send(bytes(self), at_ms)


@dataclass(frozen=True)
class Close:
    """The server closes the connection: with a FIN, or with a RST when `reset`."""

    reset: bool = False
    at_ms: float = 0

    def __matmul__(self, at_ms: float) -> "Close":
        return Close(self.reset, at_ms)


Step = Send | Close


def byte_by_byte(data: bytes, at_ms: float = 0) -> list[Send]:
    """One send per byte; the kernel may still join some of them."""
    return [Send(data[i : i + 1], at_ms) for i in range(len(data))]


def chunked(data: bytes) -> X:
    """`data` as one chunk of a chunked body."""
    return X(b"%x\r\n%b\r\n" % (len(data), data))


LAST_CHUNK = X(b"0\r\n\r\n")


@dataclass(frozen=True)
class Sent:
    at_ns: int
    data: bytes


@dataclass
class Served:
    """One request as the server saw it; times are time.perf_counter_ns()."""

    request: bytes
    arrived_ns: int
    connection: int
    sent: list[Sent] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    gone_ns: int | None = None

    @property
    def head(self) -> bytes:
        return self.request.partition(b"\r\n\r\n")[0]

    @property
    def body(self) -> bytes:
        return self.request.partition(b"\r\n\r\n")[2]


class RawServer:
    """Request n of the server's life gets answer n; the last answer repeats.

    `reads_body=False` answers once the request's head is there and never reads on.
    """

    def __init__(
        self,
        *answers: Iterable[Step],
        host: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
        reads_body: bool = True,
    ) -> None:
        self.served: list[Served] = []
        self.protocols: list[str | None] = []
        self.accepted = 0
        self.peak_open = 0
        self._answers = [list(answer) for answer in answers]
        self._tls = tls
        self._reads_body = reads_body
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._stopping = threading.Event()
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family)
        self._listener.bind((host, 0))
        self._listener.listen(512)
        self._listener.settimeout(0.05)
        self.port = self._listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        self.url = f"{'https' if tls else 'http'}://{shown}:{self.port}"

    def __enter__(self) -> "RawServer":
        self._spawn(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        for thread in list(self._threads):
            with self._lock:
                for sock in self._open:
                    with suppress(OSError):
                        sock.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            assert not thread.is_alive(), "a server thread did not end"
        self._listener.close()

    def open_now(self) -> int:
        with self._lock:
            return len(self._open)

    def wait_until_all_closed(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while self.open_now() and time.monotonic() < end:
            time.sleep(0.005)
        return not self.open_now()

    def wait_until_served(self) -> None:
        """Returns when a first request has arrived."""
        while not self.served:
            time.sleep(0.005)

    def _spawn(self, target, *args) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def forget(self) -> None:
        """For a server that is never entered."""
        self._listener.close()

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                sock, _ = self._listener.accept()
            except TimeoutError:
                continue
            sock.settimeout(10)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                sock = self._tls.wrap_socket(
                    sock, server_side=True, do_handshake_on_connect=False
                )
            with self._lock:
                self._open.add(sock)
                self.accepted += 1
                self.peak_open = max(self.peak_open, len(self._open))
            self._spawn(self._serve, sock, self.accepted - 1)

    def _serve(self, sock: socket.socket, connection: int) -> None:
        try:
            if self._tls is not None:
                sock.do_handshake()
                self.protocols.append(sock.selected_alpn_protocol())
            peer = Peer(sock, self._reads_body)
            while (request := peer.read_request()) is not None:
                served = Served(request, time.perf_counter_ns(), connection)
                with self._lock:
                    answer = self._answers[
                        min(len(self.served), len(self._answers) - 1)
                    ]
                    self.served.append(served)
                if not play(answer, peer, served):
                    return
        except OSError:  # the client broke off, which tests of a client do
            pass
        finally:
            with self._lock:
                self._open.discard(sock)
            sock.close()


def play(answer: list[Step], peer: "Peer", served: Served) -> bool:
    """Sends the steps in time; False when we or the client ended the connection."""
    for step in answer:
        if not peer.stays_until(served.arrived_ns + int(step.at_ms * 1e6)):
            served.gone_ns = time.perf_counter_ns()
            served.gone.set()
            return False
        if isinstance(step, Close):
            peer.close(step.reset)
            return False
        served.sent.append(Sent(time.perf_counter_ns(), step.data))
        try:
            peer.sock.sendall(step.data)
        except OSError:
            served.gone_ns = time.perf_counter_ns()
            served.gone.set()
            return False
    return True


class Peer:
    """The client's end of one connection."""

    def __init__(self, sock: socket.socket, reads_body: bool) -> None:
        self.sock = sock
        self._reads_body = reads_body
        self._ahead = bytearray()

    def read_request(self) -> bytes | None:
        while b"\r\n\r\n" not in self._ahead:
            if not self._read():
                return None
        head = self._ahead.partition(b"\r\n\r\n")[0]
        if not self._reads_body:
            return self._take(len(self._ahead))
        if re.search(rb"(?i)transfer-encoding: *chunked", head):
            while not self._ahead.endswith(b"0\r\n\r\n"):
                if not self._read():
                    return None
            return self._take(len(self._ahead))
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        whole_bytes = len(head) + 4 + (int(length[1]) if length else 0)
        while len(self._ahead) < whole_bytes:
            if not self._read():
                return None
        return self._take(whole_bytes)

    def _take(self, size_bytes: int) -> bytes:
        request = bytes(self._ahead[:size_bytes])
        del self._ahead[:size_bytes]
        return request

    def stays_until(self, until_ns: int) -> bool:
        """False when the client closes before, which takes reading to see."""
        if not self._reads_body:
            time.sleep(max(0, until_ns - time.perf_counter_ns()) / 1e9)
            return True
        while (left_ns := until_ns - time.perf_counter_ns()) > 0:
            if select.select([self.sock], [], [], left_ns / 1e9)[0]:
                try:
                    if not self._read():
                        return False
                except ssl.SSLWantReadError:
                    continue
                except OSError:
                    return False
        return True

    def close(self, reset: bool) -> None:
        if reset:
            linger = struct.pack("ii", 1, 0)
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.sock.close()

    def _read(self) -> bool:
        data = self.sock.recv(1 << 16)
        self._ahead += data
        return bool(data)


class Authority:
    """A certificate authority of the test's own, and contexts for both ends."""

    def __init__(self) -> None:
        self._ca = trustme.CA()

    def server_context(self, *names: str) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["h2", "http/1.1"])
        self._ca.issue_cert(*names).configure_cert(context)
        return context

    def client_context(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        self._ca.configure_trust(context)
        return context
