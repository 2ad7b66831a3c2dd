"""What stands beside a card whose file broke, for those who may read all of it."""

from pathlib import Path

from django.conf import settings

from interview.cards.card import Audience, Card
from interview.cards.library import Library


def stale_note(card: Card, library: Library, audience: Audience) -> str:
    """Place and error when this is the last good version of the card, else "".

    Always "" for candidates: the error may quote what they must not see.
    """
    fault = library.fault(card) if audience is Audience.AUTHOR else None
    if fault is None:
        return ""
    path = Path(fault.path)
    if path.is_relative_to(settings.BASE_DIR):
        path = path.relative_to(settings.BASE_DIR)
    return f"{path}:{fault.place.line}: {fault.message} {fault.rule.hint}"
