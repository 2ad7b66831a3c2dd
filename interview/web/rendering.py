"""Content as HTML: where its links lead and what its figures draw."""

from collections.abc import Callable
from functools import lru_cache

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from interview.cards.card import Status
from interview.cards.library import Library
from interview.cards.render import Figure, Renderer

from .content import library
from .figures import NOTHING, UnknownFigure, figure

ADDRESSES = {
    "card": "study:card",
    "manual": "study:section",
    "experiment": "lab:experiment",
}
# figure -> the result that it draws, and a second one beside it
DRAWN_FROM = {
    "batch-curve": ("moe-batch-curve", "spark-two-loads"),
    "decode-bytes": ("decode-bytes",),
    "memory-split": ("spark-memory",),
    "prefix-reuse": ("cpu-same-seed",),
    "step-budget": ("cpu-steps",),
    "two-loads": ("spark-two-loads",),
}


def renderer() -> Renderer:
    """Of the current library; it keeps what it rendered until the content changes."""
    return renderer_of(library())


@lru_cache(maxsize=1)
def renderer_of(content: Library) -> Renderer:
    return Renderer(content, address_in(content), draw)


def address_in(content: Library) -> Callable[[str, str], str | None]:
    def address(kind: str, item_id: str) -> str | None:
        """None where a link would be a dead end for some of its readers."""
        if kind == "card" and content.cards[item_id].status is not Status.PUBLISHED:
            return None
        if kind == "term":
            return f"{reverse('study:terms')}#{item_id}"
        return reverse(ADDRESSES[kind], args=[item_id])

    return address


def draw(named: Figure) -> str:
    """The figure, or its caption alone when nothing here can draw it."""
    caption = mark_safe(named.caption)
    found = [named.results.get(name) for name in DRAWN_FROM.get(named.name, ())]
    rows, beside, *_ = [result.rows if result else () for result in found] + [(), ()]
    try:
        return figure(
            named.name,
            caption=caption,
            number=named.number,
            rows=rows,
            about=found[0].about if found and found[0] else NOTHING,
            beside=beside,
        )
    except UnknownFigure:
        return format_html("<figure><figcaption>{}</figcaption></figure>", caption)
