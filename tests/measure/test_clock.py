"""Rows 145 and 146: no step of the wall clock can reach a number."""

import re
from pathlib import Path

import interview.measure

PACKAGE = Path(interview.measure.__file__).parent
WALL_CLOCK = re.compile(r"\btime\.(time|time_ns|localtime|gmtime)\b|\bdatetime\b")
ANY_CLOCK = re.compile(r"\bimport time\b|\bperf_counter|\bmonotonic")
PURE = ("sse", "chunks", "tokens", "decoder", "result", "statistics", "throughput")


def test_the_package_reads_no_wall_clock():
    sources = list(PACKAGE.rglob("*.py"))
    assert len(sources) > 20
    for path in sources:
        assert not WALL_CLOCK.search(path.read_text()), path


def test_what_decodes_and_counts_reads_no_clock_at_all():
    for name in PURE:
        assert not ANY_CLOCK.search((PACKAGE / f"{name}.py").read_text()), name
