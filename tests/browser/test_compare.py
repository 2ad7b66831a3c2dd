"""Two runs side by side in a real browser: from the list, a run, an import."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LOAD = {
    "load": "custom",
    "levels": "1, 4",
    "repeat": "2",
    "prompt_tokens": "32",
    "max_tokens": "8",
}
FILES = [
    Path(__file__).parents[1] / "lab" / "vllm_bench" / f"{name}.json"
    for name in ("one-user-detailed", "two-users-plain")
]


@pytest.fixture(scope="module")
def runs(live_site):
    """Two requests and two loads, as slugs."""
    asked = {
        "one": {"max_tokens": "24"},
        "again": {"max_tokens": "24"},
        "load": LOAD,
        "longer": LOAD | {"prompt_tokens": "256"},
    }
    made = {name: live_site.run(**fields) for name, fields in asked.items()}
    for slug in made.values():
        assert live_site.wait_for(slug, seconds=120) == "completed"
    return made


@pytest.fixture(scope="module")
def brought(live_site, runs):
    """The slug of an imported run."""
    token = re.search(
        r'name="csrfmiddlewaretoken" value="([^"]+)"',
        live_site.client.get("/lab/").text,
    )[1]
    answer = live_site.client.post(
        "/lab/import/",
        data={"csrfmiddlewaretoken": token},
        files=[("files", (f.name, f.read_bytes())) for f in FILES],
    )
    assert answer.status_code == 200, answer.text[:2000]
    return str(answer.url).rstrip("/").rpartition("/")[2]


@pytest.fixture(scope="module")
def pages(runs, brought):
    def compare(a, b):
        return f"/lab/compare/?run={a}&run={b}"

    return {
        "two requests": compare(runs["one"], runs["again"]),
        "two loads": compare(runs["load"], runs["longer"]),
        "with an import": compare(runs["load"], brought),
        "choose": f"/lab/compare/?run={runs['load']}",
        "imported": f"/lab/runs/{brought}/",
        "import": "/lab/import/",
        "runs": "/lab/runs/?kind=load",
    }


NAMES = (
    *("two requests", "two loads", "with an import", "choose"),
    *("imported", "import", "runs"),
)


def tick(page, slug):
    page.locator(f"input[name=run][value='{slug}']").check()


@pytest.mark.parametrize("scripts", [True, False])
def test_two_ticked_runs_of_the_list_are_compared(new_person, runs, scripts):
    page = new_person(java_script_enabled=scripts)
    page.goto("/lab/runs/")
    for name in ("longer", "load"):
        tick(page, runs[name])
    page.get_by_role("button", name="Compare the two ticked runs").click()
    page.wait_for_url(re.compile(r"/lab/compare/\?run="))
    expect(page.get_by_role("note")).to_contain_text("prompt length differs")
    expect(page.locator(".versus__table")).to_contain_text("With 4 users")
    expect(page.locator(".chart__square")).to_have_count(6)
    expect(page.locator(".chart__dot")).to_have_count(6)
    first = page.locator(".load-words").inner_text()
    page.get_by_role("link", name="Swap A and B").click()
    expect(page.locator(".load-words")).not_to_have_text(first)


def test_one_ticked_run_is_asked_for_another(new_person, runs):
    page = new_person()
    page.goto("/lab/runs/")
    page.get_by_role("button", name="Compare the two ticked runs").click()
    expect(page.get_by_text("Tick two runs to compare them.")).to_be_visible()
    tick(page, runs["load"])
    page.get_by_role("button", name="Compare the two ticked runs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Compare with another run"
    )


def test_a_run_leads_to_its_likes_and_their_strips(new_person, runs):
    page = new_person()
    page.goto(f"/lab/runs/{runs['again']}/")
    page.get_by_role("link", name="Compare with another run").click()
    first = page.locator(".runs tbody tr").first
    expect(first).to_contain_text("yes")
    page.locator(f"a[href*='{runs['one']}']").click()
    expect(page.locator(".figure--gaps")).to_have_count(2)
    texts = page.locator(".chart--gaps .chart__levels text:last-child")
    ends = [texts.nth(n).text_content() for n in range(2)]
    assert ends[0] == ends[1]
    # One request has no spread: its figures are equal as printed, or unsure.
    outcome = page.locator("tr[data-outcome]").first
    expect(outcome).to_contain_text(re.compile("the same|may be chance"))


@pytest.mark.parametrize("scripts", [True, False])
def test_files_of_vllm_are_imported_and_compared(new_person, runs, scripts):
    page = new_person(java_script_enabled=scripts)
    page.goto("/lab/runs/")
    page.get_by_role("link", name="Import a result of vllm bench serve").click()
    page.get_by_label("Result files").set_input_files(
        {"name": "wrong.json", "mimeType": "application/json", "buffer": b"{}"}
    )
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("wrong.json is no result of vllm")
    page.get_by_label("Result files").set_input_files(FILES)
    page.get_by_role("button", name="Import").click()
    page.wait_for_url(re.compile(r"/lab/runs/[\w-]{6,}/$"))
    expect(page.locator(".meta")).to_contain_text("imported from vllm bench serve")
    expect(page.locator("#levels .chart__dot")).to_have_count(6)
    page.get_by_role("link", name="Compare with another run").click()
    page.locator(f"a[href*='{runs['load']}']").click()
    expect(page.get_by_role("table", name="What differs")).to_contain_text(
        "vllm bench serve"
    )
    expect(page.locator(".versus__table")).to_contain_text("With 1 user")


def test_a_run_is_kept_for_good_and_found_by_its_pin(new_person, runs):
    page = new_person()
    page.goto(f"/lab/runs/{runs['one']}/")
    page.get_by_role("button", name="Keep for good").click()
    expect(page.get_by_role("button", name="Let it go")).to_be_visible()
    address = page.locator(".keep__address").inner_text()
    assert address == page.url
    page.goto("/lab/runs/")
    page.get_by_label("pinned").check()
    rows = page.locator("#runs tbody tr")
    expect(rows).to_have_count(1)
    assert "pinned=1" in page.url
    page.goto(address)
    page.get_by_role("button", name="Let it go").click()
    expect(page.get_by_role("button", name="Keep for good")).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(new_person, pages, name, scheme):
    page = new_person(color_scheme=scheme)
    page.goto(pages[name])
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]


@pytest.mark.looks
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wider_than_a_phone(new_person, pages, name):
    page = new_person(viewport={"width": 390, "height": 844})
    page.goto(pages[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
