"""The six published figures, in virtual time [C:CAL]."""

import random

import pytest

from interview.spark import calibration, tokens
from interview.spark.closedloop import Load


@pytest.mark.parametrize("load", calibration.LOADS, ids=lambda load: f"{load.users}")
def test_all_figures_are_within_five_percent_of_the_published_ones(load):
    simulated = calibration.figures(load)
    off = calibration.differences(simulated, calibration.PUBLISHED[load.users])
    assert all(abs(difference) <= 0.05 for difference in off), (simulated, off)


def test_ttft_at_64_users_is_about_a_third_higher_with_twice_the_prompt():
    short, long = (calibration.figures(Load(64, 192, n)) for n in (512, 1024))
    assert long.ttft_ms / short.ttft_ms == pytest.approx(1.37, abs=0.06)


def test_the_table_says_what_it_compares_with():
    table = calibration.table()
    assert "965.0" in table
    assert "our assumption" in table
    assert "predictions" in table


def test_a_prompt_has_exactly_the_tokens_asked_for():
    text = calibration.prompt_text(512, random.Random(1))
    assert len(tokens.encode(text)) == 512
    assert text != calibration.prompt_text(512, random.Random(2))
