import shutil
from pathlib import Path

import pytest

from interview.cards.card import Audience, Status
from interview.cards.experiment import Load, Neighbours
from interview.cards.library import Library

GOOD = Path(__file__).parent / "content"
CANDIDATE, INTERVIEWER, AUTHOR = Audience


@pytest.fixture
def content(tmp_path):
    return Path(shutil.copytree(GOOD, tmp_path / "content"))


@pytest.fixture(scope="module")
def library():
    return Library.load([GOOD])


def write_card(folder, card_id, **changes):
    """A card like first-card; each change is the new value of a front matter key."""
    text = (GOOD / "cards" / "basics" / "first-card.md").read_text()
    text = text.replace("id: first-card", f"id: {card_id}", 1)
    # The experiment's claim is against the wrong answer of first-card alone.
    lines = text.replace(" experiment=one-request}", "}").split("\n")
    for key, value in changes.items():
        at = next(n for n, line in enumerate(lines) if line.startswith(f"{key}:"))
        lines[at] = f"{key}: {value}"
    path = folder / "cards" / "basics" / f"{card_id}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return path


def ids(cards):
    return [card.id for card in cards]


def test_a_card_is_read_whole(library):
    card = library.cards["first-card"]
    assert card.title_text == "The two phases of one request"
    assert card.edition == "2026.10"
    assert card.taught_in == ("1.1",)
    assert card.checked.isoformat() == "2026-10-05"
    assert [rung.level for rung in card.follow_ups] == ["L1", "L2", "L3", "L3", "L4"]
    assert card.follow_up("not-64").answer.markdown == "Steps got longer."
    assert card.wrong_answer("throughput").quote == "Throughput is all."
    assert card.wrong_answer("throughput").experiment == "one-request"
    assert card.sources[1].text == "A book on queues, which goes on here"
    assert card.question.markdown == "What does the GPU do?"
    lines = card.source.split("\n")
    assert lines[card.question.line - 1] == "What does the GPU do?"


def test_an_experiment_is_read_whole(library):
    experiment = library.experiments["one-request"]
    assert experiment.loads == (Load("1", 1, None, 512, 128, True, None),)
    assert (experiment.users, experiment.by_users) == ((1,), True)
    assert experiment.repetitions == 1
    assert experiment.question.markdown == "How long is the wait?"
    assert experiment.intro.markdown == "One request alone."
    assert experiment.sources[0].facts == ("V:SCH-1",)
    later = library.experiments["later"]
    assert [load.name for load in later.loads] == ["1", "64"]
    assert later.load("64").neighbours == Neighbours(2, 256, 1, 32)
    assert not library.experiments["later"].written


def test_results_keep_their_digits_and_miss_what_is_missing(library):
    results = library.results["loads"]
    assert results.text("tpot_ms", users="1") == "32.3"
    assert results.series("ttft_ms")[1] is None
    assert results.about["machine"] == "DGX Spark"


def test_candidates_see_published_cards_only(content):
    write_card(content, "for-kits", status="retired")
    write_card(content.parent / "private", "secret", status="kit-only")
    library = Library.load([content, content.parent / "private"])
    assert ids(library.listed(CANDIDATE)) == ["first-card"]
    assert ids(library.listed(INTERVIEWER)) == ["first-card", "secret"]
    assert len(library.listed(AUTHOR)) == 4
    assert library.visible("secret", CANDIDATE) is None
    assert library.visible("secret", INTERVIEWER).private


def test_a_private_card_is_kit_only_unless_it_says_otherwise(content):
    private = content.parent / "private"
    path = write_card(private, "secret")
    path.write_text(path.read_text().replace("status: published\n", ""))
    write_card(private, "shown", status="published")
    library = Library.load([content, private])
    assert library.problems == ()
    assert library.cards["secret"].status is Status.KIT_ONLY
    assert library.cards["shown"].status is Status.PUBLISHED


def test_cards_are_filtered_by_any_word_of_each_kind(library):
    assert ids(library.listed(AUTHOR, topics=["scheduler"])) == ["second-card"]
    assert library.listed(AUTHOR, topics=["scheduler"], levels=["L4"]) == []
    both = library.listed(AUTHOR, levels=["L4", "L1"], roles=["inference-engineering"])
    assert len(both) == 2


def test_a_text_orders_the_cards_by_how_well_they_match(library):
    assert ids(library.listed(AUTHOR, text="token budget"))[0] == "second-card"
    assert library.listed(AUTHOR, text="zebra") == []


def test_what_others_need_comes_first(content):
    write_card(content, "a-late-card", needs="[first-card]")
    library = Library.load([content])
    assert ids(library.listed(AUTHOR, topics=["basics"])) == [
        "first-card",
        "a-late-card",
    ]
    before, after = library.neighbours("a-late-card", AUTHOR)
    assert (before.id, after.id) == ("first-card", "second-card")
    assert library.neighbours("first-card", CANDIDATE)[0] is None
    assert library.neighbours("second-card", CANDIDATE) == (None, None)


