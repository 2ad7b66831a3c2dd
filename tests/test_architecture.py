"""Who may import whom: dependencies point one way."""

import ast
from pathlib import Path

import pytest

INTERVIEW = Path(__file__).resolve().parent.parent / "interview"

MAY_IMPORT = {
    "cards": set(),
    "measure": set(),
    "spark": set(),
    "recall": set(),
    "rating": set(),
    "web": {"cards"},
    "accounts": {"web", "cards"},
    "study": {"accounts", "web", "cards", "recall"},
    "lab": {"accounts", "web", "cards", "measure", "spark"},
    "bank": {"accounts", "web", "cards", "rating", "lab"},
    "archive": {"web"},
    "sqlite": set(),
}
COMMANDS_MAY = {"up", "archive", "data_folder"}
WITHOUT_DJANGO = ("cards", "measure", "spark", "recall", "rating")
FORBIDDEN_NAMES = {"utils", "helpers", "common", "services", "managers"}


def imported(file):
    """Absolute names of all modules that a file imports, wherever it does so."""
    package = ("interview", *file.relative_to(INTERVIEW).parts[:-1])
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *filter(None, [node.module])])


def files(package):
    return sorted((INTERVIEW / package).rglob("*.py"))


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_those_below_it(package):
    allowed = {package} | MAY_IMPORT[package]
    for file in files(package):
        for name in imported(file):
            if not name.startswith("interview."):
                continue
            other = name.split(".")[1]
            if "management" in file.parts and other in COMMANDS_MAY:
                continue
            assert other in allowed, f"{file}: imports {name}"


@pytest.mark.parametrize("package", WITHOUT_DJANGO)
def test_the_core_knows_no_django(package):
    assert files(package)
    for file in files(package):
        names = [name for name in imported(file) if name.split(".")[0] == "django"]
        assert not names, f"{file}: imports {names}"


def test_every_package_has_its_row():
    packages = {path.parent.name for path in INTERVIEW.glob("*/__init__.py")}
    assert packages == set(MAY_IMPORT)


def test_no_module_is_a_drawer_for_odds_and_ends():
    for file in INTERVIEW.rglob("*.py"):
        assert file.stem not in FORBIDDEN_NAMES, file
