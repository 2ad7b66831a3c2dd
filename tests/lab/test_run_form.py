"""The run form for an experiment: its loads and its questions decide."""

from dataclasses import replace

import pytest

from interview.cards.experiment import Load, Neighbours
from interview.cards.quantity import Quantity
from interview.lab import content
from interview.lab.experiments.departures import departures
from interview.lab.form.forms import RunForm
from interview.lab.form.guess import Guess

NEIGHBOURS = Neighbours(3, 2000, 1, 20)


@pytest.fixture
def named():
    """An experiment with loads of its own."""
    return replace(
        content.experiment("one-request"),
        id="named",
        loads=(
            Load("short", 1, 3, 128, 16, fresh=True, neighbours=None),
            Load("long", 1, None, 2000, 64, fresh=False, neighbours=NEIGHBOURS),
        ),
        by_users=False,
        repetitions=2,
        predict=(Quantity("ttft_ms", "short"), Quantity("output_tokens_per_s", "long")),
    )


def test_its_own_loads_are_sent_whatever_was_posted(named):
    form = RunForm({"max_tokens": "9999", "levels": "x", "load": "custom"}, named)
    assert form.is_valid(), form.errors
    spec = form.spec(None)
    assert (spec.experiment, spec.repeat) == ("named", 2)
    assert spec.load_names == ("short", "long")
    first, second = spec.loads
    assert (first["requests"], first["fresh_prompt"], first["neighbours"]) == (
        3,
        True,
        None,
    )
    assert (second["requests"], second["fresh_prompt"]) == (4, False)
    assert second["neighbours"] == {
        "requests": 3,
        "prompt_tokens": 2000,
        "max_tokens": 1,
        "after_tokens": 20,
    }


def test_it_asks_exactly_the_experiments_quantities(named):
    form = RunForm(
        {
            "ttft_ms@short": "0.2 s",
            "ttft_ms@short_low": "150",
            "ttft_ms@short_high": "1,250 ms",
            "output_tokens_per_s@long": "25 tok/s",
            "ttft": "7",
        },
        named,
    )
    assert form.is_valid(), form.errors
    assert form.guesses() == [
        Guess("ttft_ms@short", 200.0, 150.0, 1250.0),
        Guess("output_tokens_per_s@long", 25.0),
    ]


def test_an_experiment_with_sizes_is_asked_in_one_of_them():
    form = RunForm(
        {
            "load": "two-loads-live",
            "max_tokens": "7",
            "tpot_ms@64": "240",
            "tpot_ms@64_low": "200",
            "tpot_ms@64_high": "300",
        },
        content.experiment("two-loads"),
    )
    assert form.is_valid(), form.errors
    asked = form.spec(None)
    assert (asked.levels, asked.requests, asked.max_tokens) == ([1, 64], [4, 128], 128)
    assert asked.experiment == "two-loads"
    assert form.guesses() == [Guess("tpot_ms@64", 240.0, 200.0, 300.0)]
    other = RunForm({"load": "custom"}, content.experiment("two-loads"))
    assert list(other.errors) == ["load"]


@pytest.mark.parametrize("chosen", content.experiments(), ids=lambda shown: shown.id)
def test_no_field_of_an_experiments_form_leads_away_from_it(chosen):
    form = RunForm(experiment=chosen)
    guessed = {name for question in form.questions for name in question.names}
    assert form.fields.keys() - guessed <= {"experiment", "load"}
    sizes = form.fields["load"].choices if "load" in form.fields else [("", "")]
    for size, _ in sizes:
        posted = {"load": size, "levels": "1, 2", "prompt_tokens": "7", "prompt": "x"}
        asked = RunForm(posted, chosen)
        assert asked.is_valid(), asked.errors
        assert departures(chosen, asked.spec(None)) == []


def test_an_experiment_by_users_brings_its_requests_and_prefix():
    curve = content.experiment("moe-batch-curve")
    own = [replace(load, requests=2 * load.users, fresh=False) for load in curve.loads]
    chosen = replace(curve, loads=tuple(own))
    form = RunForm(content.load_of(chosen), chosen)
    assert form.is_valid(), form.errors
    asked = form.spec(None)
    assert asked.requests == [2 * users for users in curve.users]
    assert not asked.fresh_prompt


def test_a_guess_of_a_load_is_of_its_most_users():
    load = {"load": "custom", "levels": "1, 64", "prompt_tokens": "8"}
    form = RunForm(PLAIN | load | {"ttft": "300"})
    assert form.is_valid(), form.errors
    assert form.guesses() == [Guess("ttft_ms@64", 300.0)]


def test_the_fields_that_are_wrong_are_counted():
    assert RunForm(PLAIN).refusal == ""
    assert "one field needs another" in RunForm(PLAIN | {"ttft": "x"}).refusal
    wrong = {"ttft": "x", "max_tokens": "0", "source": "dream"}
    assert "3 fields need another look" in RunForm(PLAIN | wrong).refusal


PLAIN = {"source": "text", "prompt": "Why?", "max_tokens": "16", "freshness": "fresh"}


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        (
            {"ttft": "300", "ttft_low": "350", "ttft_high": "400"},
            "300 ms is not between 350 ms and 400 ms",
        ),
        ({"ttft": "300", "ttft_low": "250"}, "both ends"),
        ({"ttft_low": "250", "ttft_high": "400"}, "a number inside"),
        ({"ttft": "300", "ttft_low": "400", "ttft_high": "200"}, "begins at 400 ms"),
        ({"ttft": "300", "ttft_low": "1,5", "ttft_high": "400"}, "marks no thousands"),
        (
            {"ttft": "300", "ttft_low": "0", "ttft_high": "400"},
            "above 0 and below 1,000",
        ),
    ],
)
def test_a_range_that_cannot_be_is_refused_with_one_sentence(typed, wrong):
    form = RunForm(PLAIN | typed)
    assert not form.is_valid()
    (errors,) = form.errors.values()
    assert len(errors) == 1
    assert wrong in errors[0]


def test_without_an_experiment_ranges_are_asked_too():
    form = RunForm(PLAIN | {"rate": "40", "rate_low": "30", "rate_high": "50 t/s"})
    assert form.is_valid(), form.errors
    assert form.guesses() == [Guess("output_tokens_per_s", 40.0, 30.0, 50.0)]


def test_a_name_that_is_no_experiment_is_not_stored():
    form = RunForm(PLAIN | {"experiment": "no-such-thing"})
    assert form.is_valid()
    assert form.spec(None).experiment is None
