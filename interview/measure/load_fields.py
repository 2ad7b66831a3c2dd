"""The fields of one load, with its neighbours and limits; raises UsageError."""

from interview.measure.checked import (
    Fields,
    above_zero,
    an_object,
    flag,
    known,
    text,
    whole,
)
from interview.measure.errors import UsageError
from interview.measure.workload import (
    Limits,
    Load,
    Neighbours,
    default_requests,
    default_warmup,
)

MAX_USERS = 256
MAX_REQUESTS = 100_000
MAX_TOKENS = 1_000_000
MAX_NEIGHBOURS = 64
MAX_BESIDE = 256
"""Neighbours of all users at once: each has a connection of its own."""

LOAD = {
    *("users", "requests", "prompt", "prompt_tokens", "max_tokens", "ignore_eos"),
    *("fresh_prompt", "seed", "warmup", "timeout", "max_seconds", "limits"),
    "neighbours",
}
_NEIGHBOURS = {"requests", "prompt_tokens", "max_tokens", "after_tokens"}


def load_of(fields: Fields, name: str | None = None) -> Load:
    """Fills in the defaults; fields that are not of a load are left alone."""
    prompt = _prompt(fields)
    users = whole(fields, "users", 1, 1, MAX_USERS)
    load = Load(
        name=name,
        users=users,
        requests=whole(fields, "requests", default_requests(users), 1, MAX_REQUESTS),
        max_tokens=whole(fields, "max_tokens", 128, 1, MAX_TOKENS),
        prompt=prompt,
        prompt_tokens=(
            whole(fields, "prompt_tokens", 256, 1, MAX_TOKENS)
            if prompt is None
            else None
        ),
        fresh_prompt=flag(fields, "fresh_prompt", default=True),
        ignore_eos=flag(fields, "ignore_eos", default=prompt is None),
        seed=whole(fields, "seed", 1, 0, 2**31 - 1),
        warmup=whole(fields, "warmup", default_warmup(users), 0, MAX_REQUESTS),
        timeout_s=above_zero(fields, "timeout", "seconds") or 60.0,
        max_seconds=above_zero(fields, "max_seconds", "seconds"),
        limits=_limits(fields),
        neighbours=_neighbours(fields),
    )
    _check_beside(load)
    return load


def _prompt(fields: Fields) -> str | None:
    prompt = text(fields, "prompt")
    if prompt is not None and fields.get("prompt_tokens") is not None:
        raise UsageError("Give prompt or prompt_tokens, not both.")
    if prompt is not None and not prompt.strip():
        raise UsageError("The prompt is empty.")
    return prompt


def _limits(fields: Fields) -> Limits | None:
    given = an_object(fields, "limits")
    names = ("ttft_ms", "tpot_ms", "e2e_ms")
    for name in sorted(set(given) - set(names)):
        raise UsageError(f"limits has {', '.join(names)}, not {name!r}.")
    limits = {name: above_zero(given, name, "milliseconds") for name in names}
    if not any(limits.values()):
        return None
    return Limits(**limits)


def _neighbours(fields: Fields) -> Neighbours | None:
    if fields.get("neighbours") is None:
        return None
    given = an_object(fields, "neighbours")
    known(given, _NEIGHBOURS, " in neighbours")
    try:
        return Neighbours(
            requests=whole(given, "requests", None, 1, MAX_NEIGHBOURS),
            prompt_tokens=whole(given, "prompt_tokens", None, 1, MAX_TOKENS),
            max_tokens=whole(given, "max_tokens", 1, 1, MAX_TOKENS),
            after_tokens=whole(given, "after_tokens", None, 1, MAX_TOKENS),
        )
    except UsageError as wrong:
        raise UsageError(f"neighbours: {wrong}") from wrong


def _check_beside(load: Load) -> None:
    """Each neighbour comes while the answer still streams."""
    beside = load.neighbours
    if beside is None:
        return
    last = beside.after_tokens * beside.requests
    if last >= load.max_tokens:
        raise UsageError(
            f"neighbours: the last would come after {last} tokens, but an answer has"
            f" {load.max_tokens} at most. Give a smaller after_tokens."
        )
    if beside.requests * load.users > MAX_BESIDE:
        raise UsageError(
            f"neighbours: {beside.requests} for each of {load.users} users are more"
            f" than {MAX_BESIDE}."
        )
    if beside.requests * load.requests > MAX_REQUESTS:
        raise UsageError(f"neighbours: more than {MAX_REQUESTS} in all.")
