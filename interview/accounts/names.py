"""Names of people: how they are tidied, and when two of them are the same."""

import unicodedata

from django.core.exceptions import ValidationError

from .seat import NAME_LENGTH

JOINERS = "\u200c\u200d"
"""Zero width (non-)joiners: Persian, Hindi and others are written with them."""
WITHOUT_JOINERS = str.maketrans("", "", JOINERS)


def tidy(name: str) -> str:
    """Composed, with single spaces and none around."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def key_of(name: str) -> str:
    """Equal for names that people take for the same: “Åse”, “åse”, “ÅSE ”.

    The databases' own LOWER() differ beyond ASCII, so the key is a column.
    """
    seen = tidy(name).translate(WITHOUT_JOINERS)
    folded = unicodedata.normalize("NFKC", seen).casefold()
    return unicodedata.normalize("NFKC", folded)


def check_name(name: str) -> None:
    """Raises ValidationError for what could not be read, or not be told apart."""
    check_seen(name)
    tidied = tidy(name)
    if max(len(tidied), len(key_of(tidied))) > NAME_LENGTH:
        raise ValidationError(
            f"That name is too long: use {NAME_LENGTH} characters at most."
        )


def check_seen(name: str) -> None:
    """Raises ValidationError for what nobody sees, such as a mark that turns around
    the text behind it."""
    tidied = tidy(name)
    for place, character in enumerate(tidied):
        if not (character.isprintable() or is_joined(tidied, place)):
            raise ValidationError(
                f"Character {place + 1} of the name, {in_words(character)}, cannot be "
                "seen: take it out."
            )


def is_joined(name: str, place: int) -> bool:
    """Whether a joiner stands there within a word, between letters or their marks."""
    beside = name[place - 1 : place] + name[place + 1 : place + 2]
    return (
        name[place] in JOINERS
        and len(beside) == 2
        and all(unicodedata.category(one)[0] in "LM" for one in beside)
    )


def in_words(character: str) -> str:
    """ "U+202E RIGHT-TO-LEFT OVERRIDE"; the number alone of one without a name."""
    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
