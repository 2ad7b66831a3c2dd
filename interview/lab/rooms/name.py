"""How people call themselves in a room: printable, short, and each by another name."""

import unicodedata
from collections.abc import Collection

from interview.accounts.seat import NAME_LENGTH

from ..errors import RoomError

UNPRINTABLE = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories: control characters, and what is no character."""
TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks of direction, which turn the text behind a name around."""
SEEN = "LNPS"
"""First letters of the categories that leave ink."""


def read_name(typed: str) -> str:
    """Trimmed, single spaces, composed (NFC); RoomError with a sentence if it can't be.

    Source: Unicode Standard Annex 15 for NFC, chapter 4.5 for the categories.
    """
    words = unicodedata.normalize("NFC", typed).strip().split(" ")
    name = " ".join(word for word in words if word)
    if any(unicodedata.category(c) in UNPRINTABLE or c in TURNING for c in name):
        raise RoomError(
            "Your name holds a character that can't be shown: type it anew."
        )
    if not any(unicodedata.category(c)[0] in SEEN for c in name):
        raise RoomError("Say how the others shall call you.")
    if len(name) > NAME_LENGTH:
        raise RoomError(f"Your name is longer than {NAME_LENGTH} characters.")
    return name


def read_title(typed: str) -> str:
    """As a name is read, but what can't be shown is left out: it is the host's own."""
    composed = unicodedata.normalize("NFC", " ".join(typed.split()))
    kept = [c for c in composed if unicodedata.category(c) not in UNPRINTABLE]
    title = " ".join("".join(c for c in kept if c not in TURNING).split())
    return title if any(unicodedata.category(c)[0] in SEEN for c in title) else ""


def apart(name: str, others: Collection[str]) -> str:
    """The name, with " 2" or the next free number behind it when somebody has it."""
    taken = {other.casefold() for other in others}
    candidate, number = name, 2
    while candidate.casefold() in taken:
        ending = f" {number}"
        candidate = name[: NAME_LENGTH - len(ending)].rstrip() + ending
        number += 1
    return candidate
