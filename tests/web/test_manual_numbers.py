"""The results that are derived: each number again, from the model’s configuration."""

from pathlib import Path

import pytest

from interview.cards.library import Library

SHARED = 48 * (18_874_624 + 262_144 + 4_096) + 2_048
HEAD = 151_936 * 2_048
EXPERT = 48 * 4_718_592
KV_BYTES = 2 * 48 * 4 * 128 * 2
GB = 1e9
BANDWIDTH = 273e9


def touched(tokens):
    return 128 * (1 - (15 / 16) ** tokens)


@pytest.fixture(scope="module")
def results():
    root = Path(__file__).resolve().parents[2] / "content"
    return Library.load([root]).results


def cells(result):
    for row in result.rows:
        yield {column: float(cell) for column, cell in row.items()}


def test_the_batch_curve_is_the_formula(results):
    for row in cells(results["moe-batch-curve"]):
        experts = touched(row["users"])
        read = 2 * (SHARED + HEAD + experts * EXPERT)
        assert row["experts"] == pytest.approx(experts, abs=0.05)
        assert row["weights_gb"] == pytest.approx(read / GB, abs=0.005)
        assert row["limit_ms"] == pytest.approx(1000 * read / BANDWIDTH, abs=0.05)


def test_the_bytes_of_a_step_are_those_of_its_parts(results):
    for row in cells(results["decode-bytes"]):
        kv = row["users"] * row["context_tokens"] * KV_BYTES / GB
        assert row["shared_gb"] == pytest.approx(2 * SHARED / GB, abs=0.0006)
        assert row["head_gb"] == pytest.approx(2 * HEAD / GB, abs=0.0006)
        experts = 2 * touched(row["users"]) * EXPERT / GB
        assert row["experts_gb"] == pytest.approx(experts, abs=0.0006)
        assert row["kv_gb"] == pytest.approx(kv, abs=0.0006)
        read = 2 * (SHARED + HEAD) / GB + experts + kv
        assert row["read_gb"] == pytest.approx(read, abs=0.002)
        assert row["limit_ms"] == pytest.approx(read / 0.273, abs=0.05)


def test_the_parts_of_the_memory_are_the_whole(results):
    for row in cells(results["spark-memory"]):
        parts = ("weights_gib", "other_gib", "kv_gib", "left_gib")
        assert sum(row[part] for part in parts) == pytest.approx(121.6, abs=0.01)
        tokens = row["kv_gib"] * 2**30 / KV_BYTES
        assert row["kv_tokens"] == pytest.approx(tokens, rel=0.005)


def test_no_step_of_the_run_exceeds_its_budget(results):
    rows = list(cells(results["cpu-steps"]))
    for row in rows:
        assert row["prompt_tokens"] + row["decode_tokens"] <= row["budget"]
    assert sum(row["prompt_tokens"] for row in rows) == 1200


def test_what_a_run_computed_and_found_are_its_prompts(results):
    for row in cells(results["cpu-same-seed"]):
        found = row["computed_tokens"] + row["cached_tokens"]
        assert found == row["prompt_tokens"]
