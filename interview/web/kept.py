"""Whole pages kept as text, for pages that change only with the content.

What belongs to a request or a moment (the CSRF token, who is signed in, the endpoint's
state) is a slot in the text and filled in at each request; nothing else in such a page
may differ between two people with the same key and theme.
"""

import re
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

from .page import page
from .theme import theme_of

MOST_PAGES = 500
STATE_AGE_S = 1
# Content never holds a NUL: the Markdown parser replaces it.
TOKEN_SLOT, ME_SLOT, STATE_SLOT = "\0token\0", "\0me\0", "\0state\0"
_SLOT = re.compile(f"({TOKEN_SLOT}|{ME_SLOT}|{STATE_SLOT})")


@dataclass(slots=True)
class KeptPages:
    """`clock` gives seconds that never go back."""

    clock: Callable[[], float] = time.monotonic
    _pages: dict[Hashable, list[str]] = field(default_factory=dict)
    _state: tuple[float, str] | None = None

    def page(
        self,
        request: HttpRequest,
        key: Hashable,
        template: str,
        context: Callable[[], dict[str, Any]],
    ) -> HttpResponse:
        """The page of `key`, rendered at its first request with this theme."""
        if len(get_messages(request)):
            return page(request, template, context())
        place = (key, theme_of(request))
        pieces = self._pages.get(place)
        if pieces is None:
            slots = {
                "csrf_token": TOKEN_SLOT,
                "me_slot": ME_SLOT,
                "endpoint_slot": STATE_SLOT,
            }
            text = render_to_string(template, context() | slots, request)
            pieces = self._keep(place, _SLOT.split(text))
        filled = {
            TOKEN_SLOT: get_token(request),
            ME_SLOT: render_to_string("accounts/_me.html", request=request),
            STATE_SLOT: self._endpoint(request),
        }
        return HttpResponse("".join(filled.get(piece, piece) for piece in pieces))

    def _keep(self, place: Hashable, pieces: list[str]) -> list[str]:
        while len(self._pages) >= MOST_PAGES:
            self._pages.pop(next(iter(self._pages)), None)
        self._pages[place] = pieces
        return pieces

    def _endpoint(self, request: HttpRequest) -> str:
        """The header's endpoint state, at most a second old."""
        if self._state is None or self.clock() - self._state[0] >= STATE_AGE_S:
            html = render_to_string("web/_endpoint.html", request=request)
            self._state = (self.clock(), html)
        return self._state[1]
