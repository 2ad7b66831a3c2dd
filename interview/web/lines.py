"""Typed text of several lines."""

from typing import Any

from django import forms


def plain_lines(text: str) -> str:
    """With one character at each line end; a browser counts one, and sends two."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


class LinesField(forms.CharField):
    """Counts, compares and keeps what was typed with plain line ends."""

    def to_python(self, value: Any) -> str | None:
        text = super().to_python(value)
        return plain_lines(text) if text else text
