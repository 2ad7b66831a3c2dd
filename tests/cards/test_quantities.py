import pytest

from interview.cards.quantity import (
    METRICS,
    BadQuantity,
    BadRange,
    Quantity,
    Range,
    read_quantity,
    read_range,
)


@pytest.mark.parametrize("text", ["ttft_ms@long", "output_tokens_per_s@1", "e2e_ms"])
def test_a_quantity_is_written_as_it_is_read(text):
    assert str(read_quantity(text)) == text


def test_a_quantity_outside_experiments_has_no_load():
    assert read_quantity("tpot_ms") == Quantity("tpot_ms", "")


@pytest.mark.parametrize("text", ["", "ttft", "@long", "ttft_ms@", "TTFT_ms@long"])
def test_other_texts_are_no_quantity(text):
    with pytest.raises(BadQuantity):
        read_quantity(text)


def test_a_metric_with_ms_in_its_name_is_in_ms():
    for name, metric in METRICS.items():
        assert (metric.name, metric.unit == "ms") == (name, name.endswith("_ms"))
    assert read_quantity("output_tokens_per_s@1").about.unit == "tok/s"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5..", Range(5, None)),
        ("..0.8", Range(None, 0.8)),
        ("0.9..1.1", Range(0.9, 1.1)),
    ],
)
def test_a_range_is_written_as_it_is_read(text, expected):
    assert read_range(text) == expected
    assert str(expected) == text


@pytest.mark.parametrize(
    "text", ["", "..", "5", "5...", "1..1", "2..1", "-1..", "a..b"]
)
def test_other_texts_are_no_range(text):
    with pytest.raises(BadRange):
        read_range(text)


@pytest.mark.parametrize(
    ("low", "high", "holds", "misses"),
    [
        (2, 3, True, False),
        (2.5, 2.5, True, False),
        (1.9, 2.5, False, False),
        (2.5, 3.1, False, False),
        (1, 4, False, False),
        (1, 1.9, False, True),
        (3.1, 9, False, True),
    ],
)
def test_an_interval_lies_inside_or_outside_or_across(low, high, holds, misses):
    range_ = Range(2, 3)
    assert (range_.holds(low, high), range_.misses(low, high)) == (holds, misses)


def test_an_open_end_misses_nothing_on_its_side():
    assert Range(2, None).holds(2, 1e9)
    assert not Range(2, None).misses(2, 1e9)
    assert Range(None, 2).holds(0, 2)
    assert Range(None, 2).misses(2.1, 3)


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ("2..", "5..", True),
        ("2..9", "5..", False),
        ("..9", "5..", False),
        ("..9", "..9", True),
        ("1..9", "2..3", True),
        ("2.5..9", "2..3", False),
    ],
)
def test_a_range_contains_another(outer, inner, expected):
    assert read_range(outer).contains(read_range(inner)) is expected
