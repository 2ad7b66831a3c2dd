"""Numbers on pages and durations from people."""

import re

import pytest
from django.template import Context, Template

from interview.web.numbers import (
    NotAQuantity,
    ms,
    number,
    parse_ms,
    percent,
    rate,
    tpot,
)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (ms(257.4), "257\u00a0ms"),
        (ms(12965.5), "12,966\u00a0ms"),
        (ms(0), "0\u00a0ms"),
        (ms(None), "–"),
        (tpot(32.25), "32.2\u00a0ms"),
        (tpot(1243.8), "1,243.8\u00a0ms"),
        (tpot(None), "–"),
        (rate(29.5), "29.5\u00a0tok/s"),
        (rate(None), "–"),
        (number(1234567), "1,234,567"),
        (number(0.5, 2), "0.50"),
        (number(None), "–"),
    ],
)
def test_a_number_has_its_decimals_its_commas_and_its_unit(shown, expected):
    assert shown == expected


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0, "0\u00a0%"),
        (100.0, "100\u00a0%"),
        (37.5, "38\u00a0%"),
        (99.4, "99\u00a0%"),
        (99.6, "99.6\u00a0%"),
        (99.99, "over 99.9\u00a0%"),
        (100.2, "100.2\u00a0%"),
        (0.3, "0.3\u00a0%"),
        (0.01, "under 0.1\u00a0%"),
        (None, "–"),
    ],
)
def test_a_share_is_all_or_nothing_only_when_it_is(share, expected):
    assert percent(share) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("a|ms", "1,257\u00a0ms"),
        ("a|tpot", "1,257.0\u00a0ms"),
        ("a|itl", "1,257.0\u00a0ms"),
        ("a|rate", "1,257.0\u00a0tok/s"),
        ("a|number:1", "1,257.0"),
        ("none|number", "–"),
    ],
)
def test_templates_write_numbers_the_same_way(written, expected):
    template = Template("{% load numbers %}{{ " + written + " }}")
    assert template.render(Context({"a": 1257.04, "none": None})) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("257", 257),
        ("257 ms", 257),
        (" 257ms ", 257),
        ("257\u00a0ms", 257),
        ("0.257 s", 257),
        (".5 s", 500),
        ("2 S", 2000),
        ("1,257.5 ms", 1257.5),
        ("0", 0),
    ],
)
def test_a_duration_is_read_in_the_ways_that_people_write_it(typed, expected):
    assert parse_ms(typed) == pytest.approx(expected)


@pytest.mark.parametrize(
    "typed", ["", "fast", "-3", "1,2,3 ms", "2 min", "1e3", "nan", "1.2,5", "1 2"]
)
def test_anything_else_is_refused_with_an_example(typed):
    with pytest.raises(NotAQuantity, match=r"like 400, 400 ms or 0\.4 s"):
        parse_ms(typed)


@pytest.mark.parametrize(
    ("typed", "with_point"),
    [
        ("0,257 s", "0.257 s"),
        ("29,5", "29.5"),
        ("1,2 ms", "1.2 ms"),
        ("12,34", "12.34"),
        (",5 S", ".5 S"),
        ("1234,567", "1234.567"),
        ("257,", "257."),
    ],
)
def test_a_decimal_comma_is_refused_with_the_number_to_write(typed, with_point):
    with pytest.raises(NotAQuantity, match=re.escape(f"write {with_point} with a")):
        parse_ms(typed)


def test_what_a_page_shows_can_be_typed_again():
    assert parse_ms(ms(12965)) == 12965
