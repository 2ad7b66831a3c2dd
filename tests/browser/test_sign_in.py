"""People of a shared installation, from the first owner to sign-out everywhere."""

import os
import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.live_site import ROOT, running_site

pytestmark = pytest.mark.browser
PASSWORD, OTHER = "seven quiet otters", "nine louder herons"
SHARED = {
    "PREFILL_MODE": "shared",
    "SECRET_KEY": "k" * 25 + "0123456789abcdefghijklmnop",
    "ALLOWED_HOSTS": "127.0.0.1,localhost",
}


@pytest.fixture(scope="module")
def shared_site():
    with running_site(os.environ.get("DATABASE_URL", ""), **SHARED) as site:
        yield site


@pytest.fixture
def invite(shared_site):
    def link(*arguments):
        command = [sys.executable, str(ROOT / "manage.py"), "invite", *arguments]
        data = {"PREFILL_DATA": str(shared_site.data)}
        made = subprocess.run(
            [*command, "--url", shared_site.url],
            cwd=ROOT,
            env=shared_site.environment | data,
            capture_output=True,
            text=True,
            check=True,
        )
        return made.stdout.strip()

    return link


def join(page, link, name, password=PASSWORD):
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(password)
    page.get_by_label("The same again").fill(password)
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()


def sign_in(page, site, name, password=PASSWORD, at="/"):
    page.goto(f"{site.url}{at}")
    expect(page).to_have_url(re.compile("/sign-in/"))
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()


def invited(page, role, name):
    """An invitation made in the browser; its address."""
    you = page.get_by_role("navigation", name="You", exact=True)
    you.get_by_role("link", name="People").click()
    page.get_by_label("Whom").fill(name)
    page.get_by_label("Role", exact=True).last.select_option(role)
    page.get_by_role("button", name="Make a link").click()
    return page.get_by_label("The link").input_value()


def test_from_the_first_owner_to_sign_out_everywhere(new_person, shared_site, invite):
    owner = new_person(java_script_enabled=False)
    join(owner, invite("--role", "owner"), "Ada")
    links = {role: invited(owner, role, role) for role in ("interviewer", "candidate")}

    ian, cem = new_person(), new_person()
    join(ian, links["interviewer"], "Ian")
    join(cem, links["candidate"], "Cem")
    expect(cem.get_by_role("link", name="People")).to_have_count(0)
    cem.goto(links["candidate"])
    expect(cem.get_by_role("heading", name="This link opens nothing")).to_be_visible()

    phone = new_person(viewport={"width": 390, "height": 844})
    sign_in(phone, shared_site, "cem", at="/manual/")
    expect(phone).to_have_url(re.compile("/manual/$"))

    cem.goto(f"{shared_site.url}/account/")
    cem.get_by_label("Present password").fill(PASSWORD)
    cem.get_by_label("New password").fill(OTHER)
    cem.get_by_label("The same again").fill(OTHER)
    cem.get_by_role("button", name="Change it").click()
    expect(cem.get_by_role("status")).to_contain_text("Your password is new")
    phone.reload()
    expect(phone).to_have_url(re.compile(r"/sign-in/\?next="))

    sign_in(phone, shared_site, "Cem", OTHER)
    expect(phone.get_by_role("link", name="Cem")).to_be_visible()
    cem.reload()
    expect(cem.get_by_text("this one")).to_have_count(1)
    cem.get_by_role("button", name="Sign out everywhere").click()
    expect(cem).to_have_url(re.compile("/sign-in/$"))
    phone.reload()
    expect(phone).to_have_url(re.compile("/sign-in/"))

    owner.goto(f"{shared_site.url}/people/")
    owner.get_by_text("Change", exact=True).nth(2).click()
    owner.get_by_role("button", name="Deactivate Ian").click()
    ian.reload()
    expect(ian).to_have_url(re.compile("/sign-in/"))


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_people_are_for_everybody(new_person, shared_site, invite, scheme):
    page = new_person(color_scheme=scheme, viewport={"width": 390, "height": 844})
    invitation = invite("--role", "owner")
    is_for_everybody(page, invitation)
    join(page, invitation, f"Owner by {scheme}")
    is_for_everybody(page, invite("--password-for", f"owner by {scheme}"))
    invited(page, "candidate", "Eva")
    is_for_everybody(page, None)
    for path in ("/people/", "/account/", "/invitations/x/"):
        is_for_everybody(page, shared_site.url + path)
    page.context.clear_cookies()
    is_for_everybody(page, f"{shared_site.url}/sign-in/")


def is_for_everybody(page, address):
    """The page at the address, or the one that is shown: axe, and a phone's width."""
    if address:
        page.goto(address)
    for fold in page.locator("main details").all():
        fold.evaluate("fold => { fold.open = true }")
    found = Axe().run(page).response["violations"]
    assert not found, [(v["id"], [n["html"] for n in v["nodes"]]) for v in found]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.url
