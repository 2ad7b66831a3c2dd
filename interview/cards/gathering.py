"""The loads of an experiment that gathers: streams that the people of a room add."""

from interview.cards import claimrules
from interview.cards.experiment import Load
from interview.cards.form import Form
from interview.cards.problem import Notes

# What a measurement takes.
_MOST_USERS = 256
_MOST_TOKENS = 1_000_000
_DECIDED = ("loads", "requests", "repetitions", "prefix", "neighbours")
"""By the people, or by what a gathering is."""


def gathers(form: Form) -> bool:
    return form.one_of("gathers", ("true", "false"), "false") == "true"


def gathering_loads(form: Form, notes: Notes) -> tuple[Load, ...]:
    """One for each number of streams, from 1 to `users`, which is the most."""
    users = form.wholes("users", 2, _MOST_USERS)
    if len(users) > 1:
        found = f"{len(users)} numbers"
        form.refuse("users", found, "one number, the most streams at once")
    for key in _DECIDED:
        if form.has(key):
            notes.add(claimrules.GATHERING_KEY, form.place(key), key=key)
    prompt_tokens = form.whole("prompt_tokens", 1, _MOST_TOKENS)
    output_tokens = form.whole("output_tokens", 1, _MOST_TOKENS)
    most = max(users, default=0) or 2
    return tuple(
        Load(
            name=str(streams),
            users=streams,
            requests=None,
            prompt_tokens=prompt_tokens,
            output_tokens=output_tokens,
            fresh=True,
            neighbours=None,
        )
        for streams in range(1, most + 1)
    )
