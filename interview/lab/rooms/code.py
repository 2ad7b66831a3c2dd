"""The short code of a room: made to be read aloud and typed by hand."""

import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without I, L, O and U, as Crockford's Base32: of two that look alike one is there."""
READ_AS = str.maketrans({"O": "0", "I": "1", "L": "1"})
LENGTH = 6
LONGEST = 20


def new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def read_code(typed: str) -> str:
    """What was meant: small letters, spaces, hyphens, O for 0, I or L for 1.

    "" when nothing of it is of a code; of what is far too long only the beginning.
    """
    meant = typed.upper().translate(READ_AS)
    return "".join(c for c in meant if c in ALPHABET)[:LONGEST]
