"""An experiment in a real browser, from reading to either verdict."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.live_site import running_site

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
MODEL = "Qwen/Qwen3-30B-A3B-simulated"
RUN_MS = 120_000
"""For a whole experiment, on a busy machine."""


@pytest.fixture(scope="module", params=[()])
def fast_site(request):
    """The product on a simulator that is four times as fast, with more options."""
    command = [sys.executable, "-m", "interview.spark", "--port", "0", "--speed", "4"]
    with subprocess.Popen(
        [*command, *request.param], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as spark:
        try:
            url = spark.stdout.readline().split()[-1]
            database = os.environ.get("DATABASE_URL", "")
            with running_site(database, LAB_URL=url, LAB_MODEL=MODEL) as site:
                yield site
        finally:
            spark.terminate()


@pytest.fixture
def visit(new_person, fast_site):
    """Opens a page of the fast site in a fresh browser."""

    def open_page(path, **options):
        page = new_person(**options)
        page.goto(fast_site.url + path)
        return page

    return open_page


def queued(site, experiment, **fields):
    slug = site.run(experiment=experiment, **fields)
    return f"/lab/runs/{slug}/"


def violations(page):
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def unfold(page):
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")


def width(page):
    return page.evaluate("document.documentElement.scrollWidth")


def verdicts(page):
    expect(page.locator(".verdict").first).to_be_visible(timeout=RUN_MS)
    return [v.get_attribute("data-outcome") for v in page.locator(".verdict").all()]


def test_an_experiment_from_reading_to_verdict(visit, fast_site):
    page = visit("/cards/two-phases-of-a-request/")
    unfold(page)
    page.get_by_role("link", name="Long prompt, late first token").first.click()
    page.wait_for_url(re.compile(r"/lab/experiments/long-prompt/#claim-"))
    expect(page.locator(".claim:target")).to_be_visible()

    page.get_by_role("link", name="Predict and run").click()
    say(page, "TTFT of “short”", "70", "20", "300 ms")
    say(page, "TTFT of “long”", "0.2 s", "0.3 s", "0.4 s")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".field__error")).to_contain_text("200 ms is not between 300")
    say(page, "TTFT of “long”", "0.9 s", "0.8 s", "1 s")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url(re.compile(r"/lab/runs/[\w-]{6,}/$"))
    expect(page.locator("aside")).to_contain_text("900")

    outcomes = verdicts(page)
    assert outcomes[0] == "agrees"
    assert "refutes" not in outcomes
    first = page.locator(".verdict").first
    expect(first).to_contain_text(re.compile(r"TTFT was [\d,]+.ms in “long”"))
    compared = page.locator("table", has_text="What was said, and what was measured")
    expect(compared).to_contain_text("The range held it.")
    expect(compared).to_contain_text("The range missed it.")
    assert page.locator(".figure--said .chart__guessed").count() == 2
    unfold(page)
    assert not violations(page)

    page.get_by_role("link", name="Long prompt, late first token").first.click()
    history = page.locator("section", has=page.get_by_text("Your predictions"))
    expect(history).to_contain_text("TTFT: your guesses were")
    expect(history).to_contain_text("1 of 2 ranges held the measurement")
    unfold(page)
    assert not violations(page)
    page.goto(f"{fast_site.url}/lab/")
    listed = page.locator(".experiments__item", has_text="Long prompt")
    expect(listed).to_contain_text(re.compile(r"last run: \d agree"))


def say(page, name, value, low, high):
    page.get_by_label(name, exact=False).locator("input").first.fill(value)
    page.get_by_label(f"{name}, at least").fill(low)
    page.get_by_label(f"{name}, at most").fill(high)


def test_a_named_load_is_watched_with_its_neighbours(visit, fast_site):
    page = visit(queued(fast_site, "neighbour-prefill"))
    names = page.locator("[data-level] b")
    expect(names).to_have_text(["alone", "beside"])
    beside = page.locator("[data-level]").nth(1)
    expect(beside).to_have_attribute("data-state", "now", timeout=RUN_MS)
    expect(page.locator("[data-followed]")).to_contain_text(re.compile("3.neighbours"))
    page.locator("[data-lane-table] summary").click()
    rows = page.locator("[data-lane-table] tbody tr")
    expect(rows).to_have_text([re.compile("^1"), *[re.compile("^neighbour")] * 3])
    expect(page.locator("canvas")).to_have_attribute(
        "aria-label", re.compile(r"Lanes of 1.user and 3.neighbours")
    )
    assert not violations(page)
    # Of the load so far the numbers are those of the measured stream alone.
    expect(page.locator("[data-number=p99] [data-origin]")).to_contain_text("gaps")
    verdicts(page)
    assert page.locator(".figure--gaps").count() == 2
    assert (
        page.locator(".figure--gaps").last.locator(".chart__arrivals text").count() == 3
    )


@pytest.mark.looks
def test_a_named_load_fits_a_phone_live_and_finished(visit, fast_site):
    page = visit(
        queued(fast_site, "same-prompt-twice"), viewport={"width": 390, "height": 844}
    )
    expect(page.locator("[data-level]").first).to_have_attribute("data-state", "now")
    assert width(page) <= 390
    verdicts(page)
    unfold(page)
    assert width(page) <= 390


def test_an_experiment_works_without_javascript(visit):
    page = visit("/lab/experiments/same-prompt-twice/", java_script_enabled=False)
    page.get_by_role("link", name="Predict and run").click()
    page.locator("[name='ttft_ms@again']").fill("100")
    page.locator("[name='ttft_ms@again_low']").fill("200")
    page.locator("[name='ttft_ms@again_high']").fill("300")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator(".field__error")).to_contain_text("100 ms is not between")
    page.locator("[name='ttft_ms@again_low']").fill("20")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("h1")).to_have_text("The same prompt, twice")
    assert verdicts(page)[0] == "agrees"
    expect(page.locator(".figure--dots .chart__name")).to_contain_text(["fresh"])


@pytest.mark.parametrize("fast_site", [("--no-prefix-cache",)], indirect=True)
def test_without_a_prefix_cache_the_verdict_is_the_other_one(visit, fast_site):
    page = visit(queued(fast_site, "same-prompt-twice"))
    assert verdicts(page)[0] == "refutes"
    first = page.locator(".verdict").first
    expect(first.locator(".verdict__outcome")).to_have_text(re.compile("✗.*refutes"))
    told = first.locator(".verdict__against")
    expect(told).to_contain_text("this does not support the card")
    expect(told).to_contain_text("see what this endpoint runs")
