"""The linter's rules C7: what a text owes its readers, beyond its form."""

from interview.cards.problem import Severity
from interview.cards.rules import numbered

UNKNOWN_NAME = numbered(
    "C701 unknown-engine-name",
    "{engine} has no {kind} “{name}”{nearest}.",
    "Correct it; what belongs to another program is listed in house.toml.",
)
BARE_NUMBER = numbered(
    "C702 bare-number",
    "{numbers}: no source, result, sum or assumption is beside it.",
    "Cite a fact, quote a result, show the sum, or say that it is assumed.",
    Severity.NOTICE,
)
READING_LENGTH = numbered(
    "C703 reading-length",
    "“{title}” has {count} words, not {low} to {high}.",
    "Cut or fill it: house.toml says how long texts are.",
    Severity.NOTICE,
)
REPEATED_SENTENCE = numbered(
    "C704 repeated-sentence",
    "The sentence “{start}” stands in {first}, too.",
    "Keep it in one of the two cards and link to it, or say it for this card.",
)
REPEATED_QUESTION = numbered(
    "C705 repeated-question",
    "The follow-up “{title}” asks nearly what {other} asks.",
    "Ask for the next thing: a follow-up climbs.",
    Severity.NOTICE,
)
THIN_ANSWER = numbered(
    "C706 thin-answer",
    "The expected answer to “{title}” is shorter than a sentence of {least} words.",
    "Say what a passing answer must contain.",
)
NO_REVIEW = numbered(
    "C707 no-review",
    "The published card has no review in {path}.",
    "Let somebody who did not write it read it, and add the file, as README says.",
)
STALE_REVIEW = numbered(
    "C708 stale-review",
    "The review is not of this text: it says “{found}”, the text is “{text}”.",
    "Read the card again, add what you challenged, and set the text’s hash.",
)
