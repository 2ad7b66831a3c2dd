"""The page of two runs, who may see it, and the runs that are offered for it."""

import re

import pytest
from django.urls import reverse

from interview.lab.models import Kind, Run, Status
from interview.lab.runs.spec import Spec
from tests.lab.cast import REPORT, later
from tests.lab.loads import level, repetition, report, request, told

pytestmark = pytest.mark.django_db

COMPARE = reverse("lab:compare")
ONE = REPORT["requests"][0] | {
    "tpot_ms": 30.0,
    "itl_ms": [30.0] * 19,
    "event_tokens": [1] * 20,
}


@pytest.fixture
def measured(make_run, worker):
    """Makes a run that has ended, with this report."""

    def measured(found=None, **asked):
        run = make_run(**asked)
        claim = run.claim(worker, later(0))
        run.finish(claim, Status.COMPLETED, later(9), report=found or REPORT)
        return run

    return measured


@pytest.fixture
def load(measured):
    """Makes a load of 1 and 4 users, two repetitions each."""

    def load(tpot_ms=30.0, spread_ms=1.0, **asked):
        found = report(*(repeated(users, tpot_ms, spread_ms) for users in (1, 4)))
        asked = {"levels": [1, 4], "repeat": 2, "requests": None} | asked
        return measured(found, **{"prompt": "", "prompt_tokens": 512} | asked)

    return load


@pytest.fixture
def named(measured):
    """Makes a run of loads with these names and prompt lengths."""

    def named(lengths, **more):
        loads = [
            {"name": name, "users": 1, "prompt_tokens": length, "max_tokens": 11} | more
            for name, length in lengths.items()
        ]
        found = report(*(repeated(1, 30.0, 1.0) | {"name": name} for name in lengths))
        spec = Spec.of_loads(loads).to_json()
        return measured(found, **spec)

    return named


def repeated(users, tpot_ms, spread_ms):
    repetitions = [
        repetition(users, [request(n) for n in range(4)], tpot_ms=told(value))
        for value in (tpot_ms - spread_ms, tpot_ms + spread_ms)
    ]
    return level(users, *repetitions, tpot_ms=told(tpot_ms, 8))


def page(client, *runs, status=200):
    answer = client.get(COMPARE, {"run": [run.slug for run in runs]})
    assert answer.status_code == status
    return re.sub(r"\s+", " ", answer.content.decode())


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_two_loads_have_sentences_charts_and_a_table(at_alice, load):
    html = page(at_alice, load(), load(tpot_ms=27.0))
    assert "With 4 users B needs 10 % less per token;" in words(html)
    assert "0.90 times, outside both spreads" in html
    assert "TTFT and output are the same." in html
    assert (html.count('class="chart__square"'), html.count('class="chart__dot"')) == (
        6,
        6,
    )
    assert "Not like for like" not in html


def test_the_order_is_that_of_the_address(at_alice, load):
    slow, fast = load(), load(tpot_ms=27.0)
    assert "10 % less per token" in words(page(at_alice, slow, fast))
    assert "11 % more per token" in words(page(at_alice, fast, slow))


def test_unlike_runs_are_compared_with_a_warning(at_alice, load):
    html = words(page(at_alice, load(), load(prompt_tokens=128, fresh_prompt=False)))
    assert "Not like for like: prompt length and prefix differ" in html
    assert re.search(r"Prompt length 512 tokens 128 tokens no ", html)


def test_a_warning_comes_before_every_number(at_alice, load):
    html = words(page(at_alice, load(prompt_tokens=256), load(27.0, prompt_tokens=128)))
    assert html.index("Not like for like: prompt length") < html.index("B against A")
    assert "Not like for like: with 4 users B needs 10 % less per token" in html


def test_only_the_load_that_differs_is_not_like_for_like(at_alice, named):
    lengths = {"short": 64, "long": 4000}
    html = words(page(at_alice, named(lengths), named(lengths | {"long": 2000})))
    assert "Not like for like: prompt length of “long” differs." in html
    assert "Not like for like: in “long” TPOT" in html
    assert "Not like for like: in “short”" not in html
    assert "Prompt length of “long” 4,000 tokens 2,000 tokens no " in html
    assert "Prompt length of “short” 64 tokens 64 tokens yes " in html


def test_loads_that_have_nothing_in_common_are_unlike_in_what_was_asked(
    at_alice, load, named
):
    again = named({"first": 4000, "again": 4000}, fresh_prompt=False)
    html = words(page(at_alice, load(), again))
    assert "No level has ended yet" not in html
    assert "Prompt length 512 tokens 4,000 tokens no " in html
    assert "Prefix fresh same again no " in html


def test_what_nobody_tells_is_unknown(at_alice, load):
    ours, theirs = load(source="length"), load()
    ours.report["target"] = {}
    Run.objects.filter(pk=ours.pk).update(hardware="", report=ours.report)
    elsewhere = {"kind": Kind.IMPORTED, "endpoint": "", "hardware": ""}
    Run.objects.filter(pk=theirs.pk).update(**elsewhere)
    html = words(page(at_alice, ours, theirs))
    for said in (
        "Endpoint 127.0.0.1:9 – unknown ",
        "Engine – vllm 0.31.0 unknown ",
        "Machine – – unknown ",
        "Prefix fresh – unknown ",
        "Prompt made up – unknown ",
        "Neighbours none – unknown ",
    ):
        assert said in html


