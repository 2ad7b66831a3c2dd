"""Where one goes after a form of the console."""

from uuid import UUID

from django.http import HttpResponseRedirect
from django.urls import reverse


def to_question(interview_id: UUID, position: int, anchor: str = "") -> str:
    address = reverse("bank:question", args=[interview_id, position])
    return f"{address}#{anchor}" if anchor else address


def see(address: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(address, status=303)
