"""The limit of TPOT on a run's page: a line, a sentence, its working; or why not."""

import re
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from interview.lab.models import Run, Status
from interview.lab.results.limits import limit_at, limit_of
from interview.lab.results.result import Result
from tests.lab.cast import REPORT, at, later

pytestmark = pytest.mark.django_db

OWN = """
[[machine]]
name = "two boxes"
bandwidth_gb_per_s = 546

[[model]]
name = "lab/tiny"
layers = 1
hidden = 1000
query_heads = 10
kv_heads = 10
head_dim = 100
mlp_width = 1000
vocabulary = 10000
max_positions = 100
"""


@pytest.fixture
def spark(shared, tmp_path):
    """A real endpoint on a DGX Spark."""
    shared.LAB_MODEL, shared.LAB_HARDWARE = "Qwen/Qwen3-30B-A3B", "DGX Spark"
    shared.DATA_DIR = tmp_path
    return shared


@pytest.fixture
def measured(spark, make_run, worker):
    """Makes a finished run with this TPOT, of 20 prompt and 128 output tokens."""

    def measured(tpot_ms=32.3, simulated=False, **asked):
        run = make_run(**asked)
        claim = run.claim(worker, later(0))
        changes = {
            "tpot_ms": tpot_ms,
            "tokens": 128,
            "prompt_tokens": 20,
            "itl_ms": [tpot_ms or 40.0] * 127,
            "event_tokens": [1] * 128,
        }
        report = REPORT | {"requests": [REPORT["requests"][0] | changes]}
        done = Status.COMPLETED
        run.finish(claim, done, later(3), report=report, simulated=simulated)
        return run

    return measured


@pytest.fixture
def shown(at_alice):
    """The page as a reader sees it: no markup, plain spaces."""

    def shown(run, name="run"):
        return plain(at_alice.get(at(name, run)).content.decode())

    return shown


def plain(page):
    words = re.sub(r"<[^>]+>", " ", page).replace("&nbsp;", " ").replace("\u00a0", " ")
    return re.sub(r"\s+", " ", words)


def test_a_run_is_held_against_the_limit_of_its_machine(measured, shown):
    page = shown(measured())
    sentence = "Measured 32.3 ms, limit 22.3 ms: 69 % of peak bandwidth."
    assert sentence in page
    assert "mean over the tokens after the first · limit 22.3 ms" in page
    assert "Limit of TPOT 22.3 ms bytes of a step" in page
    assert "is simulated, and the line" not in page


def test_the_working_names_each_part_in_bytes(measured, shown):
    page = shown(measured())
    assert "Dense part 2.460 GB attention, router, norms and lm_head" in page
    assert "Distinct experts 3.624 GB 8.0 of 128 in each layer × 0.453 GB" in page
    assert "KV cache 0.008 GB 1 request × 84 tokens" in page
    assert "× 98,304 bytes" in page
    assert "All 6.092 GB ÷ 273 GB/s of the DGX Spark = 22.3 ms" in page


def test_the_assumptions_are_named(measured, shown):
    page = shown(measured())
    assert "runs on one DGX Spark, as LAB_HARDWARE says" in page
    assert "Weights and KV cache are 16-bit" in page
    assert "no speculative decoding" in page


def test_the_chart_has_the_line(measured, at_alice):
    page = at_alice.get(at("run", measured())).content.decode()
    assert "chart__limit" in page
    assert "key__line--limit" in page


def test_a_live_run_has_the_line_before_its_first_token(spark, make_run, at_alice):
    page = at_alice.get(at("run", make_run(prompt_tokens=1024, max_tokens=128)))
    at_ms = re.search(r'data-limit-ms="([\d.]+)"', page.content.decode())
    # The prompt and half of the answer asked for: 1,088 tokens of context.
    assert f"{float(at_ms[1]):.1f}" == "22.7"
    assert "limit 22.7 ms: what the memory" in plain(page.content.decode())


def test_a_replay_has_the_line(measured, at_alice):
    page = at_alice.get(at("replay", measured())).content.decode()
    assert re.search(r'data-limit-ms="22\.\d+"', page)


def test_a_simulated_run_is_held_against_the_machine_it_simulates(
    spark, measured, shown
):
    spark.LAB_HARDWARE = "something else"
    spark.LAB_MODEL = "Qwen/Qwen3-30B-A3B-simulated"
    page = shown(measured(simulated=True))
    assert "limit 22.3 ms: 69 % of peak bandwidth" in page
    assert "is simulated, and the line is right for it" in page
    assert "LAB_HARDWARE" not in page


def test_a_run_faster_than_the_limit_breaks_an_assumption(measured, shown):
    page = shown(measured(tpot_ms=10.0))
    assert "Measured 10.0 ms, limit 22.3 ms: faster than the limit allows." in page
    assert "One of the assumptions below does not hold." in page
    assert "of peak bandwidth." not in page


def test_without_tpot_there_is_a_limit_and_no_share(measured, shown):
    page = shown(measured(tpot_ms=None))
    assert "The limit is 22.3 ms per output token." in page
    assert "% of peak bandwidth" not in page