def test_a_long_text_is_compared_to_its_end(at_alice, measured):
    one, two = (measured(prompt="Why? " * 30 + end) for end in ("yes", "no"))
    assert "Not like for like: prompt differs" in words(page(at_alice, one, two))


def test_the_model_may_differ_without_a_warning(at_alice, load, settings):
    first = load()
    settings.LAB_MODEL = "other-model"
    html = words(page(at_alice, first, load()))
    assert "Not like for like" not in html
    assert "Model a-model other-model no" in html


def test_a_simulated_run_is_not_like_a_real_one(at_alice, load):
    simulated = load()
    Run.objects.filter(pk=simulated.pk).update(simulated=True)
    html = page(at_alice, load(), simulated)
    warning = "Not like for like: one run is simulated and the other is not. A diff"
    assert warning in words(html)
    assert '<span class="badge">simulated</span>' in html


def test_two_single_requests_show_their_gaps_on_one_scale(at_alice, measured):
    longer = ONE | {"itl_ms": [90.0] * 19}
    runs = [measured(REPORT | {"requests": [one]}) for one in (ONE, longer)]
    html = page(at_alice, *runs)
    axes = re.findall(r'<text x="-10" y="0.0" dy="4">(\d+) ms</text>', html)
    assert len(axes) == 2
    assert axes[0] == axes[1]
    assert int(axes[0]) >= 90


def test_runs_without_a_common_load_say_so(at_alice, measured):
    named = report(level(1, repetition(1, [request()])) | {"name": "long"})
    one = report(level(4, repetition(4, [request()])))
    first = measured(one, levels=[4], requests=None)
    html = words(page(at_alice, first, measured(named, levels=[1], requests=None)))
    assert "no load in common: A has 4 users, B has “long”" in html


def test_loads_with_names_are_drawn_row_by_row(at_alice, measured):
    loads = [
        {"name": name, "users": 1, "prompt_tokens": length, "max_tokens": 11}
        for name, length in (("short", 64), ("long", 4000))
    ]
    found = report(*(repeated(1, 30.0, 1.0) | {"name": load["name"]} for load in loads))
    asked = {"prompt": "", "prompt_tokens": 4000, "levels": [1, 1], "requests": [4, 4]}
    runs = [measured(found, loads=loads, **asked) for _ in range(2)]
    html = page(at_alice, *runs)
    assert "By users" not in html
    rows = re.findall(r'chart__name"[^>]*>([AB], \w+) <tspan[^>]*>([^<]+)<', html)
    assert rows[:4] == [
        ("A, short", "200 ms"),
        ("B, short", "200 ms"),
        ("A, long", "200 ms"),
        ("B, long", "200 ms"),
    ]
    assert "In “long” TPOT, TTFT and output are the same" in words(html)


def test_a_run_that_is_not_over_has_no_numbers_yet(at_alice, load, make_run):
    html = words(page(at_alice, load(), make_run()))
    assert "B is queued: its numbers come when it is over." in html


@pytest.mark.parametrize("position", [0, 1])
def test_somebody_elses_run_is_not_found(at_alice, bob, load, position):
    mine, theirs = load(), load()
    Run.objects.filter(pk=theirs.pk).update(owner=bob)
    pair = [mine, theirs] if position else [theirs, mine]
    page(at_alice, *pair, status=404)
    page(at_alice, theirs, status=404)


def test_it_takes_two_and_the_ticks_and_filters_stay(at_alice, load):
    runs = [load() for _ in range(4)]
    for ticked in ([], runs[:3]):
        query = {"run": [run.slug for run in ticked], "kind": "load"}
        answer = at_alice.get(COMPARE, query)
        assert answer.status_code == 302
        shown = at_alice.get(answer["Location"])
        told = shown.content.decode()
        assert "Tick two runs to compare them." in told
        assert ("3 are ticked." in told) is bool(ticked)
        boxes = re.findall(r'name="run" value="([^"]+)" checked', told)
        assert {*boxes} == {run.slug for run in ticked}
        assert shown.context["filters"].kind == "load"
        assert '<input type="hidden" name="kind" value="load">' in told
    # The same run twice is one run.
    assert "Compare with another run" in page(at_alice, runs[0], runs[0])


def test_runs_that_were_asked_alike_are_offered_first(at_alice, load, measured):
    mine = load()
    alike = load()
    unlike = load(prompt_tokens=64)
    nothing = measured(report(), levels=[16], requests=None)
    offered = at_alice.get(COMPARE, {"run": mine.slug}).context["candidates"]
    assert [one.run for one in offered] == [alike, unlike, nothing]
    assert [one.unlike for one in offered] == [
        "",
        "prompt length differs",
        "no load in common",
    ]


def test_an_imported_run_brings_its_definitions(at_alice, load):
    other = load()
    imports = {"tool": "vllm bench serve", "files": [{"backend": "openai-chat"}]}
    other.report["imported"] = imports
    Run.objects.filter(pk=other.pk).update(kind=Kind.IMPORTED, report=other.report)
    html = words(page(at_alice, load(), other))
    assert "TTFT may stop at the role-only chunk." in html
    assert "measured by" in html.lower()
