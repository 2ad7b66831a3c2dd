"""The headings of a Markdown text, found line by line without parsing the rest.

It is fast enough to read thousands of cards; the linter and the renderer parse fully.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})(?P<after>.*)")
_HEADING = re.compile(r" {0,3}(?P<hashes>\#{1,6})(?:[ \t]+|$)")
_CLOSING = re.compile(r"(?:^|[ \t])\#+$")
_STARTS = frozenset(" #`~")
_ATTRIBUTES = re.compile(r"[ \t]*(?<!\{)\{(?P<inside>[^{}]*)\}$")
_ATTRIBUTE = re.compile(
    r"#(?P<id>[a-z0-9]+(?:-[a-z0-9]+)*)|(?P<key>\w+)=(?P<value>\S+)"
)


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    title: str
    """Markdown, without its attributes."""
    line: int
    column: int
    """Where the title starts."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """`{#id key=value}` at its end; the id has the key "id"."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of Markdown and where it stands in its file."""

    markdown: str
    line: int
    """The line in the file of the passage's first line."""
    top: int
    """The level of the highest heading that may stand in it."""

    def __bool__(self) -> bool:
        return bool(self.markdown)


@dataclass(frozen=True, slots=True)
class Part:
    """A heading with all text up to the next one of the same or a higher level."""

    heading: Heading
    text: str
    line: int

    def passage(self) -> Passage:
        return passage(self.text, self.line, self.heading.level + 1)


def passage(text: str, line: int, top: int) -> Passage:
    """The text without empty lines around it."""
    blank = len(text) - len(text.lstrip())
    blank = text.rfind("\n", 0, blank) + 1
    return Passage(text[blank:].rstrip(), line + text.count("\n", 0, blank), top)


def attributes(title: str) -> tuple[str, Mapping[str, str]]:
    """Split `Title {#id key=value}`; a title without attributes stays as it is.

    Braces that hold anything else stay in the title, where the linter finds them.
    """
    found = _ATTRIBUTES.search(title)
    words = found["inside"].split() if found else []
    parts = [_ATTRIBUTE.fullmatch(word) for word in words]
    if not found or not parts or not all(parts):
        return title, {}
    named = {part["key"] or "id": part["value"] or part["id"] for part in parts if part}
    return title[: found.start()], named


def headings(
    text: str, first_line: int = 1, deepest: int = 6
) -> Iterator[tuple[Heading, int, int]]:
    """Each heading with the offsets at which its line starts and ends."""
    fence, start = "", 0
    for number, line in enumerate(text.split("\n"), start=first_line):
        # Most lines are prose; one look at their first character passes them by.
        if line[:1] in _STARTS:
            if mark := _FENCE.fullmatch(line):
                fence = _fence_after(fence, mark["mark"], mark["after"])
            elif not fence:
                found = _HEADING.match(line)
                if found and len(found["hashes"]) <= deepest:
                    yield _heading(found, number), start, start + len(line)
        start += len(line) + 1


def _heading(found: re.Match[str], line: int) -> Heading:
    rest = found.string[found.end() :].rstrip()
    title, named = attributes(_CLOSING.sub("", rest).rstrip())
    return Heading(len(found["hashes"]), title, line, found.end() + 1, named)


def _fence_after(fence: str, mark: str, after: str) -> str:
    """The fence that is open after a fence line; "" when none is."""
    if not fence:
        return "" if mark[0] == "`" and "`" in after else mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not after.strip()
    return "" if closes else fence


def parts(text: str, level: int, first_line: int = 1) -> tuple[str, list[Part]]:
    """The text before the first heading of a level or above, and each such part.

    Headings above `level` end a part and start one of their own.
    """
    found = list(headings(text, first_line, level))
    if not found:
        return text, []
    ends = [start for _, start, _ in found[1:]] + [len(text)]
    return text[: found[0][1]], [
        Part(heading, text[end + 1 : stop], heading.line + 1)
        for (heading, _, end), stop in zip(found, ends, strict=True)
    ]


def slug(title: str, taken: dict[str, int]) -> str:
    """An id for a heading, unique among those in `taken`, which it updates."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    base = "sec-" + ("-".join(words) or "untitled")
    taken[base] = taken.get(base, 0) + 1
    return base if taken[base] == 1 else f"{base}-{taken[base]}"
