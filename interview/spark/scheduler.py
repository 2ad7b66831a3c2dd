"""The scheduler: which request gets how many tokens of the next step.

Follows vLLM 0.31 [V:SCH-1] to [V:SCH-23]. Pure: no clock, no I/O, no model.
"""

from collections import deque
from dataclasses import dataclass, field

from .blocks import BLOCK_TOKENS, BlockPool, block_hashes
from .request import FinishReason, Request
from .roofline import Chunk


@dataclass(frozen=True, slots=True)
class Limits:
    """What one step may hold. Defaults are those a DGX Spark falls to [V:SCH-19]."""

    token_budget: int = 2048
    sequences: int = 256
    prefix_cache: bool = True


@dataclass(frozen=True, slots=True)
class Share:
    """What one request gets of one step."""

    request: Request
    chunk: Chunk
    preemptions: int
    """The request's count when scheduled: a later one makes the share stale."""


@dataclass(frozen=True, slots=True)
class Output:
    """One token for one request; the last one says why it ended."""

    request: Request
    token: int
    finish_reason: FinishReason | None
    at: float


@dataclass(slots=True)
class Tally:
    """What has happened since the start."""

    preemptions: int = 0
    prefix_queries: int = 0
    prefix_hits: int = 0
    """Both count prompt tokens, and no second look after a preemption [V:PRE-12]."""
    wasted_steps: int = 0
    """Shares of a step that were computed for a request that had ended [V:SCH-21]."""


@dataclass(slots=True, eq=False)
class Scheduler:
    """Running requests in list order, then waiting ones, first come first served."""

    limits: Limits
    pool: BlockPool
    running: list[Request] = field(default_factory=list)
    waiting: deque[Request] = field(default_factory=deque)
    tally: Tally = field(default_factory=Tally)

    @property
    def busy(self) -> bool:
        return bool(self.running or self.waiting)

    def add(self, request: Request, now: float) -> None:
        request.queued_at = now
        self.waiting.append(request)

    def abort(self, request: Request) -> bool:
        """Drop a request and its blocks at once; False when it was not here."""
        if request not in self.running and request not in self.waiting:
            return False
        request.finish_reason = FinishReason.ABORT
        self._remove(request)
        return True

    def schedule(self, now: float) -> list[Share]:
        """Fill one step; empty when nothing can be scheduled."""
        shares: list[Share] = []
        budget, preempted = self._schedule_running(shares)
        if not preempted:
            self._schedule_waiting(shares, budget, now)
        return shares

    def update(self, shares: list[Share], now: float) -> list[Output]:
        """Take the results of a finished step."""
        outputs = []
        for share in shares:
            if not share.chunk.samples:
                continue
            if share.request.finish_reason is not None:
                self.tally.wasted_steps += 1
                continue
            outputs.append(self._accept(share, now))
        return outputs

    def _schedule_running(self, shares: list[Share]) -> tuple[int, bool]:
        budget = self.limits.token_budget
        preempted = False
        index = 0
        while index < len(self.running) and budget > 0:
            request = self.running[index]
            tokens = 0 if request.promised_all else min(request.pending, budget)
            if tokens and not self._grow(request, tokens):
                preempted = True
                continue
            if tokens:
                shares.append(self._share(request, tokens))
                budget -= tokens
            index += 1
        return budget, preempted

    def _grow(self, request: Request, tokens: int) -> bool:
        """Blocks for more tokens; else the last admitted request loses its own.

        The victim may be the request itself. It keeps its output tokens, which are
        recomputed with the prompt, and waits first in line [V:SCH-8] [V:SCH-9].
        """
        missing = _blocks_for(request.computed + tokens) - len(request.blocks)
        if missing <= self.pool.free:
            request.blocks += self.pool.allocate(max(0, missing))
            return True
        victim = self.running.pop()
        self._release(victim)
        victim.computed = victim.placeholders = 0
        victim.preemptions += 1
        self.tally.preemptions += 1
        self.waiting.appendleft(victim)
        return False

    def _schedule_waiting(self, shares: list[Share], budget: int, now: float) -> None:
        while self.waiting and budget > 0:
            request = self.waiting[0]
            if len(self.running) >= self.limits.sequences:
                return
            hits = self._cached(request)
            # The whole sequence must fit, not just the first chunk [V:SCH-6].
            missing = _blocks_for(request.known) - len(hits)
            if missing > self.pool.free - self.pool.idle(hits):
                return
            self.waiting.popleft()
            self._admit(request, hits, now)
            tokens = min(request.pending, budget)
            self._grow(request, tokens)
            shares.append(self._share(request, tokens))
            budget -= tokens

    def _cached(self, request: Request) -> list[int]:
        """Cached blocks of a prompt; its last token is always computed [V:PRE-7]."""
        if not self.limits.prefix_cache:
            return []
        tokens = (*request.prompt, *request.output)
        request.hashes = block_hashes(tokens, request.cache_salt, request.hashes)
        return self.pool.lookup(request.hashes[: (len(tokens) - 1) // BLOCK_TOKENS])

    def _admit(self, request: Request, hits: list[int], now: float) -> None:
        self.pool.touch(hits)
        request.blocks = list(hits)
        request.remembered = len(hits)
        request.computed = len(hits) * BLOCK_TOKENS
        self.running.append(request)
        if request.scheduled_at is None:
            request.scheduled_at = now
            request.cached_tokens = request.computed
            if self.limits.prefix_cache:
                self.tally.prefix_queries += len(request.prompt)
                self.tally.prefix_hits += request.computed

    def _share(self, request: Request, tokens: int) -> Share:
        context = request.computed
        request.computed += tokens
        samples = request.pending <= 0
        request.placeholders += samples
        self._remember_blocks(request)
        chunk = Chunk(tokens, context, samples)
        return Share(request, chunk, request.preemptions)

    def _accept(self, share: Share, now: float) -> Output:
        request = share.request
        token = request.sample(len(request.output))
        # A preemption has already taken back the placeholder of a stale share.
        stale = share.preemptions != request.preemptions
        request.placeholders -= not stale
        request.accept(token)
        if request.first_token_at is None:
            request.first_token_at = now
        request.last_token_at = now
        self._remember_blocks(request)
        if request.finish_reason is not None:
            self._remove(request)
        return Output(request, token, request.finish_reason, now)

    def _remember_blocks(self, request: Request) -> None:
        """Hash blocks whose tokens are all known and computed [V:PRE-10]."""
        if not self.limits.prefix_cache:
            return
        full = min(request.computed, request.known) // BLOCK_TOKENS
        if full > len(request.hashes):
            tokens = (*request.prompt, *request.output)
            request.hashes = block_hashes(tokens, request.cache_salt, request.hashes)
        for index in range(request.remembered, full):
            self.pool.remember(request.blocks[index], request.hashes[index])
        request.remembered = max(full, request.remembered)

    def _remove(self, request: Request) -> None:
        if request in self.running:
            self.running.remove(request)
        else:
            self.waiting.remove(request)
        self._release(request)

    def _release(self, request: Request) -> None:
        self.pool.release(request.blocks)
        request.blocks = []
        request.remembered = 0


def _blocks_for(tokens: int) -> int:
    return -(-tokens // BLOCK_TOKENS)
