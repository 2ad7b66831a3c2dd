"""What was asked of two runs, and whether that makes them like for like."""

from collections.abc import Mapping

from interview.web.numbers import MISSING, number

from ..files.origin import VLLM, over_chat, tool_of
from ..models import Kind, Run
from ..results.load_result import listed
from ..runs.asked_load import AskedLoad
from .fact import Fact, Likeness, fact, like
from .load_facts import PER_LOAD, common_loads, each, load_facts, unlike_in

PROMPT_SHOWN = 60
ONE_SIMULATED = "one run is simulated and the other is not"
OTHER_TOOL = f"one was measured by {VLLM}, another client"
ROLE_CHUNK = f"{OTHER_TOOL} whose TTFT over chat may stop at the role-only chunk"


def facts(a: Run, b: Run) -> tuple[Fact, ...]:
    """Everything that was asked, or is known of who answered."""
    return (
        fact("Endpoint", a.endpoint or MISSING, b.endpoint or MISSING),
        fact("Model", a.model, b.model),
        fact("Machine", a.hardware or MISSING, b.hardware or MISSING),
        fact("Engine", engine(a), engine(b)),
        *decisive(a, b),
        fact("Requests of each load", each(a, requests), each(b, requests)),
        fact("Repetitions", str(a.asked.repeat), str(b.asked.repeat)),
        fact("Loads", names(a), names(b)),
    )


def decisive(a: Run, b: Run) -> tuple[Fact, ...]:
    """Facts that should be the same where the server is what is compared."""
    by_load = [one for about in PER_LOAD for one in load_facts(a, b, about)]
    return (*of_whole(a, b), *by_load)


def of_whole(a: Run, b: Run) -> tuple[Fact, ...]:
    """Those of all loads of a run."""
    tool = ROLE_CHUNK if over_chat(a) or over_chat(b) else OTHER_TOOL
    return (
        fact("Measured by", tool_of(a), tool_of(b), decisive=True, unlike=tool),
        fact(
            "Simulated",
            simulated(a),
            simulated(b),
            decisive=True,
            unlike=ONE_SIMULATED,
        ),
        fact("Sent with each request", extra(a), extra(b), decisive=True),
        prompt_fact(a, b),
    )


def unlikeness(a: Run, b: Run) -> str:
    """What makes the two unlike, as the middle of a sentence; "" when nothing does."""
    unlike = [fact for fact in decisive(a, b) if fact.matters]
    names = [fact.name.lower() for fact in unlike if not fact.unlike]
    said = [f"{listed(names)} differ{'s' * (len(names) == 1)}"] if names else []
    return "; ".join(said + [fact.unlike for fact in unlike if fact.unlike])


def unknowns(a: Run, b: Run) -> str:
    """What nobody knows of one of them that could make them unlike; or ""."""
    unknown = [f.name.lower() for f in decisive(a, b) if f.like is Likeness.UNKNOWN]
    return listed(unknown) if unknown else ""


def warning(a: Run, b: Run) -> str:
    """A sentence when the two are not like for like, else ""."""
    if not (unlike := unlikeness(a, b)):
        return ""
    return f"Not like for like: {unlike}. A difference below need not be the server’s."


def unlike_loads(a: Run, b: Run) -> frozenset[str]:
    """The common loads whose numbers are not like for like."""
    if any(fact.matters for fact in of_whole(a, b)):
        return frozenset(one.name for one, _ in common_loads(a, b))
    return unlike_in(a, b)


def likeness(a: Run, b: Run) -> tuple[bool, int]:
    """For sorting, the most alike first: no common load is worst."""
    return not common_loads(a, b), sum(fact.matters for fact in decisive(a, b))


def engine(run: Run) -> str:
    target: Mapping[str, str | None] = (run.report or {}).get("target") or {}
    return target.get("engine") or MISSING


def simulated(run: Run) -> str:
    return "yes" if run.simulated else "no"


def prompt_fact(a: Run, b: Run) -> Fact:
    """A text of one's own is told by its beginning, and compared as a whole."""
    forgotten = a.asked.is_forgotten or b.asked.is_forgotten
    known = Kind.IMPORTED not in (a.kind, b.kind) and not forgotten
    # A made-up prompt has no text: it is "" in both.
    same = like(a.asked.prompt == b.asked.prompt) if known else Likeness.UNKNOWN
    return Fact("Prompt", prompt(a), prompt(b), same, decisive=True)


def prompt(run: Run) -> str:
    if run.kind == Kind.IMPORTED:
        return MISSING
    if run.asked.source == "length":
        return "made up"
    text = run.asked.prompt_words
    return text if len(text) <= PROMPT_SHOWN else f"{text[:PROMPT_SHOWN]}…"


def extra(run: Run) -> str:
    if run.kind == Kind.IMPORTED:
        return MISSING
    sent: Mapping[str, object] = run.spec.get("extra_body") or {}
    said = ", ".join(f"{name}: {value}" for name, value in sorted(sent.items()))
    return said or "nothing more"


def names(run: Run) -> str:
    return ", ".join(run.asked.load_names)


def requests(load: AskedLoad) -> str:
    return number(load.requests)
