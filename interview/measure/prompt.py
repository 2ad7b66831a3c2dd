"""Prompts of a wanted length that differ from their first word on.

Randomness and the server's tokenizer are arguments; sends nothing itself.
"""

import random
from collections.abc import Awaitable, Callable, Iterator

SALT_WORDS = 4
_TRIES = 12
_FILLER = "a"
"""One token everywhere: fills what is less than a word of several tokens."""
_TEMPLATE_TOKENS = 10
"""What a chat template adds, for the estimate alone."""

# Short common words: nearly every tokenizer has " word" as one token.
_COMMON = """
able air age area arm art baby back ball bank base bed bill bird black blood blue boat
body book box boy bread bridge brown car card care case cat cause cell cent chair
chance change child city class coal coat cold color cook corn cost country cover cream
cross crowd cup day death deep degree desk dinner dog door dream dress drink drop dust
ear earth east edge egg end engine eye face fact family farm father field fire fish
floor flower food foot force form friend fruit game garden gas gift girl glass gold
grass green ground group hair hall hand hat head health heart heat hill history home
horse hospital hour house ice idea iron island job key king kitchen knee lady lake
land language law leaf leg letter life light line lip list map mark market meal meat
metal middle milk mind money month moon morning mother mountain mouth music name
nation neck night noise north nose number ocean office oil page pain paper park part
party path pen picture piece plan plant plate point power price queen rain rate reason
red rest rice ring river road rock room rose rule salt sand school sea seat seed shape
ship shoe shop side silver sister skin sky sleep snow soil song sound south space
spring square stage star station stone story street sugar summer sun table tail task
tea test thing time tooth town train tree trip voice wall war water week west wheel
wind window wine winter wood word work world year yellow
"""
WORDS = tuple(_COMMON.split())

CountTokens = Callable[[str], Awaitable[int | None]]
"""Tokens of a prompt as the server will see it; None when it has no tokenizer."""


def salts(chance: random.Random) -> Iterator[list[str]]:
    """Endless runs of words; no first word comes twice before all have come."""
    while True:
        for first in chance.sample(WORDS, len(WORDS)):
            yield [first, *chance.choices(WORDS, k=SALT_WORDS - 1)]


def salted(prompt: str, salt: list[str]) -> str:
    """The prompt behind a salt, so that no prefix cache knows it."""
    return f"{'-'.join(salt)}\n\n{prompt}"


class Fitter:
    """Makes prompts of `tokens` tokens; says whether the length was only estimated."""

    def __init__(self, tokens: int, seed: int, count: CountTokens) -> None:
        self.estimated = False
        self._tokens = tokens
        self._count = count
        self._words = max(1, tokens - _TEMPLATE_TOKENS)
        self._fillers = 0
        self._chance = random.Random(seed)
        self._text: list[str] = []

    async def prompt(self, salt: list[str]) -> str:
        """Salt first, then the words of the seed, as many as make the length."""
        text = self._cut(salt)
        for _ in range(_TRIES):
            counted = None if self.estimated else await self._count(text)
            if counted is None:
                self.estimated = True
                break
            if counted == self._tokens or not self._correct(counted):
                break
            text = self._cut(salt)
        return text

    def uncounted(self, salt: list[str]) -> str:
        """As long as the last one, but for what the tokens of the salts differ."""
        return self._cut(salt)

    def _correct(self, counted: int) -> bool:
        """Sets the words right by their mean tokens; False when it cannot go on."""
        missing = self._tokens - counted
        words = int(missing * self._words / counted)
        before = (self._words, self._fillers)
        if words:
            self._words = max(1, self._words + words)
        elif missing > 0 or self._fillers >= -missing:
            self._fillers += missing
        else:
            self._words = max(1, self._words - 1)
        return (self._words, self._fillers) != before

    def _cut(self, salt: list[str]) -> str:
        missing = self._words - len(self._text)
        if missing > 0:
            self._text += self._chance.choices(WORDS, k=missing)
        words = [*salt, *self._text][: self._words]
        return " ".join([*words, *[_FILLER] * self._fillers])
