from decimal import Decimal

import pytest

from interview.cards.quotes import BadQuote, read_claim, read_quote


@pytest.mark.parametrize(
    ("words", "fits", "fails"),
    [
        ("about eight times", ["7.5", "8.1", "8.5"], ["7.4", "8.6"]),
        ("eight times", ["7.6", "8.4"], ["7.4", "8.6"]),
        ("about 7.5 times", ["7.45", "7.548"], ["7.44", "7.56"]),
        ("almost four times", ["3.5", "3.755"], ["3.4", "4.01"]),
        ("more than seven times", ["7.01", "7.548"], ["6.99", "8.01"]),
        ("under 40 times", ["31", "39.9"], ["29", "40.1"]),
        ("roughly 40-fold", ["35", "44"], ["34", "46"]),
        ("twice", ["1.5", "2.4"], ["1.4", "2.6"]),
        ("about half", ["0.45", "0.55"], ["0.44", "0.56"]),
        ("just over a third", ["0.34"], ["0.33", "0.37"]),
        ("about 70 %", ["0.65", "0.745"], ["0.64", "0.76"]),
        ("at least 1,200 times", ["1200", "1299"], ["1199", "1301"]),
    ],
)
def test_words_fit_the_ratios_they_round(words, fits, fails):
    claim = read_claim(words)
    assert all(claim.fits(Decimal(ratio)) for ratio in fits)
    assert not any(claim.fits(Decimal(ratio)) for ratio in fails)


@pytest.mark.parametrize("words", ["lots", "about", "eight-ish times", "1.2.3 times"])
def test_other_words_are_refused(words):
    with pytest.raises(BadQuote, match="no ratio in words"):
        read_claim(words)


def test_a_result_names_set_cells_and_column():
    quote = read_quote(" result:loads users=64 seed=1 ttft_ms ")
    assert (quote.set_id, quote.column, quote.over) == ("loads", "ttft_ms", None)
    assert quote.where == {"users": "64", "seed": "1"}


def test_a_ratio_divides_one_row_by_another():
    quote = read_quote("ratio:loads users=64 / users=1 tpot_ms: about 7.5 times")
    assert (quote.where, quote.over) == ({"users": "64"}, {"users": "1"})
    assert (quote.column, quote.words) == ("tpot_ms", "about 7.5 times")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("loads users=1 ttft_ms", "neither result:SET nor ratio:SET"),
        ("result:loads users=1", "name of a column"),
        ("result:loads users ttft_ms", "“users” is not like column=value"),
        ("result:loads users=1 ttft_ms: about eight", "only a ratio can have words"),
        ("ratio:loads users=1 ttft_ms", "two rows with /"),
    ],
)
def test_a_quote_that_is_not_understood_says_why(text, problem):
    with pytest.raises(BadQuote, match=problem):
        read_quote(text)
