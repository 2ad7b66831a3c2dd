"""Runs of a room: who starts and stops them, whose they are, where they are read."""

import html

import pytest
from django.urls import reverse

from interview.lab.models import Prediction, Room, Run, Status
from interview.lab.rooms.guesses import boards
from tests.lab.cast import NOW, REPORT, later
from tests.lab.room_stage import CARD, WRITTEN, RoomStage, text_of


@pytest.fixture
def stage(alice):
    return RoomStage(alice, card=CARD)


@pytest.fixture
def ada(stage):
    return stage.guest("Ada")


def test_the_run_is_the_hosts_whoever_presses(stage, ada, alice):
    seat, browser = ada
    assert stage.start(browser).status_code == 403
    stage.room.hand_over(seat)
    assert stage.start(browser).status_code == 303
    assert (stage.run.owner, stage.run.step) == (alice, stage.room.step)
    assert stage.run.asked.card == CARD
    assert "two phases" in stage.run.asked.prompt.lower() or stage.run.asked.prompt


def test_who_no_longer_drives_starts_and_stops_nothing(stage, ada):
    seat, browser = ada
    stage.room.hand_over(seat)
    stage.start(browser)
    stage.room.hand_over(stage.seat)
    assert browser.post(stage.at("stop")).status_code == 403
    assert stage.start(browser).status_code == 403
    assert stage.run.status == Status.QUEUED


def test_pressing_run_puts_it_before_everybody(stage):
    before = Room.objects.get().stage
    stage.start()
    assert Room.objects.get().stage == before + 1


def test_a_step_has_one_run_at_a_time_and_many_in_a_row(stage):
    stage.start()
    twice = stage.start()
    assert twice.status_code == 422
    assert "waits or runs already" in text_of(twice)
    stage.finish()
    assert stage.start().status_code == 303
    assert stage.room.step.runs.count() == 2


def test_a_cap_of_the_host_is_said_in_the_room(stage, settings, ada):
    settings.LAB_MAX_QUEUED_PER_PERSON = 0
    stage.room.hand_over(ada[0])
    refused = stage.start(ada[1])
    assert refused.status_code == 422
    assert "this lab allows 0 for each person" in text_of(refused)
    too_long = stage.start(ada[1], max_tokens="1000000")
    assert "tokens at most" in text_of(too_long)


def test_stop_ends_a_waiting_run_and_asks_a_running_one(stage):
    stage.start()
    assert stage.host.post(stage.at("stop")).status_code == 303
    assert stage.run.status == Status.CANCELLED
    stage.start()
    stage.claim()
    stage.host.post(stage.at("stop"))
    assert stage.run.stop_asked_at is not None
    assert not stage.run.stopped_by_other


def test_a_guest_watches_by_addresses_of_the_room_alone(stage, ada):
    stage.start()
    page = stage.page(ada[1])
    run = stage.run
    assert f'data-events="{stage.at("run_events", run.slug)}"' in page
    outside = [f"/lab/runs/{run.slug}", "/cards/", "/lab/experiments/"]
    body = page[page.index('id="room-step"') :]
    assert not [address for address in outside if address in body]
    stage.finish()
    over = stage.page(ada[1])
    body = over[over.index('id="room-step"') :]
    assert not [address for address in outside if address in body]
    assert ada[1].get(f"/lab/runs/{run.slug}/").status_code in (302, 403)


def test_a_guest_gets_the_question_and_what_the_host_opened(stage, ada):
    from interview.web.content import library

    card = library().cards[CARD]
    words = [part.markdown.split(".")[0][:40] for part in (card.short, card.full)]
    closed = stage.page(ada[1])
    assert not any(each in closed for each in words)
    stage.room.show(1)
    short = stage.page(ada[1])
    assert "Short answer" in short
    assert "Full answer" not in short
    stage.room.show(2)
    assert "Full answer" in stage.page(ada[1])


def test_the_part_that_comes_at_the_end_has_result_guesses_and_the_next_run(stage, ada):
    stage.predict(ada[1], ttft="300")
    stage.start()
    run = stage.finish()
    part = text_of(stage.host.get(stage.at("run", run.slug) + "?part=result"))
    assert part.count('id="result"') == 1
    assert "Everybody’s guess against the measurement" in part
    assert 'hx-target="#room-drive"' in part
    assert "Run again" in part
    assert "<html" not in part


