"""What every page's frame needs: theme, navigation, edition."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from .content import library
from .theme import THEMES, theme_of

SECTIONS = (
    ("Cards", "study:cards"),
    ("Manual", "study:manual"),
    ("Lab", "lab:lab"),
)


@dataclass(frozen=True, slots=True)
class NavItem:
    title: str
    url: str
    current: str
    """The value of aria-current: "page" on the page itself, "true" below, else ""."""


def site(request: HttpRequest) -> dict[str, Any]:
    return {
        "theme": theme_of(request),
        "themes": THEMES,
        "nav": navigation(request.path),
        "edition": library().contents.edition,
    }


def navigation(path: str) -> list[NavItem]:
    items = []
    for title, name in SECTIONS:
        url = reverse(name)
        current = "page" if path == url else "true" if path.startswith(url) else ""
        items.append(NavItem(title, url, current))
    return items
