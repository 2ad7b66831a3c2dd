"""Each seat predicts apart: nobody reads another's numbers before the run started."""

import pytest

from interview.lab.errors import PredictionLocked
from interview.lab.form.guess import Guess
from interview.lab.models import Prediction, Room, Run
from tests.lab.cast import NOW, later
from tests.lab.room_stage import CARD, SECRET, WRITTEN, RoomStage, text_of


@pytest.fixture
def stage(alice):
    return RoomStage(alice, card=CARD)


@pytest.fixture
def ada(stage):
    return stage.guest("Ada")


@pytest.fixture
def ben(stage):
    return stage.guest("Ben")


def test_a_seat_locks_its_numbers_once(stage, ada):
    seat, browser = ada
    assert stage.predict(browser, ttft="400", ttft_low="300", ttft_high="0.5 s")
    made = Prediction.objects.get()
    assert (made.seat, made.person, made.run) == (seat, None, None)
    assert (made.metric, made.value, made.low, made.high) == ("ttft_ms", 400, 300, 500)
    again = stage.predict(browser, ttft="100")
    assert again.status_code == 422
    assert "locked already" in text_of(again)
    assert Prediction.objects.get().value == 400
    assert "400 ms (300 ms to 500 ms)" in stage.page(browser)


def test_a_form_without_a_number_or_with_nonsense_says_what_to_do(stage, ada):
    _, browser = ada
    empty = stage.predict(browser, ttft="")
    assert empty.status_code == 422
    assert "Write at least one number" in text_of(empty)
    wrong = stage.predict(browser, ttft="soon", tpot="30")
    assert wrong.status_code == 422
    assert 'value="soon"' in text_of(wrong)
    assert not Prediction.objects.exists()


def everything(stage, browser):
    """All that a browser in the room can read, as one text."""
    pages = [stage.page(browser), stage.page(browser, "step", 1)]
    for run in Run.objects.filter(step__room=stage.room):
        for part in ("", "?part=result", "?part=levels"):
            pages.append(text_of(browser.get(stage.at("run", run.slug) + part)))
        pages.append(text_of(browser.get(stage.at("run_log", run.slug))))
        pages.append(text_of(browser.get(stage.at("replay", run.slug))))
    return "\n".join(pages)


def exported(stage):
    """All that the host's own pages of a run tell, outside of the room."""
    texts = []
    for run in Run.objects.filter(step__room=stage.room):
        base = f"/lab/runs/{run.slug}"
        for path in (f"{base}/", f"{base}.json", f"{base}.csv", f"{base}/log.json"):
            texts.append(text_of(stage.host.get(path)))
    texts.append(text_of(stage.host.get("/lab/runs/")))
    texts.append(text_of(stage.host.get("/lab/runs.csv")))
    return "\n".join(texts)


def holds_secret(text):
    return any(written in text for written in WRITTEN)


def test_others_numbers_are_nowhere_before_the_start(stage, ada, ben):
    (_, of_ada), (_, of_ben) = ada, ben
    stage.predict(of_ada, ttft=SECRET)
    assert holds_secret(everything(stage, of_ada))
    for browser in (of_ben, stage.host):
        assert not holds_secret(everything(stage, browser))
    stage.start()
    # It waits: still apart, in the room and in the lab.
    assert holds_secret(everything(stage, of_ada))
    for browser in (of_ben, stage.host):
        assert not holds_secret(everything(stage, browser))
    assert not holds_secret(exported(stage))
    run = stage.claim()
    begun = text_of(of_ben.get(stage.at("run", run.slug) + "?part=result"))
    assert 'hx-target="#room-said"' in begun
    assert holds_secret(begun)
    assert holds_secret(stage.page(of_ben))
    assert holds_secret(stage.page(stage.host))


def test_a_room_counts_and_only_its_host_reads_who(stage, ada, ben):
    (_, of_ada), (_, of_ben) = ada, ben
    assert "Nobody has predicted yet" in stage.page(of_ben)
    stage.predict(of_ada, ttft="400")
    assert "1 of 3 have predicted." in stage.page(of_ben)
    assert "1 of 3 have predicted: Ada." in stage.page(stage.host)


def test_locking_tells_the_room_but_moves_no_stage(stage, ada):
    before = Room.objects.get()
    stage.predict(ada[1], ttft="400")
    after = Room.objects.get()
    assert (after.revision, after.stage) == (before.revision + 1, before.stage)


def test_the_run_takes_what_was_locked_for_it(stage, ada, ben):
    stage.predict(ada[1], ttft="400")
    stage.start()
    assert Prediction.objects.get().run == stage.run
    # A run that waits is still open to who has said nothing.
    assert stage.predict(ben[1], ttft="200").status_code == 303
    assert set(Prediction.objects.values_list("run__slug", "value")) == {
        (stage.run.slug, 400),
        (stage.run.slug, 200),
    }
    assert stage.predict(ada[1], ttft="1").status_code == 422


def test_a_late_prediction_is_refused_with_a_sentence(stage, ada):
    stage.start()
    stage.claim()
    late = stage.predict(ada[1], ttft="400")
    assert late.status_code == 422
    assert "too late to predict" in text_of(late)
    assert not Prediction.objects.exists()


def test_after_a_run_one_predicts_the_next(stage, ada):
    stage.predict(ada[1], ttft="400")
    stage.start()
    first = stage.finish()
    assert stage.predict(ada[1], ttft="260").status_code == 303
    assert dict(Prediction.objects.values_list("value", "run")) == {
        400: first.pk,
        260: None,
    }


def test_a_run_stopped_before_its_start_gives_its_predictions_to_the_next(stage, ada):
    stage.predict(ada[1], ttft=SECRET)
    stage.start()
    stage.host.post(stage.at("stop"))
    assert not holds_secret(stage.page(stage.host))
    assert stage.predict(ada[1], ttft="1").status_code == 422
    stage.start()
    assert Prediction.objects.get().run == stage.run
    stage.claim()
    assert holds_secret(stage.page(stage.host))


def test_a_page_of_an_earlier_step_predicts_nothing(stage, ada):
    stage.room.begin(later(1), card=CARD)
    behind = stage.predict(ada[1], ttft="400", step="1")
    assert behind.status_code == 422
    assert "gone on to another step" in text_of(behind)
    assert not Prediction.objects.exists()


def test_nothing_but_its_run_ever_changes_of_a_locked_prediction(stage, ada):
    stage.predict(ada[1], ttft="400")
    made = Prediction.objects.get()
    with pytest.raises(PredictionLocked):
        Prediction.objects.filter(pk=made.pk).update(value=1.0)
    made.value = 1.0
    with pytest.raises(PredictionLocked):
        made.save()


def test_a_frozen_room_locks_predictions_and_starts_nothing(stage, ada):
    stage.room.freeze(later(60 * 60 * 24 * 365 * 50))
    assert stage.predict(ada[1], ttft="400").status_code == 303
    refused = stage.start()
    assert refused.status_code == 422
    assert "quiet" in text_of(refused)
    assert not Run.objects.exists()


def test_two_seats_of_one_name_stay_apart(stage, ada):
    _, other = stage.guest("Ada")
    stage.predict(ada[1], ttft="400")
    stage.predict(other, ttft="500")
    assert Prediction.objects.count() == 2
    step = stage.room.step
    with pytest.raises(PredictionLocked):
        Prediction.objects.lock_in(step, ada[0], [Guess("tpot_ms", 1.0)], NOW)