def test_earlier_runs_and_steps_stay_in_reach(stage, ada):
    stage.start()
    first = stage.finish()
    stage.room.begin(later(20))
    page = stage.page(ada[1])
    assert stage.at("step", 1) in page
    assert stage.at("run", first.slug) in page
    earlier = stage.page(ada[1], "run", first.slug)
    assert "257 <small>ms</small>" in earlier
    assert 'id="room-drive"' not in earlier


def test_an_ended_room_is_read_and_changes_no_more(stage, ada):
    stage.predict(ada[1], ttft="300")
    stage.start()
    run = stage.finish()
    stage.room.end(later(30))
    summary = stage.page(ada[1])
    for words in ("People", "Ada", "The two phases of one request", "300 ms"):
        assert words in summary
    assert 'id="room-drive"' not in stage.page(ada[1], "step", 1)
    assert "Replay" not in stage.page(ada[1], "replay", run.slug)[:100]
    assert ada[1].get(stage.at("run_log", run.slug)).json()["batches"]
    for name in ("predict", "start", "stop"):
        assert stage.host.post(stage.at(name)).status_code == 403


def test_a_run_of_another_room_is_not_there(stage, bob, ada):
    other = RoomStage(bob, card=CARD)
    other.start()
    for name in ("run", "run_log", "replay"):
        assert ada[1].get(stage.at(name, other.run.slug)).status_code == 404


def test_a_removed_seat_reads_nothing_more(stage, ada):
    stage.start()
    stage.room.remove(ada[0], later(1))
    for name in ("run", "run_log", "replay"):
        assert ada[1].get(stage.at(name, stage.run.slug)).status_code == 403


def test_a_room_opens_straight_for_a_run_that_is_looked_at(alice, at_alice, finished):
    made = at_alice.post("/rooms/", {"run": finished.slug})
    assert made.status_code == 303
    room = Room.objects.get()
    assert room.step.run == finished
    assert room.title == "Why?"
    page = text_of(at_alice.get(f"/rooms/{room.slug}/"))
    assert "257 <small>ms</small>" in page
    assert "Run again" in page
    again = at_alice.post(f"/rooms/{room.slug}/run/")
    assert again.status_code == 303
    assert Run.objects.get(step__room=room).asked == finished.asked


@pytest.mark.parametrize("first", [{"card": CARD}, {"experiment": "one-request"}])
def test_a_room_opens_straight_for_a_card_or_an_experiment(at_alice, first):
    assert at_alice.post("/rooms/", first).status_code == 303
    step = Room.objects.get().step
    assert {"card": step.card, "experiment": step.experiment}.items() >= first.items()


@pytest.mark.parametrize(
    "first", [{"card": "nothing"}, {"experiment": "nothing"}, {"run": "nothing"}]
)
def test_a_room_is_not_opened_for_what_is_not_there(at_alice, first):
    assert at_alice.post("/rooms/", first).status_code == 422
    assert not Room.objects.exists()


def test_somebody_elses_run_comes_into_no_room(client, bob, finished):
    client.force_login(bob)
    assert client.post("/rooms/", {"run": finished.slug}).status_code == 422


def test_an_experiment_is_predicted_and_run_as_it_is_written(alice):
    stage = RoomStage(alice, experiment="two-loads")
    _, browser = stage.guest("Ada")
    page = stage.page(browser)
    assert 'name="tpot_ms@64"' in page or "@64" in page
    assert stage.start(load="two-loads-live", max_tokens="7").status_code == 303
    assert stage.run.asked.levels == [1, 64]
    assert stage.run.asked.experiment == "two-loads"


def test_a_free_request_sends_the_drivers_words(alice):
    stage = RoomStage(alice)
    assert stage.start(prompt="Say hello.", prompt_tokens="").status_code == 303
    assert stage.run.asked.prompt == "Say hello."
    assert stage.run.asked.max_tokens == 64


