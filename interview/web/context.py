"""What every page's frame needs: theme, navigation, edition."""

from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.http import HttpRequest
from django.urls import reverse

from .content import library
from .theme import THEMES, theme_of

SECTIONS = (
    ("Practice", "study:practice"),
    ("Cards", "study:cards"),
    ("Progress", "study:progress"),
    ("Manual", "study:manual"),
    ("Lab", "lab:lab"),
    ("Search", "study:search"),
)
FOR_INTERVIEWERS = (("Bank", "bank:questions"),)
KEYS = {"study:search": "/"}
"""What leads there from every page."""


@dataclass(frozen=True, slots=True)
class NavItem:
    title: str
    url: str
    current: str
    """The value of aria-current: "page" on the page itself, "true" below, else ""."""
    key: str


def site(request: HttpRequest) -> dict[str, Any]:
    return {
        "theme": theme_of(request),
        "themes": THEMES,
        # A guest has no way into the site, so none is shown.
        "nav": navigation(request) if is_known(request) else [],
        "edition": library().contents.edition,
    }


def navigation(request: HttpRequest) -> list[NavItem]:
    path, items = request.path, []
    may_interview = getattr(request.user, "may_interview", False)
    for title, name in SECTIONS + FOR_INTERVIEWERS * may_interview:
        url = reverse(name)
        current = "page" if path == url else "true" if path.startswith(url) else ""
        items.append(NavItem(title, url, current, KEYS.get(name, "")))
    return items


def is_known(request: HttpRequest) -> bool:
    """Whether somebody is signed in; nobody is while the database cannot tell."""
    user = getattr(request, "user", None)
    try:
        return user is not None and bool(user.is_authenticated)
    except DatabaseError:
        return False
