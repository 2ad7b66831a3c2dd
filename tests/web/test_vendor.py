"""Vendored files are exactly those that VENDOR.md names."""

import hashlib
import re
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[2] / "static" / "vendor"
ROW = re.compile(r"\| (\S+) \| (\S+) \| (\S+) \| (\S+) \| ([0-9a-f]{64}) \|")


def rows():
    return ROW.findall((VENDOR / "VENDOR.md").read_text())


def test_every_vendored_file_has_its_hash():
    assert rows()
    for path, _, _, _, sha256 in rows():
        found = hashlib.sha256((VENDOR / path).read_bytes()).hexdigest()
        assert found == sha256, f"{path} was changed"


def test_every_vendored_file_has_a_row():
    files = {p.relative_to(VENDOR).as_posix() for p in VENDOR.rglob("*") if p.is_file()}
    assert files - {"VENDOR.md"} == {path for path, *_ in rows()}


def test_each_package_comes_with_its_licence():
    folders = {Path(path).parent for path, *_ in rows()}
    for folder in folders:
        assert list((VENDOR / folder).glob("*LICENSE")), folder
