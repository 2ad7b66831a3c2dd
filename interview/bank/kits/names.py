"""Kits as a menu names them, so that two of one title can be told apart."""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from django.utils import timezone
from django.utils.dateformat import format as in_words

from ..models import Kit


def names_of(kits: Iterable[Kit]) -> dict[UUID, str]:
    """By id: the title; where several have it also whose it is and since when."""
    found = list(kits)
    titles = Counter(each.title for each in found)
    return {
        each.pk: _in_full(each) if titles[each.title] > 1 else each.title
        for each in found
    }


def _in_full(kit: Kit) -> str:
    since = in_words(timezone.localtime(kit.made_at), "j M Y, H:i")
    return f"{kit.title}, by {kit.owner}, {since}"
