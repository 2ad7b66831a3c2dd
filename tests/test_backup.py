"""`manage.py backup` under load, `restore` elsewhere: the same content, to the byte.

Also from the other database, and from a version before there were rooms.
"""

import contextlib
import hashlib
import itertools
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from tests import postgres
from tests.live_site import ROOT, Site, eventually, own_database, running_site

STORED = Path(__file__).with_name("stored")
"""A database of the version before rooms: runs, predictions, events, an export."""


@pytest.fixture(scope="module")
def server():
    with postgres.server() as url:
        yield url


@contextlib.contextmanager
def place(folder, server_url=""):
    """The environment of an installation that has nothing yet."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LAB_", "PREFILL_", "DATABASE_URL", "CONTENT_PATHS"))
    }
    with own_database(server_url) as url:
        yield kept | {"PREFILL_DATA": str(folder), "DATABASE_URL": url}


def manage(environment, *arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )


def works(environment, *arguments):
    done = manage(environment, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def prepared(environment):
    Path(environment["PREFILL_DATA"]).mkdir(exist_ok=True)
    return works(environment, "prepare")


def refused(environment, *arguments):
    """The sentence with which the command ends."""
    done = manage(environment, *arguments)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def manifest(file):
    with zipfile.ZipFile(file) as archive:
        return json.loads(archive.read("manifest.json"))


def contents(file):
    """Hashes of all tables and files of an archive, by name."""
    said = manifest(file)
    return {entry["name"]: entry["sha256"] for entry in said["tables"] + said["files"]}


def rows(file, model):
    """The rows of one table, as dicts."""
    table = next(t for t in manifest(file)["tables"] if t["model"] == model)
    with zipfile.ZipFile(file) as archive:
        lines = archive.read(table["name"]).splitlines()
    return [
        dict(zip(table["columns"], json.loads(line), strict=True)) for line in lines
    ]


endpoints = itertools.count(1)
"""Ports that no writer has had: a backup may hold a run that was under way."""
WRITING = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
django.setup()
from django.utils import timezone
from interview.accounts.models import User
from interview.lab.models import Run, Status, Worker
from interview.lab.runs.spec import Spec
owner = User.objects.create(name=f"writer {os.getpid()}", password="!")
now = timezone.now
worker = Worker(name="w", started_at=now(), alive_at=now())
while True:
    run = Run.objects.queue(owner, Spec(prompt="Why?"), now())
    claim = run.claim(worker, now())
    run.refresh_from_db()
    for n in range(20):
        run.append(claim, '[{"k": "tokens", "t_us": %d, "n": 1}]' % n)
        print(n, flush=True)
    run.finish(claim, Status.COMPLETED, now(), report={"a": 0.1, "ä": [1e-9, None]})
"""


@dataclass(frozen=True)
class Writer:
    process: subprocess.Popen
    said: Path

    def goes_on(self):
        """Wait until it has written more than now."""
        before = self.said.stat().st_size
        eventually(
            lambda: self.said.stat().st_size > before,
            60,
            lambda: f"the writer stands still: {self.process.poll()}",
        )


@contextlib.contextmanager
def writers(environment, number=2):
    """Processes that write runs and batches without a pause, each on its endpoint."""
    running = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for n in itertools.islice(endpoints, number):
                lab = {"LAB_URL": f"http://127.0.0.1:{n}", "LAB_MODEL": "m"}
                said = Path(folder, str(n))
                with said.open("w") as output:
                    process = subprocess.Popen(
                        [sys.executable, "-c", WRITING],
                        cwd=ROOT,
                        env=environment | lab | {"PYTHONPATH": str(ROOT)},
                        stdout=output,
                    )
                running.append(Writer(process, said))
            for writer in running:
                writer.goes_on()
            yield running
            assert all(w.process.poll() is None for w in running), "a writer died"
        finally:
            for writer in running:
                writer.process.kill()
                writer.process.wait()


def is_of_one_moment(file):
    """Each run has all the batches that its row says, whatever was going on."""
    batches = {}
    for row in rows(file, "lab.RunEvent"):
        batches.setdefault(row["run_id"], []).append(row["seq"])
    runs = rows(file, "lab.Run")
    assert len(runs) > 2
    for run in runs:
        expected = list(range(1, run["last_seq"] + 1))
        assert sorted(batches.get(run["id"], [])) == expected
    return any(run["status"] == "running" for run in runs)


