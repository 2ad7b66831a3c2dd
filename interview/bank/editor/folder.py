"""The private content folder: where own cards are found, and how they are written."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

from interview.cards.card import Card
from interview.cards.form import SLUG
from interview.cards.shelf import files
from interview.web.content import roots

from ..errors import BankError, Changed

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # Windows locks no such folder

LONGEST_TOPIC = 100
UNSORTED = "unsorted"
"""The folder of a card whose first topic is no name for a folder."""


class NotWritten(BankError):
    """The disk refused; everything is as it was."""


@dataclass(frozen=True, slots=True)
class OwnFile:
    path: Path
    text: str

    @property
    def card_id(self) -> str:
        return self.path.stem

    @property
    def version(self) -> str:
        """As `Card.version`, also of a text that is no card."""
        return sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Folder:
    """The first of CONTENT_PATHS; cards of the others are edited as files."""

    root: Path
    others: tuple[Path, ...]

    @classmethod
    def own(cls) -> Self:
        public, own, *more = roots()
        return cls(own, (public, *more))

    def files(self) -> Iterator[OwnFile]:
        """Those that are broken, too."""
        for path in _cards((self.root,)):
            text = path.read_text(encoding="utf-8-sig", errors="replace")
            yield OwnFile(path, text)

    def find(self, card_id: str) -> OwnFile | None:
        return next((f for f in self.files() if f.card_id == card_id), None)

    def elsewhere(self) -> dict[str, Path]:
        """The file of each id that the repository or another folder has."""
        return {path.stem: self.shown(path) for path in _cards(self.others)}

    def shown(self, path: Path) -> Path:
        """For the page: not where this server keeps the repository."""
        public = self.others[0].parent
        return path.relative_to(public) if path.is_relative_to(public) else path

    def place(self, card: Card) -> Path:
        """Where a new card goes; its id is a slug, so it stays within."""
        return self.root / "cards" / _name(card.topics[0]) / f"{card.id}.md"

    def save(self, card: Card, version: str) -> OwnFile:
        """`version` is that of the text which was edited; "" for a new card.

        Raises Changed, or NotWritten. What stands there already is saved.
        """
        with self.alone():
            now = self.find(card.id)
            if now and now.text == card.source:
                return now
            if version != (now.version if now else ""):
                raise Changed("Not saved: the file is another one by now.", now)
            saved = OwnFile(now.path if now else self.place(card), card.source)
            self.put({saved.path: saved.text})
        return saved

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """One writer at a time, over all processes of this machine."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _not_written(self.root, error) from error
        if fcntl is None:
            yield
            return
        lock = os.open(self.root, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def put(self, texts: Mapping[Path, str]) -> None:
        """All of these files or none; what fails to be written was never there.

        Raises NotWritten. Only within `alone`.
        """
        try:
            with tempfile.TemporaryDirectory(prefix=".writing-", dir=self.root) as name:
                _put(texts, Path(name), self.root)
        except OSError as error:
            raise _not_written(self.root, error) from error


def _put(texts: Mapping[Path, str], stage: Path, root: Path) -> None:
    """Copies of old and new come first, so a full disk is told before the first
    rename."""
    new, old = {}, {}
    for number, (path, text) in enumerate(texts.items()):
        new[path] = stage / f"{number}.new"
        _write(new[path], text)
        if path.exists():
            old[path] = Path(shutil.copy2(path, stage / f"{number}.old"))
    done = []
    try:
        for path, written in new.items():
            _make_folders(path.parent, root)
            os.replace(written, path)
            done.append(path)
    except BaseException:
        for path in done:
            if path in old:
                os.replace(old[path], path)
            else:
                path.unlink()
        raise


def _write(path: Path, text: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(file, "w", encoding="utf-8", newline="\n") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())


def _make_folders(folder: Path, root: Path) -> None:
    """Each with its mode: `parents=True` would open those above to everybody."""
    for made in reversed([folder, *folder.parents]):
        if made.is_relative_to(root):
            made.mkdir(mode=0o700, exist_ok=True)


def _cards(content: tuple[Path, ...]) -> Iterator[Path]:
    for path, number in files(content):
        if path.is_relative_to(content[number] / "cards"):
            yield path


def _name(topic: str) -> str:
    is_name = SLUG.fullmatch(topic) and len(topic) <= LONGEST_TOPIC
    return topic if is_name else UNSORTED


def _not_written(root: Path, error: OSError) -> NotWritten:
    why = error.strerror or str(error)
    return NotWritten(f"Nothing was written: {root} cannot be written to ({why}).")
