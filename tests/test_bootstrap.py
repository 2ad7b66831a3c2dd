"""The bootstrap, tried with stub Pythons: what it picks and what it says."""

import ast
import stat
import sys
from pathlib import Path

import pytest

from interview import bootstrap

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("name", ["manage.py", "interview/bootstrap.py"])
def test_it_parses_on_python_3_6(name):
    ast.parse((ROOT / name).read_text(), feature_version=(3, 6))


def test_it_imports_the_standard_library_alone():
    tree = ast.parse((ROOT / "interview/bootstrap.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module]
        else:
            continue
        assert {name.split(".")[0] for name in names} <= set(sys.stdlib_module_names)


def stub(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine on which only the Pythons in `bin` and `home` exist."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    real = bootstrap.candidates

    def candidates():
        return (path for path in real() if path.startswith(str(tmp_path)))

    monkeypatch.setattr(bootstrap, "candidates", candidates)
    return tmp_path


def test_a_python_that_does_not_run_is_passed_over(machine):
    stub(machine / "bin/python3.13", "exit 127")
    good = stub(machine / "bin/python3.12", "exit 0")
    assert bootstrap.find() == good


def test_pyenv_in_the_home_folder_is_found(machine):
    good = stub(machine / "home/.pyenv/versions/3.13.1/bin/python3", "exit 0")
    assert bootstrap.find() == good


def test_the_preferred_version_wins_over_place(machine):
    stub(machine / "bin/python3.12", "exit 0")
    good = stub(machine / "home/.pyenv/versions/3.13.1/bin/python3", "exit 0")
    assert bootstrap.find() == good


def test_without_a_python_it_ends_with_remedies(machine):
    with pytest.raises(SystemExit) as end:
        bootstrap.make(str(machine / ".venv"), str(machine / ".venv/bin/python"))
    assert "3.12 or newer" in str(end.value)
    assert "uv python install" in str(end.value)


def test_a_changed_lock_makes_the_environment_stale(tmp_path):
    for name in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).write_text("a==1")
    venv = tmp_path / ".venv"
    venv.mkdir()
    mark = Path(bootstrap.mark(str(venv), "requirements-dev.lock"))
    mark.write_text(bootstrap.digest(str(tmp_path)))
    assert bootstrap.is_current(str(tmp_path), str(venv), "requirements.lock")
    (tmp_path / "requirements.lock").write_text("a==2")
    assert not bootstrap.is_current(str(tmp_path), str(venv), "requirements.lock")


def test_the_running_python_works():
    assert bootstrap.works(sys.executable)
