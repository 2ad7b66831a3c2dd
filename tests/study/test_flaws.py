"""Spot the flaw: a fair mix, told apart by nothing but what is said."""

import re

import pytest
from django.template.loader import render_to_string

from interview.study.practice.flaws import RIGHT, Drill, Mark, drill, judged
from interview.study.practice.statements import statements
from interview.web.content import library

CARD = "two-phases-of-a-request"
SEEDS = range(5)


def drills():
    for card in library().cards.values():
        for seed in SEEDS:
            yield card, drill(card, library(), seed)


def plain(html):
    return re.sub(r"<[^>]+>", "", html)


def test_every_card_gives_flaws_and_right_statements():
    for card, found in drills():
        flaws = [one for one in found if one.is_flaw]
        assert {one.wrong.id for one in flaws} <= {w.id for w in card.wrong_answers}
        assert len(flaws) >= 2
        assert 1 <= len(found) - len(flaws) <= RIGHT[1]
        assert len({one.id for one in found}) == len(found)


def test_a_right_statement_is_a_whole_sentence_of_its_paragraph():
    for _, found in drills():
        for one in found:
            if not one.is_flaw:
                text = plain(one.text)
                before, sentence, after = plain(one.around).partition(text)
                assert sentence
                assert re.search(r"(^|[.!?][”’)]*\s)$", before), (before, text)
                assert not after or after[0].isspace(), (text, after)
                assert text[-1] in ".!?"


def test_the_same_seed_gives_the_same_drill():
    for card, found in drills():
        again = [drill(card, library(), seed) for seed in SEEDS]
        assert found in again


def test_seeds_give_other_mixes_so_that_the_place_tells_nothing():
    card = library().cards[CARD]
    patterns = {
        tuple(one.is_flaw for one in drill(card, library(), seed)) for seed in range(20)
    }
    assert len(patterns) > 5
    assert {pattern[0] for pattern in patterns} == {True, False}


def page(found, marks, *, is_compared, reasons=""):
    shown = Drill(judged(found, marks), reasons, is_compared)
    return render_to_string("study/practice/_flaws.html", {"drill": shown})


def shape(html, one):
    """The entry of a statement, without its text and name."""
    entry = re.search(rf'<li class="drill__one" id="{one.id}">.*?</li>', html, re.S)[0]
    entry = entry.replace(str(one.text), "").replace(one.id, "")
    return re.sub(r"Statement \d", "", entry)


def test_nothing_in_the_page_tells_them_apart_before_they_are_compared():
    for _, found in drills():
        html = page(found, {found[0].id: "right"}, is_compared=False)
        assert len({shape(html, one).replace(" checked", "") for one in found}) == 1
        for one in found:
            if one.is_flaw:
                assert str(one.wrong.why) not in html
                assert f'"{one.wrong.id}"' not in html


def test_what_was_marked_is_set_beside_what_it_is():
    found = drill(library().cards[CARD], library(), 1)
    flaws = [one for one in found if one.is_flaw]
    right = next(one for one in found if not one.is_flaw)
    marks = {flaws[0].id: "flawed", flaws[1].id: "right", right.id: "flawed"}
    html = page(found, marks, is_compared=True, reasons="I <b>think</b>")
    assert f"You told 1 of {len(found)} apart." in html
    assert "Flawed, as you said." in shape(html, flaws[0])
    assert "Flawed, and you said right." in shape(html, flaws[1])
    assert "Right, and you said flawed." in shape(html, right)
    assert "Flawed." in shape(html, flaws[2])
    assert all(str(one.wrong.why) in html for one in flaws)
    assert str(right.around) in html
    assert "I &lt;b&gt;think" in html


def test_marks_that_are_nonsense_mark_nothing():
    found = drill(library().cards[CARD], library(), 1)
    marks = {found[0].id: "right", found[1].id: "maybe", "flaw-0": "flawed"}
    assert [one.mark for one in judged(found, marks)] == (
        [Mark.RIGHT] + [None] * (len(found) - 1)
    )


@pytest.mark.parametrize(
    "line",
    [
        "But a step with a chunk in it takes longer for everybody in it.",
        "It reads every weight once and makes one token for each request.",
        "That is why the same server feels slower at noon than at night.",
        "| A table row | is no sentence of a paragraph at all | 3 |",
        "- A bullet of a list leans on the words that stand above the list.",
        "The sum is simple: two times layers times heads times head size.",
        "It grew to {{ result:spark-two-loads users=64 ttft_ms }} ms with users.",
        "The budget is *one number. And* nothing else counts in the step here.",
        "Short ones say little.",
    ],
)
def test_what_leans_on_other_words_is_no_statement(line):
    assert not list(statements(line))


def test_sentences_are_taken_whole_and_with_their_markup():
    line = "Yes. The flag `--max-num-seqs` limits how many requests run at once. So do."
    sentence = "The flag `--max-num-seqs` limits how many requests run at once."
    assert list(statements(line)) == [(line, sentence)]


def test_code_is_no_text():
    text = "```\nThe flag of the server limits how many requests run at once.\n```"
    assert not list(statements(text))
