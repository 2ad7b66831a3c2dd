"""The spec's fields of a gathering, in which streams join while it runs."""

from dataclasses import replace

from interview.measure.checked import Fields, flag, whole
from interview.measure.errors import UsageError
from interview.measure.load_fields import MAX_USERS, load_of
from interview.measure.workload import Plan

_OTHERS = (
    *("users", "levels", "loads", "repeat", "requests", "warmup", "limits"),
    "neighbours",
)
"""What a gathering has none of: its people decide it."""


def gathers(fields: Fields) -> bool:
    """Raises UsageError where max_users stands without it."""
    found = flag(fields, "gathers", default=False)
    if not found and fields.get("max_users") is not None:
        raise UsageError("max_users is of a gathering: give gathers, too.")
    return found


def gathering_plan(fields: Fields) -> Plan:
    """One load with as many users as may join; raises UsageError."""
    given = [name for name in _OTHERS if fields.get(name) is not None]
    if given:
        raise UsageError(f"A gathering has no {given[0]}: give max_users alone.")
    if not flag(fields, "fresh_prompt", default=True):
        raise UsageError("The prompts of a gathering are fresh: leave fresh_prompt.")
    most = whole(fields, "max_users", None, 2, MAX_USERS)
    load = load_of({**fields, "users": most, "requests": 1, "warmup": 1})
    return Plan(loads=(replace(load, joined=True),))
