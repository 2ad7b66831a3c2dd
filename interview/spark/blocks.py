"""KV cache blocks: allocation, reference counts, and the prefix cache over them.

Knows block ids, token ids and hashes; no request and no time.
"""

import hashlib
from array import array
from collections import OrderedDict
from collections.abc import Sequence

BLOCK_TOKENS = 16
"""Tokens per block [V:KV-2]."""


def block_hashes(
    tokens: Sequence[int], salt: str | None, known: Sequence[bytes] = ()
) -> list[bytes]:
    """Hashes of the full blocks of `tokens`, each chained on its parent [V:PRE-2].

    `salt` enters the first block and so the whole chain [V:PRE-3]; `known` are the
    hashes of the first blocks, when already computed.
    """
    hashes = list(known)
    seed = hashlib.sha256((salt or "").encode()).digest()
    for index in range(len(hashes), len(tokens) // BLOCK_TOKENS):
        start = index * BLOCK_TOKENS
        parent = hashes[-1] if hashes else seed
        block = array("q", tokens[start : start + BLOCK_TOKENS]).tobytes()
        hashes.append(hashlib.sha256(parent + block).digest())
    return hashes


class BlockPool:
    """A fixed number of blocks; free ones are reused least recently used first."""

    def __init__(self, blocks: int) -> None:
        """`blocks` counts the null block, which is never usable [V:KV-7]."""
        self.usable = blocks - 1
        self._free = OrderedDict.fromkeys(range(1, blocks))
        self._references = [0] * blocks
        self._hash_of: dict[int, bytes] = {}
        # Equal blocks that were computed twice are kept twice [V:KV-14].
        self._holders: dict[bytes, dict[int, None]] = {}

    @property
    def free(self) -> int:
        return len(self._free)

    @property
    def usage(self) -> float:
        """Share of blocks that live requests hold, 0 to 1 [V:KV-13]."""
        return 1 - self.free / self.usable

    def lookup(self, hashes: Sequence[bytes]) -> list[int]:
        """Blocks of the longest cached prefix of `hashes`."""
        found = []
        for block_hash in hashes:
            holders = self._holders.get(block_hash)
            if not holders:
                break
            found.append(next(iter(holders)))
        return found

    def idle(self, blocks: Sequence[int]) -> int:
        """How many of `blocks` nobody references."""
        return sum(block in self._free for block in blocks)

    def touch(self, blocks: Sequence[int]) -> None:
        """Take cached blocks into use; idle ones leave the free queue [V:PRE-9]."""
        for block in blocks:
            self._references[block] += 1
            self._free.pop(block, None)

    def allocate(self, count: int) -> list[int]:
        """`count` blocks off the head of the free queue; their old content is lost."""
        taken = [self._free.popitem(last=False)[0] for _ in range(count)]
        for block in taken:
            self._forget(block)
            self._references[block] = 1
        return taken

    def remember(self, block: int, block_hash: bytes) -> None:
        """Let later requests find a full block by its hash."""
        if block not in self._hash_of:
            self._hash_of[block] = block_hash
            self._holders.setdefault(block_hash, {})[block] = None

    def release(self, blocks: Sequence[int]) -> None:
        """Give back a request's blocks, tail first [V:PRE-8].

        Blocks without a hash go to the head of the queue and are reused first.
        """
        for block in reversed(blocks):
            self._references[block] -= 1
            if self._references[block] == 0:
                self._free[block] = None
                if block not in self._hash_of:
                    self._free.move_to_end(block, last=False)

    def _forget(self, block: int) -> None:
        block_hash = self._hash_of.pop(block, None)
        if block_hash is not None:
            holders = self._holders[block_hash]
            del holders[block]
            if not holders:
                del self._holders[block_hash]
