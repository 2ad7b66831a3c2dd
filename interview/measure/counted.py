"""Numbers of things in words."""


def counted(number: int, noun: str) -> str:
    """ "1 user", "64 users"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
