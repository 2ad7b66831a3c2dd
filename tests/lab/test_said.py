"""A prediction beside its measurement, and the bias of many: plain arithmetic."""

import re

import pytest
from django.template.loader import render_to_string

from interview.cards.quantity import Quantity
from interview.lab.experiments.calibration import biases
from interview.lab.experiments.said import Said, all_said, said
from interview.lab.form.guess import Guess, complaint

FIGURES = {
    "short": {"values": {"ttft_ms": [100.0, 90.0, 120.0]}, "spoiled": []},
    "long": {"values": {"ttft_ms": [400.0, None, None]}, "spoiled": []},
}


def made(value, measured, low=None, high=None, metric="ttft_ms"):
    return Said(Quantity(metric, "short"), value, low, high, measured, None, None)


def test_a_guess_meets_the_load_that_it_names():
    found = said(Guess("ttft_ms@short", 150.0, 80.0, 200.0), FIGURES, "long")
    assert (found.measured, found.measured_low, found.measured_high) == (100, 90, 120)
    assert (found.off_percent, found.inside, found.is_spot_on) == (50.0, True, False)
    assert found.title == "TTFT of “short”"
    assert found.sentence == (
        "Said 150\u00a0ms, between 80\u00a0ms and 200\u00a0ms; measured 100\u00a0ms."
    )


def test_a_guess_without_a_load_is_of_the_last_one():
    found = said(Guess("ttft_ms", 300.0), FIGURES, "long")
    assert (found.measured, found.off_percent, found.inside) == (400.0, -25.0, None)


@pytest.mark.parametrize("quantity", ["tpot_ms@short", "ttft_ms@nowhere"])
def test_what_was_not_measured_is_neither_off_nor_outside(quantity):
    found = said(Guess(quantity, 1.0, 0.5, 2.0), FIGURES, "long")
    assert (found.measured, found.off_percent, found.inside) == (None, None, None)
    assert found.measured_text == "–"


@pytest.mark.parametrize(
    ("measured", "words"), [(None, "It was not measured."), (0.0, "It was 0.")]
)
def test_a_number_that_is_0_was_measured(measured, words):
    """As the TPOT of an answer that came in one piece."""
    row = made(10.0, measured, 5.0, 20.0, "tpot_ms")
    page = render_to_string("lab/_compared.html", {"compared": [row]})
    assert re.findall(r"It was [^<]*", page) == [words]
    assert ("missed" in page) == (measured is not None)


def test_without_figures_nothing_was_measured():
    (found,) = all_said([Guess("ttft_ms", 1.0)], None, "long")
    assert found.measured is None


@pytest.mark.parametrize(
    ("value", "low", "high", "wrong"),
    [
        (100, None, None, None),
        (None, None, None, None),
        (100, 100, 100, None),
        (100, 90, 110, None),
        (100, 90, None, "both ends"),
        (None, 90, 110, "a number inside"),
        (100, 110, 90, "110 ms, above its end at 90 ms"),
        (100, 101, 110, "is not between"),
        (100, 90, 99, "is not between"),
    ],
)
def test_a_range_holds_its_number(value, low, high, wrong):
    found = complaint("ttft_ms", value, low, high)
    assert (found is None) if wrong is None else (wrong in found)


def test_the_bias_is_the_middle_factor_and_the_ranges_are_counted():
    (bias,) = biases(
        [
            made(100, 180, 90, 110),
            made(100, 200, 90, 210),
            made(100, 1, 90, 110),
            made(100, 150, 100, 150),
            made(100, 400, 50, 500),
            made(100, None, 1, 1000),
        ]
    )
    assert (bias.count, bias.factor, bias.ranges, bias.held) == (5, 100 / 180, 5, 3)
    assert bias.sentence == (
        "TTFT: your guesses were 0.56 times the measurement, in the middle of 5; "
        "3 of 5 ranges held the measurement."
    )


@pytest.mark.parametrize(
    ("guesses", "sentence"),
    [
        ([made(200, 100)], "TTFT: your guess was 2.00 times the measurement."),
        ([made(114, 100)], "TTFT: your guess was 1.14 times the measurement."),
        ([made(1, 1000)], "TTFT: your guess was less than 0.01 times the measurement."),
        ([made(100, 102)], "TTFT: your guess was right within 5 %."),
        (
            [made(100, 100, 90, 110)],
            "TTFT: your guess was right within 5 %; its range held the measurement.",
        ),
        (
            [made(100, 50, 90, 110)] * 2,
            "TTFT: your guesses were 2.00 times the measurement, in the middle of 2; "
            "none of 2 ranges held the measurement.",
        ),
    ],
)
def test_the_bias_is_said_in_one_sentence(guesses, sentence):
    (bias,) = biases(guesses)
    assert bias.sentence == sentence


def test_each_metric_has_a_bias_of_its_own_and_none_without_a_measurement():
    found = biases([made(1, 2, metric="tpot_ms"), made(1, 2), made(1, None)])
    assert [one.metric for one in found] == ["ttft_ms", "tpot_ms"]
    assert biases([made(1, None)]) == []
