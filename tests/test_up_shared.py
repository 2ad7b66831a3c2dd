"""`manage.py up` for a team: what it insists on, and what survives on PostgreSQL."""

import os
import signal
import subprocess
import sys

import httpx
import pytest

from tests import postgres
from tests.live_site import ROOT, eventually, own_database, running_site
from tests.test_up import up

KEY = "0123456789" * 5
SHARED = {"PREFILL_MODE": "shared", "SECRET_KEY": KEY, "ALLOWED_HOSTS": "a.example.org"}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"SECRET_KEY": ""}, "A shared installation needs a secret key of its own"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is too short"),
        ({"ALLOWED_HOSTS": ""}, "A shared installation needs ALLOWED_HOSTS"),
        ({"PREFILL_PROXIES": "*"}, "PREFILL_PROXIES has '*': list addresses"),
    ],
)
def test_a_shared_installation_says_what_it_lacks(tmp_path, change, sentence):
    said = up("--host", "0.0.0.0", "--data", str(tmp_path), **SHARED | change)
    assert sentence in said


def test_several_web_processes_need_postgresql(tmp_path):
    said = up("--web", "2", "--data", str(tmp_path), DATABASE_URL="")
    assert "2 web processes need PostgreSQL: set DATABASE_URL" in said


def test_a_team_reaches_it_by_any_address_and_people_sign_in():
    arguments = ["--host", "0.0.0.0"]
    with running_site(arguments=arguments, **SHARED) as site:
        eventually(lambda: "Prefill is at" in site.said(), 20, site.said)
        said = site.said()
        assert "invite --role owner" in said
        assert "Passwords go over the network in the clear" in said
        names = {"Host": "a.example.org", "Accept": "text/html"}
        with httpx.Client(base_url=site.url, headers=names) as stranger:
            assert stranger.get("/").headers["Location"].startswith("/sign-in/")
            assert stranger.get("/healthz").status_code == 200
        other = httpx.get(f"{site.url}/", headers={"Host": "b.example.org"})
        assert other.status_code == 400


def test_the_other_web_process_answers_when_one_is_killed():
    with postgres.server() as server, own_database(server) as url:
        arguments = ["--web", "2", "--workers", "2"]
        with running_site(url, arguments=arguments) as site:
            eventually(lambda: len(site.pids("worker")) == 2, 20, site.said)
            before = set(site.pids("web"))
            assert len(before) == 2
            killed = before.pop()
            os.kill(killed, signal.SIGKILL)
            for _ in range(20):
                # A connection of its own each time: it may meet either of them.
                assert httpx.get(f"{site.url}/healthz", timeout=30).status_code == 200
            eventually(lambda: len(site.pids("web")) == 2, 20, site.said)
            assert killed not in site.pids("web")
            assert "The web process ended with -9; starting it again." in site.said()


@pytest.mark.parametrize("wrong", ["0", "65", "two"])
def test_a_number_of_processes_that_is_none_is_a_sentence(wrong):
    command = [sys.executable, str(ROOT / "manage.py"), "up", f"--web={wrong}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 2
    assert "is no number from 1 to 64" in said.stderr
