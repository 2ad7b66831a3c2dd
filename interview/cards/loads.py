"""The loads of an experiment, from its front matter."""

from collections.abc import Sequence

from interview.cards import claimrules
from interview.cards.experiment import Load, Neighbours
from interview.cards.form import Form
from interview.cards.problem import Notes

# What a measurement takes.
_MOST_LOADS = 8
_MOST_USERS = 256
_MOST_REQUESTS = 100_000
_MOST_TOKENS = 1_000_000
_MOST_NEIGHBOURS = 64
_MOST_BESIDE = 256
"""Neighbours of all users at once."""
_PROMPT, _AFTER = "neighbour_prompt_tokens", "neighbour_after_tokens"
_OUTPUT = "neighbour_output_tokens"


# Where a load stands, its name and its users.
type _Named = tuple[Form, str, int]


def read_loads(form: Form, notes: Notes) -> tuple[tuple[Load, ...], bool]:
    """The loads, and whether they differ in the number of users alone.

    At least one, so that a file with mistakes is read to its end.
    """
    rows = form.rows("loads")
    named = [_named(row) for row in rows]
    if not rows:
        found = form.wholes("users", 1, _MOST_USERS) or (1,)
        named = [(form, str(users), users) for users in found]
        if list(found) != sorted(found):
            form.refuse("users", ", ".join(map(str, found)), "numbers that rise")
    if len(named) > _MOST_LOADS:
        key = "loads" if rows else "users"
        form.refuse(key, f"{len(named)} loads", f"{_MOST_LOADS} at most")
    loads = tuple(_load(*each) for each in named)
    _note_duplicates(named, notes)
    for row, load in zip(rows, loads, strict=False):
        row.close()
        if not load.neighbours:
            _note_idle(row, notes)
    if not any(load.neighbours for load in loads):
        _note_idle(form, notes)
    return loads, not rows


def _named(row: Form) -> _Named:
    users = row.wholes("users", 1, _MOST_USERS)
    if len(users) > 1:
        row.refuse("users", f"{len(users)} numbers", "one number in a load")
    return row, row.slug("name"), users[0] if users else 1


def _load(form: Form, name: str, users: int) -> Load:
    output_tokens = form.whole("output_tokens", 1, _MOST_TOKENS)
    requests = form.whole("requests", 1, _MOST_REQUESTS, default=0)
    return Load(
        name=name,
        users=users,
        requests=requests or None,
        prompt_tokens=form.whole("prompt_tokens", 1, _MOST_TOKENS),
        output_tokens=output_tokens,
        fresh=form.one_of("prefix", ("fresh", "same"), "fresh") == "fresh",
        neighbours=_neighbours(form, users, output_tokens),
    )


def _neighbours(form: Form, users: int, output_tokens: int) -> Neighbours | None:
    requests = form.whole("neighbours", 0, _MOST_NEIGHBOURS, default=0)
    needed = None if requests else 0
    found = Neighbours(
        requests=requests,
        prompt_tokens=form.whole(_PROMPT, 1, _MOST_TOKENS, needed),
        output_tokens=form.whole(_OUTPUT, 1, _MOST_TOKENS, default=1),
        after_tokens=form.whole(_AFTER, 1, _MOST_TOKENS, needed),
    )
    if not requests:
        return None
    if found.after_tokens * requests >= output_tokens > 0:
        wanted = f"so few that {requests} arrive before token {output_tokens}"
        form.refuse(_AFTER, f"{found.after_tokens}", wanted)
    if requests * users > _MOST_BESIDE:
        wanted = f"{_MOST_BESIDE // users} at most for each of {users} users"
        form.refuse("neighbours", f"{requests}", wanted)
    return found


def _note_duplicates(loads: Sequence[_Named], notes: Notes) -> None:
    seen: set[str] = set()
    for row, name, _ in loads:
        if name in seen:
            key = "name" if row.has("name") else "users"
            notes.add(claimrules.DUPLICATE_LOAD, row.place(key), name=name)
        seen.add(name)


def _note_idle(form: Form, notes: Notes) -> None:
    """Keys of neighbours that stand here without any neighbours."""
    for key in (_PROMPT, _AFTER, _OUTPUT):
        if form.has(key):
            notes.add(claimrules.IDLE_NEIGHBOUR_KEY, form.place(key), key=key)
