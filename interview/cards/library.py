"""All content at one moment, and the questions that pages ask of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from interview.cards import shelf as shelves
from interview.cards.card import Audience, Card
from interview.cards.experiment import Experiment
from interview.cards.manual import Contents, ManualSection
from interview.cards.problem import Problem, first_error, in_order
from interview.cards.references import check_references
from interview.cards.results import ResultSet
from interview.cards.search import Hit, SearchIndex
from interview.cards.terms import Glossary
from interview.cards.vocabulary import Fact, Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    cards: Mapping[str, Card]
    """By id, in listing order: topic, then what others need first, then id."""
    sections: Mapping[str, ManualSection]
    """The written ones, by number."""
    contents: Contents
    experiments: Mapping[str, Experiment]
    """Planned ones too; see `Experiment.written`."""
    vocabulary: Vocabulary
    glossary: Glossary
    facts: Mapping[str, Fact]
    results: Mapping[str, ResultSet]
    gone: Mapping[str, str]
    """Ids that left the content, with the reason."""
    problems: tuple[Problem, ...]
    """What reading found; the linter, which also parses the prose, finds more."""
    broken: frozenset[str]
    """Paths of unreadable files: what they hold is left out, or as it was before."""
    index: SearchIndex

    @classmethod
    def load(
        cls, roots: Sequence[Path], previous: "Library | None" = None
    ) -> "Library":
        """Read all files; the first root is public, the others private.

        An item whose file is broken is left out, or kept as in `previous`.
        """
        shelf = shelves.fill(roots)
        check_references(shelf)
        cards, sections = shelf.cards, shelf.sections
        experiments = shelf.experiments
        if previous:
            _keep(cards, previous.cards, shelf.broken)
            _keep(sections, previous.sections, shelf.broken)
            _keep(experiments, previous.experiments, shelf.broken)
            shelf = _with_good_tables(shelf, previous)
        cards = _listed(cards, shelf.vocabulary)
        return cls(
            cards=cards,
            sections=sections,
            contents=shelf.contents,
            experiments=experiments,
            vocabulary=shelf.vocabulary,
            glossary=shelf.glossary,
            facts=shelf.facts,
            results=shelf.results,
            gone=shelf.gone,
            problems=tuple(in_order(shelf.problems)),
            broken=frozenset(shelf.broken),
            index=SearchIndex(cards.values(), sections.values(), shelf.results),
        )

    def listed(
        self,
        audience: Audience,
        *,
        roles: Collection[str] = (),
        topics: Collection[str] = (),
        levels: Collection[str] = (),
        competences: Collection[str] = (),
        text: str = "",
    ) -> list[Card]:
        """Cards with at least one word of each given kind.

        In listing order, or best match first when there is a text to find.
        """
        order = self.index.card_ids(text) if text.strip() else list(self.cards)
        wanted = (roles, topics, levels, competences)
        seen = [
            card
            for card in map(self.cards.__getitem__, order)
            if audience.sees(card.status)
        ]
        return [card for card in seen if _has(card, wanted)] if any(wanted) else seen

    def visible(self, card_id: str, audience: Audience) -> Card | None:
        """The card, or None when it isn't there for this audience."""
        card = self.cards.get(card_id)
        return card if card and audience.sees(card.status) else None

    def fault(self, card: Card) -> Problem | None:
        """The first error of its file, when `card` is its last good version."""
        if card.path not in self.broken:
            return None
        return first_error(p for p in self.problems if p.path == card.path)

    def search(self, text: str, audience: Audience, limit: int = 20) -> list[Hit]:
        """Cards and sections, best first; a card's snippet never shows an answer."""
        hidden = [c.id for c in self.cards.values() if not audience.sees(c.status)]
        return self.index.search(text, limit=limit, without=frozenset(hidden))

    def neighbours(
        self, card_id: str, audience: Audience
    ) -> tuple[Card | None, Card | None]:
        """The cards before and after this one in listing order."""
        cards = self.listed(audience)
        at = next((n for n, card in enumerate(cards) if card.id == card_id), None)
        if at is None:
            return None, None
        return cards[at - 1] if at else None, next(iter(cards[at + 1 :]), None)

    def figure_number(self, name: str) -> str | None:
        """Part and place of a figure of the manual: "1.2"; None when it has none."""
        for part in self.contents.parts:
            written = (self.sections.get(entry.number) for entry in part.sections)
            names = [figure for s in written if s for figure in s.figures]
            if name in names:
                return f"{part.number}.{names.index(name) + 1}"
        return None

    def taught_by(self, number: str, audience: Audience) -> list[Card]:
        """Cards that name this section of the manual."""
        return [c for c in self.listed(audience) if number in c.taught_in]

    def needing(self, card_id: str, audience: Audience) -> list[Card]:
        """Cards that build directly on this one."""
        return [c for c in self.listed(audience) if card_id in c.needs]

    def trying(self, experiment_id: str, audience: Audience) -> list[Card]:
        """Cards that name the experiment, also in one of their wrong answers."""
        return [
            card
            for card in self.listed(audience)
            if experiment_id in card.experiments
            or any(wrong.experiment == experiment_id for wrong in card.wrong_answers)
        ]


def _keep[T: (Card, ManualSection, Experiment)](
    found: dict[str, T], before: Mapping[str, T], broken: Collection[str]
) -> None:
    for item_id, item in before.items():
        if item.path in broken:
            found.setdefault(item_id, item)


def _with_good_tables(shelf: shelves.Shelf, before: Library) -> shelves.Shelf:
    """Tables that broke since the last reading stay as they were."""
    broken = {Path(path).name for path in shelf.broken}
    results = {
        key: kept for key, kept in before.results.items() if kept.path in shelf.broken
    }
    kept = replace(shelf, results={**results, **shelf.results})
    if "vocabulary.toml" in broken:
        kept.vocabulary = before.vocabulary
    if "terms.toml" in broken:
        kept.glossary = before.glossary
    if "contents.toml" in broken:
        kept.contents = before.contents
    if "sources.toml" in broken:
        kept.facts = {**before.facts, **shelf.facts}
    if "gone.toml" in broken:
        kept.gone = {**before.gone, **shelf.gone}
    return kept


def _has(card: Card, wanted: Sequence[Collection[str]]) -> bool:
    given = (card.roles, card.topics, card.levels, card.competences)
    return all(
        not words or any(word in words for word in own)
        for own, words in zip(given, wanted, strict=True)
    )


def _listed(cards: Mapping[str, Card], vocabulary: Vocabulary) -> dict[str, Card]:
    order = {topic: place for place, topic in enumerate(vocabulary.topics)}
    depths: dict[str, int] = {}

    def key(card: Card) -> tuple[int, int, str]:
        topic = order.get(card.topics[0], len(order))
        return topic, _depth(card.id, cards, depths), card.id

    return {card.id: card for card in sorted(cards.values(), key=key)}


def _depth(card_id: str, cards: Mapping[str, Card], depths: dict[str, int]) -> int:
    """Cards on the longest way of needs below this one; a cycle counts once."""
    if card_id not in depths:
        depths[card_id] = 0
        needs = cards[card_id].needs if card_id in cards else ()
        depths[card_id] = 1 + max((_depth(n, cards, depths) for n in needs), default=0)
    return depths[card_id]
