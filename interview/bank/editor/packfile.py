"""Reads a pack of cards: a zip, or the Markdown files of a folder.

A pack comes from anybody, so it is measured before it is unpacked, and nothing of it
names a place outside of it.
"""

import re
import stat
import zlib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import PurePosixPath
from typing import Protocol
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from interview.web.numbers import number

from ..errors import BankError
from .draft import MOST_CHARACTERS, TOO_LONG, clean

MB = 1_000_000
MOST_MB = 5
MOST_FILES = 500
MOST_UNPACKED_MB = 20

NOTHING = "Choose a zip, or the Markdown files of a folder."
NOT_BOTH = "Choose one zip, or Markdown files, not both."
TOO_MANY = f"A pack has {MOST_FILES} files at most."
NO_CARDS = "There is no Markdown file in it."
NO_ZIP = "It is no zip that can be read."
# Rooted, with a drive, upwards, or with what only some systems take for a name.
_ODD = re.compile(r"^/|^[A-Za-z]:|(^|/)\.\.(/|$)|[\x00-\x1f\\]")

# ValueError is a name that is no UTF-8, or a part that would lie before the start.
_DAMAGED = (
    BadZipFile,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    ValueError,
    zlib.error,
)


class NotAPack(BankError):
    """It is none, or too much of one; nothing of it is kept."""


class Sent(Protocol):
    """A file as a form sends it."""

    @property
    def name(self) -> str | None: ...
    @property
    def size(self) -> int | None: ...
    def read(self) -> bytes: ...


def read_pack(sent: Sequence[Sent]) -> dict[str, str]:
    """The text of each card file by its name in the pack, in order. Raises NotAPack.

    Hidden files and READMEs are no cards, as in a content folder.
    """
    if not sent:
        raise NotAPack(NOTHING)
    if len(sent) > MOST_FILES:
        raise NotAPack(TOO_MANY)
    size = sum(file.size or 0 for file in sent)
    if size > MOST_MB * MB:
        found = number(size / MB, 1)
        raise NotAPack(f"A pack has {MOST_MB} MB at most, and this has {found} MB.")
    zips = [file for file in sent if (file.name or "").lower().endswith(".zip")]
    if zips and len(sent) > 1:
        raise NotAPack(NOT_BOTH)
    files = _unzipped(zips[0].read()) if zips else _chosen(sent)
    texts: dict[str, str] = {}
    for name, content in files:
        if name in texts:
            raise NotAPack(f"Two of its files are called {name}.")
        texts[name] = _text(name, content)
    if not texts:
        raise NotAPack(NO_CARDS)
    return texts


def _chosen(sent: Sequence[Sent]) -> Iterator[tuple[str, bytes]]:
    for file in sent:
        if _is_card(file.name or ""):
            yield file.name or "", file.read()


def _unzipped(content: bytes) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(BytesIO(content)) as archive:
            entries = [info for info in archive.infolist() if _is_safe(info)]
            _measure(entries)
            for info in entries:
                if _is_card(info.filename):
                    yield info.filename, archive.read(info)
    except _DAMAGED as error:
        raise NotAPack(NO_ZIP) from error


def _is_safe(info: ZipInfo) -> bool:
    """False for a folder. Raises NotAPack for what is neither it nor a plain file."""
    # Not `filename`, from which the library has taken what it found odd.
    name = info.orig_filename
    if _ODD.search(name):
        raise NotAPack(f"{name!r} in it is no place within the pack.")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise NotAPack(f"{name} in it is a link, no file.")
    if info.flag_bits & 1 or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise NotAPack(f"{name} in it is encrypted, or packed in an odd way.")
    return not info.is_dir()


def _measure(entries: Sequence[ZipInfo]) -> None:
    """Before anything is unpacked: no more than the told size is read of an entry."""
    if len(entries) > MOST_FILES:
        raise NotAPack(TOO_MANY)
    if sum(info.file_size for info in entries) > MOST_UNPACKED_MB * MB:
        raise NotAPack(f"Unpacked it has more than {MOST_UNPACKED_MB} MB.")


def _is_card(name: str) -> bool:
    """Raises NotAPack for a file that is neither a card nor left out."""
    path = PurePosixPath(name)
    if any(part.startswith((".", "__MACOSX")) for part in path.parts):
        return False
    if path.name.startswith("README"):
        return False
    if path.suffix != ".md":
        raise NotAPack(f"{name} in it is no Markdown file: a pack has cards alone.")
    return True


def _text(name: str, content: bytes) -> str:
    try:
        text = clean(content.decode())
    except UnicodeDecodeError as error:
        raise NotAPack(f"{name} in it is not UTF-8 text.") from error
    if len(text) > MOST_CHARACTERS:
        raise NotAPack(f"{name} in it is too long. {TOO_LONG}")
    return text
