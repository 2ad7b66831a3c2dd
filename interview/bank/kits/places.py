"""Where one goes after a form of a kit."""

from urllib.parse import urlencode

from django.http import HttpResponseRedirect
from django.urls import reverse

from ..models import Kit, KitVersion


def to_kit(kit: Kit, anchor: str = "", find: str | None = None) -> str:
    query = f"?{urlencode({'find': find})}" if find is not None else ""
    return f"{reverse('bank:kit', args=[kit.pk])}{query}{anchor and f'#{anchor}'}"


def to_version(version: KitVersion, position: int) -> str:
    address = reverse("bank:kit_version", args=[version.kit_id, version.number])
    return f"{address}#question-{position}"


def see(address: str) -> HttpResponseRedirect:
    return HttpResponseRedirect(address, status=303)
