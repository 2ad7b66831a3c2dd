import shutil
import threading
from pathlib import Path

import pytest

from interview.cards.keeper import LibraryKeeper
from interview.cards.library import Library

GOOD = Path(__file__).parent / "content"


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def content(tmp_path):
    return Path(shutil.copytree(GOOD, tmp_path / "content"))


@pytest.fixture
def keeper(content, clock):
    return LibraryKeeper([content], clock)


def second_card(content):
    return content / "cards" / "basics" / "second-card.md"


def test_a_change_shows_after_a_second(keeper, content, clock):
    first = keeper.library()
    path = second_card(content)
    path.write_text(path.read_text().replace("# One token budget", "# A new title"))
    clock.now += 0.9
    assert keeper.library() is first
    clock.now += 0.1
    assert keeper.library().cards["second-card"].title == "A new title"


def test_files_that_stay_the_same_are_not_read_again(keeper, clock):
    first = keeper.library()
    clock.now += 60
    assert keeper.library() is first


def test_a_broken_card_stays_up_with_a_note_and_heals(keeper, content, clock):
    good = second_card(content).read_text()
    second_card(content).write_text("---\n")
    clock.now += 1
    library = keeper.library()
    assert library.cards["second-card"].title == "One token budget"
    assert [problem.rule.code for problem in library.problems] == ["C001"]
    second_card(content).write_text(good)
    clock.now += 1
    assert keeper.library().problems == ()


def test_a_broken_file_is_logged_once_a_change(keeper, content, clock, caplog):
    path = second_card(content)
    good = path.read_text()

    def look(text):
        caplog.clear()
        path.write_text(text)
        clock.now += 1
        keeper.library()
        clock.now += 1
        keeper.library()
        return [record.getMessage() for record in caplog.records]

    (line,) = look("---\n")
    assert line.startswith(f"{path.as_posix()}:1:1: C001 error: ")
    assert line.endswith("The last good version is shown.")
    other = content / "cards" / "basics" / "first-card.md"
    other.write_text(other.read_text() + "\n")
    assert look("---\n") == []
    (line,) = look(good.replace("minutes: ", "minutes: many "))
    assert ": C007 error: " in line
    assert look(good) == []
    assert len(look("---\n")) == 1


def test_a_file_broken_from_the_start_is_logged_as_left_out(content, clock, caplog):
    second_card(content).write_text("---\n")
    library = LibraryKeeper([content], clock).library()
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "last good version" not in record.getMessage()
    assert "second-card" not in library.cards


def test_only_the_last_good_version_has_a_fault(keeper, content, clock):
    second_card(content).write_text("---\n")
    clock.now += 1
    cards = keeper.library().cards
    faults = {name: keeper.library().fault(card) for name, card in cards.items()}
    assert faults.pop("second-card").place.line == 1
    assert set(faults.values()) == {None}


def test_a_removed_file_takes_its_card_away(keeper, content, clock):
    second_card(content).unlink()
    clock.now += 1
    assert "second-card" not in keeper.library().cards


def test_others_get_the_library_from_before_while_one_reloads(
    keeper, content, clock, monkeypatch
):
    first = keeper.library()
    reading, go_on = threading.Event(), threading.Event()
    load = Library.load

    def slow_load(roots, previous=None):
        reading.set()
        assert go_on.wait(10)
        return load(roots, previous)

    monkeypatch.setattr(Library, "load", slow_load)
    second_card(content).unlink()
    clock.now += 1
    reloading = threading.Thread(target=keeper.library)
    reloading.start()
    assert reading.wait(10)
    clock.now += 1
    assert keeper.library() is first
    go_on.set()
    reloading.join(10)
    assert "second-card" not in keeper.library().cards
