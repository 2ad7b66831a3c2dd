"""The limit of TPOT against the published working [H:ROOF-1] to [H:ROOF-5]."""

import pytest

from interview.spark.limits import find, limit

SPARK, QWEN = find("DGX Spark", "Qwen/Qwen3-30B-A3B")
MODELS = {
    "Qwen3-8B": 8.191,
    "Qwen3-32B": 32.762,
    "Llama-3.1-8B": 8.030,
    "Llama-3.1-70B": 70.554,
    "Qwen3-30B-A3B": 30.532,
}


def model(name):
    return find("DGX Spark", name)[1]


def test_the_parts_of_a_step_have_the_published_bytes():
    one = limit(SPARK, QWEN, 1, 1088)
    assert one.bytes_dense == 2_459_856_896
    assert one.bytes_experts == pytest.approx(8 * 48 * 4_718_592 * 2)
    assert one.bytes_kv == 98_304 * 1088
    assert one.distinct_experts == pytest.approx(8)
    assert one.bandwidth_bytes_per_s == 273e9


def test_a_lone_user_is_limited_to_22_3_ms():
    weights = limit(SPARK, QWEN, 1, 0)
    assert f"{weights.bytes_all / 1e9:.3f}" == "6.084"
    assert f"{weights.tpot_ms:.1f}" == "22.3"
    assert f"{limit(SPARK, QWEN, 1, 1088).tpot_ms:.1f}" == "22.7"
    assert f"{weights.share_percent(32.3):.0f}" == "69"


@pytest.mark.parametrize(
    ("users", "distinct", "expert_gb", "weight_gb", "tpot_ms", "tokens_per_s"),
    [
        (1, "8.0", "3.62", "6.08", "22.3", "45"),
        (2, "15.5", "7.02", "9.48", "34.7", "58"),
        (4, "29.1", "13.19", "15.65", "57.3", "70"),
        (8, "51.6", "23.38", "25.84", "94.7", "85"),
        (16, "82.4", "37.34", "39.80", "145.8", "110"),
        (32, "111.8", "50.63", "53.09", "194.5", "165"),
        (64, "125.9", "57.05", "59.51", "218.0", "294"),
        (128, "128.0", "57.97", "60.43", "221.3", "578"),
        (256, "128.0", "57.98", "60.44", "221.4", "1156"),
    ],
)
def test_the_published_table_of_batches_comes_out_to_the_digit(
    users, distinct, expert_gb, weight_gb, tpot_ms, tokens_per_s
):
    found = limit(SPARK, QWEN, users, 0)
    weights = found.bytes_dense + found.bytes_experts
    assert f"{found.distinct_experts:.1f}" == distinct
    assert f"{found.bytes_experts / 1e9:.2f}" == expert_gb
    assert f"{weights / 1e9:.2f}" == weight_gb
    assert f"{found.tpot_ms:.1f}" == tpot_ms
    assert f"{found.output_tokens_per_s:.0f}" == tokens_per_s


@pytest.mark.parametrize(
    ("context", "gigabytes", "tpot_ms"),
    [(0, "59.51", "218.0"), (256, "61.12", "223.9"), (1088, "66.35", "243.1")],
)
def test_64_users_read_their_contexts_too(context, gigabytes, tpot_ms):
    found = limit(SPARK, QWEN, 64, context)
    assert f"{found.bytes_all / 1e9:.2f}" == gigabytes
    assert f"{found.tpot_ms:.1f}" == tpot_ms


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("Qwen3-8B", ["55.4", "56.0", "59.9", "93.1", "197.0"]),
        ("Llama-3.1-8B", ["55.0", "55.5", "58.9", "88.4", "180.8"]),
        ("Qwen3-32B", ["234.3", "235.4", "242.2", "301.2", "486.0"]),
        ("Llama-3.1-70B", ["509.2", "510.5", "519.0", "592.8", "823.8"]),
        ("Qwen3-30B-A3B", ["22.3", "22.7", "220.9", "243.1", "312.4"]),
    ],
)
def test_the_published_models_come_out_to_the_digit(name, points):
    loads = [(1, 0), (1, 1088), (64, 128), (64, 1088), (64, 4096)]
    found = [f"{limit(SPARK, model(name), *load).tpot_ms:.1f}" for load in loads]
    assert found == points


@pytest.mark.parametrize(("name", "billions"), MODELS.items())
def test_a_profile_has_the_published_number_of_parameters(name, billions):
    assert model(name).weight_bytes / 2e9 == pytest.approx(billions, abs=0.0005)


@pytest.mark.parametrize(
    ("name", "kv_bytes"),
    [
        ("Qwen3-30B-A3B", 98_304),
        ("Qwen3-8B", 147_456),
        ("Qwen3-32B", 262_144),
        ("Llama-3.1-8B", 131_072),
        ("Llama-3.1-70B", 327_680),
    ],
)
def test_a_profile_has_the_published_kv_bytes_per_token(name, kv_bytes):
    assert model(name).kv_bytes_per_token == kv_bytes


@pytest.mark.parametrize(
    ("hardware", "terabytes_per_s"),
    [
        ("DGX Spark", 0.273),
        ("H100 SXM", 3.35),
        ("H200 SXM", 4.8),
        ("B200 SXM", 8.0),
        ("RTX 5090", 1.792),
        ("RTX 4090", 1.008),
    ],
)
def test_a_machine_has_the_bandwidth_of_its_data_sheet(hardware, terabytes_per_s):
    machine, _ = find(hardware, "Qwen3-8B")
    assert machine.peak_bytes_per_s == pytest.approx(terabytes_per_s * 1e12)


def test_the_limit_scales_with_the_bandwidth_alone():
    h200, _ = find("H200 SXM", "Qwen3-8B")
    here, there = limit(SPARK, QWEN, 4, 512), limit(h200, QWEN, 4, 512)
    assert here.bytes_all == there.bytes_all
    assert here.tpot_ms / there.tpot_ms == pytest.approx(4800 / 273)


def test_a_dense_model_touches_no_experts_and_assumes_nothing_of_them():
    found = limit(SPARK, model("Qwen3-8B"), 64, 128)
    assert (found.bytes_experts, found.distinct_experts) == (0, None)
    assert "xpert" not in " ".join(found.assumptions)


def test_routing_is_an_assumption_only_where_tokens_share_a_step():
    assert "uniform" not in " ".join(limit(SPARK, QWEN, 1, 10).assumptions)
    assert "uniform" in " ".join(limit(SPARK, QWEN, 2, 10).assumptions)


def test_the_assumptions_name_the_machine_and_its_bandwidth():
    assert "one DGX Spark delivers all of its 273 GB/s" in " ".join(
        limit(SPARK, QWEN, 1, 10).assumptions
    )
