"""What changed in a card since somebody was graded on it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.template.loader import render_to_string

from interview.accounts.models import User
from interview.cards.outline import Passage
from interview.study.models import Item
from interview.study.practice.changed import Kind, change_of, runs, word_diff
from interview.web.content import library
from interview.web.models import CardVersion

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)


@pytest.fixture
def card(content):
    return library().cards["two-phases"]


@pytest.fixture
def graded(db, card):
    """Makes the item of a rung as it is after a grade on the card's present text."""
    person = User.objects.create(name="ada", password="!")
    CardVersion.objects.keep(card)

    def item(rung_id=""):
        found = Item(user=person, card_id=card.id, rung_id=rung_id, natural_due_at=NOW)
        found.item_hash = card.item_hashes()[found.name]
        found.card_version = card.version
        return found

    return item


def with_text(card, **texts):
    passages = {name: Passage(text, 1, 3) for name, text in texts.items()}
    return replace(card, **passages)


def with_rung(card, rung_id, **new):
    rungs = [
        replace(rung, **new) if rung.id == rung_id else rung for rung in card.follow_ups
    ]
    return replace(card, follow_ups=tuple(rungs))


def test_a_changed_answer_shows_what_went_and_what_came(graded, card):
    changed = change_of(
        graded(), with_text(card, short="The long answer of two-phases.")
    )
    (part,) = changed.parts
    assert (part.title, part.is_answer) == ("Short answer", True)
    assert [(run.kind, run.text) for run in part.runs] == [
        (Kind.SAME, "The"),
        (Kind.REMOVED, "short"),
        (Kind.ADDED, "long"),
        (Kind.SAME, "answer of two-phases."),
    ]


def test_markup_and_white_space_ask_nothing(graded, card):
    text = "The   *short*\nanswer of **two-phases**."
    assert change_of(graded(), with_text(card, short=text)) is None


def test_a_change_on_one_rung_asks_nothing_about_another(graded, card):
    new = with_rung(card, "fourth", answer=Passage("Quite another.", 1, 4))
    assert change_of(graded("first"), new) is None
    assert change_of(graded(), new) is None
    changed = change_of(graded("fourth"), new)
    assert [part.title for part in changed.parts] == ["Expected answer"]
    assert changed.only_answers


def test_a_changed_question_is_no_answer(graded, card):
    changed = change_of(graded("second"), with_rung(card, "second", title="Third?"))
    assert [(part.title, part.is_answer) for part in changed.parts] == [
        ("Follow-up", False)
    ]
    assert not changed.shows_answers


def test_a_rung_that_is_gone_did_not_change(graded, card):
    assert change_of(graded("fourth"), replace(card, follow_ups=())) is None


def test_an_old_text_that_is_lost_is_said_to_be(graded, card):
    CardVersion.objects.all().delete()
    changed = change_of(graded(), with_text(card, short="Other."))
    html = shown(changed)
    assert "can’t be read any more" in html


def shown(changed, **given):
    context = {"changed": changed, "answers_url": "?diff=1"} | given
    return render_to_string("study/practice/_changed.html", context)


def test_an_answer_is_in_the_page_only_when_it_was_asked_for(graded, card):
    new = with_text(card, question="What is decode?", short="Quite another.")
    changed = change_of(graded(), new)
    closed, opened = shown(changed), shown(changed, shows_answers=True)
    for html in (closed, opened):
        assert "prefill?" in html
        assert "decode?" in html
    for word in ("short answer of", "another"):
        assert word not in closed
    assert 'href="?diff=1"' in closed
    assert "another" in opened
    assert 'href="?diff=1"' not in opened


def test_a_screen_reader_hears_what_went_and_what_came(graded, card):
    changed = change_of(graded(), with_text(card, question="What is decode?"))
    html = shown(changed)
    assert '<del><span class="visually-hidden">Removed: </span>prefill?' in html
    assert '<ins><span class="visually-hidden">Added: </span>decode?' in html


def test_texts_are_text_and_no_markup(graded, card):
    changed = change_of(graded(), with_text(card, question="<b>What</b>?"))
    assert "<b>" not in shown(changed)


def test_long_unchanged_stretches_are_left_out():
    words = [f"w{number}" for number in range(100)]
    found = runs(words, [*words[:50], "new", *words[50:]])
    assert [run.kind for run in found] == [
        Kind.LEFT_OUT,
        Kind.SAME,
        Kind.ADDED,
        Kind.SAME,
        Kind.LEFT_OUT,
    ]
    assert found[1].text.split() == words[40:50]
    assert found[3].text.split() == words[50:60]


@pytest.mark.parametrize(
    ("old", "new"),
    [("a b c", "a b c d"), ("a b", "b"), ("", "a"), ("a b c d", "d c b a")],
)
def test_both_texts_can_be_read_from_a_diff(content, old, new):
    found = word_diff(old, new)
    for text, other in ((old, Kind.ADDED), (new, Kind.REMOVED)):
        kept = [run.text for run in found if run.kind is not other]
        assert " ".join(kept) == text
