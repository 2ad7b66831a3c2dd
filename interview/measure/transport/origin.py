"""Where a request goes: scheme, host and port, and the addresses to try."""

from dataclasses import dataclass

import httpx

PORTS = {"http": 80, "https": 443}
LOCALHOST_ADDRESSES = ("::1", "127.0.0.1")


@dataclass(frozen=True, slots=True)
class Origin:
    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: httpx.URL) -> "Origin":
        """Raises httpx.UnsupportedProtocol for anything but http and https."""
        if url.scheme not in PORTS or not url.host:
            raise httpx.UnsupportedProtocol(
                f"The address {url} is not of the form http://host or https://host."
            )
        return cls(
            url.scheme, url.raw_host.decode("ascii"), url.port or PORTS[url.scheme]
        )

    @property
    def is_tls(self) -> bool:
        return self.scheme == "https"

    @property
    def addresses(self) -> tuple[str, ...]:
        """localhost is loopback by definition (RFC 6761), so it needs no lookup."""
        return LOCALHOST_ADDRESSES if self.host == "localhost" else (self.host,)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"
