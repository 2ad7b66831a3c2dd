"""A load in a real browser: live, stopped, without JavaScript, for everybody."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SMALL = {
    "load": "custom",
    "levels": "1, 4",
    "repeat": "1",
    "prompt_tokens": "32",
    "max_tokens": "16",
}
LONG = SMALL | {"levels": "1, 16", "max_tokens": "48"}
LEVEL_MS = 60_000
"""For a level to end, on a busy machine."""


@pytest.fixture(scope="module")
def finished(live_site):
    slug = live_site.run(**SMALL, tpot="50")
    assert live_site.wait_for(slug, seconds=120) == "completed"
    return f"/lab/runs/{slug}/"


@pytest.fixture
def start(live_site):
    """Starts a load; its address. It is stopped after the test."""
    slugs = []

    def start_load(**fields):
        slugs.append(live_site.run(**fields))
        return f"/lab/runs/{slugs[-1]}/"

    yield start_load
    for slug in slugs:
        live_site.post(f"/lab/runs/{slug}/stop/")
        live_site.wait_for(slug)


def number(page, name):
    return page.locator(f"[data-number={name}] [data-value]")


def said(page):
    return page.locator("[data-announcer]").inner_text()


def head(page):
    return page.locator("#result .instrument__head")


def dots(page):
    return page.locator("#levels .chart__dot")


def violations(page):
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def test_a_load_is_asked_for_in_the_form_and_watched_to_its_end(new_person):
    page = new_person()
    page.goto("/lab/")
    page.get_by_label("A load of your own").check()
    page.get_by_label("Users, level by level").fill(SMALL["levels"])
    page.get_by_label("Repetitions").fill("1")
    page.get_by_label("Prompt of this many tokens").fill("32")
    page.get_by_label("Answer, tokens at most").fill("16")
    expect(page.locator("[data-expected]")).to_contain_text(re.compile("about .* s"))
    page.get_by_role("button", name="Run").click()
    page.wait_for_url(re.compile(r"/lab/runs/[\w-]{6,}/$"))

    levels = page.locator("[data-level]")
    expect(number(page, "ttft")).to_have_text(re.compile(r"^\d+$"))
    expect(levels.nth(0)).to_contain_text("tok/s", timeout=LEVEL_MS)
    # A point is there while the next level still runs.
    expect(dots(page)).to_have_count(3)
    expect(levels.nth(1)).to_contain_text(
        re.compile("of 12.requests"), timeout=LEVEL_MS
    )
    expect(page.locator("canvas")).to_have_attribute(
        "aria-label", re.compile(r"Lanes of 4.users: \d+ streaming")
    )
    expect(page.locator("[data-answer] [data-channel=content]")).not_to_be_empty()
    expect(page.locator("[data-followed]")).to_have_text(re.compile("among 3.others"))
    expect(head(page)).to_contain_text("completed", timeout=LEVEL_MS)
    expect(dots(page)).to_have_count(6)
    assert "The load has ended: completed." in said(page)
    expect(page.locator("#result")).to_contain_text("4 users got")


def test_the_lanes_have_a_table_of_what_each_user_does(new_person, start):
    page = new_person()
    page.goto(start(**LONG))
    many = page.locator("[data-level]").nth(1)
    expect(many).to_have_attribute("data-state", "now", timeout=LEVEL_MS)
    page.locator("[data-lane-table] summary").click()
    rows = page.locator("[data-lane-table] tbody tr")
    expect(rows).to_have_count(16)
    expect(rows.nth(15)).to_contain_text(re.compile("streaming, token|waiting"))
    assert painted(page) > 100
    page.keyboard.press(".")
    expect(head(page)).to_contain_text("cancelled")


def painted(page):
    """How many pixels of the lanes are not blank."""
    return page.locator("canvas").evaluate(
        """canvas => canvas.getContext("2d")
            .getImageData(0, 0, canvas.width, canvas.height).data
            .filter((value, i) => i % 4 === 3 && value).length"""
    )


def test_stop_keeps_the_level_that_is_complete(new_person, start):
    page = new_person()
    page.goto(start(**LONG))
    expect(page.locator("[data-level]").nth(1)).to_contain_text(
        "of 48", timeout=LEVEL_MS
    )
    page.get_by_role("button", name="Stop, keep what is complete").click()
    expect(head(page)).to_contain_text("cancelled")
    expect(page.locator("#result .load-table")).to_contain_text("1 user")
    assert dots(page).count() >= 3


def test_a_browser_that_comes_late_sees_the_same_numbers(new_person, finished):
    first, late = new_person(), new_person()
    tables = []
    for page in (first, late):
        page.goto(finished)
        tables.append(page.locator(".load-table").inner_text())
    assert tables[0] == tables[1]
    assert re.search(r"\d ms", tables[0].replace("\u00a0", " "))


def test_a_load_is_shown_without_javascript(new_person, start):
    page = new_person(java_script_enabled=False)
    page.goto(start(**SMALL))
    # The page looks again by itself and shows the first level while the second runs.
    expect(dots(page)).to_have_count(3, timeout=LEVEL_MS)
    expect(head(page)).to_contain_text("running")
    expect(head(page)).to_contain_text("completed", timeout=LEVEL_MS)
    expect(dots(page)).to_have_count(6)


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_result(new_person, finished, scheme):
    page = new_person(color_scheme=scheme)
    page.goto(finished)
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    assert not violations(page)


@pytest.mark.looks
def test_axe_finds_nothing_while_a_load_is_live(new_person, start):
    page = new_person()
    page.goto(start(**LONG))
    expect(number(page, "tpot")).to_have_text(re.compile(r"\d"))
    page.locator("[data-lane-table] summary").click()
    expect(page.locator("[data-lane-table] tbody tr").first).to_be_visible()
    assert not violations(page)


@pytest.mark.looks
def test_a_load_fits_a_phone_live_and_finished(new_person, start, finished):
    page = new_person(viewport={"width": 390, "height": 844})
    for address in (finished, start(**LONG)):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.looks
def test_little_motion_is_drawn_twice_a_second(new_person, start):
    page = new_person(reduced_motion="reduce")
    page.add_init_script(
        """const clear = CanvasRenderingContext2D.prototype.clearRect;
        window.drawn = 0;
        CanvasRenderingContext2D.prototype.clearRect = function (...box) {
          if (this.canvas.isConnected) window.drawn++;
          clear.apply(this, box); };"""
    )
    page.goto(start(**LONG))
    # The first drawings size the canvas; from then on time and drawings are counted.
    page.wait_for_timeout(1500)
    look = "() => [performance.now() / 1000, window.drawn]"
    start_s, before = page.evaluate(look)
    page.wait_for_timeout(4000)
    end_s, after = page.evaluate(look)
    assert 1 <= after - before <= 2 * (end_s - start_s) + 1


HEARD = """async (event) => {
  const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
  const { LoadAnnouncer } = await import(loaded.find((url) => /announcer/.test(url)));
  const region = { textContent: "" };
  const announcer = new LoadAnnouncer(region);
  announcer.take({ k: "level", state: "ended", users: 2, ...event });
  announcer.draw();
  return region.textContent;
}"""


@pytest.mark.looks
@pytest.mark.parametrize(
    ("summary", "heard"),
    [
        ({"ttft_ms": {"p50": None}}, "2 users ended: no request was completed."),
        ({"ttft_ms": {"p50": 257.4}}, "2 users ended: TTFT 257 ms."),
        (
            {"tpot_ms": {"p50": 32.3}, "output_tokens_per_s": 29.5},
            "2 users ended: TPOT 32.3 ms, 29.5 tokens per second.",
        ),
    ],
)
def test_what_is_missing_is_not_announced(new_person, finished, summary, heard):
    page = new_person()
    page.goto(finished)
    event = {"repetition": 0, "repetitions": 1, "summary": summary}
    assert page.evaluate(HEARD, event).replace("\u00a0", " ") == heard


def test_the_head_of_a_level_has_the_median_of_its_repetitions(new_person, start):
    page = new_person()
    address = start(**LONG | {"repeat": "3"})
    events = []
    for repetition, rate in enumerate((111.1, 95.3, 126.9)):
        level = {"k": "level", "t_us": 0, "index": 0, "users": 1, "requests": 4}
        level |= {"repetition": repetition, "repetitions": 3}
        summary = {"output_tokens_per_s": rate, "ttft_ms": None, "tpot_ms": None}
        events += [level | {"state": "started"}]
        events += [level | {"state": "ended", "summary": summary}]
    body = f"id: 1\ndata: {json.dumps(events)}\n\n"
    page.route(
        re.compile(r"/events\?"),
        lambda route: route.fulfill(content_type="text/event-stream", body=body),
    )
    page.goto(address)
    expect(page.locator("[data-level]").first).to_contain_text("111.1 tok/s")


@pytest.mark.parametrize("width", [390, 700, 961, 1200])
def test_no_live_number_leaves_its_cell(new_person, start, width):
    page = new_person(viewport={"width": width, "height": 800})
    page.goto(start(**LONG))
    expect(number(page, "rate")).to_have_text(re.compile(r"\d"), timeout=LEVEL_MS)
    wider = page.locator("[data-number] .numbers__value").evaluate_all(
        """values => {
            for (const value of values) {
                value.querySelector("[data-unit]").hidden = false;
                value.querySelector("[data-value]").textContent = "123,456.7";
            }
            return values.filter(it => it.scrollWidth > it.clientWidth).length;
        }"""
    )
    assert wider == 0
