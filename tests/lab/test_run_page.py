"""What a run's page says: its title, its notes, its words for what is missing."""

import html

import pytest

from tests.lab.cast import REPORT, at


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ({"prompt": "Why  is\nit so?"}, "Why is it so?"),
        ({"prompt": "", "prompt_tokens": 1}, "1 made-up token"),
        ({"prompt": "", "prompt_tokens": 1024}, "1,024 made-up tokens"),
        ({"card": "two-phases-of-a-request"}, "The two phases of one request"),
    ],
)
def test_a_run_is_titled_by_what_was_asked(at_alice, make_run, asked, title):
    page = at_alice.get(at("run", make_run(**asked))).content.decode()
    assert f"<h1>{title}</h1>" in page
    assert page.count("<h1") == 1


@pytest.mark.parametrize(
    ("prompt", "title"),
    [("word " * 50, "word " * 11 + "word…"), ("词" * 99, "词" * 59 + "…")],
)
def test_a_long_prompt_is_cut_in_the_title(at_alice, make_run, prompt, title):
    page = at_alice.get(at("run", make_run(prompt=prompt)))
    assert page.context["title"] == title


def test_extra_fields_are_shown_as_json(at_alice, finished):
    finished.spec["extra_body"] = {"think": True, "top_k": None}
    finished.save()
    page = html.unescape(at_alice.get(at("run", finished)).content.decode())
    assert '{"think": true, "top_k": null}' in page


def with_request(run, **changes):
    run.report = REPORT | {"requests": [REPORT["requests"][0] | changes]}
    run.save()
    return run


def test_a_count_other_than_asked_is_noted(at_alice, finished):
    with_request(finished, prompt_tokens=12)
    page = at_alice.get(at("run", finished)).content.decode()
    assert "another length" not in page
    finished.spec["prompt_tokens"] = 1
    finished.save()
    page = at_alice.get(at("run", finished)).content.decode()
    assert "You asked for 1 token, and the server counted 12: what its chat" in page


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("completed", "the server ended its answer"),
        ("cancelled", "stopped here, before the server’s own end"),
        ("incomplete", "cut off here, before the server’s own end"),
    ],
)
def test_the_streams_end_is_worded_by_status(at_alice, finished, status, words):
    page = at_alice.get(at("run", with_request(finished, status=status)))
    assert words in page.content.decode()


def test_a_missing_number_has_no_unit(at_alice, finished):
    page = at_alice.get(at("run", finished)).content.decode()
    assert page.count('numbers__value">–</dd>') == 2
    assert "– <small>ms" not in page
    assert "257 <small>ms</small>" in page


def test_a_kept_connection_is_named_alike_in_panel_and_table(at_alice, finished):
    with_request(finished, connect_ms=None, headers_ms=7.0)
    page = at_alice.get(at("run", finished)).content.decode()
    assert page.count("kept open") == 2
    with_request(finished, connect_ms=0.4, headers_ms=7.0)
    page = html.unescape(at_alice.get(at("run", finished)).content.decode())
    assert "kept open" not in page
    assert page.count("0.4\u00a0ms") == 2
