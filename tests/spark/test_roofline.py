"""The arithmetic of steps against the published tables [H:ROOF-1] to [H:ROOF-6]."""

from dataclasses import replace

import pytest

from interview.spark.profiles import (
    BF16_BYTES,
    DGX_SPARK,
    GIB,
    QWEN3_8B,
    QWEN3_30B_A3B,
    kv_blocks,
)
from interview.spark.roofline import Chunk, Roofline, distinct_experts

UNIFORM = replace(QWEN3_30B_A3B, routing_spread=0.0, coverage_cap=1.0)
# The tables are limits: peak bandwidth, no overhead, computing hidden or apart.
LIMIT = replace(
    DGX_SPARK,
    read_bytes_per_s=DGX_SPARK.peak_bytes_per_s,
    matrix_flop_per_s=1e30,
    step_overhead_s=0.0,
)


def limit_ms(model, batch, context=0):
    chunks = [Chunk(1, context - 1)] * batch if context else [Chunk(1, -1)] * batch
    return 1e3 * Roofline(LIMIT, model).step_seconds(chunks)


def weight_gb(batch):
    roofline = Roofline(LIMIT, UNIFORM)
    costs = roofline.projections(batch), roofline.head(batch), roofline.experts(batch)
    return sum(cost.bytes for cost in costs) / 1e9


def test_parameters_of_a_layer_are_those_of_the_published_shape():
    assert QWEN3_30B_A3B.attention_parameters == 18_874_624
    assert QWEN3_30B_A3B.mlp_parameters == 4_718_592
    dense = QWEN3_30B_A3B.projection_parameters + QWEN3_30B_A3B.head_parameters
    assert dense == 1_229_928_448


def test_weights_and_keys_have_the_published_sizes():
    assert QWEN3_30B_A3B.weight_bytes / 1e9 == pytest.approx(61.06, abs=0.005)
    assert QWEN3_8B.weight_bytes / 1e9 == pytest.approx(16.38, abs=0.005)
    assert QWEN3_30B_A3B.kv_bytes_per_token == 98_304
    assert QWEN3_8B.kv_bytes_per_token == 147_456


def test_an_expert_in_all_layers_is_under_half_a_gigabyte():
    expert_bytes = BF16_BYTES * QWEN3_30B_A3B.expert_parameters
    assert expert_bytes / 1e9 == pytest.approx(0.453, abs=0.0005)


def test_kv_cache_holds_about_475_000_tokens():
    blocks = kv_blocks(DGX_SPARK, QWEN3_30B_A3B, 16)
    assert blocks == pytest.approx(29_700, rel=0.001)
    assert blocks * 16 * 98_304 / GIB == pytest.approx(43.5, abs=0.05)


@pytest.mark.parametrize(
    ("batch", "experts", "gigabytes", "milliseconds"),
    [
        (1, 8.0, 6.08, 22.3),
        (2, 15.5, 9.48, 34.7),
        (4, 29.1, 15.65, 57.3),
        (8, 51.6, 25.84, 94.7),
        (16, 82.4, 39.80, 145.8),
        (32, 111.8, 53.09, 194.5),
        (64, 125.9, 59.51, 218.0),
        (128, 128.0, 60.43, 221.3),
        (256, 128.0, 60.44, 221.4),
    ],
)
def test_distinct_experts_follow_uniform_routing(
    batch, experts, gigabytes, milliseconds
):
    assert distinct_experts(UNIFORM, batch) == pytest.approx(experts, abs=0.06)
    assert weight_gb(batch) == pytest.approx(gigabytes, abs=0.006)
    assert limit_ms(UNIFORM, batch) == pytest.approx(milliseconds, abs=0.06)


def test_a_step_without_tokens_touches_no_expert():
    assert distinct_experts(QWEN3_30B_A3B, 0) == 0


def test_skew_and_cap_lower_the_count_but_never_below_the_active_ones():
    assert distinct_experts(QWEN3_30B_A3B, 1) == 8
    assert distinct_experts(QWEN3_30B_A3B, 64) == pytest.approx(104, abs=1.5)
    assert distinct_experts(QWEN3_30B_A3B, 4096) == pytest.approx(115.2, abs=0.1)


@pytest.mark.parametrize(
    ("context", "milliseconds"), [(256, 223.9), (1088, 243.1), (4096, 312.4)]
)
def test_context_adds_its_keys_and_values_at_batch_64(context, milliseconds):
    assert limit_ms(UNIFORM, 64, context) == pytest.approx(milliseconds, abs=0.1)


@pytest.mark.parametrize(
    ("batch", "context", "milliseconds"),
    [(1, 0, 55.4), (1, 1088, 56.0), (64, 128, 59.9), (64, 1088, 93.1), (64, 4096, 197)],
)
def test_a_dense_model_stays_flat_while_contexts_are_short(
    batch, context, milliseconds
):
    assert limit_ms(QWEN3_8B, batch, context) == pytest.approx(milliseconds, abs=0.1)


@pytest.mark.parametrize(
    ("tokens", "teraflops", "milliseconds"),
    [
        (128, 62.5, 11),
        (1024, 62.5, 96),
        (1024, 125, 48),
        (2048, 100, 128),
        (8192, 100, 711),
    ],
)
def test_computing_a_prompt_takes_the_published_time(tokens, teraflops, milliseconds):
    roofline = Roofline(LIMIT, UNIFORM)
    parts = (
        roofline.projections(tokens),
        roofline.head(1),
        roofline.experts(tokens),
        roofline.chunk_attention([Chunk(tokens, 0)]),
    )
    flop = sum(part.flop for part in parts)
    assert 1e3 * flop / (teraflops * 1e12) == pytest.approx(milliseconds, abs=0.6)


def test_prefill_of_a_short_prompt_is_bound_by_the_weights():
    roofline = Roofline(replace(LIMIT, matrix_flop_per_s=62.5e12), UNIFORM)
    for tokens in (128, 1024):
        whole = roofline.experts(tokens).seconds(roofline.machine)
        reading = roofline.experts(tokens).bytes / LIMIT.read_bytes_per_s
        assert whole == reading


def test_chunks_of_one_prompt_compute_the_attention_of_the_whole():
    roofline = Roofline(LIMIT, UNIFORM)
    whole = roofline.chunk_attention([Chunk(1024, 0)]).flop
    halves = roofline.chunk_attention([Chunk(512, 0), Chunk(512, 512)]).flop
    assert halves == whole


def test_the_head_is_read_only_when_a_row_samples():
    roofline = Roofline(LIMIT, UNIFORM)
    silent = roofline.step_seconds([Chunk(512, 0, samples=False)])
    sampling = roofline.step_seconds([Chunk(512, 0, samples=True)])
    head_s = BF16_BYTES * UNIFORM.head_parameters / LIMIT.read_bytes_per_s
    assert sampling - silent == pytest.approx(head_s)