@pytest.mark.parametrize("here", ["sqlite", "postgresql"])
@pytest.mark.parametrize("there", ["sqlite", "postgresql"])
def test_a_backup_under_load_is_the_same_elsewhere(tmp_path, server, here, there):
    urls = {"sqlite": "", "postgresql": server}
    (tmp_path / "a/content/cards").mkdir(parents=True)
    (tmp_path / "a/content/cards/private.md").write_text("Only ours.\n")
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    with place(tmp_path / "a", urls[here]) as source:
        prepared(source)
        with writers(source):
            said = works(source, "backup", first)
    assert "1 files of private content" in said
    assert first.stat().st_mode & 0o077 == 0
    is_of_one_moment(first)
    with place(tmp_path / "b", urls[there]) as target:
        said = works(target, "restore", first)
        assert "Restored" in said
        works(target, "backup", second)
        assert manifest(second)["database"] == there
        assert contents(second) == contents(first)
        assert (tmp_path / "b/content/cards/private.md").read_text() == "Only ours.\n"
        # Numbers that the database gives out go on behind those that are taken.
        with writers(target, number=1):
            pass


PRACTISING = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
django.setup()
from tests.study.learner import learner
learner()
"""
STUDY = ("Act", "Attempt", "CardMark", "Item", "Plan", "Session", "SessionStep")


def test_what_somebody_practised_is_in_a_backup(tmp_path):
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    with place(tmp_path / "a") as source:
        prepared(source)
        command = [sys.executable, "-c", PRACTISING]
        environment = source | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        works(source, "backup", first)
    assert all(rows(first, f"study.{model}") for model in STUDY)
    with place(tmp_path / "b") as target:
        works(target, "restore", first)
        works(target, "backup", second)
    assert contents(second) == contents(first)


INTERVIEWING = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "interview.settings"
django.setup()
from tests.bank import full_interview
full_interview.hold()
"""
BANK_WAYS_IN = ("bank.CandidateLink", "bank.CandidateSeat")


def test_an_interview_is_in_a_backup_but_for_the_candidates_way_in(tmp_path, server):
    """Each other table of the bank has a row, and comes back on the other database."""
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    with place(tmp_path / "a") as source:
        prepared(source)
        command = [sys.executable, "-c", INTERVIEWING]
        lab = {"LAB_URL": "http://127.0.0.1:9", "LAB_MODEL": "m"}
        environment = source | lab | {"PYTHONPATH": str(ROOT)}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        works(source, "backup", first)
    tables = [t for t in manifest(first)["tables"] if t["model"].startswith("bank.")]
    assert tables
    assert all(table["rows"] for table in tables)
    assert not {table["model"] for table in tables} & set(BANK_WAYS_IN)
    with place(tmp_path / "b", server) as target:
        works(target, "restore", first)
        works(target, "backup", second)
    assert contents(second) == contents(first)


def test_a_backup_holds_up_no_writer(tmp_path):
    """The snapshot is read without the lock for writing."""
    with place(tmp_path / "a") as source:
        prepared(source)
        with writers(source, number=1) as (writer,):
            for number in range(3):
                works(source, "backup", tmp_path / f"{number}.zip")
                writer.goes_on()


def test_a_place_that_is_used_gives_way_only_when_told_to(tmp_path):
    archive, other = tmp_path / "a.zip", tmp_path / "b.zip"
    with place(tmp_path / "a") as source:
        prepared(source)
        with writers(source, number=1):
            works(source, "backup", archive)
    with place(tmp_path / "b") as target:
        prepared(target)
        with writers(target, number=1):
            pass
        works(target, "backup", other)
        before = contents(other)
        assert "--replace" in refused(target, "restore", archive)
        works(target, "backup", tmp_path / "untouched.zip")
        assert contents(tmp_path / "untouched.zip") == before
        said = works(target, "restore", archive, "--replace")
        (copy,) = (tmp_path / "b/before-restore").iterdir()
        assert str(copy) in said
        assert contents(copy) == before
        works(target, "backup", tmp_path / "replaced.zip")
        assert contents(tmp_path / "replaced.zip") == contents(archive)
        works(target, "restore", copy, "--replace")
        works(target, "backup", tmp_path / "back.zip")
        assert contents(tmp_path / "back.zip") == before


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_an_older_version_takes_the_place_of_a_newer_one(tmp_path, server, database):
    """The rollback of docs/deploy.md, after an upgrade with migrations."""
    archive, newer = tmp_path / "before-upgrade.zip", tmp_path / "after-upgrade.zip"
    url = server if database == "postgresql" else ""
    with place(tmp_path / "a", url) as here:
        prepared(here)
        with writers(here, number=1):
            pass
        works(here, "backup", archive)
        upgrade(here)
        assert "--without-copy" in refused(here, "restore", archive, "--replace")
        assert "--replace" in refused(here, "restore", archive, "--without-copy")
        assert tables(here) >= {"lab_to_come", "accounts_user", "somebody_elses"}
        works(here, "restore", archive, "--replace", "--without-copy")
        assert "lab_to_come" not in tables(here)
        assert "somebody_elses" in tables(here)
        assert not (tmp_path / "a/before-restore").exists()
        works(here, "backup", newer)
        assert contents(newer) == contents(archive)


