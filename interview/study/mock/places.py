"""Where one goes after a form of a mock interview."""

from django.http import HttpResponseRedirect
from django.urls import reverse

from ..models import Mock


def to_mock(mock: Mock) -> str:
    return reverse("study:mock", args=[mock.pk])


def to_question(mock: Mock, position: int, anchor: str = "") -> str:
    address = reverse("study:mock_question", args=[mock.pk, position])
    return f"{address}#{anchor}" if anchor else address


def see(address: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(address, status=303)
