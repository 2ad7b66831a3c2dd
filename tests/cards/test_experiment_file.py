"""Experiments from the text of their files: loads, quantities, claims."""

import pytest

from interview.cards.experiment import Load, Neighbours
from interview.cards.experimentfile import read_experiment
from interview.cards.problem import Notes
from interview.cards.quantity import Quantity, Range

BODY = """
## Question to predict

How long?

## What to look for

A pause.

## Claims

### The *long* prompt is late. {#late of=ttft_ms@b to=ttft_ms@a agrees=5.. doubt=2..}

Why it decides.
"""
TWO = """\
loads:
  - {name: a, prompt_tokens: 128}
  - name: b
    users: 4
    requests: 12
    prefix: same
    output_tokens: 8
"""


def read(front, body=BODY, status="written"):
    lines = f"---\nid: x\ntitle: X\nstatus: {status}\n{front.strip()}\n---\n"
    notes = Notes("x.md")
    return read_experiment(lines + body, notes), notes


def found(notes):
    return [(p.rule.code, *p.place) for p in notes.problems]


def two(more=""):
    return f"users: 1\nprompt_tokens: 512\noutput_tokens: 64\n{more}{TWO}"


def test_a_load_inherits_what_it_leaves_out():
    experiment, _ = read(two())
    assert experiment.loads == (
        Load("a", 1, None, 128, 64, True, None),
        Load("b", 4, 12, 512, 8, False, None),
    )
    assert not experiment.by_users


def test_the_keys_above_may_be_left_out_when_every_load_has_them():
    experiment, notes = read(
        "loads: [{name: a, users: 1, prompt_tokens: 2, output_tokens: 3},"
        " {name: b, users: 1, prompt_tokens: 2, output_tokens: 3}]"
    )
    assert not notes.problems
    assert len(experiment.loads) == 2


def test_a_key_that_every_load_replaces_is_still_known():
    _, notes = read(two("prefix: fresh\n").replace("128}", "128, prefix: same}"))
    assert not notes.problems


def test_a_load_that_lacks_a_key_says_where():
    _, notes = read(two().replace("prompt_tokens: 512\n", ""))
    assert found(notes) == [("C006", 9, 5)]


def test_a_plain_experiment_has_a_load_for_each_number_of_users():
    front = "users: [1, 64]\nprompt_tokens: 512\noutput_tokens: 128\nrequests: 9"
    experiment, _ = read(front, status="planned", body="")
    assert [(load.name, load.users) for load in experiment.loads] == [
        ("1", 1),
        ("64", 64),
    ]
    assert {load.requests for load in experiment.loads} == {9}
    assert experiment.by_users
    assert experiment.load("64").users == 64
    assert experiment.load("2") is None


def test_without_predict_the_form_asks_three_numbers_of_the_last_load():
    experiment, _ = read(two())
    asked = [str(quantity) for quantity in experiment.predict]
    assert asked == ["ttft_ms@b", "tpot_ms@b", "output_tokens_per_s@b"]
    experiment, _ = read(two("predict: [ttft_ms@a]\n"))
    assert experiment.predict == (Quantity("ttft_ms", "a"),)


def test_neighbours_are_read_with_their_keys():
    front = two("neighbours: 3\nneighbour_prompt_tokens: 4000\n").replace(
        "128}", "128, neighbour_after_tokens: 16}"
    )
    experiment, notes = read(front.replace("prefix: same", "neighbours: 0"))
    assert not notes.problems
    assert experiment.load("a").neighbours == Neighbours(3, 4000, 1, 16)
    assert experiment.load("b").neighbours is None


def test_neighbours_need_a_prompt_and_a_moment():
    _, notes = read(two().replace("128}", "128, neighbours: 3}"))
    assert found(notes) == [("C006", 9, 5), ("C006", 9, 5)]


