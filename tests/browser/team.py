"""People who sign in to a shared site, each by an invitation."""

import subprocess
import sys

from playwright.sync_api import expect

from tests.live_site import ROOT

SHARED = {"PREFILL_MODE": "shared", "ALLOWED_HOSTS": "127.0.0.1,localhost"}
PASSWORD = "seven quiet otters"


def invite(site, name):
    """The address of an interviewer's invitation."""
    command = [sys.executable, str(ROOT / "manage.py"), "invite"]
    made = subprocess.run(
        [*command, "--role", "interviewer", "--url", site.url],
        cwd=ROOT,
        env=site.environment | {"PREFILL_DATA": str(site.data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout.strip()


def join(page, site, name):
    page.goto(invite(site, name))
    page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_label("The same again").fill(PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
