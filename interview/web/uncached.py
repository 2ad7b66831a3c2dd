"""Pages of one person: neither a browser nor anybody on the way keeps them."""

from collections.abc import Iterable

from django.urls import URLPattern
from django.views.decorators.cache import never_cache


def uncached(patterns: Iterable[URLPattern]) -> list[URLPattern]:
    return [
        URLPattern(
            each.pattern, never_cache(each.callback), each.default_args, each.name
        )
        for each in patterns
    ]
