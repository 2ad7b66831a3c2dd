"""The product as docs/deploy.md sets it up: nginx with TLS, PostgreSQL, two processes.

nginx is the distribution's package, with the file from docs/deploy.
"""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from itertools import pairwise

import httpx
import pytest

from tests import nginx, postgres
from tests.live_site import ROOT, Site, eventually, free_port, own_database

pytestmark = pytest.mark.skipif(
    nginx.program() is None, reason="nginx is not installed: apt install nginx-light"
)
SENDER = "127.0.0.9"
"""Loopback's other addresses stand for people elsewhere."""
WATCHERS = 100
RETRY_S = 0.5
GAP_ERROR_MS = 20


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    data = tmp_path_factory.mktemp("site") / "data"
    with postgres.server() as server, own_database(server) as url:
        running = Site(
            data,
            database_url=url,
            arguments=["--web", "2"],
            PREFILL_HTTPS="1",
            PREFILL_PROXIES="127.0.0.1",
            DJANGO_SETTINGS_MODULE="tests.deploy_settings",
        )
        running.client.headers["X-Forwarded-Proto"] = "https"
        try:
            yield running.start()
        finally:
            running.stop()


@pytest.fixture(scope="module")
def proxy(site, tmp_path_factory):
    with nginx.in_front_of(site.port, tmp_path_factory.mktemp("nginx")) as running:
        yield running


@pytest.fixture
def person(proxy):
    """A browser at another address, with what it claims of itself."""
    claims = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "http"}
    with client(proxy, headers=claims) as browser:
        yield browser


def client(proxy, **options):
    transport = httpx.HTTPTransport(verify=proxy.trust, local_address=SENDER)
    return httpx.Client(base_url=proxy.url, transport=transport, timeout=20, **options)


def ask_for_run(browser, proxy, **fields):
    """Queue a run as a form of the page does; its slug."""
    page = browser.get("/lab/").text
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
    form = {"source": "text", "prompt": "Say something long.", "freshness": "fresh"}
    form |= {"csrfmiddlewaretoken": token, "max_tokens": "64", **fields}
    answer = browser.post("/lab/runs/", data=form, headers={"Origin": proxy.url})
    assert answer.status_code == 303, answer.text[:2000]
    return answer.headers["Location"].rstrip("/").rpartition("/")[2]


def test_the_senders_address_is_right_and_what_it_claims_is_not_believed(person):
    said = person.get("/sender").json()
    assert (said["address"], said["secure"]) == (SENDER, True)


def test_whoever_is_no_proxy_is_not_believed(site):
    transport = httpx.HTTPTransport(local_address=SENDER)
    with httpx.Client(base_url=site.url, transport=transport) as direct:
        claims = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "https"}
        answer = direct.get("/sender", headers=claims)
    assert answer.status_code == 301
    assert answer.headers["Location"] == f"https://127.0.0.1:{site.port}/sender"


def test_the_host_keeps_its_port(person, proxy):
    assert person.get("/sender").json()["host"] == f"localhost:{proxy.port}"


def test_cookies_go_over_tls_alone_and_the_browser_is_told_to_stay(person):
    answer = person.get("/lab/")
    assert answer.status_code == 200
    cookies = answer.headers.get_list("Set-Cookie")
    assert cookies
    assert all("Secure" in cookie for cookie in cookies)
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")


def test_plain_http_leads_to_tls(proxy):
    answer = httpx.get(f"http://localhost:{proxy.plain_port}/lab/?a=1")
    assert answer.status_code == 301
    assert answer.headers["Location"] == "https://localhost/lab/?a=1"


def test_it_is_asked_for_its_health_and_metrics_directly(site, person):
    with httpx.Client(base_url=site.url) as direct:
        assert direct.get("/healthz").json()["status"] == "ok"
        both = "\nprefill_web_processes 2\n"
        eventually(lambda: both in direct.get("/metrics").text, 15, site.said)
    assert person.get("/healthz").status_code == 200
    assert person.get("/metrics").status_code == 403


def test_an_upload_above_the_limit_is_refused_at_the_door(person):
    big = b"x" * 22_500_000
    assert person.post("/lab/import/", content=big).status_code == 413
    # It comes through to the site, which misses the token of its form.
    assert person.post("/data/import/", content=big).status_code == 403


@pytest.mark.parametrize("door", ["invitations", "password", "join"])
def test_a_link_that_lets_somebody_in_is_not_in_the_log(person, proxy, door):
    person.get(f"/{door}/sesame-{door}/?next=/lab/")
    eventually(lambda: f"/{door}/***" in proxy.log(), 5, proxy.log)
    assert "sesame" not in proxy.log()


@pytest.mark.parametrize("door", ["invitations", "password", "join"])
def test_a_link_is_in_no_log_when_nobody_answers_or_tls_is_missing(tmp_path, door):
    with nginx.in_front_of(free_port(), tmp_path) as proxy:
        with client(proxy) as browser:
            assert browser.get(f"/{door}/sesame/").status_code == 502
        plain = f"http://localhost:{proxy.plain_port}/{door}/sesame/"
        assert httpx.get(plain).status_code == 301
        eventually(lambda: " 502 " in proxy.log(), 5, proxy.logs)
    assert "sesame" not in proxy.logs()


