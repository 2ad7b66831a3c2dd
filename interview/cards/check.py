"""The linter: all numbered rules over all files of the content roots."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from interview.cards import shelf as shelves
from interview.cards.card import Card, Source
from interview.cards.enginenames import EngineNames
from interview.cards.experiment import Experiment
from interview.cards.house import load_house
from interview.cards.housecheck import check_house
from interview.cards.manual import ManualSection
from interview.cards.outline import Passage
from interview.cards.problem import Notes, Problem, in_order
from interview.cards.prose import Prose
from interview.cards.references import check_references
from interview.cards.reviews import check_reviews
from interview.cards.shelf import Shelf


def check(
    roots: Sequence[Path],
    *,
    figures: Collection[str] | None = None,
    drafts: Mapping[Path, str] | None = None,
    only_drafts: bool = False,
) -> list[Problem]:
    """All problems, by file and line; the first root is public, the others private.

    `figures` are the names that can be drawn (None: not checked). `drafts` are texts
    to check as if they were saved at their paths under a root; with `only_drafts` their
    problems alone are looked for, fast enough for somebody who is typing.
    """
    drafts = drafts or {}
    paths = {path.as_posix() for path in drafts}
    asked = paths.__contains__ if only_drafts else _always
    shelf = shelves.fill(roots, drafts)
    house = load_house(roots[0], drafts, shelf.problems)
    check_references(shelf)
    check_house(shelf, house, asked)
    check_reviews(roots[0], drafts, shelf, house, asked)
    written = partial(_prose, shelf=shelf, figures=figures, names=house.names)
    for card in _asked(shelf.cards, asked):
        titles = _titles(card)
        prose = written(card, _facts(card.sources))
        prose.check((*titles, *card.passages()))
        _finish(prose, card.sources, shelf)
    for section in _asked(shelf.sections, asked):
        prose = written(section, _facts(section.sources))
        prose.check([section.body])
        _finish(prose, section.sources, shelf)
    for experiment in _asked(shelf.experiments, asked):
        prose = written(experiment, None)
        prose.check(experiment.passages())
        _finish(prose, (), shelf)
    return in_order(p for p in shelf.problems if asked(p.path))


def _always(path: str) -> bool:
    return True


def _asked[T: (Card, ManualSection, Experiment)](
    items: Mapping[str, T], asked: Callable[[str], bool]
) -> Iterator[T]:
    return (item for item in items.values() if asked(item.path))


def _prose(
    item: Card | ManualSection | Experiment,
    listed: Collection[str] | None,
    *,
    shelf: Shelf,
    figures: Collection[str] | None,
    names: EngineNames,
) -> Prose:
    return Prose(item.source, shelf, figures, listed, Notes(item.path), names)


def _facts(sources: Iterable[Source]) -> set[str]:
    return {fact for source in sources for fact in source.facts}


def _finish(prose: Prose, sources: Sequence[Source], shelf: Shelf) -> None:
    prose.check_sources(sources)
    shelf.problems.extend(prose.notes.problems)


def _titles(card: Card) -> list[Passage]:
    rungs = [Passage(rung.title, rung.line, 3) for rung in card.follow_ups]
    return rungs + [Passage(wrong.quote, wrong.line, 3) for wrong in card.wrong_answers]
