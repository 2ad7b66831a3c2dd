"""Checks reviews/<id>.toml: each published card was read by somebody else, as it is."""

from collections.abc import Callable, Mapping
from pathlib import Path

from interview.cards import houserules, rules
from interview.cards.card import Card, Status
from interview.cards.form import nearest
from interview.cards.frontmatter import place_in
from interview.cards.house import House, read_or_empty
from interview.cards.problem import Notes, Place
from interview.cards.shelf import Shelf
from interview.cards.tables import Table, place_of, read_toml

_FOLDER = "reviews"


def check_reviews(
    root: Path,
    drafts: Mapping[Path, str],
    shelf: Shelf,
    house: House,
    asked: Callable[[str], bool],
) -> None:
    """Private cards are read by those who use them, and need none.

    `asked` tells of the path of a card whether its review is looked at.
    """
    if not house.reviewed:
        return
    for card in filter(lambda card: asked(card.path), shelf.cards.values()):
        if card.status is Status.PUBLISHED and not card.private:
            _check_review(card, root / _FOLDER / f"{card.id}.toml", drafts, shelf)
    for path in sorted((root / _FOLDER).glob("*.toml")):
        if path.stem not in shelf.cards and not shelf.is_broken(path.stem):
            notes = Notes(path.as_posix())
            near = nearest(path.stem, shelf.cards)
            notes.add(rules.UNKNOWN_CARD, Place(1, 1), id=path.stem, nearest=near)
            shelf.problems.extend(notes.problems)


def _check_review(
    card: Card, path: Path, drafts: Mapping[Path, str], shelf: Shelf
) -> None:
    text = read_or_empty(path, drafts)
    notes = Notes(path.as_posix() if text else card.path)
    if not text:
        place = place_in(card.source, "id", card.id)
        notes.add(houserules.NO_REVIEW, place, path=f"{_FOLDER}/{path.name}")
    else:
        table = read_toml(text, notes)
        found = str(table.get("text", "nothing"))
        if not notes.broken and found != card.text_hash:
            words = {"found": found, "text": card.text_hash}
            notes.add(houserules.STALE_REVIEW, place_of("text", text), **words)
        _check_counts(table, text, notes)
    shelf.problems.extend(notes.problems)


def _check_counts(table: Table, text: str, notes: Notes) -> None:
    """The totals of a review, where it gives them, are those of its list."""
    outcomes = [str(entry.get("outcome")) for entry in table.get("challenge", ())]
    counts = {"challenged": len(outcomes)}
    counts |= {key: outcomes.count(key) for key in ("changed", "upheld")}
    for key, count in counts.items():
        if table.get(key, count) != count:
            problem = f"“{key}” is {table[key]}, but {count} are listed"
            notes.add(rules.BAD_TABLE, place_of(key, text), problem=problem)
