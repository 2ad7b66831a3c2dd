"""The linter's rules C6: loads and claims of experiments."""

from interview.cards.problem import Severity
from interview.cards.rules import numbered

DUPLICATE_LOAD = numbered(
    "C601 duplicate-load",
    "The load “{name}” is given twice.",
    "Give each load a name, or a number of users, of its own.",
)
UNKNOWN_METRIC = numbered(
    "C602 unknown-metric",
    "There is no metric “{metric}”{nearest}.",
    "Write a quantity as metric@load, such as ttft_ms@long.",
)
UNKNOWN_LOAD = numbered(
    "C603 unknown-load",
    "The experiment has no load “{load}”{nearest}.",
    "Write a quantity as metric@load, such as ttft_ms@long.",
)
NO_NEIGHBOURS = numbered(
    "C604 load-without-neighbours",
    "The load “{load}” has no neighbours whose “{metric}” could be measured.",
    "Give the load neighbours, or name another one.",
)
IDLE_NEIGHBOUR_KEY = numbered(
    "C605 idle-neighbour-key",
    "“{key}” says nothing: no load that has it has neighbours.",
    "Say how many with “neighbours”, or remove it.",
)
NO_CLAIMS = numbered(
    "C606 no-claims",
    "The experiment is written, but claims nothing that a run could refute.",
    "Add ## Claims, and under it a ### sentence about the ratio of two quantities.",
)
INCOMPLETE_CLAIM = numbered(
    "C607 incomplete-claim",
    "The claim “{title}” does not say {missing}.",
    "End it with {#id of=ttft_ms@long to=ttft_ms@short agrees=5.. doubt=2..}.",
)
BAD_RANGE = numbered(
    "C608 bad-range",
    "“{text}” is no range: {problem}.",
    "Write 0.9..1.1; one of the two ends may be left out.",
)
NARROW_DOUBT = numbered(
    "C609 narrow-doubt",
    "The doubt “{doubt}” does not contain “{agrees}”, with which a run agrees.",
    "Make it wider: a ratio that agrees can't be in doubt.",
)
SAME_QUANTITY = numbered(
    "C610 same-quantity",
    "The claim compares “{quantity}” with itself.",
    "Name two quantities.",
)
UNKNOWN_WRONG_ANSWER = numbered(
    "C611 unknown-wrong-answer",
    "There is no wrong answer “{id}”{nearest}.",
    "Write against=card-id/wrong-id, as the card names it.",
)
NOT_REFUTED = numbered(
    "C612 not-refuted",
    "The experiment {id} has no claim against “{against}”.",
    "End the heading of a claim that refutes it with against=card-id/wrong-id.",
    Severity.NOTICE,
)
GATHERING_KEY = numbered(
    "C613 gathering-key",
    "“{key}” has no place in an experiment that gathers.",
    "Remove it: how many stream, and for how long, the people of its room decide.",
)
