"""The prefix cache: full blocks, chained hashes, salt, and what is evicted first."""

import pytest

from interview.spark.blocks import BlockPool, block_hashes
from tests.spark.simulation import make_request, make_scheduler, queue, run_out, step

WORDS = list(range(100, 200))


def cached(scheduler, prompt, **kwargs):
    """Runs a request to its end; how much of its prompt was in the cache."""
    name = f"r{scheduler.tally.prefix_queries}"
    (request,) = queue(scheduler, make_request(name, prompt, 2, **kwargs))
    run_out(scheduler)
    return request.cached_tokens


def test_only_full_blocks_hit():
    scheduler = make_scheduler()
    assert cached(scheduler, WORDS[:40]) == 0
    assert cached(scheduler, [*WORDS[:40], 1, 2, 3]) == 32


def test_a_prefix_shorter_than_a_block_never_hits():
    scheduler = make_scheduler()
    cached(scheduler, WORDS[:15])
    assert cached(scheduler, [*WORDS[:15], *range(900, 940)]) == 0


def test_the_last_token_of_a_prompt_is_always_computed():
    scheduler = make_scheduler()
    cached(scheduler, WORDS[:32])
    (again,) = queue(scheduler, make_request("again", WORDS[:32], 1))
    assert step(scheduler) == {"again": 16}
    assert again.cached_tokens == 16


def test_one_early_difference_misses_every_later_block():
    scheduler = make_scheduler()
    cached(scheduler, WORDS[:64])
    assert cached(scheduler, [7, *WORDS[1:64], 8]) == 0


def test_a_salt_makes_a_cache_of_its_own():
    scheduler = make_scheduler()
    cached(scheduler, WORDS[:50], salt="ours")
    assert cached(scheduler, WORDS[:50]) == 0
    assert cached(scheduler, WORDS[:50], salt="theirs") == 0
    assert cached(scheduler, WORDS[:50], salt="ours") == 48


def test_generated_tokens_are_found_by_the_next_turn():
    scheduler = make_scheduler()
    (first,) = queue(scheduler, make_request("turn-1", WORDS[:16], 40))
    run_out(scheduler)
    history = [*WORDS[:16], *first.output]
    # The key and value of the very last token were never computed.
    assert cached(scheduler, [*history, 1, 2, 3]) == 48


def test_a_running_request_shares_its_blocks():
    scheduler = make_scheduler(blocks=8)
    queue(scheduler, make_request("a", WORDS[:64], 20))
    step(scheduler)
    (second,) = queue(scheduler, make_request("b", [*WORDS[:64], 1], 2))
    step(scheduler)
    assert second.cached_tokens == 64
    assert scheduler.pool.free == 8 - 5 - 1


def test_the_cache_can_be_switched_off():
    scheduler = make_scheduler(prefix_cache=False)
    cached(scheduler, WORDS[:64])
    assert cached(scheduler, WORDS[:64]) == 0
    assert scheduler.tally.prefix_queries == 0


def test_hits_and_queries_count_tokens_and_no_second_look():
    scheduler = make_scheduler(blocks=4)
    cached(scheduler, WORDS[:40])
    cached(scheduler, WORDS[:40])
    assert scheduler.tally.prefix_queries == 80
    assert scheduler.tally.prefix_hits == 32
    first, second = queue(
        scheduler, make_request("a", 30, 10), make_request("b", 30, 10)
    )
    run_out(scheduler)
    assert first.preemptions + second.preemptions > 0
    assert scheduler.tally.prefix_queries == 80 + 60


def test_a_preempted_request_finds_its_own_blocks_again():
    scheduler = make_scheduler(blocks=5)
    _, second = queue(scheduler, make_request("a", 40, 12), make_request("b", 30, 12))
    while not second.preemptions:
        step(scheduler)
    while "b" not in (shares := step(scheduler)):
        pass
    assert shares["b"] < 30 + len(second.output)


def test_hashes_chain_on_their_parent():
    whole = block_hashes(WORDS[:48], None)
    assert len(whole) == 3
    assert block_hashes(WORDS[:47], None) == whole[:2]
    assert block_hashes(WORDS[:48], None, whole[:1]) == whole
    assert block_hashes(WORDS[16:48], None)[0] != whole[1]


def test_free_blocks_without_a_hash_are_reused_first():
    pool = BlockPool(5)
    kept, plain = pool.allocate(2)
    pool.remember(kept, b"kept")
    pool.release([kept])
    pool.release([plain])
    assert pool.allocate(1) == [plain]
    assert pool.lookup([b"kept"]) == [kept]


def test_a_prefix_loses_its_tail_before_its_head():
    pool = BlockPool(4)
    blocks = pool.allocate(3)
    for block, name in zip(blocks, (b"1", b"2", b"3"), strict=True):
        pool.remember(block, name)
    pool.release(blocks)
    pool.allocate(1)
    assert pool.lookup([b"1", b"2", b"3"]) == blocks[:2]


def test_equal_blocks_are_kept_twice_and_both_can_serve():
    pool = BlockPool(3)
    first, second = pool.allocate(2)
    pool.remember(first, b"same")
    pool.remember(second, b"same")
    pool.release([first])
    assert pool.lookup([b"same"]) == [first]
    assert pool.allocate(1) == [first]
    assert pool.lookup([b"same"]) == [second]


def test_usage_counts_what_live_requests_hold():
    pool = BlockPool(11)
    blocks = pool.allocate(5)
    pool.touch(blocks[:1])
    assert pool.usage == 0.5
    pool.release(blocks)
    assert pool.usage == pytest.approx(0.1)
    assert pool.idle(blocks) == 4
