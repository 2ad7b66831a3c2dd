"""A prediction is made before the run and never changes."""

import pytest

from interview.lab.errors import PredictionLocked
from interview.lab.form.guess import Guess
from interview.lab.models import Prediction
from tests.lab.cast import NOW, later


def test_a_prediction_is_locked_with_the_run(make_run, alice):
    made = make_run(predictions={"ttft_ms": 257.0}).predictions.get()
    assert (made.person, made.metric, made.value) == (alice, "ttft_ms", 257.0)
    assert made.locked_at == NOW


def test_a_locked_prediction_does_not_change(make_run):
    made = make_run(predictions={"ttft_ms": 257.0}).predictions.get()
    made.value = 1.0
    with pytest.raises(PredictionLocked):
        made.save()
    assert Prediction.objects.get().value == 257.0


def test_nobody_changes_predictions_in_bulk(make_run):
    make_run(predictions={"ttft_ms": 257.0})
    with pytest.raises(PredictionLocked):
        Prediction.objects.update(value=1.0)


def test_others_may_predict_while_the_run_waits(make_run, bob):
    run = make_run()
    Prediction.objects.lock(run, bob, [Guess("tpot_ms", 30.0)], later(1))
    assert run.predictions.get().person == bob


def test_after_the_start_it_is_too_late(claimed, bob):
    run, _ = claimed
    with pytest.raises(PredictionLocked, match="too late"):
        Prediction.objects.lock(run, bob, [Guess("tpot_ms", 30.0)], later(1))
