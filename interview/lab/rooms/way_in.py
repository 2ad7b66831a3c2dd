"""The way into a room: its address and its QR code."""

from dataclasses import dataclass
from io import BytesIO
from typing import Self
from urllib.parse import urlsplit

import segno
from django.http import HttpRequest
from django.urls import reverse

from ..models import Room

QUIET_ZONE = 4
"""Light modules around the code, as ISO/IEC 18004 asks."""


@dataclass(frozen=True, slots=True)
class WayIn:
    url: str
    """The whole address that people join at, as the outside knows this server."""

    @classmethod
    def of(cls, request: HttpRequest, room: Room) -> Self:
        return cls(request.build_absolute_uri(reverse("room:join", args=[room.code])))

    @property
    def is_of_this_machine(self) -> bool:
        """Nobody else's machine reaches that address."""
        host = urlsplit(self.url).hostname or ""
        return host == "localhost" or host.startswith("127.") or host == "::1"

    @property
    def words(self) -> str:
        """The address as people read it to each other."""
        return self.url.partition("://")[2].rstrip("/")

    def qr_svg(self) -> bytes:
        """An SVG document, dark on light in either theme: cameras want that."""
        drawn = BytesIO()
        segno.make_qr(self.url, error="m").save(
            drawn,
            kind="svg",
            border=QUIET_ZONE,
            dark="#000",
            light="#fff",
            omitsize=True,
            xmldecl=False,
            title=f"QR code of {self.url}",
        )
        return drawn.getvalue()
