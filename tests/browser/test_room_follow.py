"""What a room's page asks the server for, and when: refusals, failures, new steps."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CARD = "The two phases of one request"
ROOM = re.compile(r"/rooms/[\w-]{10,}/(\?part=frame)?$")


def show_to_all(host, title):
    host.get_by_label("Next: a card or an experiment").fill(title)
    host.get_by_role("button", name="Show to all").click()


def show_free_request(host):
    host.get_by_role("button", name="A free request").click()


def raise_hand(page):
    page.get_by_role("button", name="Raise the hand to drive").click()


def asks(page, name):
    return page.locator(f'[data-seat][data-name="{name}"][data-asks]')


def asked_by(page):
    """The addresses that this page asks for from now on."""
    said = []
    page.on("request", lambda request: said.append(request.url))
    return said


class Held:
    """The page's own questions for its room wait here for an answer."""

    def __init__(self, page):
        self.page = page
        self.routes = []
        page.route(ROOM, lambda route: self.routes.append(route))

    def next(self):
        for _ in range(100):
            if self.routes:
                return self.routes.pop(0)
            self.page.wait_for_timeout(100)
        raise AssertionError("the page asks for nothing")


def test_a_refused_stream_is_asked_for_less_and_less(host, join):
    ada = join("Ada")
    asked = []

    def refuse(route):
        asked.append(route)
        route.fulfill(status=404)

    ada.route(re.compile("/events/?$"), refuse)
    ada.reload()
    ada.wait_for_timeout(13_000)
    # At once, after 3 s and after 6 more; the next one is 12 s away.
    assert 2 <= len(asked) <= 3
    # The page itself is asked for each time, so nothing is missed meanwhile.
    show_to_all(host, CARD)
    expect(ada.locator("#room-step")).to_contain_text(CARD, timeout=15_000)


def test_small_changes_ask_for_the_frame_and_a_new_step_for_the_page(host, join):
    ada, bob = join("Ada"), join("Bob")
    asked = asked_by(ada)
    raise_hand(bob)
    expect(asks(ada, "Bob")).to_be_visible()
    assert asked
    assert all(url.endswith("/?part=frame") for url in asked if "/rooms/" in url)
    show_to_all(host, CARD)
    expect(ada.locator("#room-step")).to_contain_text(CARD)
    assert ada.url in asked


def test_a_step_is_not_lost_when_its_page_fails_behind_another(host, join):
    ada, bob = join("Ada"), join("Bob")
    held = Held(ada)
    raise_hand(bob)
    small = held.next()
    show_to_all(host, CARD)
    expect(bob.locator("#room-step")).to_contain_text(CARD)
    small.fulfill(body='<div id="room"></div>', content_type="text/html")
    held.next().abort("connectionreset")
    held.next().continue_()
    expect(ada.locator("#room-step")).to_contain_text(CARD)


def test_who_stood_at_a_nameless_button_stands_there_in_the_new_part(host, join):
    ada = join("Ada")
    ada.locator("[data-hand] button").focus()
    show_to_all(host, CARD)
    expect(ada.locator("#room-own [data-stay]")).to_be_visible()
    expect(ada.locator("[data-hand] button")).to_be_focused()


def test_who_stood_nowhere_in_particular_stands_at_the_next_steps_title(host, join):
    ada = join("Ada")
    show_to_all(host, CARD)
    expect(ada.locator("#room-step")).to_contain_text(CARD)
    ada.locator("#room-step h2").evaluate(
        "title => (title.tabIndex = -1, title.focus())"
    )
    show_free_request(host)
    expect(ada.locator("#room-step h2")).to_have_text("A free request")
    expect(ada.locator("#room-step h2")).to_be_focused()


def test_a_small_change_brings_nothing_of_a_later_step(host, join):
    ada, bob = join("Ada"), join("Bob")
    show_to_all(host, CARD)
    raise_hand(ada)
    host.get_by_role("button", name="Hand over to Ada").click()
    step = ada.locator("#room-drive [name=step]")
    expect(step).to_have_value("1")
    held = Held(ada)
    raise_hand(bob)
    small = held.next()
    show_free_request(host)
    expect(bob.locator("#room-step h2")).to_have_text("A free request")
    small.continue_()
    expect(asks(ada, "Bob")).to_be_visible()
    expect(step).to_have_value("1")
    held.next().continue_()
    expect(step).to_have_value("2")


def test_a_part_that_waited_does_not_come_into_a_later_step(host, join):
    ada = join("Ada")
    show_to_all(host, CARD)
    raise_hand(ada)
    host.get_by_role("button", name="Hand over to Ada").click()
    tokens = ada.locator("#room-drive [name=max_tokens]")
    tokens.fill("77")
    host.get_by_role("button", name="Quiet for 1 minute").click()
    expect(ada.locator("[data-quiet]")).to_be_visible()
    expect(tokens).to_be_focused()
    show_free_request(host)
    step = ada.locator("#room-drive [name=step]")
    expect(step).to_have_value("2")
    ada.locator("#room-drive [name=max_tokens]").focus()
    ada.locator("#room-leave-ask > summary").focus()
    ada.wait_for_timeout(500)
    expect(step).to_have_value("2")


def test_what_was_typed_stays_in_its_step_and_goes_with_it(host, join):
    ada = join("Ada")
    show_to_all(host, CARD)
    ttft = ada.locator("#room-predict [name=ttft]")
    ttft.fill("250")
    host.get_by_role("button", name=re.compile("short answer", re.I)).click()
    expect(ada.locator("#short-title")).to_be_visible()
    expect(ttft).to_have_value("250")
    show_free_request(host)
    expect(ada.locator("#room-step h2")).not_to_have_text(CARD)
    expect(ttft).to_have_value("")


def test_the_end_takes_away_what_a_seat_can_do(host, join):
    ada = join("Ada")
    expect(ada.locator("#room-own")).to_be_visible()
    expect(ada.locator("#room-leave")).to_be_visible()
    host.locator("#host-end > summary").click()
    host.get_by_role("button", name="End the room for all").click()
    expect(ada.get_by_text("This room ended on")).to_be_visible()
    for gone in ("#room-own", "#room-leave"):
        expect(ada.locator(gone)).to_have_count(0)
