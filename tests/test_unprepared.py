"""Commands on a machine where nothing was started yet, each in a process of its own."""

import contextlib
import sqlite3
import subprocess
import sys

from interview.data_folder import check_writable
from tests.live_site import ROOT, SHARED, eventually
from tests.test_backup import execute, place, prepared, refused, works

TEAM = SHARED | {"PREFILL_MODE": "shared"}
LAB = {"LAB_URL": "http://127.0.0.1:9", "LAB_MODEL": "m"}
OWNER = ["invite", "--role", "owner"]


def test_a_fresh_clone_is_checked_without_a_folder(tmp_path):
    with place(tmp_path / "var") as here:
        works(here, "check")
    assert not (tmp_path / "var").exists()


def test_a_backup_of_nothing_is_refused_and_makes_nothing(tmp_path):
    data, file = tmp_path / "var", tmp_path / "a.zip"
    with place(data) as here:
        said = refused(here, "backup", file)
        assert str(data / "prefill.sqlite3") in said
        assert not data.exists()
        data.mkdir()
        sqlite3.connect(data / "prefill.sqlite3").close()
        assert "has no tables" in refused(here, "backup", file)
    assert not file.exists()


def test_an_owner_is_invited_in_the_readmes_order(tmp_path):
    with place(tmp_path / "var") as here:
        assert "`manage.py prepare`" in refused(here | TEAM, *OWNER)
        works(here | TEAM, "prepare")
        assert "/invitations/" in works(here | TEAM, *OWNER)
    text = (ROOT / "README.md").read_text()
    assert text.index("manage.py prepare") < text.index("manage.py invite --role")


def test_a_database_that_does_not_answer_is_a_sentence(tmp_path):
    with place(tmp_path / "var") as here:
        away = {"DATABASE_URL": "postgresql://prefill:wrong@127.0.0.1:9/prefill"}
        assert "does not answer" in refused(here | TEAM | away, *OWNER)


def test_a_worker_waits_until_the_database_is_prepared(tmp_path):
    command = [sys.executable, str(ROOT / "manage.py"), "lab_worker"]
    log = tmp_path / "log"
    with place(tmp_path / "var") as here, log.open("w") as said:
        worker = subprocess.Popen(command, cwd=ROOT, env=here | LAB, stderr=said)
        try:
            eventually(lambda: "Waiting for" in log.read_text(), 120, worker.poll)
            prepared(here)
            alive = "SELECT count(*) FROM lab_worker"
            eventually(lambda: execute(here, alive)[0][0], 60, worker.poll)
        finally:
            worker.terminate()
            worker.wait(60)
    (line,) = log.read_text().splitlines()
    assert "Waiting for the database to be prepared: There is no database" in line


def test_what_is_made_is_for_its_owner_alone(tmp_path):
    data = tmp_path / "var"
    with place(data) as here:
        works(here, "prepare")
    with contextlib.closing(sqlite3.connect(data / "prefill.sqlite3")) as open_file:
        open_file.execute("UPDATE django_migrations SET name = name")
        open_file.commit()
        made = [data, *data.glob("prefill.sqlite3*")]
        assert len(made) == 4
        assert {path.stat().st_mode & 0o077 for path in made} == {0}


def test_a_folder_that_is_there_keeps_its_rights(tmp_path):
    tmp_path.chmod(0o755)
    check_writable(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755
