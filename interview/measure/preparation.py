"""Makes the requests of one repetition. Sends no measured request."""

from collections.abc import Iterator
from dataclasses import replace

import httpx

from interview.measure.endpoint import token_count
from interview.measure.errors import EndpointError
from interview.measure.prompt import Fitter, salted
from interview.measure.target import Ask, Target
from interview.measure.workload import Neighbours, Repetition


class Preparation:
    """The prompts; what a stop leaves undone stays empty.

    `salts` is shared by all repetitions, so that no two have a prompt in common.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        target: Target,
        repetition: Repetition,
        salts: Iterator[list[str]],
    ) -> None:
        self.asks: list[Ask] = []
        self.warmup_asks: list[Ask] = []
        self.beside: list[list[Ask]] = []
        """The neighbours of each of `asks`."""
        self.beside_warmups: list[list[Ask]] = []
        self.estimated = False
        self._http = http
        self._target = target
        self._load = repetition.load
        self._words_seed = repetition.words_seed
        self._salts = salts
        self._fitter_of_load = self._fitter(self._load.prompt_tokens or 0)

    async def prompts(self) -> None:
        """Makes one request of each prompt that the load needs."""
        load = self._load
        fitter = self._fitter_of_load
        repeated = None if load.fresh_prompt else await self._ask(fitter, fresh=False)
        # A warm-up has the prompt of measured requests, which caches it, only where a
        # made-up one is sent again and again: that is there to be found in the cache.
        warm = repeated if load.prompt is None else None
        for _ in range(load.warmup):
            self.warmup_asks.append(warm or await self._ask(fitter, fresh=True))
        for _ in range(load.requests):
            self.asks.append(repeated or await self._ask(fitter, fresh=True))
        self.estimated = fitter.estimated
        if load.neighbours is not None:
            await self._neighbours(load.neighbours)

    def shorten_warm_ups(self, max_tokens: int) -> None:
        self.warmup_asks = [
            replace(ask, max_tokens=min(ask.max_tokens, max_tokens))
            for ask in self.warmup_asks
        ]

    def another(self) -> Ask:
        """One more fresh prompt, as long as the last one to a few tokens.

        Nothing is asked of the server, which is being measured.
        """
        load, salt = self._load, next(self._salts)
        if load.prompt is None:
            prompt = self._fitter_of_load.uncounted(salt)
        else:
            prompt = salted(load.prompt, salt)
        return Ask(prompt, load.max_tokens, load.ignore_eos, load.seed)

    async def _neighbours(self, neighbours: Neighbours) -> None:
        fitter = self._fitter(neighbours.prompt_tokens)

        async def ask() -> Ask:
            prompt = await fitter.prompt(next(self._salts))
            return Ask(prompt, neighbours.max_tokens, True, self._load.seed)

        for asks, beside in (
            (self.warmup_asks, self.beside_warmups),
            (self.asks, self.beside),
        ):
            for _ in asks:
                beside.append([await ask() for _ in range(neighbours.requests)])
        self.estimated |= fitter.estimated

    def _fitter(self, tokens: int) -> Fitter:
        return Fitter(tokens, self._words_seed, self._count)

    async def _ask(self, fitter: Fitter, *, fresh: bool) -> Ask:
        load = self._load
        salt = next(self._salts) if fresh else []
        if load.prompt is None:
            prompt = await fitter.prompt(salt)
        else:
            prompt = salted(load.prompt, salt) if fresh else load.prompt
        return Ask(prompt, load.max_tokens, load.ignore_eos, load.seed)

    async def _count(self, text: str) -> int | None:
        try:
            return await token_count(self._http, self._target, text)
        except EndpointError:  # the requests will say so, and cost nothing measured
            return None
