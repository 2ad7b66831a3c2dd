"""docs/deploy.md's own lines, run by a shell beside programs that only take note."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.live_site import ROOT

GUIDE = (ROOT / "docs/deploy.md").read_text()
NOTE = """#!/bin/sh
echo "$(basename "$0") $*" >> "$NOTES"
case "$*" in *"rev-parse"*) echo 1a2b3c4;; *"$FAILS"*) exit 1;; esac
case "$*" in *" backup "*) : > "$3";; esac
"""


def block(holding):
    """The one block of the guide that has these words."""
    blocks = re.findall(r"^```\n(.*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    (found,) = [text for text in blocks if holding in text]
    return found


@pytest.fixture
def machine(tmp_path):
    """A shell for lines of the guide; its answer is what was done, and what it said."""
    for name in ("bin", "opt/prefill/.venv/bin", "var/backups", "etc"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("git", "systemctl", "python3", "chown"):
        note = tmp_path / "bin" / name
        note.write_text(NOTE)
        note.chmod(0o755)
    (tmp_path / "opt/prefill/.venv/bin/python").symlink_to(tmp_path / "bin/python3")

    def run(lines, fails="nothing at all"):
        notes = tmp_path / "notes"
        notes.write_text("")
        for folder in ("/opt/prefill", "/var/backups", "/etc/prefill"):
            lines = lines.replace(folder, f"{tmp_path}{folder}")
        path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
        environment = {"PATH": path, "NOTES": str(notes), "FAILS": fails}
        done = subprocess.run(
            ["sh", "-c", lines],
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        return notes.read_text(), done.stdout

    return run


def test_without_a_backup_an_upgrade_changes_nothing(machine):
    done, _ = machine(block("git fetch"), fails=" backup ")
    assert " backup " in done
    assert "checkout" not in done
    assert "systemctl" not in done


@pytest.mark.parametrize("fails", ["fetch", "checkout", "manage.py check"])
def test_an_upgrade_ends_at_the_first_failure(machine, fails):
    done, _ = machine(block("git fetch"), fails=fails)
    assert fails in done.splitlines()[-1]


def test_a_rollback_takes_the_backup_and_the_commit_of_its_upgrade(machine):
    done, said = machine(block("git fetch"))
    before = f"/var/backups/{Path(said.split()[-1]).name}"
    assert done.splitlines()[-1] == "systemctl start prefill-worker"
    assert before.endswith("-1a2b3c4.zip")
    lines = block("THE-NAME-THAT").replace("THE-NAME-THAT-THE-UPGRADE-PRINTED", before)
    done, _ = machine(lines)
    assert f"{before} --replace --without-copy" in done
    assert "git checkout --detach 1a2b3c4" in done
    assert done.index(" backup ") < done.index("checkout") < done.index(" restore ")


@pytest.mark.parametrize("fails", [" backup ", "checkout", "cat-file"])
def test_a_rollback_restores_nothing_after_a_failure(machine, fails):
    lines = block("THE-NAME-THAT").replace("THE-NAME-THAT-THE-UPGRADE-PRINTED", "here")
    done, _ = machine(f": > opt/prefill/here; {lines}", fails=fails)
    assert fails in done
    assert " restore " not in done


def test_a_rollback_without_its_backup_stops_nothing(machine):
    done, _ = machine(block("THE-NAME-THAT"))
    assert done == ""


def test_each_upgrade_has_a_backup_of_its_own():
    assert "$(date +%Y%m%dT%H%M%S)" in block("git fetch")
    assert not re.search(r"backup /var/backups/[\w-]+\.zip", GUIDE)


def test_secrets_are_private_and_leave_the_shell_as_it_was(machine, tmp_path):
    before = machine("pwd; umask")
    lines = block("install -d -m 700")
    assert machine(f"{lines}\npwd; umask")[1] == before[1]
    made = list((tmp_path / "etc/prefill").iterdir())
    assert {path.name for path in made} == {"secret_key", "database_url", "lab_api_key"}
    assert {path.stat().st_mode & 0o077 for path in made} == {0}


def as_systemd_reads(text):
    """systemd.exec(5), EnvironmentFile=: a value goes to the end of its line, and in
    double quotes it stands without them."""
    lines = [line for line in text.splitlines() if line and line[0] not in "#;"]
    told = dict(line.split("=", 1) for line in lines)
    return {name: re.sub(r'^"(.*)"$', r"\1", value) for name, value in told.items()}


def test_a_shell_reads_the_settings_as_systemd_does(tmp_path):
    file = tmp_path / "environment"
    file.write_text(block("PREFILL_PROXIES=127.0.0.1\n"))
    lines = f"set -a && . {shlex.quote(str(file))} && set +a && env"
    done = subprocess.run(
        ["sh", "-c", lines], env={"PATH": os.environ["PATH"]}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    read = dict(line.split("=", 1) for line in done.stdout.splitlines())
    expected = as_systemd_reads(file.read_text())
    assert expected["LAB_HARDWARE"] == "DGX Spark"
    assert read.items() >= expected.items()


def test_files_are_copied_from_where_they_lie():
    copies = re.findall(r"^cp (\S+)", GUIDE, re.MULTILINE)
    assert copies
    for source in copies:
        assert list(ROOT.glob(source.removeprefix("/opt/prefill/"))), source