def execute(environment, *statements):
    """The rows of the last one."""
    url = environment["DATABASE_URL"]
    path = Path(environment["PREFILL_DATA"], "prefill.sqlite3")
    with contextlib.closing(
        psycopg.connect(url, autocommit=True)
        if url
        else sqlite3.connect(path, isolation_level=None)
    ) as connection:
        for statement in statements:
            cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def upgrade(environment):
    """What a version to come could have made of the database."""
    execute(
        environment,
        "CREATE TABLE lab_to_come (run uuid REFERENCES lab_run (id))",
        "INSERT INTO lab_to_come SELECT id FROM lab_run",
        "CREATE TABLE somebody_elses (id int)",
        "INSERT INTO django_migrations (app, name, applied) "
        "VALUES ('lab', '9999_to_come', CURRENT_TIMESTAMP)",
    )


def tables(environment):
    listed = (
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        if environment["DATABASE_URL"]
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    return {name for (name,) in execute(environment, listed)}


def test_a_restore_that_breaks_off_says_the_way_back(tmp_path):
    broken = tmp_path / "broken.zip"
    before, after = tmp_path / "before.zip", tmp_path / "after.zip"
    (tmp_path / "a/content/cards").mkdir(parents=True)
    (tmp_path / "a/content/cards/private.md").write_text("Only ours.\n")
    with place(tmp_path / "a") as here:
        prepared(here)
        with writers(here, number=1):
            pass
        works(here, "backup", before)
        repeat_rows(before, broken, "tables/accounts.User.jsonl")
        said = refused(here, "restore", broken, "--replace")
        (copy,) = (tmp_path / "a/before-restore").iterdir()
        assert f"`manage.py restore {copy} --replace`" in said
        assert (tmp_path / "a/content/cards/private.md").exists()
        works(here, "restore", copy, "--replace")
        works(here, "backup", after)
        assert contents(after) == contents(before)
    with place(tmp_path / "b") as elsewhere:
        assert "Run it again" in refused(elsewhere, "restore", broken)


def repeat_rows(archive, target, name):
    """A copy of an archive in which the keys of one table come twice."""
    said = manifest(archive)
    with zipfile.ZipFile(archive) as old:
        content = old.read(name) * 2
    table = next(table for table in said["tables"] if table["name"] == name)
    table["sha256"] = hashlib.sha256(content).hexdigest()
    half = target.with_suffix(".half")
    changed(archive, half, name, content)
    changed(half, target, "manifest.json", json.dumps(said).encode())


def test_a_running_prefill_is_not_restored_over(tmp_path, server):
    archive = tmp_path / "a.zip"
    with place(tmp_path / "a") as source:
        prepared(source)
        works(source, "backup", archive)
    with running_site() as site:
        environment = site.environment | {"PREFILL_DATA": str(site.data)}
        assert "already up" in refused(environment, "restore", archive, "--replace")
    with running_site(server) as site:
        elsewhere = site.environment | {"PREFILL_DATA": str(tmp_path / "b")}
        said = refused(elsewhere, "restore", archive, "--replace")
        assert "stop Prefill on every machine" in said


def test_a_worker_of_its_own_is_not_restored_over(tmp_path):
    """On SQLite, too, where no server knows who is connected."""
    archive = tmp_path / "a.zip"
    with place(tmp_path / "a") as here:
        prepared(here)
        works(here, "backup", archive)
        lab = {"LAB_URL": "http://127.0.0.1:9", "LAB_MODEL": "m"}
        command = [sys.executable, str(ROOT / "manage.py"), "lab_worker"]
        with subprocess.Popen(command, cwd=ROOT, env=here | lab) as worker:
            try:
                eventually(lambda: execute(here, ALIVE)[0][0], 60, worker.poll)
                assert "lab worker" in refused(here, "restore", archive, "--replace")
            finally:
                worker.terminate()
        works(here, "restore", archive, "--replace")


ALIVE = "SELECT count(*) FROM lab_worker"


def test_what_is_no_backup_is_refused(tmp_path):
    archive = tmp_path / "a.zip"
    with place(tmp_path / "a") as here:
        prepared(here)
        works(here, "backup", archive)
        assert "is there already" in refused(here, "backup", archive)
        assert "Cannot write" in refused(here, "backup", tmp_path / "no/folder.zip")
        assert "Cannot read" in refused(here, "restore", tmp_path / "nothing.zip")
        (tmp_path / "text.zip").write_text("no archive")
        assert "no backup" in refused(here, "restore", tmp_path / "text.zip")
        with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
            other.writestr("a.txt", "a")
        assert "no whole backup" in refused(here, "restore", tmp_path / "other.zip")
        changed(
            archive, tmp_path / "changed.zip", "tables/accounts.User.jsonl", b"[]\n"
        )
        assert "was changed" in refused(here, "restore", tmp_path / "changed.zip")


def changed(archive, target, name, content):
    """A copy of an archive with one entry replaced."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, content if entry == name else old.read(entry))


def test_a_backup_of_a_newer_version_is_refused_with_its_name(tmp_path):
    archive = tmp_path / "a.zip"
    with place(tmp_path / "a") as here:
        prepared(here)
        works(here, "backup", archive)
        said = manifest(archive)
        said["migrations"].append(["lab", "9999_to_come"])
        text = json.dumps(said).encode()
        changed(archive, tmp_path / "newer.zip", "manifest.json", text)
        refusal = refused(here, "restore", tmp_path / "newer.zip")
    assert "does not know the migration lab.9999_to_come" in refusal


def test_a_file_that_leads_out_of_its_folder_is_refused(tmp_path):
    archive = tmp_path / "a.zip"
    with place(tmp_path / "a") as here:
        prepared(here)
        works(here, "backup", archive)
        said = manifest(archive)
        name, content = "content/0/../../out", b"out"
        digest = hashlib.sha256(content).hexdigest()
        said["files"].append({"name": name, "sha256": digest})
        with zipfile.ZipFile(archive, "a") as file:
            file.writestr(name, content)
        text = json.dumps(said).encode()
        changed(archive, tmp_path / "evil.zip", "manifest.json", text)
        assert "outside" in refused(here, "restore", tmp_path / "evil.zip")


def facts(file):
    """What people would miss, of the stored database."""
    runs = rows(file, "lab.Run")
    guesses = rows(file, "lab.Prediction")
    return {
        "people": sorted(row["name"] for row in rows(file, "accounts.User")),
        "runs": {row["slug"]: (row["status"], row["report"]) for row in runs},
        "guesses": {row["id"]: (row["metric"], row["value"]) for row in guesses},
        "events": sorted((r["seq"], r["payload"]) for r in rows(file, "lab.RunEvent")),
    }


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_backup_from_before_rooms_is_restored_and_upgraded(
    tmp_path, server, database
):
    url = server if database == "postgresql" else ""
    stored, after = STORED / "before-rooms.zip", tmp_path / "after.zip"
    assert ["lab", "0008_rooms"] not in manifest(stored)["migrations"]
    with place(tmp_path / "a", url) as here:
        works(here, "restore", stored)
        works(here, "backup", after)
    assert ["lab", "0008_rooms"] in manifest(after)["migrations"]
    assert facts(after) == facts(stored)
    assert len(facts(after)["runs"]) >= 3
    assert facts(after)["guesses"]


def test_a_database_from_before_rooms_is_upgraded_in_its_place(tmp_path):
    data = tmp_path / "a"
    data.mkdir()
    with sqlite3.connect(data / "prefill.sqlite3") as database:
        database.executescript((STORED / "before-rooms.sql").read_text())
    database.close()
    after = tmp_path / "after.zip"
    with place(data) as here:
        assert "Copied the database to" in prepared(here)
        works(here, "backup", after)
    assert facts(after) == facts(STORED / "before-rooms.zip")
    with running_site_on(data) as site:
        page = site.client.get("/lab/runs/").text
        assert all(f"/lab/runs/{slug}/" in page for slug in facts(after)["runs"])
        for slug in facts(after)["runs"]:
            assert site.client.get(f"/lab/runs/{slug}/").status_code == 200


@contextlib.contextmanager
def running_site_on(data):
    site = Site(data)
    try:
        yield site.start()
    finally:
        site.stop()
