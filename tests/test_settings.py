"""Settings are loud on nonsense: a sentence, before anything starts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interview import settings

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("LAB_MAX_USERS", "many", "LAB_MAX_USERS is 'many': set a whole number"),
        ("LAB_MAX_USERS", "257", "from 1 to 256"),
        ("PREFILL_DEBUG", "perhaps", "PREFILL_DEBUG is 'perhaps': set 1 or 0."),
        ("PREFILL_MODE", "open", "set local or shared"),
        ("DATABASE_URL", "mysql://x/y", "DATABASE_URL must look like postgresql://"),
        ("LAB_API_KEY_FILE", "/nowhere/key", "LAB_API_KEY_FILE: cannot read"),
        ("PREFILL_MODE", "shared", "A shared installation needs a secret key"),
        ("PREFILL_PROXIES", "nginx", "PREFILL_PROXIES has 'nginx': list addresses"),
        ("PREFILL_LOG", "xml", "PREFILL_LOG is 'xml': set line or json."),
    ],
)
def test_nonsense_stops_the_start_with_a_sentence(name, value, sentence, tmp_path):
    environment = {"PATH": os.environ["PATH"], "PREFILL_DATA": str(tmp_path)}
    result = subprocess.run(
        [sys.executable, "-c", "import interview.settings"],
        cwd=ROOT,
        env=environment | {name: value},
        capture_output=True,
        text=True,
    )
    assert result.returncode != 0
    assert sentence in result.stderr


def test_a_postgresql_address_may_name_a_socket_folder():
    found = settings.database("postgresql://me:p%40ss@/prefill?host=/run/pg")
    assert (found["HOST"], found["NAME"], found["PASSWORD"]) == (
        "/run/pg",
        "prefill",
        "p@ss",
    )


def test_a_secret_may_come_from_a_file(tmp_path, monkeypatch):
    (tmp_path / "key").write_text("sesame\n")
    monkeypatch.setenv("LAB_API_KEY_FILE", str(tmp_path / "key"))
    assert settings.secret("LAB_API_KEY") == "sesame"


def test_the_session_key_is_kept_and_private(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    key = settings.session_key()
    assert settings.session_key() == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("asked", "told"),
    [("", (False, False)), ("subdomains", (True, False)), ("preload", (True, True))],
)
def test_browsers_are_told_of_other_names_only_when_asked(tmp_path, asked, told):
    environment = {"PATH": os.environ["PATH"], "PREFILL_DATA": str(tmp_path)}
    show = (
        "from interview.settings import *;"
        "print((SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD))"
    )
    said = subprocess.check_output(
        [sys.executable, "-c", show],
        cwd=ROOT,
        env=environment | {"PREFILL_HTTPS": "1", "PREFILL_HSTS": asked},
        text=True,
    )
    assert said.strip() == str(told)