def test_sections_and_experiments_know_their_cards(library):
    assert ids(library.taught_by("1.1", AUTHOR)) == ["first-card", "second-card"]
    assert ids(library.taught_by("1.1", CANDIDATE)) == ["first-card"]
    assert ids(library.needing("first-card", AUTHOR)) == ["second-card"]
    assert ids(library.trying("one-request", CANDIDATE)) == ["first-card"]


def test_the_contents_know_what_is_written(library):
    contents = library.contents
    assert [entry.number for entry in contents.entries()] == ["1.1", "1.2", "2.1"]
    assert contents.part_of("2.1").title == "Measure"
    assert contents.neighbours("1.1")[1].number == "2.1"
    before, after = contents.neighbours("1.2")
    assert (before.number, after.number) == ("1.1", "2.1")
    assert contents.neighbours("9.9") == (None, None)


def test_figures_are_numbered_in_their_part(library):
    assert library.figure_number("two-loads") == "1.1"
    assert library.figure_number("no-figure") is None


def test_a_broken_card_is_left_out_and_listed(content):
    path = content / "cards" / "basics" / "first-card.md"
    path.write_text(path.read_text().replace("minutes: 6", "minutes: six"))
    library = Library.load([content])
    assert list(library.cards) == ["second-card"]
    assert [p.rule.code for p in library.problems] == ["C007"]


def test_a_card_that_breaks_stays_as_it_was(content):
    before = Library.load([content])
    path = content / "cards" / "basics" / "first-card.md"
    path.write_text("---\nid: first-card\n---\n# Half a card\n")
    after = Library.load([content], previous=before)
    assert after.cards["first-card"] is before.cards["first-card"]
    assert after.problems
    again = Library.load([content], previous=after)
    assert again.cards["first-card"] is before.cards["first-card"]


def test_a_card_whose_id_is_changed_by_mistake_stays_as_it_was(content):
    before = Library.load([content])
    path = content / "cards" / "basics" / "first-card.md"
    path.write_text(path.read_text().replace("id: first-card", "id: frist-card"))
    after = Library.load([content], previous=before)
    assert list(after.cards) == ["first-card", "second-card"]
    assert [p.rule.code for p in after.problems][:1] == ["C010"]


def test_a_card_that_was_removed_goes(content):
    before = Library.load([content])
    (content / "cards" / "basics" / "second-card.md").unlink()
    assert list(Library.load([content], previous=before).cards) == ["first-card"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("vocabulary.toml", lambda library: library.vocabulary.topics),
        ("sources.toml", lambda library: library.facts),
        ("gone.toml", lambda library: library.gone),
        ("manual/contents.toml", lambda library: library.contents.parts),
        ("results/loads.csv", lambda library: library.results),
        ("experiments/later.md", lambda library: library.experiments["later"]),
        ("manual/2-measure/2.1-measure-it.md", lambda x: x.sections["2.1"]),
    ],
)
def test_any_file_that_breaks_stays_as_it_was(content, name, kept):
    before = Library.load([content])
    (content / name).write_text("= nonsense")
    after = Library.load([content], previous=before)
    assert kept(after) == kept(before)
    assert after.problems


def test_a_hash_ignores_markup_and_white_space(content):
    path = content / "cards" / "basics" / "first-card.md"
    before = Library.load([content]).cards["first-card"].item_hashes()
    text = path.read_text()
    text = text.replace("Steps got longer.", "Steps *got*\n  [longer](manual:1.1).")
    text = text.replace("### Prefill", "#### Prefill")
    path.write_text(text)
    assert Library.load([content]).cards["first-card"].item_hashes() == before


def test_a_change_in_one_rung_changes_that_hash_alone(content):
    path = content / "cards" / "basics" / "first-card.md"
    before = Library.load([content]).cards["first-card"].item_hashes()
    path.write_text(path.read_text().replace("One budget.", "One token budget."))
    after = Library.load([content]).cards["first-card"].item_hashes()
    changed = {item for item in before if before[item] != after[item]}
    assert changed == {"first-card/no-phases"}


def test_moving_words_between_question_and_answer_changes_the_hash(content):
    path = content / "cards" / "basics" / "first-card.md"
    before = Library.load([content]).cards["first-card"].hash
    text = path.read_text().replace("What does the GPU do?", "What does the GPU")
    path.write_text(text.replace("Prefill, then decode.", "do? Prefill, then decode."))
    assert Library.load([content]).cards["first-card"].hash != before


def test_no_content_at_all_is_an_empty_library(tmp_path):
    library = Library.load([tmp_path / "nowhere"])
    assert (dict(library.cards), library.problems) == ({}, ())
    assert library.search("anything", AUTHOR) == []
