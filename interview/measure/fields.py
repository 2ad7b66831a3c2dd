"""A mapping of plain values, from the spec or the command line, to what is measured.

Checks each field and names the wrong one; knows neither stdin nor argparse.
"""

from interview.measure.checked import Fields, an_object, in_bounds, known, text, whole
from interview.measure.errors import UsageError
from interview.measure.gathering_fields import gathering_plan, gathers
from interview.measure.load_fields import LOAD, MAX_REQUESTS, MAX_USERS, load_of
from interview.measure.named_loads import MAX_LEVELS, named_loads
from interview.measure.target import Target, target
from interview.measure.workload import Load, Plan, default_requests

MAX_REPEAT = 20

_TARGET = {"url", "model", "api", "api_key", "extra_body", "headers"}
_PLAN = {"levels", "loads", "repeat", "gathers", "max_users"}


def target_of(fields: Fields) -> Target:
    """Raises UsageError; also for a field that neither target nor load has."""
    known(fields, _TARGET | _PLAN | LOAD)
    headers = an_object(fields, "headers")
    if not all(isinstance(value, str) for value in headers.values()):
        raise UsageError("headers must be an object of texts.")
    return target(
        text(fields, "url") or "",
        text(fields, "model") or "",
        api=text(fields, "api") or "chat",
        api_key=text(fields, "api_key"),
        headers=headers,
        extra_body=an_object(fields, "extra_body"),
    )


def plan_of(fields: Fields) -> Plan:
    """Fills in the defaults; raises UsageError."""
    if gathers(fields):
        return gathering_plan(fields)
    plain = fields.get("loads") is None
    return Plan(
        loads=_plain_loads(fields) if plain else named_loads(fields),
        repeat=whole(fields, "repeat", 1, 1, MAX_REPEAT),
    )


def _plain_loads(fields: Fields) -> tuple[Load, ...]:
    levels = _levels(fields)
    return tuple(
        load_of({**fields, "users": users, "requests": requests})
        for users, requests in zip(levels, _requests(fields, levels), strict=True)
    )


def _levels(fields: Fields) -> list[int]:
    """Numbers of users, in the order they are measured."""
    levels = fields.get("levels")
    if levels is None:
        return [whole(fields, "users", 1, 1, MAX_USERS)]
    if fields.get("users") is not None:
        raise UsageError("Give users or levels, not both.")
    if not isinstance(levels, list) or not 1 <= len(levels) <= MAX_LEVELS:
        raise UsageError(f"levels must be a list of 1 to {MAX_LEVELS} numbers.")
    users = [in_bounds("levels", value, 1, MAX_USERS) for value in levels]
    if len(set(users)) < len(users):
        raise UsageError("levels must name each number of users once.")
    return users


def _requests(fields: Fields, levels: list[int]) -> list[int]:
    """Of each level."""
    given = fields.get("requests")
    if given is None:
        return [default_requests(users) for users in levels]
    if not isinstance(given, list):
        given = [given] * len(levels)
    if len(given) != len(levels):
        raise UsageError(
            f"requests has {len(given)} numbers for {len(levels)} levels: give one"
            " for all or one for each."
        )
    return [in_bounds("requests", value, 1, MAX_REQUESTS) for value in given]
