"""What was asked of two runs load by load: lengths, prefix, users, neighbours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interview.web.numbers import MISSING, number

from ..models import Kind, Run
from ..runs.asked_load import AskedLoad
from .fact import Fact, Likeness, like, of_texts

NEAR = 0.05
"""Lengths that differ by less are alike: an imported file tells means of them."""
Of = Callable[[AskedLoad], str]


@dataclass(frozen=True, slots=True)
class About:
    name: str
    of: Of
    """Of a load, in words."""
    like: Callable[[AskedLoad, AskedLoad], Likeness]
    told_by_files: bool = False
    """A file of another tool says it, too."""

    def known(self, run: Run) -> bool:
        return self.told_by_files or run.kind != Kind.IMPORTED

    def said(self, run: Run) -> str:
        return each(run, self.of) if self.known(run) else MISSING


def load_facts(a: Run, b: Run, about: About) -> list[Fact]:
    """One for all loads where the answer is one, else one for each common load."""
    sides = about.said(a), about.said(b)
    if MISSING in sides:
        return [Fact(about.name, *sides, Likeness.UNKNOWN, decisive=True)]
    common = common_loads(a, b)
    pairs = common or uniform(a, b, about.of)
    if not pairs:
        return [Fact(about.name, *sides, of_texts(*sides), decisive=True)]
    answers = [about.like(one, two) for one, two in pairs]
    if len(set(answers)) == 1:
        return [Fact(about.name, *sides, answers[0], decisive=True)]
    return [
        Fact(named(about, one), about.of(one), about.of(two), answer, decisive=True)
        for (one, two), answer in zip(pairs, answers, strict=True)
    ]


def unlike_in(a: Run, b: Run) -> frozenset[str]:
    """The common loads that differ in what was asked of them."""
    known = [about for about in PER_LOAD if about.known(a) and about.known(b)]
    return frozenset(
        one.name
        for one, two in common_loads(a, b)
        if any(about.like(one, two) is Likeness.NO for about in known)
    )


def common_loads(a: Run, b: Run) -> list[tuple[AskedLoad, AskedLoad]]:
    theirs = {load.name: load for load in b.asked.asked_loads}
    mine = a.asked.asked_loads
    return [(load, theirs[load.name]) for load in mine if load.name in theirs]


def uniform(a: Run, b: Run, of: Of) -> list[tuple[AskedLoad, AskedLoad]]:
    """One load for all of each run, where all say the same; else nothing."""
    sides = a.asked.asked_loads, b.asked.asked_loads
    if any(len({of(load) for load in loads}) > 1 for loads in sides):
        return []
    return [(sides[0][0], sides[1][0])]


def named(about: About, load: AskedLoad) -> str:
    if load.name.isdigit():
        return f"{about.name} with {load.title}"
    return f"{about.name} of “{load.name}”"


def each(run: Run, of: Of) -> str:
    """Once when all loads have it, else by their names; counts of users are none."""
    loads = run.asked.asked_loads
    said = dict.fromkeys(of(load) for load in loads)
    if len(said) == 1:
        return next(iter(said))
    if run.asked.loads is None:
        return ", ".join(of(load) for load in loads)
    return ", ".join(f"{load.name}: {of(load)}" for load in loads)


def neighbours(load: AskedLoad) -> str:
    beside = load.neighbours
    if beside is None:
        return "none"
    return (
        f"{number(beside.requests)} of {tokens(beside.prompt_tokens)}, each after "
        f"{tokens(beside.after_tokens)}"
    )


def tokens(count: int) -> str:
    if not count:
        return MISSING
    return f"{number(count)} token{'' if count == 1 else 's'}"


def near(a: int, b: int) -> Likeness:
    if not a or not b:
        return Likeness.UNKNOWN
    return like(abs(a - b) <= NEAR * max(a, b))


PER_LOAD: Sequence[About] = (
    About(
        "Prompt length",
        lambda load: tokens(load.prompt_tokens),
        lambda a, b: near(a.prompt_tokens, b.prompt_tokens),
        told_by_files=True,
    ),
    About(
        "Answer length",
        lambda load: tokens(load.max_tokens),
        lambda a, b: near(a.max_tokens, b.max_tokens),
        told_by_files=True,
    ),
    About(
        "Prefix",
        lambda load: "fresh" if load.fresh_prompt else "same again",
        lambda a, b: like(a.fresh_prompt == b.fresh_prompt),
    ),
    About(
        "Users of a load",
        lambda load: number(load.users),
        lambda a, b: like(a.users == b.users),
        told_by_files=True,
    ),
    About("Neighbours", neighbours, lambda a, b: like(a.neighbours == b.neighbours)),
)
