"""The Anki package, as the real Anki takes it in: twice without a double."""

from datetime import UTC, datetime, timedelta

import pytest
from anki.collection import (
    Collection,
    ImportAnkiPackageOptions,
    ImportAnkiPackageRequest,
)

from interview.cards.card import Audience
from interview.cards.library import Library
from interview.study.portable.deck import write_deck
from interview.web.content import library

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def anki(tmp_path):
    collection = Collection(str(tmp_path / "collection.anki2"))
    yield collection
    collection.close()


@pytest.fixture
def take_in(anki, tmp_path):
    def take_in(package):
        path = tmp_path / "cards.apkg"
        path.write_bytes(package)
        options = ImportAnkiPackageOptions(merge_notetypes=True)
        request = ImportAnkiPackageRequest(package_path=str(path), options=options)
        return anki.import_anki_package(request).log

    return take_in


def published():
    return library().listed(Audience.CANDIDATE)


def notes_of(anki):
    return {
        note["Item"]: note
        for note in (anki.get_note(key) for key in anki.find_notes("deck:Prefill"))
    }


def test_each_question_and_each_rung_is_a_note_with_a_card(anki, take_in):
    cards = published()
    take_in(write_deck(cards, library(), NOW))
    items = {name for card in cards for name in card.item_hashes()}
    assert len(items) > len(cards) > 40
    assert anki.note_count() == anki.card_count() == len(items)
    assert notes_of(anki).keys() == items
    assert [d.name for d in anki.decks.all_names_and_ids()] == ["Default", "Prefill"]


def test_the_same_package_twice_doubles_nothing(anki, take_in):
    package = write_deck(published(), library(), NOW)
    assert len(take_in(package).new) == anki.note_count()
    before = anki.note_count()
    again = take_in(package)
    assert (len(again.new), anki.note_count()) == (0, before)
    assert anki.card_count() == before


@pytest.mark.usefixtures("content")
def test_a_later_package_updates_notes_and_adds_new_ones(anki, take_in, content):
    cards = published()
    take_in(write_deck(cards, library(), NOW))
    count, models = anki.note_count(), len(anki.models.all_names_and_ids())
    content.card("two-phases", title="The two phases", question="What is decode?")
    content.card("third-card")
    later = Library.load([content.public, content.private])
    log = take_in(write_deck(listed(later), later, NOW + timedelta(days=1)))
    assert len(log.new) == 5
    assert anki.note_count() == count + 5
    assert len(anki.models.all_names_and_ids()) == models
    notes = notes_of(anki)
    assert "What is decode?" in notes["two-phases"]["Question"]
    assert "What is decode?" in notes["two-phases/second"]["Asked before"]


def listed(of):
    return of.listed(Audience.CANDIDATE)


@pytest.mark.usefixtures("content")
def test_a_rung_stands_below_its_question_and_above_its_answer(anki, take_in):
    take_in(write_deck(published(), library(), NOW))
    note = notes_of(anki)["two-phases/third"]
    front, back = note.cards()[0].question(), note.cards()[0].answer()
    assert front.index("What is prefill?") < front.index("Third rung?")
    assert "Expected three." not in front
    assert back.index("Third rung?") < back.index("Expected three.")
    assert "The short answer of two-phases." not in back
    assert "L3" in front


@pytest.mark.usefixtures("content")
def test_a_question_has_its_short_answer_before_the_full_one(anki, take_in):
    take_in(write_deck(published(), library(), NOW))
    note = notes_of(anki)["two-phases"]
    front, back = note.cards()[0].question(), note.cards()[0].answer()
    assert "short answer" not in front
    short = back.index("The short answer of two-phases.")
    assert short < back.index("A heading of its own")
    assert "&lt;b&gt;tag&lt;/b&gt;" in back


@pytest.mark.usefixtures("content")
def test_tags_tell_topic_role_and_level(anki, take_in):
    take_in(write_deck(published(), library(), NOW))
    notes = notes_of(anki)
    shared = {"prefill::topic::phases", "prefill::role::engine"}
    levels = {"prefill::level::L1", "prefill::level::L3"}
    assert set(notes["two-phases"].tags) == shared | levels
    assert set(notes["two-phases/second"].tags) == shared | {"prefill::level::L2"}


def test_no_link_leads_into_our_pages(anki, take_in):
    take_in(write_deck(published(), library(), NOW))
    text = " ".join("".join(note.fields) for note in notes_of(anki).values())
    assert 'href="https://' in text or "href" not in text
    assert 'href="#' not in text
    assert 'href="/' not in text
    assert " class=" not in text


def test_drafts_and_kit_only_cards_stay_here_whoever_asks(
    content, interviewer, anki, take_in
):
    take_in(interviewer.get("/data/cards.apkg").getvalue())
    assert {name.partition("/")[0] for name in notes_of(anki)} == {
        "two-phases",
        "kv-cache",
    }


def test_a_filter_chooses_the_cards(content, candidate, anki, take_in):
    take_in(candidate.get("/data/cards.apkg?topic=memory").getvalue())
    assert {name.partition("/")[0] for name in notes_of(anki)} == {"kv-cache"}
    answer = candidate.get("/data/cards.apkg?topic=nonsense")
    assert answer.status_code == 400
    assert "There is no topic “nonsense”." in answer.text
