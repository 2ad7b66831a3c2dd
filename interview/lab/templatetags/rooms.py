"""Addresses of a room in templates: its door, and the page that is looked at."""

from typing import Any

from django import template
from django.urls import reverse

from ..models import Room
from ..rooms.way_in import WayIn

register = template.Library()


@register.simple_tag(takes_context=True)
def way_in(context: dict[str, Any], room: Room) -> WayIn:
    """`{% way_in room as door %}`"""
    return WayIn.of(context["request"], room)


@register.simple_tag(takes_context=True)
def here(context: dict[str, Any]) -> str:
    """Where this page can be asked for again; a form that was refused has no page."""
    request = context["request"]
    if request.method in ("GET", "HEAD"):
        return str(request.path)
    return reverse("room:room", args=[context["room"].slug])
