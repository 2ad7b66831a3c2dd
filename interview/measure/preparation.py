"""Makes the requests of one repetition. Sends no measured request."""

from collections.abc import Iterator

import httpx

from interview.measure.endpoint import token_count
from interview.measure.errors import EndpointError
from interview.measure.prompt import Fitter, salted
from interview.measure.target import Ask, Target
from interview.measure.workload import Load


class Preparation:
    """The prompts; what a stop leaves undone stays empty.

    `salts` is shared by all repetitions, so that no two have a prompt in common.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        target: Target,
        load: Load,
        salts: Iterator[list[str]],
    ) -> None:
        self.asks: list[Ask] = []
        self.warmup_asks: list[Ask] = []
        self.estimated = False
        self._http = http
        self._target = target
        self._load = load
        self._salts = salts

    async def prompts(self) -> None:
        """Makes one request of each prompt that the load needs."""
        load = self._load
        fitter = Fitter(load.prompt_tokens or 0, load.seed, self._count)
        # A warm-up never has the prompt of a measured request, which it would cache.
        for _ in range(load.warmup):
            self.warmup_asks.append(await self._ask(fitter, fresh=True))
        repeated = None if load.fresh_prompt else await self._ask(fitter, fresh=False)
        for _ in range(load.requests):
            self.asks.append(repeated or await self._ask(fitter, fresh=True))
        self.estimated = fitter.estimated

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
