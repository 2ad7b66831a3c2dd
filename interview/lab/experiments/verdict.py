"""What a run says of an experiment's claims; pure, from its figures.

A claim is about the ratio of two numbers. Its whole spread must be within the claim's
range to agree, and outside the range of doubt to refute.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from interview.cards.experiment import Claim, Experiment
from interview.cards.quantity import LAST, METRICS, Quantity, Range
from interview.web.numbers import number, with_unit

from ..results.spoilers import WORDS, spoils
from .reached import reached

Figures = Mapping[str, Any]
"""As `figures_of` makes them."""


class Outcome(StrEnum):
    AGREES = "agrees"
    REFUTES = "refutes"
    CANNOT_TELL = "cannot-tell"


@dataclass(frozen=True, slots=True)
class Ratio:
    value: float
    low: float
    high: float
    """Both are the value where no spread is known."""


@dataclass(frozen=True, slots=True)
class Verdict:
    claim: Claim
    outcome: Outcome
    sentence: str
    """Both numbers, their ratio and what decided; or why nothing can be told."""
    ratio: float | None
    low: float | None
    high: float | None


def verdicts(experiment: Experiment, figures: Figures) -> tuple[Verdict, ...]:
    return tuple(verdict(claim, figures) for claim in experiment.claims)


def verdict(claim: Claim, figures: Figures) -> Verdict:
    """What the figures say of one claim."""
    claim = replace(claim, of=reached(claim.of, figures), to=reached(claim.to, figures))
    ratio = ratio_of(claim, figures)
    against = obstacles(claim, figures)
    if ratio is None:
        return Verdict(claim, Outcome.CANNOT_TELL, " ".join(against), None, None, None)
    outcome = Outcome.CANNOT_TELL if against else decided(claim, ratio)
    because = " ".join(against) or reason(claim, ratio, outcome)
    sentence = f"{measured(claim, figures, ratio)} {because}"
    return Verdict(claim, outcome, sentence, ratio.value, ratio.low, ratio.high)


def ratio_of(claim: Claim, figures: Figures) -> Ratio | None:
    """None when one of the two was not measured."""
    of, to = entry(claim.of, figures), entry(claim.to, figures)
    if of is None or to is None or not to[0]:
        return None
    least = of[0] if of[1] is None else of[1]
    most = of[0] if of[2] is None else of[2]
    below = to[0] if to[2] is None else to[2]
    above = to[0] if not to[1] else to[1]
    return Ratio(of[0] / to[0], least / below, most / above)


def decided(claim: Claim, ratio: Ratio) -> Outcome:
    if claim.agrees.holds(ratio.low, ratio.high):
        return Outcome.AGREES
    if claim.doubt.misses(ratio.low, ratio.high):
        return Outcome.REFUTES
    return Outcome.CANNOT_TELL


def entry(quantity: Quantity, figures: Figures) -> list[float] | None:
    """Value, low and high."""
    found: list[float] | None = (
        figures.get(quantity.load, {}).get("values", {}).get(quantity.metric)
    )
    return found


def obstacles(claim: Claim, figures: Figures) -> list[str]:
    """A sentence for each thing that keeps the run from deciding."""
    quantities = (claim.of, claim.to)
    found = [gap for q in quantities if (gap := missing(q, figures))]
    if zero := at_times_zero(claim.to, figures):
        found.append(zero)
    if claim.of == claim.to:
        found.append(f"Nothing was measured but {place(claim.of)}.")
    for quantity in quantities:
        codes = figures.get(quantity.load, {}).get("spoiled", ())
        found += [
            f"{capital(place(quantity))}, {WORDS[code]}."
            for code in codes
            if spoils(code, quantity.metric)
        ]
    return list(dict.fromkeys(found))


def missing(quantity: Quantity, figures: Figures) -> str | None:
    if quantity.load not in figures:
        return f"Nothing was measured {place(quantity)}."
    found = entry(quantity, figures)
    if found is None:
        return f"{capital(place(quantity))}, {title(quantity)} was not measured."
    if not found[0]:
        return f"{capital(place(quantity))}, {title(quantity)} was 0: no ratio tells."
    return None


def at_times_zero(quantity: Quantity, figures: Figures) -> str | None:
    """A spread that begins at 0: what is divided by it may be anything."""
    found = entry(quantity, figures)
    if found is None or not found[0] or found[1] != 0:
        return None
    return f"{capital(place(quantity))}, {title(quantity)} was 0 at times."


def measured(claim: Claim, figures: Figures, ratio: Ratio) -> str:
    """ "TTFT was 921 ms in “long” and 176 ms in “short”: 5.21 times as much." """
    of, to = claim.of, claim.to
    first = "" if of.load == to.load else f" {place(of)}"
    second = "" if of.metric == to.metric else f"{title(to)} "
    low, high = times(ratio.low), times(ratio.high)
    spread = f" ({low} to {high})" if low != high else ""
    return (
        f"{capital(title(of))} was {amount(of, figures)}{first} and "
        f"{second}{amount(to, figures)} {place(to)}: "
        f"{times(ratio.value)} times as much{spread}."
    )


def amount(quantity: Quantity, figures: Figures) -> str:
    """TTFT and E2E in whole milliseconds, all else with one decimal."""
    found = entry(quantity, figures)
    whole = quantity.metric.endswith(("ttft_ms", "e2e_ms"))
    unit = METRICS[quantity.metric].unit
    return with_unit(found[0] if found else None, 0 if whole else 1, unit)


def reason(claim: Claim, ratio: Ratio, outcome: Outcome) -> str:
    agrees = f"The claim holds {within(claim.agrees)}"
    if outcome is Outcome.AGREES:
        return f"{agrees}."
    if outcome is Outcome.REFUTES:
        return f"The claim is refuted {outside(claim.doubt)}."
    both = f"{agrees} and is refuted {outside(claim.doubt)}"
    if claim.agrees.misses(ratio.low, ratio.high) and claim.doubt.holds(
        ratio.low, ratio.high
    ):
        return f"{both}; this is between the two."
    return f"{both}; the spread crosses a bound."


def within(bounds: Range) -> str:
    """ "from 5 on", "up to 2", "from 0.8 to 1.25"."""
    if bounds.high is None:
        return f"from {bounds.low:g} on"
    if bounds.low is None:
        return f"up to {bounds.high:g}"
    return f"from {bounds.low:g} to {bounds.high:g}"


def outside(bounds: Range) -> str:
    """ "below 2", "above 4", "below 0.5 and above 2"."""
    ends = [] if bounds.low is None else [f"below {bounds.low:g}"]
    ends += [] if bounds.high is None else [f"above {bounds.high:g}"]
    return " and ".join(ends)


def times(value: float) -> str:
    """ "0.98", "5.21", "12.4", "238"."""
    return number(value, 0 if value >= 100 else 1 if value >= 10 else 2)


def place(quantity: Quantity) -> str:
    """A load that is named by its users is spoken of by them."""
    load = quantity.load
    if load == LAST:
        return "with the most streams"
    if load.isdigit():
        return f"with {load} user" if load == "1" else f"with {load} users"
    return f"in “{load}”"


def title(quantity: Quantity) -> str:
    """As it stands inside a sentence: "TTFT", "largest gap"."""
    words = METRICS[quantity.metric].title
    return words if words[:2].isupper() else words[0].lower() + words[1:]


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
