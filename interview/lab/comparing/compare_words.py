"""What a comparison shows, in sentences. Pure, from the paired figures."""

from collections.abc import Container, Sequence

from ..results.load_result import listed, people
from .compare import LoadPair, Outcome, Pair

SAID = ("tpot_ms", "ttft_ms", "output_tokens_per_s", "neighbour_ttft_ms")
"""What sentences are about, the most telling first."""
UNLIKE = "Not like for like: "
SPOILED = " Something spoils these numbers: the table tells what."
TWICE = 2
LEAST_PERCENT = 1


def sentences(
    loads: Sequence[LoadPair], unlike: Container[str] = ()
) -> tuple[str, ...]:
    """One for each load that has numbers of both runs.

    `unlike` are the loads that are not like for like, which is said first.
    """
    return tuple(
        f"{UNLIKE}{said[0].lower()}{said[1:]}" if load.name in unlike else said
        for load in loads
        if (said := sentence(load))
    )


def sentence(load: LoadPair) -> str:
    """ "With 64 users B needs 7 % less per token; TTFT cannot be told apart." """
    pairs = [found for metric in SAID if (found := load.pair(metric))]
    apart = [shown(p) for p in pairs if p.outcome is Outcome.APART]
    alike = [titled(p.metric.title) for p in pairs if p.outcome is Outcome.ALIKE]
    same = [titled(p.metric.title) for p in pairs if p.outcome is Outcome.SAME]
    unsure = [shown(p) for p in pairs if p.outcome is Outcome.OPEN]
    parts = []
    if apart:
        parts.append(f"B {listed(apart)}")
    if same:
        parts.append(f"{listed(same)} {'are' if same[1:] else 'is'} the same")
    if alike:
        parts.append(f"{listed(alike)} cannot be told apart")
    if unsure:
        parts.append(f"B {listed(unsure)}, which may be chance")
    if not parts:
        return ""
    doubt = SPOILED if any(pair.spoiled for pair in pairs) else ""
    return f"{place(load.name)} {'; '.join(parts)}.{doubt}"


def titled(title: str) -> str:
    """Within a sentence: "TTFT", "output"."""
    return title if title.isupper() else f"{title[0].lower()}{title[1:]}"


def place(name: str) -> str:
    return f"With {people(int(name))}" if name.isdigit() else f"In “{name}”"


def loads_said(names: Sequence[str]) -> str:
    """ "4 and 16 users", "“short” and “long”"."""
    if all(name.isdigit() for name in names):
        return people(*(int(name) for name in names))
    return listed([f"“{name}”" for name in names])


def shown(pair: Pair) -> str:
    """What B does, as the rest of a sentence after "B"."""
    ratio = pair.ratio or 1
    if pair.metric.name == "ttft_ms":
        return f"waits {amount(ratio, 'longer', 'shorter', 'long')} for its first token"
    if pair.metric.name == "tpot_ms":
        return f"needs {amount(ratio, 'more', 'less', 'much')} per token"
    if pair.metric.name == "neighbour_ttft_ms":
        longer = amount(ratio, "longer", "shorter", "long")
        return f"lets its neighbours wait {longer}"
    return f"puts out {amount(ratio, 'more', 'less', 'much')}"


def amount(ratio: float, up: str, down: str, base: str) -> str:
    """ "7 % less", "2.4 times as much"."""
    if ratio >= TWICE:
        return f"{ratio:.1f} times as {base}"
    percent = 100 * abs(ratio - 1)
    number = f"{percent:.0f} %" if percent >= LEAST_PERCENT else "under 1 %"
    return f"{number} {up if ratio > 1 else down}"
