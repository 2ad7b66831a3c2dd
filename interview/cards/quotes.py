"""Quotes of measured numbers in text, so that a number cannot drift from its file.

    {{ result:SET column=value … COLUMN }}
        the number in COLUMN of the one row of results/SET.csv with these cells:
        {{ result:spark-two-loads users=64 ttft_ms }} shows 965

    {{ ratio:SET column=value … / column=value … COLUMN }}
        that number in the first row divided by that in the second, with two digits:
        {{ ratio:spark-two-loads users=64 / users=1 tpot_ms }} shows 7.5

    {{ ratio:SET … / … COLUMN: WORDS }}
        shows WORDS; the linter says when the ratio does not fit them.

WORDS are a hedge, a number and perhaps “times”, “-fold” or “%”. The last digit of the
number sets the unit (“7.5”: 0.1, “eight”: 1, “40”: 10, “half”: a fifth of it):

    about, around, roughly, none    within half a unit of the number
    almost, nearly, just under      below it, by at most half a unit
    just over                       above it, by at most half a unit
    under, less than                below it, by less than a unit
    over, more than, at least       above it, by less than a unit
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation

from interview.cards.results import NoSuchResult, ResultSet

_QUOTE = re.compile(r"(?P<kind>result|ratio):(?P<set>[\w-]+)\s+(?P<rest>.*)", re.DOTALL)
_CELL = re.compile(r"(\w+)=(\S+)")
_CLAIM = re.compile(
    r"(?:(?P<hedge>about|around|roughly|almost|nearly|just under|just over|under"
    r"|less than|over|more than|at least) )?"
    r"(?P<number>[\w., ]*?\w)(?P<percent> ?%| percent)?(?:-fold| times)?"
)
_NAMES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_WHOLE = {name: Decimal(n) for n, name in enumerate(_NAMES.split(), start=1)} | {
    "twice": Decimal(2),
    "double": Decimal(2),
    "a hundred": Decimal(100),
    "a thousand": Decimal(1000),
}
_FRACTIONS = {
    "half": Decimal(1) / 2,
    "a third": Decimal(1) / 3,
    "a quarter": Decimal(1) / 4,
    "a fifth": Decimal(1) / 5,
    "a tenth": Decimal(1) / 10,
}
# Bounds as parts of a unit, and whether the number itself is inside.
_BOUNDS = {
    "almost": (Decimal("-0.5"), Decimal(0)),
    "nearly": (Decimal("-0.5"), Decimal(0)),
    "just under": (Decimal("-0.5"), Decimal(0)),
    "just over": (Decimal(0), Decimal("0.5")),
    "under": (Decimal(-1), Decimal(0)),
    "less than": (Decimal(-1), Decimal(0)),
    "over": (Decimal(0), Decimal(1)),
    "more than": (Decimal(0), Decimal(1)),
    "at least": (Decimal(0), Decimal(1)),
}
_ABOUT = (Decimal("-0.5"), Decimal("0.5"))


class BadQuote(ValueError):
    """The sentence says what of the quote is not understood."""


@dataclass(frozen=True, slots=True)
class Quote:
    set_id: str
    where: Mapping[str, str]
    over: Mapping[str, str] | None
    """The row to divide by; None for a plain result."""
    column: str
    words: str
    """"" when the ratio shows as a number."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A ratio in words: it holds from `low` to `high`."""

    low: Decimal
    high: Decimal

    def fits(self, ratio: Decimal) -> bool:
        return self.low <= ratio <= self.high


def read_quote(text: str) -> Quote:
    """Read what stands between {{ and }}. Raises BadQuote."""
    found = _QUOTE.fullmatch(text.strip())
    if found is None:
        raise BadQuote("it starts with neither result:SET nor ratio:SET")
    rows, colon, words = found["rest"].partition(":")
    if found["kind"] == "result":
        if colon:
            raise BadQuote("only a ratio can have words")
        where, column = _row(rows)
        return Quote(found["set"], where, None, column, "")
    first, slash, second = rows.partition("/")
    if not slash:
        raise BadQuote("a ratio needs two rows with / between them")
    over, column = _row(second)
    if words.strip():
        read_claim(words.strip())
    return Quote(found["set"], _cells(first), over, column, words.strip())


def _row(text: str) -> tuple[dict[str, str], str]:
    *cells, column = text.split() or [""]
    if not re.fullmatch(r"[^\W\d]\w*", column):
        raise BadQuote("it does not end with the name of a column")
    return _cells(" ".join(cells)), column


def _cells(text: str) -> dict[str, str]:
    cells = [(word, _CELL.fullmatch(word)) for word in text.split()]
    for word, cell in cells:
        if cell is None:
            raise BadQuote(f"“{word}” is not like column=value")
    return {cell[1]: cell[2] for _, cell in cells if cell}


def read_claim(words: str) -> Claim:
    """The bounds that words such as “about eight times” set. Raises BadQuote."""
    found = _CLAIM.fullmatch(words)
    number, unit = _number(found["number"]) if found else (None, Decimal(0))
    if found is None or number is None:
        raise BadQuote(f"“{words}” is no ratio in words")
    if found["percent"]:
        number, unit = number / 100, unit / 100
    low, high = _BOUNDS.get(found["hedge"] or "", _ABOUT)
    return Claim(number + low * unit, number + high * unit)


def _number(text: str) -> tuple[Decimal | None, Decimal]:
    """The number and the unit of its last digit."""
    if text in _WHOLE:
        return _WHOLE[text], _unit(_WHOLE[text])
    if text in _FRACTIONS:
        return _FRACTIONS[text], _FRACTIONS[text] / 5
    if not re.fullmatch(r"\d[\d,]*(?:\.\d+)?", text):
        return None, Decimal(0)
    number = Decimal(text.replace(",", ""))
    return number, _unit(number)


def _unit(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    digits = str(int(number))
    if exponent or number <= 10:
        return Decimal(1).scaleb(int(exponent))
    return Decimal(10) ** (len(digits) - len(digits.rstrip("0")))


def ratio_of(quote: Quote, results: Mapping[str, ResultSet]) -> Decimal:
    """Raises NoSuchResult, also when the divisor is 0."""
    found = _set(quote, results)
    try:
        return found.number(quote.column, **quote.where) / found.number(
            quote.column, **(quote.over or {})
        )
    except (DivisionByZero, InvalidOperation) as error:
        raise NoSuchResult(f"{quote.column} is 0 in the second row") from error


def shown(quote: Quote, results: Mapping[str, ResultSet]) -> str:
    """What the page shows. Raises NoSuchResult."""
    if quote.over is None:
        return f"{_set(quote, results).number(quote.column, **quote.where):,}"
    ratio = ratio_of(quote, results)
    return quote.words or f"{_two_digits(ratio):,}"


def _two_digits(number: Decimal) -> Decimal:
    if not number:
        return number
    return (
        round(number, 1 - number.adjusted()) if abs(number) < 10 else round(number, 0)
    )


def _set(quote: Quote, results: Mapping[str, ResultSet]) -> ResultSet:
    if quote.set_id not in results:
        raise NoSuchResult(f"there is no results/{quote.set_id}.csv")
    return results[quote.set_id]


def filled_in(markdown: str, results: Mapping[str, ResultSet]) -> str:
    """The text with each quote replaced by its number; bad ones stay as written."""

    def fill(found: re.Match[str]) -> str:
        try:
            return shown(read_quote(found[1]), results)
        except (BadQuote, NoSuchResult):
            return found[0]

    return re.sub(r"\{\{(.*?)\}\}", fill, markdown)
