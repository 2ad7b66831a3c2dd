"""A room in real browsers: live parts, keys, a lost connection, the projector."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.network import cut, mend

pytestmark = pytest.mark.browser

CARD = "The two phases of one request"
EXPERIMENT = "One request, token by token"


def show_to_all(host, title):
    host.get_by_label("Next: a card or an experiment").fill(title)
    host.get_by_role("button", name="Show to all").click()


def seat(page, name):
    return page.locator(f'[data-seat][data-name="{name}"]')


def faults(page):
    found = Axe().run(page).response["violations"]
    return [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


def test_who_comes_appears_by_itself_and_nothing_typed_is_lost(host, join):
    field = host.get_by_label("Next: a card or an experiment")
    field.press_sequentially("Two pha")
    ada = join("Ada")
    expect(seat(host, "Ada")).to_contain_text("Watching")
    expect(field).to_have_value("Two pha")
    expect(field).to_be_focused()
    expect(host.locator("[data-news]")).to_contain_text("Ada has joined.")
    expect(seat(ada, "owner")).to_contain_text("Host, driving")


def test_a_raised_hand_and_a_hand_over_are_seen_by_all(host, join):
    ada, bob = join("Ada"), join("Bob")
    ada.keyboard.press("h")
    expect(seat(bob, "Ada")).to_contain_text("asks to drive")
    host.get_by_role("button", name="Hand over to Ada").click()
    for page in (host, bob, ada):
        expect(seat(page, "Ada")).to_contain_text("Driving")
    expect(ada.locator("#room-own")).to_contain_text("You drive.")
    expect(bob.locator("[data-news]")).to_contain_text("Ada drives.")


def test_it_is_told_who_lost_a_seat_and_that_the_room_has_ended(host, join):
    ada, bob = join("Ada"), join("Bob")
    ada.get_by_text("Leave the room…").click()
    ada.get_by_role("button", name="Leave").last.click()
    expect(bob.locator("[data-news]")).to_have_text("Ada no longer has a seat.")
    host.locator("#host-end > summary").click()
    host.get_by_role("button", name="End the room for all").click()
    expect(bob.locator("[data-news]")).to_have_text("The room has ended.")


def test_a_step_comes_to_all_but_those_who_stay(host, join):
    ada, bob = join("Ada"), join("Bob")
    show_to_all(host, CARD)
    expect(ada.locator("#room-step")).to_contain_text(CARD)
    expect(bob.get_by_role("link", name="Stay at this step")).to_be_visible()
    bob.keyboard.press("g")
    bob.wait_for_url("**/steps/1/")
    show_to_all(host, EXPERIMENT)
    expect(ada.locator("#room-step")).to_contain_text(EXPERIMENT)
    expect(bob.locator("#room-bar")).to_contain_text("The host is at step 2")
    expect(bob.locator("#room-step")).to_contain_text(CARD)
    bob.keyboard.press("g")
    expect(bob.locator("#room-step")).to_contain_text(EXPERIMENT)


def test_quiet_minutes_run_down_for_all(host, join):
    ada = join("Ada")
    host.get_by_role("button", name="Quiet for 1 minute").click()
    for page in (host, ada):
        expect(page.locator("[data-quiet]")).to_contain_text(re.compile(r"0:5\d"))
    host.get_by_role("button", name="End the quiet").click()
    expect(ada.locator("[data-quiet]")).to_be_hidden()


def test_a_removed_seat_reads_a_sentence_and_nothing_else(host, join):
    ada, bob = join("Ada"), join("Bob")
    show_to_all(host, CARD)
    expect(ada.locator("#room-step")).to_contain_text(CARD)
    host.locator("#host-seats > summary").click()
    host.get_by_text("Remove Ada…").click()
    host.get_by_role("button", name="Remove Ada").click()
    expect(ada.get_by_text("You no longer have a seat here")).to_be_visible()
    expect(ada.locator("#room-step")).to_have_count(0)
    expect(seat(bob, "Ada")).to_have_count(0)
    assert bob.locator("#room-step").count() == 1


def test_a_lost_connection_comes_back_with_what_was_missed(host, join):
    ada = join("Ada")
    cut(ada)
    expect(ada.locator("[data-lost]")).to_be_visible()
    show_to_all(host, CARD)
    mend(ada)
    expect(ada.locator("#room-step")).to_contain_text(CARD)
    expect(ada.locator("[data-lost]")).to_be_hidden()
    assert "eload" not in ada.locator("#room").inner_text()


def test_everything_works_without_javascript(host, join):
    ada = join("Ada", java_script_enabled=False)
    expect(seat(ada, "Ada")).to_contain_text("(you)")
    show_to_all(host, CARD)
    # The page looks again by itself.
    expect(ada.locator("#room-step")).to_contain_text(CARD, timeout=15_000)
    ada.get_by_role("button", name="Raise the hand to drive").click()
    expect(ada.get_by_role("button", name="Take the hand down")).to_be_visible()
    ada.get_by_role("link", name="Hold it still").click()
    expect(ada).to_have_url(re.compile("still=1"))
    again = ada.get_by_role("link", name="Look again every 8 seconds")
    expect(again).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state(host, join, new_person, scheme):
    host.emulate_media(color_scheme=scheme)
    ada = join("Ada", color_scheme=scheme, viewport={"width": 390, "height": 844})
    pages = [(host, "the host's lobby"), (ada, "a guest's lobby")]
    assert [(what, faults(page)) for page, what in pages if faults(page)] == []
    ada.keyboard.press("h")
    expect(seat(host, "Ada")).to_contain_text("asks to drive")
    show_to_all(host, CARD)
    host.get_by_role("button", name="Quiet for 2 minutes").click()
    expect(ada.locator("[data-quiet]")).to_be_visible()
    for fold in host.locator("#room-host details").all():
        fold.evaluate("fold => { fold.removeAttribute('name'); fold.open = true }")
    assert faults(host) == []
    assert faults(ada) == []
    assert ada.evaluate("document.documentElement.scrollWidth") <= 390
    door = new_person(color_scheme=scheme)
    for path in ("/rooms/", "/join/", "/join/WRONG2/"):
        door.goto(path)
        assert faults(door) == []


def test_the_projector_shows_the_way_in_then_the_run(host, join):
    screen = host.context.new_page()
    screen.set_viewport_size({"width": 1280, "height": 720})
    screen.goto(f"{host.url}presenter/")
    expect(screen.locator(".presenter__qr")).to_be_visible()
    assert faults(screen) == []
    assert widest_code_fits(screen)
    join("Ada")
    expect(screen.locator("#presenter-head")).to_contain_text("2 people")
    show_to_all(host, CARD)
    expect(screen.locator("#presenter-now")).to_contain_text(CARD)
    assert widest_code_fits(screen)
    assert screen.evaluate(
        "document.documentElement.scrollHeight <= innerHeight"
        " && document.documentElement.scrollWidth <= innerWidth"
    )


def widest_code_fits(screen):
    """A code that breaks into two lines is read as two."""
    return screen.locator(".presenter__code").evaluate(
        """code => {
          const was = code.textContent
          code.textContent = "WWWWWW"
          const line = parseFloat(getComputedStyle(code).lineHeight)
          const text = document.createRange()
          text.selectNodeContents(code)
          const { width, height } = text.getBoundingClientRect()
          const fits = width <= code.closest(".presenter__way").clientWidth
            && height < 1.5 * line
            && document.documentElement.scrollWidth <= innerWidth
          code.textContent = was
          return fits
        }"""
    )
