"""A run as files: its log, its report, and token events for a spreadsheet."""

import csv
import io
import json

from interview.lab.files.export import token_rows
from tests.lab.cast import REPORT, at, phase, token


def test_the_log_holds_all_batches_in_order(at_alice, finished):
    told = json.loads(at_alice.get(at("log", finished)).content)
    assert [seq for seq, _ in told["batches"]] == [1, 2]
    assert told["batches"][0][1][0] == phase("sent", 0)
    assert told["run"]["status"] == "completed"


def test_the_json_is_the_report_with_a_run_block(at_alice, finished):
    told = at_alice.get(at("run_json", finished)).json()
    assert told["requests"] == REPORT["requests"]
    assert told["run"]["simulated"] is False
    assert told["run"]["engine"] == "vllm 0.31.0"
    assert told["run"]["ended_at"] == "2026-10-05T12:00:03+00:00"
    assert told["run"]["spec"]["prompt"] == "Why?"


def test_a_run_without_report_has_json_without_numbers(at_alice, make_run):
    told = at_alice.get(at("run_json", make_run())).json()
    assert told["run"]["status"] == "queued"
    assert "requests" not in told


def rows_of(events):
    return list(token_rows(events))


def test_a_stream_counts_from_its_own_last_request():
    again = [phase("sent", 1_000), phase("sent", 5_000), phase("sent", 7_000, 1)]
    rows = rows_of([*again, token("a", 9_000), token("b", 9_500, stream=1)])
    assert [row[3] for row in rows] == [4.0, 2.5]


def test_without_a_request_the_time_since_it_is_empty():
    assert rows_of([token("a", 9_000)])[0][3] == ""


def test_each_line_of_a_simulated_run_says_so(at_alice, finished):
    finished.simulated = True
    finished.save()
    answer = at_alice.get(at("run_csv", finished)).content.decode()
    rows = list(csv.DictReader(io.StringIO(answer, newline="")))
    assert [row["simulated"] for row in rows] == ["yes", "yes"]


def test_no_cell_of_the_csv_is_a_formula(at_alice, finished):
    answer = at_alice.get(at("run_csv", finished)).content.decode()
    rows = list(csv.DictReader(io.StringIO(answer, newline="")))
    assert rows[0] == {
        "stream": "0",
        "event": "1",
        "t_ms": "257.0",
        "since_sent_ms": "257.0",
        "gap_ms": "",
        "tokens": "1",
        "channel": "content",
        "text": '\'=cmd|" /C calc"!A0',
        "simulated": "no",
    }
    assert (rows[1]["gap_ms"], rows[1]["tokens"]) == ("30.5", "2")
    assert rows[1]["text"] == "'-1\n"
