"""The room is the batch: four browsers, each adds a stream, and all see the table."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PATIENCE_MS = 60_000
STAND_MS = 2_500
NUMBER = re.compile(r"^\d[\d,.]*$")


@pytest.fixture
def host(new_person, end_room):
    page = new_person()
    page.goto("/lab/experiments/room-is-the-batch/")
    page.get_by_role("button", name="Open a room for it").click()
    page.wait_for_url("**/rooms/*/")
    yield page
    end_room(page)


@pytest.fixture
def join(host, new_person):
    link = host.locator("input[value*='/join/']").first.input_value()
    code = link.rstrip("/").rpartition("/")[2]

    def sit(name, **options):
        page = new_person(**options)
        page.goto(f"/join/{code}/")
        page.get_by_label("Your name in this room").fill(name)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_url("**/rooms/*/")
        return page

    return sit


def faults(page):
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def button(page):
    return page.locator("#batch-press button")


def cell(page, name):
    return page.locator(f'[data-number="{name}"] [data-value]')


def has_streams(page, count):
    expect(cell(page, "streams")).to_have_text(str(count), timeout=PATIENCE_MS)


def float_of(locator):
    return float(locator.inner_text().replace(",", ""))


def start(host):
    host.locator("#room-drive form[data-run] button").click()
    expect(button(host)).to_be_enabled(timeout=PATIENCE_MS)


def add_stream(page, everybody, count):
    button(page).click()
    for each in everybody:
        has_streams(each, count)
    page.wait_for_timeout(STAND_MS)


def test_four_people_make_a_table_of_four_streams(host, join):
    ada, ben, cleo = join("Ada"), join("Ben"), join("Cleo", viewport=PHONE)
    people = (host, ada, ben, cleo)
    start(host)
    for page in people:
        expect(button(page)).to_be_enabled(timeout=PATIENCE_MS)
        expect(button(page)).to_have_text("Add my stream")

    add_stream(ada, people, 1)
    expect(ada.locator('[data-own="1"] [data-value]')).to_have_text(NUMBER)
    alone_ms = float_of(ada.locator('[data-own="1"] [data-value]'))
    alone_per_s = float_of(cell(host, "rate"))
    for number, page in enumerate((ben, cleo, host), 2):
        add_stream(page, people, number)
        expect(button(page)).to_have_text("Add one more stream")

    # My gaps have widened, and the tokens of all have climbed, for everybody.
    assert float_of(ada.locator('[data-own="1"] [data-value]')) > 1.2 * alone_ms
    for page in people:
        assert float_of(cell(page, "rate")) > 1.2 * alone_per_s
    names = ["Ada", "Ben", "Cleo"]
    for page in people:
        whose = page.locator("#batch-press [data-stream]")
        expect(whose).to_have_count(4)
        for name, item in zip(names, whose.all()[:3], strict=True):
            expect(item).to_contain_text(name)
    expect(ada.locator("[data-own]")).to_have_count(1)
    assert faults(ada) == []
    assert faults(cleo) == []
    assert cleo.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    # A reload in the midst shows the whole of it again.
    ben.reload()
    has_streams(ben, 4)
    expect(ben.locator('[data-own="2"] [data-value]')).to_have_text(NUMBER)

    host.locator("[data-stop] button").click()
    for page in people:
        rows = page.locator(".batch-table tbody tr")
        expect(rows).to_have_count(4, timeout=PATIENCE_MS)
        expect(rows.nth(0)).to_contain_text("Ada")
        expect(page.locator(".verdict[data-outcome=agrees]")).to_have_count(2)
        expect(page.locator("#batch-press")).to_have_count(0)
    tables = [page.locator(".batch-table tbody").inner_text() for page in people]
    assert len(set(tables)) == 1
    tpots = [
        float(row.locator("td").nth(3).inner_text().split()[0])
        for row in host.locator(".batch-table tbody tr").all()
    ]
    assert tpots == sorted(tpots)
    assert faults(cleo) == []


PHONE = {"width": 390, "height": 800}


def test_a_quiet_room_adds_no_stream(host, join):
    ada = join("Ada")
    start(host)
    host.locator("form[action$='/freeze/'] button").first.click()
    expect(button(ada)).to_be_disabled(timeout=PATIENCE_MS)
    expect(ada.locator("#batch-why")).to_contain_text("quiet")
    host.locator("[data-stop] button").click()
    expect(ada.locator("#result")).to_contain_text("Nobody added a stream")


def test_a_double_click_adds_one_stream(host, join):
    ada = join("Ada of the very long name indeed", viewport=PHONE)
    start(host)
    expect(button(ada)).to_be_enabled(timeout=PATIENCE_MS)
    button(ada).dblclick()
    expect(button(ada)).to_have_text("Add one more stream")
    has_streams(host, 1)
    ada.wait_for_timeout(STAND_MS)
    expect(ada.locator("#batch-press [data-stream]")).to_have_count(1)

    # The footer of a phone has the button, too.
    ada.locator(".room-own__press").click()
    has_streams(host, 2)
    assert faults(ada) == []
    host.locator("[data-stop] button").click()
    expect(host.locator(".batch-table tbody tr")).to_have_count(2, timeout=PATIENCE_MS)