def test_the_list_of_runs_says_which_were_made_in_a_room(stage):
    stage.start()
    stage.finish()
    listed = text_of(stage.host.get("/lab/runs/"))
    assert "in the room" in listed
    assert stage.at("room") in listed
    assert "run in the room" in text_of(stage.host.get(f"/lab/runs/{stage.run.slug}/"))


def guesses(stage, **said):
    for name, text in said.items():
        _, browser = stage.guest(name)
        stage.predict(browser, ttft=text)
    stage.start()
    run = stage.finish()
    made = list(run.predictions.select_related("seat").order_by("pk"))
    return boards(made, {"": {"values": {"ttft_ms": [257.0, None, None]}}}, "", None)


def test_guesses_are_ordered_by_their_distance_and_equals_share_a_place(stage):
    (board,) = guesses(stage, Far="900", Near="250", Also="264", Spot="257")
    assert [(row.place, row.name) for row in board.rows] == [
        (1, "Spot"),
        (2, "Also"),
        (2, "Near"),
        (4, "Far"),
    ]
    assert board.measured_text == "257\xa0ms"
    assert "closest Spot with 257\xa0ms" in board.sentence


def test_without_a_measurement_nobody_has_a_place(stage):
    _, browser = stage.guest("Ada")
    stage.predict(browser, ttft="300")
    stage.start()
    run = stage.claim()
    made = run.predictions.select_related("seat")
    (board,) = boards(made, None, "", None)
    assert board.rows[0].place is None
    assert board.strip.measured_x is None


def test_predictions_in_the_lab_stay_those_of_persons(stage, ada):
    stage.predict(ada[1], ttft="300")
    stage.start()
    stage.finish()
    page = text_of(stage.host.get(f"/lab/runs/{stage.run.slug}/"))
    assert "Nothing was predicted" in page
    assert Prediction.objects.filter(person=None).count() == 1
    assert REPORT["requests"][0]["ttft_ms"] == 257.0


def test_what_the_host_predicted_alone_in_the_lab_stays_the_hosts(
    stage, ada, make_run, worker, alice
):
    """A run measured before, with a guess of a person, that the room looks at."""
    run = make_run(predictions={"ttft_ms": 8613.25})
    run.finish(run.claim(worker, NOW), Status.COMPLETED, later(9), report=REPORT)
    stage.room.begin(later(10), run=run)
    lab = text_of(stage.host.get(reverse("lab:run", args=[run.slug])))
    assert any(written in lab for written in WRITTEN)
    for page in (stage.page(ada[1]), stage.page(ada[1], "run", run.slug)):
        assert "257" in page
        assert not [written for written in WRITTEN if written in page]


def test_nothing_runs_in_the_name_of_a_host_whose_account_is_closed(stage, ada, alice):
    seat, browser = ada
    stage.room.hand_over(seat)
    stage.page(browser)
    alice.is_active = False
    alice.save()
    answer = stage.start(browser)
    assert answer.status_code == 422
    assert "account of this room’s host is closed" in text_of(answer)
    assert not Run.objects.exists()


def test_a_free_request_has_no_card_whatever_is_posted(alice):
    stage = RoomStage(alice)
    for source in ("card", "text"):
        stage.start(source=source, card=CARD, prompt="Hi.", prompt_tokens="")
        run = stage.run
        assert (run.asked.source, run.asked.card) == ("text", None)
        run.ask_stop(later(1))
    assert stage.room.runs().count() == 2


def test_a_card_that_is_published_no_more_takes_its_question_along(
    stage, ada, monkeypatch
):
    """Also that of a run which was made while it was published."""
    browser = ada[1]
    stage.start()
    run = stage.finish()
    question = run.asked.prompt
    stage.room.begin(later(20), run=run)
    pages = [("room",), ("step", 1), ("step", 2), ("run", run.slug)]
    pages += [("replay", run.slug), ("run_log", run.slug)]

    def said():
        for page in pages:
            text = html.unescape(stage.page(browser, *page))
            yield " ".join(text.replace("\\n", " ").split())

    words = " ".join(question.split())[:30]
    assert [words in text for text in said()][-1]
    monkeypatch.setattr("interview.lab.content.card", lambda *_: None)
    for page, text in zip(pages, said(), strict=True):
        assert words not in text, page
