"""`manage.py up`: starts everything, survives the death of any part, stops at once.

Each test runs the real product in processes of its own, on both databases.
"""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.live_site import ROOT, eventually, free_port, running_site

pytestmark = pytest.mark.usefixtures("live_site")

NOT_FINISHED = {"interrupted", "failed", "incomplete"}


@pytest.fixture(scope="module")
def live_site():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:
        yield site


def test_a_run_completes_on_the_simulated_endpoint(live_site):
    slug = live_site.run(max_tokens="32")
    assert live_site.wait_for(slug) == "completed"
    report = live_site.report(slug)
    assert report["run"]["simulated"] is True
    assert report["requests"][0]["ttft_ms"] > 0
    assert report["requests"][0]["tokens"] == 32


@pytest.mark.parametrize("part", ["worker", "measure", "web", "endpoint"])
def test_a_killed_part_costs_no_more_than_the_run(live_site, part):
    slug = live_site.run(max_tokens="256")
    live_site.wait_for_tokens(slug, 8)
    live_site.kill(part)
    before = live_site.tokens(slug) or 8
    status = live_site.wait_for(slug, seconds=60)
    # The web process only shows a run: the run itself goes on without it.
    assert status == "completed" if part == "web" else status in NOT_FINISHED
    eventually(lambda: live_site.tokens(slug), 20, lambda: live_site.said())
    assert live_site.tokens(slug) >= before
    if part != "web":
        assert live_site.report(slug)["run"]["error"]
    live_site.wait_for_endpoint()
    again = live_site.run(max_tokens="16")
    assert live_site.wait_for(again, seconds=60) == "completed"


def test_when_up_is_killed_all_parts_end_and_the_next_up_works():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:
        slug = site.run(max_tokens="256")
        site.wait_for_tokens(slug, 8)
        parts = set(site.descendants())
        assert len(parts) >= 4
        site.kill("up")
        eventually(
            lambda: not any(alive(pid) for pid in parts),
            15,
            lambda: f"still running: {[pid for pid in parts if alive(pid)]}",
        )
        site.start()
        assert site.wait_for(slug) in NOT_FINISHED
        assert site.tokens(slug) >= 8
        again = site.run(max_tokens="16")
        assert site.wait_for(again) == "completed"


def test_it_stops_within_five_seconds_in_the_middle_of_a_run():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:
        slug = site.run(max_tokens="256")
        site.wait_for_tokens(slug, 8)
        parts = set(site.descendants())
        with site.client.stream("GET", f"/lab/runs/{slug}/events") as stream:
            next(stream.iter_raw())
            took = site.stop()
        assert took < 5
        assert site.process.returncode == 0
        assert not [pid for pid in parts if alive(pid)]


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True)
    return not state.stdout.startswith(b"Z") and bool(state.stdout.strip())


def up(*arguments, **environment):
    """What `up` says when it cannot start."""
    result = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "up", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 1, result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout + result.stderr


def test_a_taken_port_is_a_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = up("--port", str(port), "--data", str(tmp_path / "data"))
    assert f"Port {port} is taken" in said
    assert f"--port {port + 1}" in said


def test_an_unwritable_data_folder_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    said = up("--port", str(free_port()), "--data", str(tmp_path / "file" / "data"))
    assert "Cannot write in the data folder" in said
    assert "--data" in said


def test_another_address_than_loopback_is_refused(tmp_path):
    said = up("--host", "0.0.0.0", "--data", str(tmp_path))
    assert "Without sign-in" in said


def test_a_second_up_on_the_same_data_is_a_sentence(live_site):
    said = up("--port", str(free_port()), "--data", str(live_site.data))
    assert "already up" in said
    assert str(live_site.process.pid) in said


def test_a_database_that_does_not_answer_is_a_sentence(tmp_path):
    said = up(
        "--port",
        str(free_port()),
        "--data",
        str(tmp_path),
        DATABASE_URL=f"postgresql://x@127.0.0.1:{free_port()}/none",
    )
    assert "The database does not answer" in said


def test_an_unreachable_endpoint_is_named_and_the_site_still_serves():
    with running_site(LAB_URL=f"http://127.0.0.1:{free_port()}", LAB_MODEL="m") as site:
        assert "cannot be reached" in site.said()
        slug = site.run()
        assert site.wait_for(slug) == "failed"
        assert site.report(slug)["run"]["error"]


def test_an_endpoint_that_starts_late_is_found():
    port = free_port()
    command = [sys.executable, "-m", "interview.spark", "--port", str(port)]
    with running_site(
        os.environ.get("DATABASE_URL", ""), LAB_URL=f"http://127.0.0.1:{port}"
    ) as site:
        assert "looks again until it answers" in site.said()
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as late:
            eventually(lambda: "it serves" in site.said(), 20, site.said)
            eventually(lambda: site.pid("worker") and site.answers(), 20, site.said)
            slug = site.run(max_tokens="16")
            assert site.wait_for(slug) == "completed"
            late.terminate()


@pytest.mark.parametrize("wrong", ["0", "70000", "-1", "http"])
def test_a_wrong_port_is_a_sentence(wrong):
    command = [sys.executable, str(ROOT / "manage.py"), "up", f"--port={wrong}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 2
    assert "is no port: give a number from 1 to 65535" in said.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("LAB_MAX_TOKENS", "x", "LAB_MAX_TOKENS is 'x'"),
        ("DATABASE_URL", "nonsense", "DATABASE_URL must look like"),
        ("LAB_EXTRA_BODY", "{", "LAB_EXTRA_BODY is no JSON object"),
    ],
)
def test_a_wrong_setting_is_one_sentence(tmp_path, name, value, sentence):
    said = up("--port", str(free_port()), "--data", str(tmp_path), **{name: value})
    assert sentence in said


def test_a_broken_file_of_profiles_is_one_sentence(tmp_path):
    profiles = tmp_path / "profiles.toml"
    profiles.write_text("[[machine]\n")
    said = up("--port", str(free_port()), "--data", str(tmp_path))
    assert f"{profiles} is no TOML" in said


def test_a_sigterm_is_as_good_as_ctrl_c():
    with running_site(os.environ.get("DATABASE_URL", "")) as site:
        started = time.monotonic()
        site.process.send_signal(signal.SIGTERM)
        assert site.process.wait(10) == 0
        assert time.monotonic() - started < 5
