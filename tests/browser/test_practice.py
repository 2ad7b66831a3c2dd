"""Practice as a learner does it: keys, mouse, no JavaScript, two devices."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = [
    pytest.mark.browser,
    pytest.mark.usefixtures("nothing_practised"),
]

ARTICLE = "article[data-module~=practice]"
GRADES = {"missed": "1", "partly": "2", "solid": "3"}
# Two rungs are climbed on the first card, then a rung is missed, and so on.
TEN = ["solid", "solid", "missed", "partly", "solid", "partly", "missed", "solid"]
TEN += ["solid", "solid"]


def start(page, query, **options):
    """Begin a session with the cards of a filter, by mouse."""
    page.goto(f"/practice/?{query}")
    if options:
        page.get_by_text("How this session goes").first.click()
    for label, on in options.items():
        page.get_by_label(re.compile(label)).first.set_checked(on)
    page.get_by_role("button", name=re.compile("^Practise th")).click()
    page.wait_for_url(re.compile(r"/practice/[\w-]{36}/\d+/"))
    expect(page.locator(ARTICLE)).to_be_visible()
    page.wait_for_load_state("load")


def stage(page):
    return page.locator(ARTICLE).get_attribute("data-stage")


def place(page):
    """Step and stage: what changes when the page has answered."""
    article = page.locator(ARTICLE)
    return article.get_attribute("data-step"), article.get_attribute("data-stage")


class Learner:
    """Walks through a session; subclasses say how they press."""

    def __init__(self, page):
        self.page = page

    def can_grade(self):
        return self.page.locator(".grades").count() > 0

    def grade(self, grade):
        self.press_grade(grade)
        expect(self.page.locator("#graded")).to_contain_text(grade.capitalize())

    def go_on(self):
        before = place(self.page)
        self.press_next()
        self.page.wait_for_function(
            """([step, stage]) => {
              const now = document.querySelector("article[data-module~=practice]")
              return now && (now.dataset.step !== step || now.dataset.stage !== stage)
            }""",
            arg=list(before),
        )
        # Keys are known once the scripts of a fresh page have run.
        self.page.wait_for_load_state("load")

    def practise(self, grades):
        """Grade so many items, whatever they are."""
        for grade in grades:
            while not self.can_grade():
                assert stage(self.page) != "end", "the session is too short"
                self.go_on()
            self.grade(grade)

    def finish(self):
        while stage(self.page) != "end":
            if self.can_grade():
                self.grade("missed")
            self.go_on()


class ByKeys(Learner):
    def press_grade(self, grade):
        self.page.keyboard.press(GRADES[grade])

    def press_next(self):
        self.page.keyboard.press("Space")


class ByMouse(Learner):
    def press_grade(self, grade):
        self.page.get_by_role("button", name=re.compile(f"^{grade}", re.I)).click()

    def press_next(self):
        self.page.locator('.next [data-key~="Space"]').click()


def graded(page):
    """The grades of the end page, in order."""
    return [
        cell.split()[0].lower()
        for cell in page.locator(".end__table td:nth-of-type(1)").all_inner_texts()
    ]


def focused(page, selector):
    return page.evaluate(
        "selector => document.activeElement.matches(selector)", selector
    )


def test_ten_items_by_keys_alone(new_person):
    page = new_person()
    page.goto("/practice/?level=L2")
    button = page.get_by_role("button", name=re.compile("^Practise th"))
    for _ in range(40):
        if button.evaluate("it => it === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/practice/[\w-]{36}/\d+/"))
    page.wait_for_load_state("load")
    learner = ByKeys(page)
    page.keyboard.press("3")
    assert stage(page) == "question"
    for number, grade in enumerate(TEN):
        while not learner.can_grade():
            learner.go_on()
            if learner.can_grade():
                assert focused(page, "[data-revealed]")
        learner.grade(grade)
        assert focused(page, "#graded"), number
    page.get_by_role("button", name="End the session").press("Enter")
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    assert graded(page) == TEN


def test_ten_items_by_mouse_alone(new_person):
    page = new_person()
    start(page, "level=L3")
    ByMouse(page).practise(TEN)
    page.get_by_role("button", name="End the session").click()
    expect(page.get_by_role("heading", name="Done")).to_be_visible()
    assert graded(page) == TEN


def test_ten_items_without_javascript(new_person):
    page = new_person(java_script_enabled=False)
    start(page, "level=L4")
    for grade in TEN:
        while not page.locator(".grades").count():
            page.locator('.next [data-key~="Space"]').click()
        page.get_by_role("button", name=re.compile(f"^{grade}", re.I)).click()
        expect(page.locator("#graded")).to_contain_text(grade.capitalize())
    page.get_by_role("button", name="End the session").click()
    assert graded(page) == TEN


def test_another_device_goes_on_where_the_first_stopped(new_person):
    first, second = new_person(), new_person()
    start(first, "topic=scheduler")
    ByMouse(first).go_on()
    second.goto("/practice/")
    second.get_by_role("link", name="Go on").click()
    expect(second.locator("[data-revealed=short]")).to_be_visible()
    second.wait_for_load_state("load")
    ByKeys(second).practise(["missed"])
    first.get_by_role("button", name=re.compile("^Solid")).click()
    late = "It was already graded Missed in another window."
    expect(first.locator(".messages")).to_contain_text(late)
    assert focused(first, ".messages")
    assert place(first)[0] == place(second)[0].replace("/1", "/2")
    end(first)
    assert graded(first) == ["missed"]


def end(page):
    page.get_by_role("button", name="End the session").click()
    page.locator(f"{ARTICLE}[data-stage=end]").wait_for()


def test_undo_works_in_every_state(new_person):
    page = new_person()
    start(page, "topic=kv-cache")
    learner, one = ByKeys(page), page.locator(f'{ARTICLE}[data-step$="/1"]')
    two = page.locator(f'{ARTICLE}[data-step$="/2"]')

    def onward():
        page.get_by_role("link", name="Next question").click()
        expect(two).to_be_visible()
        page.wait_for_load_state("load")

    def undone():
        page.keyboard.press("z")
        expect(one).to_have_attribute("data-stage", "short")
        expect(page.locator(".grades")).to_be_visible()
        expect(page.locator("#graded")).to_have_count(0)
        learner.grade("partly")

    learner.practise(["partly"])
    undone()
    onward()
    undone()
    onward()
    learner.go_on()
    expect(two).to_have_attribute("data-stage", "short")
    undone()
    onward()
    page.keyboard.press("s")
    expect(page.locator(f'{ARTICLE}[data-step$="/3"]')).to_be_visible()
    page.keyboard.press("z")
    expect(two).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Take the flag off")).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_role("button", name="Take the flag off")).to_have_count(0)
    end(page)
    undone()
    end(page)
    page.goto("/practice/")
    undone()
    end(page)
    assert graded(page) == ["partly"]


def test_back_reload_and_a_grade_sent_twice_change_nothing(new_person):
    page, sent = new_person(), []
    page.on("request", lambda request: sent.append(request))
    start(page, "topic=benchmarking")
    learner = ByMouse(page)
    learner.go_on()
    page.reload()
    assert stage(page) == "short"
    page.evaluate("""() => {
      const button = document.querySelector('[data-key="2"]')
      button.click()
      button.click()
    }""")
    expect(page.locator("#graded")).to_contain_text("Partly")
    posts = [one for one in sent if one.url.endswith("/grade/")]
    assert len(posts) == 1
    headers = {"Content-Type": posts[0].headers["content-type"]}
    body = posts[0].post_data_buffer
    for _ in range(2):
        answer = page.request.post(posts[0].url, headers=headers, data=body)
        assert answer.ok
    page.reload()
    expect(page.locator("#graded")).to_contain_text("Partly")
    learner.go_on()
    assert stage(page) == "flaws"
    page.go_back()
    expect(page.locator("#graded")).to_contain_text("Partly")
    page.go_forward()
    expect(page.locator(f"{ARTICLE}[data-stage=flaws]")).to_be_visible()
    end(page)
    assert graded(page) == ["partly"]


def test_a_cut_connection_loses_neither_text_nor_grade(new_person):
    page = new_person()
    start(page, "topic=capacity", **{"Type my answers": True})
    page.get_by_label("Your answer").fill("Memory first.")
    page.context.set_offline(True)
    page.get_by_role("button", name="Open the short answer").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost")
    expect(page.get_by_label("Your answer")).to_have_value("Memory first.")
    page.context.set_offline(False)
    page.reload()
    expect(page.get_by_label("Your answer")).to_have_value("Memory first.")
    ByMouse(page).go_on()
    expect(page.locator(".practice__typed")).to_have_text("Memory first.")
    page.route("**/grade/", lose_the_answer)
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("Nothing is lost")
    page.unroute("**/grade/")
    ByKeys(page).grade("missed")
    end(page)
    assert graded(page) == ["missed"]


def lose_the_answer(route):
    """The server gets the request; what it answers never arrives."""
    route.fetch()
    route.abort("connectionreset")


TONE = """
navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const out = context.createMediaStreamDestination()
  tone.connect(out)
  tone.start()
  return out.stream
}"""
REFUSED = """
navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException("no", "NotAllowedError")
}"""


def test_a_recording_outlives_the_reveal_and_is_never_sent(new_person):
    page, sizes = new_person(), []
    page.add_init_script(TONE)
    start(page, "topic=incidents")
    page.on("request", lambda one: sizes.append(len(one.post_data_buffer or b"")))
    page.get_by_role("button", name="Record my answer").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.wait_for_timeout(1500)
    ByMouse(page).go_on()
    player = page.get_by_label("My answer")
    expect(player).to_be_visible()
    # The page's policy lets nobody evaluate text, as wait_for_function does again.
    for _ in range(100):
        if player.evaluate("it => it.duration > 0.5"):
            break
        page.wait_for_timeout(100)
    assert player.evaluate("it => it.duration > 0.5")
    assert player.evaluate("it => it.src").startswith("blob:")
    assert max(sizes) < 2_000
    page.reload()
    expect(player).to_have_count(0)
    end(page)


def test_a_refused_microphone_is_said_in_a_sentence(new_person):
    page = new_person()
    page.add_init_script(REFUSED)
    start(page, "topic=incidents")
    page.get_by_role("button", name="Record my answer").click()
    expect(page.locator("[data-said]")).to_contain_text("does not let this page use")
    end(page)


def test_keys_rest_while_one_types_and_where_a_control_has_the_focus(new_person):
    page = new_person()
    start(page, "topic=quantization", **{"Type my answers": True})
    field = page.get_by_label("Your answer")
    field.press_sequentially("fp8 s z 3")
    expect(field).to_have_value("fp8 s z 3")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("e")
    page.keyboard.press("l")
    assert stage(page) == "question"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Missed, Partly, Solid")
    page.keyboard.press("Escape")
    ByKeys(page).go_on()
    page.keyboard.press("e")
    expect(page.locator("[data-revealed=full]")).to_be_focused()
    ByKeys(page).grade("solid")
    page.keyboard.press("l")
    expect(page.locator("#ladder [data-begin]")).to_be_focused()
    end(page)


def test_keys_work_on_after_a_tap_on_a_control(new_person):
    page = new_person()
    start(page, "topic=quantization")
    flag = page.get_by_role("button", name=re.compile("^Flag"))
    flag.click()
    taken = page.get_by_role("button", name="Take the flag off")
    expect(taken).to_be_focused()
    page.keyboard.press("Space")
    expect(flag).to_be_focused()
    with page.expect_response(lambda one: one.url.endswith("/confidence/")):
        page.get_by_label("Unsure").check()
    page.reload()
    expect(page.get_by_label("Unsure")).to_be_checked()
    page.get_by_label("A guess").check()
    page.keyboard.press("Space")
    expect(page.locator("[data-revealed=short]")).to_be_focused()
    flag.click()
    expect(taken).to_be_focused()
    page.keyboard.press("1")
    expect(page.locator("#graded")).to_be_focused()
    before = place(page)
    page.keyboard.press("n")
    page.wait_for_url(lambda url: "?at=" not in url)
    assert place(page) != before
    end(page)


def test_the_microphone_is_off_when_the_question_is_left(new_person):
    page = new_person()
    page.add_init_script(
        TONE.replace("return out.stream", "return (heard = out.stream)")
    )
    start(page, "topic=incidents")
    page.get_by_role("button", name="Record my answer").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Record my answer")).to_be_visible()
    states = "heard.getTracks().map(track => track.readyState)"
    assert page.evaluate(states) == ["ended"]
    end(page)


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_stage_passes_axe_and_fits_a_phone(new_person, scheme):
    page = new_person(color_scheme=scheme, viewport={"width": 390, "height": 844})
    start(page, "topic=structured-output", **{"Type my answers": True})
    learner, seen = ByMouse(page), []
    while stage(page) != "end":
        check_looks(page)
        seen.append(stage(page).partition(":")[0])
        if learner.can_grade() and stage(page) != "short":
            learner.grade("solid" if "rung" not in seen else "partly")
            check_looks(page)
        if stage(page) == "done":
            end(page)
        else:
            learner.go_on()
    check_looks(page)
    assert seen == ["question", "short", "full", "rung", "answer", "flaws", "done"]


def check_looks(page):
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.looks
def test_paper_shows_question_and_answer_and_nothing_to_press(new_person):
    page = new_person()
    start(page, "topic=hardware")
    ByMouse(page).go_on()
    page.emulate_media(media="print")
    expect(page.locator(".question")).to_be_visible()
    expect(page.locator("[data-revealed=short]")).to_be_visible()
    for gone in (".tools", ".next", ".top__nav"):
        expect(page.locator(gone)).to_be_hidden()
    page.emulate_media(media="screen")
    end(page)


def test_the_focus_goes_from_the_question_down_to_the_next_step(new_person):
    page = new_person()
    start(page, "topic=lora", **{"Type my answers": True})
    order = []
    page.locator("#main").focus()
    for _ in range(30):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "document.activeElement.name || document.activeElement.innerText"
        )
        order.append(name.split("\n")[0].strip())
        if name.startswith("Open the short"):
            break
    wanted = ["Hide the clock", "attempt", "confidence", "Record my answer"]
    found = [order.index(name) for name in wanted]
    assert found == sorted(found)
    assert order[-1].startswith("Open the short answer")
    end(page)
