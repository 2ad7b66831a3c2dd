"""The linter: all numbered rules over all files of the content roots."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
) -> list[Problem]:
    """All problems, by file and line; the first root is public, the others private.

    `figures` are the names that can be drawn (None: not checked). `drafts` are texts
    to check as if they were saved at their paths under a root.
    """
    drafts = drafts or {}
    shelf = shelves.fill(roots, drafts)
    house = load_house(roots[0], drafts, shelf.problems)
    check_references(shelf)
    check_house(shelf, house)
    check_reviews(roots[0], drafts, shelf, house)
    written = partial(_prose, shelf=shelf, figures=figures, names=house.names)
    for card in shelf.cards.values():
        titles = _titles(card)
        prose = written(card, _facts(card.sources))
        prose.check((*titles, *card.passages()))
        _finish(prose, card.sources, shelf)
    for section in shelf.sections.values():
        prose = written(section, _facts(section.sources))
        prose.check([section.body])
        _finish(prose, section.sources, shelf)
    for experiment in shelf.experiments.values():
        prose = written(experiment, None)
        prose.check(experiment.passages())
        _finish(prose, (), shelf)
    return in_order(shelf.problems)


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
