"""Checks that the words and ids in front matter lead somewhere, over all files."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from interview.cards import claimrules, rules, termrules
from interview.cards.card import Card, WrongAnswer
from interview.cards.experiment import Experiment
from interview.cards.form import nearest
from interview.cards.frontmatter import place_in
from interview.cards.links import State, target
from interview.cards.problem import Notes, Place
from interview.cards.shelf import Shelf
from interview.cards.tables import place_of

# Places are looked for only when there is a problem to put there.
Where = Callable[[], Place]


def check_references(shelf: Shelf) -> None:
    """Add a problem for each reference that leads nowhere; nothing is removed."""
    for card in shelf.cards.values():
        notes = Notes(card.path)
        _check_words(card, shelf, notes)
        _check_targets(card, shelf, notes)
        shelf.problems.extend(notes.problems)
    for experiment in shelf.experiments.values():
        notes = Notes(experiment.path)
        _check_cards("cards", experiment, shelf, notes)
        _check_claims(experiment, shelf, notes)
        shelf.problems.extend(notes.problems)
    _check_cycles(shelf)
    _check_gone(shelf)
    _check_contents(shelf)
    _check_terms(shelf)


def _check_words(card: Card, shelf: Shelf, notes: Notes) -> None:
    for kind in ("roles", "topics", "competences", "levels"):
        known: Mapping[str, object] = getattr(shelf.vocabulary, kind)
        for word in getattr(card, kind):
            if word not in known:
                place = place_in(card.source, kind, word)
                words = {"word": word, "key": kind, "nearest": nearest(word, known)}
                notes.add(rules.UNKNOWN_WORD, place, **words)


def _check_targets(card: Card, shelf: Shelf, notes: Notes) -> None:
    _check_cards("needs", card, shelf, notes)
    for number in card.taught_in:
        where = partial(place_in, card.source, "taught_in", f"manual/{number}")
        check_section(number, where, shelf, notes)
    for experiment_id in card.experiments:
        where = partial(place_in, card.source, "experiments", experiment_id)
        check_experiment(experiment_id, where, shelf, notes)
    for wrong in card.wrong_answers:
        if wrong.experiment:
            where = partial(_last_in_line, card.source, wrong.line, wrong.experiment)
            check_experiment(wrong.experiment, where, shelf, notes)
            _check_refuted(card, wrong, where, shelf, notes)


def _check_refuted(
    card: Card, wrong: WrongAnswer, where: Where, shelf: Shelf, notes: Notes
) -> None:
    """A written experiment that a wrong answer names claims something against it."""
    experiment = shelf.experiments.get(wrong.experiment or "")
    if experiment is None or not experiment.written:
        return
    if not experiment.claims_against(card.id, wrong.id):
        words = {"id": experiment.id, "against": f"{card.id}/{wrong.id}"}
        notes.add(claimrules.NOT_REFUTED, where(), **words)


def _check_claims(experiment: Experiment, shelf: Shelf, notes: Notes) -> None:
    """What a claim is against is a wrong answer of a card."""
    for claim in experiment.claims:
        if claim.against is None or shelf.is_broken(claim.against[0]):
            continue
        card_id, wrong_id = claim.against
        card = shelf.cards.get(card_id)
        if card is None or card.wrong_answer(wrong_id) is None:
            known = [f"{card.id}/{w.id}" for w in card.wrong_answers] if card else ()
            words = {"id": f"{card_id}/{wrong_id}"}
            words["nearest"] = nearest(words["id"], known or shelf.cards)
            place = _last_in_line(experiment.source, claim.line, words["id"])
            notes.add(claimrules.UNKNOWN_WRONG_ANSWER, place, **words)


def _last_in_line(source: str, line: int, word: str) -> Place:
    return Place(line, source.split("\n")[line - 1].rfind(word) + 1)


def _check_cards(key: str, item: Card | Experiment, shelf: Shelf, notes: Notes) -> None:
    for card_id in getattr(item, key):
        if card_id not in shelf.cards and not shelf.is_broken(card_id):
            place = place_in(item.source, key, card_id)
            near = nearest(card_id, shelf.cards)
            notes.add(rules.UNKNOWN_CARD, place, id=card_id, nearest=near)


def check_section(number: str, where: Where, shelf: Shelf, notes: Notes) -> None:
    entry = shelf.contents.entry(number)
    if entry is None:
        notes.add(rules.UNKNOWN_MANUAL_SECTION, where(), id=number)
    elif not entry.written:
        notes.add(rules.PLANNED, where(), what=f"Section {number} of the manual")


def check_experiment(
    experiment_id: str, where: Where, shelf: Shelf, notes: Notes
) -> None:
    experiment = shelf.experiments.get(experiment_id)
    if experiment is None and not shelf.is_broken(experiment_id):
        near = nearest(experiment_id, shelf.experiments)
        notes.add(rules.UNKNOWN_EXPERIMENT, where(), id=experiment_id, nearest=near)
    elif experiment and not experiment.written:
        notes.add(rules.PLANNED, where(), what=f"The experiment {experiment_id}")


def _check_cycles(shelf: Shelf) -> None:
    for card in shelf.cards.values():
        cycle = _cycle(card.id, shelf.cards)
        # One report a cycle: at its first id.
        if cycle and card.id == min(cycle):
            notes = Notes(card.path)
            place = place_in(card.source, "needs", cycle[1])
            notes.add(rules.NEEDS_CYCLE, place, cycle=" → ".join(cycle))
            shelf.problems.extend(notes.problems)


def _cycle(start: str, cards: Mapping[str, Card]) -> list[str]:
    """The shortest way of needs from a card back to itself."""
    ways = [[start]]
    seen = set()
    for way in ways:
        for need in cards[way[-1]].needs if way[-1] in cards else ():
            if need == start:
                return [*way, start]
            if need not in seen:
                seen.add(need)
                ways.append([*way, need])
    return []


def _ids_in_use(shelf: Shelf) -> Iterator[tuple[str, str, Where]]:
    """Each id of a card, rung, wrong answer, experiment, claim: id, path, place."""
    for card in shelf.cards.values():
        yield card.id, card.path, partial(place_in, card.source, "id", card.id)
        items = [(rung.id, rung.line) for rung in card.follow_ups]
        items += [(wrong.id, wrong.line) for wrong in card.wrong_answers]
        for item_id, line in items:
            where = partial(_last_in_line, card.source, line, "{")
            yield f"{card.id}/{item_id}", card.path, where
    for experiment in shelf.experiments.values():
        where = partial(place_in, experiment.source, "id", experiment.id)
        yield experiment.id, experiment.path, where
        for claim in experiment.claims:
            where = partial(_last_in_line, experiment.source, claim.line, "{")
            yield f"{experiment.id}/{claim.id}", experiment.path, where


def _check_gone(shelf: Shelf) -> None:
    for item_id, path, where in _ids_in_use(shelf) if shelf.gone else ():
        if item_id in shelf.gone:
            notes = Notes(path)
            notes.add(rules.GONE_IN_USE, where(), id=item_id)
            shelf.problems.extend(notes.problems)


def _check_terms(shelf: Shelf) -> None:
    """Each term leads to a card or a written section."""
    path = next((p for p in shelf.texts if p.endswith("terms.toml")), "")
    notes = Notes(path)
    for term in shelf.glossary.terms.values():
        found = target(term.see, shelf)
        ready = found.kind in ("card", "manual") and found.state is State.READY
        if not ready and not shelf.is_broken(found.id):
            place = place_of(term.id, shelf.texts[path])
            notes.add(termrules.DEAD_TERM, place, id=term.id, see=term.see)
    shelf.problems.extend(notes.problems)


def _check_contents(shelf: Shelf) -> None:
    """Contents and files name the same written sections, with the same titles."""
    path = next((p for p in shelf.texts if p.endswith("manual/contents.toml")), "")
    notes = Notes(path)
    if not any("/manual/" in broken for broken in shelf.broken):
        for entry in shelf.contents.entries():
            if entry.written and entry.number not in shelf.sections:
                place = place_of(f'"{entry.number}"', shelf.texts[path])
                what = f"Section {entry.number} is called written, but has no file."
                notes.add(rules.UNLISTED_SECTION, place, what=what)
    shelf.problems.extend(notes.problems)
    for section in shelf.sections.values():
        notes = Notes(section.path)
        listed = shelf.contents.entry(section.number)
        place = place_in(section.source, "number", section.number)
        if listed is None or not listed.written:
            what = f"Section {section.number} is not called written in the contents."
            notes.add(rules.UNLISTED_SECTION, place, what=what)
        elif listed.title != section.title:
            place = place_of(section.title, section.source)
            what = f"The title is “{listed.title}” in the contents."
            notes.add(rules.UNLISTED_SECTION, place, what=what)
        shelf.problems.extend(notes.problems)
