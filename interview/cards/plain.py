"""Markdown to plain text without parsing it: for hashes, search and page titles."""

import re

_RULES = [
    (re.compile(pattern, re.MULTILINE), into)
    for pattern, into in [
        (r"^ {0,3}(?:`{3,}|~{3,})[^`\n]*$", ""),  # fences
        (r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*:?-*:?[ \t]*$", ""),  # table rule
        (r"^ {0,3}#{1,6}[ \t]+", ""),
        (r"[ \t]*(?<!\{)\{#[^{}\n]*\}[ \t]*$", ""),
        (r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+", ""),
        (r"^[ \t]*>[ \t]?", ""),
        (r"!?\[([^\]\n]*)\]\([^)\s]*(?: \"[^\"]*\")?\)", r"\1"),
        (r"[ \t]*\[[A-Z]:[A-Z][\w.-]*(?:, ?[A-Z]:[A-Z][\w.-]*)*\]", ""),
        (r"(?<!\w)(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2"),
        (r"(?<!\w)(\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2"),
        (r"`+([^`\n]+)`+", r"\1"),
        (r"\\([!-/:-@\[-`{-~])", r"\1"),
        (r"[ \t]*\|[ \t]*", " "),
    ]
]


def plain_text(markdown: str) -> str:
    """The words of a text. Quoted results stay as written: `{{ result:… }}`."""
    for pattern, into in _RULES:
        markdown = pattern.sub(into, markdown)
    return markdown.strip()