@dataclass
class Watcher:
    """A browser's EventSource: goes on where it was when its stream ends."""

    frames: list = field(default_factory=list)
    """Id, data and time of arrival of each batch."""
    statuses: list = field(default_factory=list)
    is_done: bool = False

    async def watch(self, http, address):
        while not self.is_done:
            last = {"Last-Event-ID": str(self.frames[-1][0])} if self.frames else {}
            with contextlib.suppress(httpx.TransportError):
                async with http.stream("GET", address, headers=last) as answer:
                    self.statuses.append(answer.status_code)
                    answer.raise_for_status()
                    await self.read(answer)
            if not self.is_done:
                await asyncio.sleep(RETRY_S)

    async def read(self, answer):
        fields = {}
        async for line in answer.aiter_lines():
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
                continue
            if "id" in fields:
                arrived = time.perf_counter()
                self.frames.append((int(fields["id"]), fields["data"], arrived))
            self.is_done |= fields.get("event") == "done"
            fields = {}

    @property
    def ids(self):
        return [seq for seq, _, _ in self.frames]

    @property
    def gaps_ms(self):
        arrivals = [arrived for _, _, arrived in self.frames]
        return [1000 * (b - a) for a, b in pairwise(arrivals)]


def watching_client(verify=True, **headers):
    limits = httpx.Limits(max_connections=None)
    return httpx.AsyncClient(
        verify=verify, timeout=30, limits=limits, headers=headers, trust_env=False
    )


async def test_events_come_through_as_fast_as_without_the_proxy(site, proxy):
    """The best of three runs: what buffers is late each time, a busy machine is not.

    Two watchers without the proxy tell how busy it is.
    """
    measured = [await how_late_ms(site, proxy) for _ in range(3)]
    assert min(late - noise for late, noise in measured) < GAP_ERROR_MS, measured


async def how_late_ms(site, proxy):
    """By how much 95 % of the gaps differ at most, in ms: through the proxy from
    without it, and of two watchers without it."""
    with client(proxy) as browser:
        slug = ask_for_run(browser, proxy)
    path = f"/lab/runs/{slug}/events"
    through, direct, other = Watcher(), Watcher(), Watcher()
    async with (
        watching_client(proxy.trust) as outside,
        watching_client(**{"X-Forwarded-Proto": "https"}) as inside,
    ):
        await asyncio.gather(
            through.watch(outside, proxy.url + path),
            direct.watch(inside, site.url + path),
            other.watch(inside, site.url + path),
        )
    assert through.ids == direct.ids == other.ids
    assert len(through.ids) > 20
    return apart_ms(through, direct), apart_ms(other, direct)


def apart_ms(one, other):
    """95 % of the gaps of two watchers differ by no more, in ms."""
    gaps = zip(one.gaps_ms, other.gaps_ms, strict=True)
    errors_ms = sorted(abs(a - b) for a, b in gaps)
    return errors_ms[int(len(errors_ms) * 0.95)]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_all_watchers_stay_when_a_web_process_is_restarted(site, proxy, number):
    with client(proxy) as browser:
        slug = await asyncio.to_thread(ask_for_run, browser, proxy, max_tokens="320")
    watchers = [Watcher() for _ in range(WATCHERS)]
    before = set(site.pids("web"))
    assert len(before) == 2
    async with watching_client(proxy.trust) as http:
        address = f"{proxy.url}/lab/runs/{slug}/events"
        tasks = [asyncio.create_task(w.watch(http, address)) for w in watchers]
        while not all(len(watcher.frames) > 10 for watcher in watchers):
            assert not any(task.done() for task in tasks), "the run was too short"
            await asyncio.sleep(0.1)
        os.kill(before.pop(), number)
        await asyncio.wait_for(asyncio.gather(*tasks), 60)
    reconnected = [watcher for watcher in watchers if len(watcher.statuses) > 1]
    assert reconnected
    assert {status for watcher in watchers for status in watcher.statuses} == {200}
    log = site.client.get(f"/lab/runs/{slug}/log.json").json()["batches"]
    expected = [seq for seq, _ in log]
    assert all(watcher.ids == expected for watcher in watchers)
    data = {tuple(data for _, data, _ in watcher.frames) for watcher in watchers}
    assert len(data) == 1
    eventually(lambda: len(site.pids("web")) == 2, 15, site.said)


UNITS = ["prefill-web.service", "prefill-worker.service"]


@pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not here"
)
@pytest.mark.parametrize("unit", UNITS)
def test_systemd_understands_every_line_of_the_units(tmp_path, unit):
    text = (ROOT / "docs/deploy" / unit).read_text()
    # The program must exist; where Prefill lies is the reader's choice.
    text = text.replace("/opt/prefill/.venv/bin/python", shutil.which("true"))
    (tmp_path / unit).write_text(text.replace("WorkingDirectory=/opt/prefill", ""))
    command = ["systemd-analyze", "verify", "--man=no", tmp_path / unit]
    said = subprocess.run(command, capture_output=True, text=True)
    ours = [line for line in said.stderr.splitlines() if unit in line]
    assert not ours, ours