def test_the_last_neighbour_arrives_before_the_answer_ends():
    keys = "neighbours: 4, neighbour_prompt_tokens: 9, neighbour_after_tokens: 16"
    _, notes = read(two().replace("128}", f"128, {keys}}}"))
    assert found(notes) == [("C007", 9, 102)]
    _, notes = read(two().replace("128}", f"128, {keys[:-2]}15}}"))
    assert not notes.problems


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("name: a", "nmae: a", [("C006", 9, 5), ("C003", 9, 6)]),
        ("name: a", "name: A", [("C009", 9, 12)]),
        ("{name: a, prompt_tokens: 128}", "a", [("C007", 9, 5)]),
        ("prefix: same", "prefix: none", [("C007", 13, 13)]),
        ("users: 4", "users: [4, 8]", [("C002", 11, 12)]),
        ("users: 4", "users: {a: 4}", [("C002", 11, 12)]),
        ("users: 4", "users: &x 4", [("C005", 11, 12)]),
        ("users: 4", "name: b", [("C004", 11, 5)]),
        ("users: 1\n", "users: [1, 4]\n", [("C007", 5, 8)]),
    ],
)
def test_a_mistake_in_a_load_has_its_line_and_column(old, new, expected):
    front = two()
    assert front.count(old) == 1
    _, notes = read(
        front.replace(old, new), body=BODY.split("## Claims")[0], status="planned"
    )
    assert found(notes) == expected


def test_more_loads_than_a_run_takes_are_refused():
    rows = "".join(f"\n  - {{name: l{n}}}" for n in range(9))
    front = f"users: 1\nprompt_tokens: 1\noutput_tokens: 1\nloads:{rows}"
    _, notes = read(front, status="planned", body="")
    assert found(notes) == [("C007", 9, 3)]


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ("users: [4, 1]", (5, 8)),
        ("users: 257", (5, 8)),
        ("users: 8\nneighbours: 33", (6, 13)),
        ("users: 8\nneighbours: 65", (6, 13)),
        ("users: 8\nrepetitions: 21", (6, 14)),
    ],
)
def test_what_no_measurement_takes_is_refused(changed, place):
    near = "neighbour_prompt_tokens: 1\nneighbour_after_tokens: 1"
    lengths = "prompt_tokens: 1\noutput_tokens: 999"
    keys = f"{changed}\n{lengths}\n{near if 'neighbours' in changed else ''}"
    _, notes = read(keys, status="planned", body="")
    assert ("C007", *place) in found(notes)


def test_an_empty_list_of_loads_is_refused():
    front = "users: 1\nprompt_tokens: 1\noutput_tokens: 1\nloads: []"
    _, notes = read(front, status="planned", body="")
    assert found(notes) == [("C007", 8, 8)]


def test_a_claim_is_read_whole():
    body = BODY.replace("doubt=2..", "doubt=2.5.. against=card-a/wrong-b")
    experiment, _ = read(two(), body)
    (claim,) = experiment.claims
    assert (claim.id, claim.title_text) == ("late", "The long prompt is late.")
    assert (str(claim.of), str(claim.to)) == ("ttft_ms@b", "ttft_ms@a")
    assert (claim.agrees, claim.doubt) == (Range(5, None), Range(2.5, None))
    assert claim.why.markdown == "Why it decides."
    assert experiment.source.split("\n")[claim.line - 1].startswith("### The *long*")
    assert experiment.claims_against("card-a", "wrong-b") == (claim,)
    assert experiment.claims_against("card-a", "wrong-c") == ()


def test_the_facts_that_a_claim_cites_are_sources():
    experiment, _ = read(two(), BODY.replace("decides.", "decides [V:SCH-1]."))
    assert [source.facts for source in experiment.sources] == [("V:SCH-1",)]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("#late ", "", "C107"),
        ("agrees=5..", "agres=5..", "C112"),
        ("doubt=2..", "doubt=2.. against=throughput", "C611"),
        ("Why it decides.", "", "C111"),
        ("### The", "Stray.\n\n### The", "C114"),
        ("### The", "## Claims\n\n### The", "C104"),
        ("### The", "#### The", "C606"),
        ("agrees=5..", "agrees=5 ..", "C112"),
    ],
)
def test_a_claim_of_another_shape_is_noted(old, new, code):
    _, notes = read(two(), BODY.replace(old, new))
    assert code in [problem.rule.code for problem in notes.problems]


def test_two_claims_with_one_id_are_noted():
    again = BODY[BODY.index("###") :]
    _, notes = read(two(), BODY + "\n" + again)
    assert [problem.rule.code for problem in notes.problems] == ["C108"]


def test_a_planned_experiment_needs_no_claims():
    experiment, notes = read(two(), "", status="planned")
    assert not notes.problems
    assert experiment.claims == ()
