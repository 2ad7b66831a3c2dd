"""A private note as typed: plain text, shown as text."""

from interview.web.lines import plain_lines

LONGEST = 20_000


class NoteTooLong(ValueError):
    pass


def tidy(typed: str) -> str:
    """One kind of line end, no blank end; NoteTooLong says by how much."""
    text = plain_lines(typed).replace("\0", "").rstrip()
    if len(text) > LONGEST:
        raise NoteTooLong(
            f"The note has {len(text):,} characters, {LONGEST:,} are the most: "
            "shorten it, then save."
        )
    return text
