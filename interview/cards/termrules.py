"""The linter’s rules of the glossary, C211 to C213: they are about references, too."""

from interview.cards.rules import numbered

UNKNOWN_TERM = numbered(
    "C211 unknown-term",
    "The glossary has no term “{id}”{nearest}.",
    "Correct the id, or add the term to terms.toml.",
)
UNEXPLAINED = numbered(
    "C212 unexplained-abbreviation",
    "“{word}” has no entry in the glossary.",
    "Add it to a term’s forms in terms.toml, or to `plain` if nobody would ask.",
)
DEAD_TERM = numbered(
    "C213 term-leads-nowhere",
    "The term “{id}” leads to “{see}”, which is not there or not written.",
    "Let `see` name a card, or a written section such as manual:1.3.",
)
