"""Token events of a load for a spreadsheet, from ticks of many streams."""

import csv
import io

from interview.lab.files.load_csv import load_csv
from tests.lab.cast import at, batch, token
from tests.lab.loads import level_event


def ticks(t_us, ticks, starts=()):
    names = {"ticks": ticks, "starts": list(starts), "ends": []}
    return {"k": "ticks", "t_us": t_us} | names


EVENTS = [
    token("warm-up is told by nobody", 1),
    level_event("started", 1),
    token("a", 250_000),
    token("late text", 260_000, n=0),
    token("b", 280_500, n=2),
    level_event("ended", 1),
    level_event("started", 64, repetition=1),
    ticks(900_000, [[5, 1, -50_000]], starts=[[5, 3, -90_000]]),
    token("the followed stream is in the ticks as well", 950_000),
    ticks(1_000_000, [[0, 1, -20_000], [5, 2, 0]], starts=[[0, 7, -60_000]]),
]


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_token_event_has_its_moment_and_its_gap():
    rows = read(load_csv(EVENTS, simulated=True))
    assert [tuple(row.values()) for row in rows] == [
        ("1", "1", "0", "0", "0", "no", "1", "250.0", "", "1", "yes"),
        ("1", "1", "0", "0", "0", "no", "2", "280.5", "30.5", "2", "yes"),
        ("64", "64", "1", "5", "3", "no", "1", "850.0", "", "1", "yes"),
        ("64", "64", "1", "0", "7", "no", "1", "980.0", "", "1", "yes"),
        ("64", "64", "1", "5", "3", "no", "2", "1000.0", "150.0", "2", "yes"),
    ]
    assert list(rows[0])[:5] == ["load", "users", "repetition", "stream", "user"]


def test_streams_of_the_next_repetition_start_anew():
    again = [*EVENTS[1:3], *EVENTS[1:3]]
    assert [row["gap_ms"] for row in read(load_csv(again, simulated=False))] == ["", ""]


def test_a_stream_whose_start_was_not_told_has_no_user():
    (row,) = read(load_csv([EVENTS[6], ticks(900_000, [[5, 1, 0]])], simulated=False))
    assert row["user"] == ""


def test_the_csv_of_a_load_is_made_of_its_ticks(at_alice, make_run, worker):
    run = make_run(levels=[1, 64], requests=None)
    claim = run.claim(worker, run.created_at)
    run.append(claim, batch(*EVENTS[:6]))
    run.append(claim, batch(*EVENTS[6:]))
    answer = at_alice.get(at("run_csv", run)).content.decode()
    assert answer == load_csv(EVENTS, simulated=False)


def test_every_line_says_whether_it_is_simulated():
    rows = read(load_csv(EVENTS, simulated=True))
    assert {row["simulated"] for row in rows} == {"yes"}


def test_of_a_named_load_with_neighbours_each_event_is_told_once():
    events = [
        level_event("started", 1, name="beside", neighbours=2),
        token("stream 0 is in the ticks as well", 900_000),
        ticks(
            1_000_000,
            [[0, 1, -100_000], [4, 1, 0]],
            starts=[[0, 0, -300_000], [4, 2, -80_000]],
        ),
    ]
    rows = read(load_csv(events, simulated=False))
    told = [(row["load"], row["stream"], row["user"], row["neighbour"]) for row in rows]
    assert told == [("beside", "0", "0", "no"), ("beside", "4", "2", "yes")]