@pytest.mark.parametrize(
    ("hardware", "model", "named"),
    [
        ("Toaster", "Qwen/Qwen3-8B", "the machine “Toaster” (LAB_HARDWARE)"),
        ("DGX Spark", "a-model", "the model “a-model”"),
        (
            "Toaster",
            "a-model",
            "the machine “Toaster” (LAB_HARDWARE) and the model “a-model”",
        ),
    ],
)
def test_what_is_unknown_has_no_line_and_a_reason(
    spark, measured, at_alice, hardware, model, named
):
    spark.LAB_HARDWARE, spark.LAB_MODEL = hardware, model
    page = at_alice.get(at("run", measured())).content.decode()
    own = spark.DATA_DIR / "profiles.toml"
    assert f"No limit is drawn: no profile for {named}: add one in {own}." in page
    assert "chart__limit" not in page
    assert "Limit of TPOT" not in page


def test_an_unknown_live_run_has_no_line(shared, make_run, at_alice):
    page = at_alice.get(at("run", make_run())).content.decode()
    assert "data-limit" not in page


def test_a_machine_without_name_is_asked_for(spark, measured, shown):
    spark.LAB_HARDWARE = ""
    page = shown(measured())
    assert "LAB_HARDWARE is not set: set it to the machine’s name" in page
    assert "“”" not in page


def test_a_run_of_another_endpoint_is_not_held_against_this_machine(
    spark, measured, shown
):
    run = measured()
    Run.objects.update(hardware="")
    run.refresh_from_db()
    spark.LAB_URL = "http://elsewhere:8000"
    assert "this run was made at 127.0.0.1:9, and LAB_HARDWARE speaks" in shown(run)


def test_a_run_keeps_the_limit_of_the_machine_it_was_asked_on(spark, measured, shown):
    run = measured()
    before = limit_of(run, Result.of(run.report))
    spark.LAB_URL, spark.LAB_HARDWARE = "http://elsewhere:8000", "H100 SXM"
    assert run.hardware == before.machine == "DGX Spark"
    assert limit_of(run, Result.of(run.report)) == before


def test_weights_that_cannot_fit_in_16_bits_have_no_line(spark, measured, shown):
    spark.LAB_MODEL = "meta-llama/Llama-3.1-70B-Instruct"
    page = shown(measured())
    assert "141.1 GB of 16-bit weights, more than the 130.7 GB of one DGX Spark" in page


def test_own_profiles_are_read_from_the_data_folder(spark, measured):
    (spark.DATA_DIR / "profiles.toml").write_text(OWN)
    spark.LAB_HARDWARE, spark.LAB_MODEL = "Two boxes", "tiny"
    run = measured()
    found = limit_of(run, Result.of(run.report))
    # 2 bytes x (attention 4 x 10^6 + MLP 3 x 10^6 + norms 3 x 10^3 + head 10^7).
    assert found.limit.bytes_dense == 2 * 17_003_000
    assert found.limit.bytes_kv == 84 * 2 * 1000 * 2
    assert found.tpot_ms == pytest.approx(1e3 * (34_006_000 + 336_000) / 546e9)


def test_a_wrong_file_of_profiles_is_named_on_the_page(spark, measured, shown):
    own = spark.DATA_DIR / "profiles.toml"
    own.write_text('[[machine]]\nname = "A"\n')
    sentence = f"{own}: machine 1 (A): the key “bandwidth_gb_per_s” is missing."
    assert sentence in shown(measured())


def test_a_level_of_64_users_has_the_published_limit(measured):
    found = limit_at(measured(), 64, 1088, measured_ms=243.8)
    assert f"{found.tpot_ms:.1f}" == "243.1"
    assert f"{found.share_percent:.0f}" == "100"
    assert not found.is_beaten
    assert found.parts[1].working == "125.9 of 128 in each layer × 0.453 GB"


def words(run, users, measured_ms, **context):
    context |= {"run": run, "limit": limit_at(run, users, 576, measured_ms)}
    return plain(render_to_string("lab/_limit.html", context))


def test_a_shared_step_is_limited_if_routing_is_uniform(measured):
    said = words(measured(), 64, 243.8)
    assert "limit 231.3 ms: 95 % of peak bandwidth, if routing were uniform." in said
    assert "a step in which 64 requests decode would read 63.134 GB from" in said
    assert "must read" not in said
    assert "What one decode step of Qwen/Qwen3-30B-A3B reads with 64 requests" in said
    assert "Routing is uniform: each token picks its 8 of 128 experts" in said


def test_a_shared_step_can_be_faster_than_uniform_routing_allows(measured):
    said = words(measured(), 16, 140.0)
    assert "limit 149.1 ms: faster than uniform routing allows." in said
    assert "fewer than 16 requests may have decoded together" in said


@pytest.mark.parametrize("measured_ms", [144.0, 170.0])
def test_no_line_is_right_for_the_simulators_skewed_routing(measured, measured_ms):
    run = measured(simulated=True)
    said = words(run, 16, measured_ms)
    assert "its steps touch fewer experts and read less than the line assumes" in said
    assert "line is right" not in said
    alone = words(run, 1, 32.3)
    assert "line is right for it" in alone
    assert "skewed" not in alone


def test_what_prompts_of_others_take_is_named_where_there_are_others(measured):
    run = measured()
    prompts = "The rest of the time goes to the prompts of {} in the same steps, slower"
    assert prompts.format("other users") in words(run, 64, 243.8)
    beside = words(run, 1, 46.3, level=SimpleNamespace(neighbours=8))
    assert prompts.format("the neighbours") in beside
    assert "The rest of the time goes to slower reading" in words(run, 1, 32.3)
