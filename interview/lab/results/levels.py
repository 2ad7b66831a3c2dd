"""The levels of a report (prefill-measure/1), in one form whatever it covers.

A report of one repetition has its load, summary and requests at the top.
"""

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]


def levels_of(report: Mapping[str, Any]) -> list[Json]:
    """Each level with users, load, summary and repetitions, as a longer report has."""
    if "levels" in report:
        return list(report["levels"])
    load = report.get("load") or {}
    if not load.get("users"):
        return []
    names = ("load", "summary", "engine", "requests", "warmup")
    repetition = {name: report.get(name) for name in names}
    return [
        {
            "users": load["users"],
            "load": load,
            "summary": report.get("summary") or {},
            "repetitions": [repetition],
        }
    ]


def name_of(level: Mapping[str, Any]) -> str:
    """A load without a name is told by its users."""
    return level.get("name") or str(level["users"])


def requests_of(level: Mapping[str, Any]) -> list[Json]:
    """The measured requests of all repetitions."""
    return [r for repetition in level["repetitions"] for r in repetition["requests"]]


def repetitions_of(report: Mapping[str, Any]) -> list[Json]:
    """All repetitions of all levels, in order."""
    return [r for level in levels_of(report) for r in level["repetitions"]]
