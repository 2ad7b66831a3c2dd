"""Files of vLLM's own benchmark become runs, with nothing made up.

The files in vllm_bench/ were written by `vllm bench serve` 0.31.0.
"""

import json
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from interview.lab.comparing.compare import load_pairs
from interview.lab.files.bench_file import NotImported, read_bench
from interview.lab.files.imported import imported
from interview.lab.models import Kind, Run, Status
from tests.lab.cast import at, later
from tests.lab.loads import level, repetition, report, request

FOLDER = Path(__file__).with_name("vllm_bench")
IMPORT = reverse("lab:import")
ONE, TWO, PLAIN = "one-user-detailed", "two-users-detailed", "two-users-plain"


def content(name):
    return (FOLDER / f"{name}.json").read_bytes()


def told(name, **changes):
    return json.loads(content(name)) | changes


def without(document, *keys):
    return {key: value for key, value in document.items() if key not in keys}


def dumped(document):
    return json.dumps(document).encode()


def found(*documents):
    """What the documents become together; a name is one of the files."""
    files = []
    for number, document in enumerate(documents):
        text = content(document) if isinstance(document, str) else dumped(document)
        files += read_bench(f"{number}.json", text)
    return imported(files)


def only_level(*documents):
    (one,) = found(*documents).report["levels"]
    return one


def post(client, **files):
    sent = [SimpleUploadedFile(f"{name}.json", data) for name, data in files.items()]
    return client.post(IMPORT, {"files": sent})


# A file of vLLM


@pytest.mark.parametrize("name", [ONE, TWO])
def test_our_statistics_of_its_requests_are_its_own(name):
    theirs, summary = told(name), only_level(name)["summary"]
    for metric in ("ttft", "tpot", "itl"):
        ours = summary[f"{metric}_ms"]
        assert ours["mean"] == pytest.approx(theirs[f"mean_{metric}_ms"])
        assert ours["p50"] == pytest.approx(theirs[f"median_{metric}_ms"])
        assert ours["p99"] == pytest.approx(theirs[f"p99_{metric}_ms"])
    assert summary["output_tokens_per_s"] == theirs["output_throughput"]
    assert summary["completed"] == len(only_level(name)["repetitions"][0]["requests"])


def test_a_file_without_requests_has_what_it_tells_and_no_more():
    theirs, one = told(PLAIN), only_level(PLAIN)
    ttft, tpot = one["summary"]["ttft_ms"], one["summary"]["tpot_ms"]
    assert ttft["p50"] == theirs["median_ttft_ms"]
    assert (ttft["p90"], ttft["max"], ttft["n"]) == (None, None, 6)
    assert (tpot["p99"], tpot["n"]) == (theirs["p99_tpot_ms"], None)
    # vLLM leaves the latencies in such a file.
    assert one["summary"]["e2e_ms"]["n"] == 6
    assert one["repetitions"][0]["requests"] == []


@pytest.mark.parametrize("changes", [{"failed": 1, "completed": 5}, {"latencies": []}])
def test_latencies_that_may_be_of_failed_requests_are_left_out(changes):
    assert only_level(told(PLAIN, **changes))["summary"]["e2e_ms"] is None


def test_what_vllm_counts_otherwise_is_not_taken_for_ours():
    one = only_level(TWO)
    assert told(TWO)["max_concurrent_requests"] == 6
    assert one["load"]["reached_users"] is None
    assert one["summary"]["peak_tokens_per_s"] is None


def test_no_lists_are_needed_to_tell_the_lengths():
    spec = found(PLAIN).spec
    assert (spec.prompt_tokens, spec.max_tokens, spec.levels) == (42, 12, [2])


def test_failed_requests_are_zeros_there_and_nothing_here():
    theirs = told(ONE, completed=3, failed=1)
    for key in ("output_lens", "ttfts", "latencies"):
        theirs[key][1] = 0
    theirs["itls"][1], theirs["errors"][1] = [], "Internal Server Error"
    one = only_level(theirs)
    bad = one["repetitions"][0]["requests"][1]
    assert (bad["status"], bad["ttft_ms"], bad["tokens"]) == ("failed", None, None)
    assert bad["error"] == "Internal Server Error"
    assert one["summary"]["ttft_ms"]["n"] == 3
    assert min(r["ttft_ms"] or 1 for r in one["repetitions"][0]["requests"]) > 0
    assert one["summary"]["failed"] == 1


def test_the_zeros_of_a_file_in_which_all_failed_are_no_numbers():
    zeros = {key: 0.0 for key in told(PLAIN) if key.endswith("_ms")}
    nothing = {"completed": 0, "total_output_tokens": 0, "total_input_tokens": 0}
    theirs = told(PLAIN, **zeros, **nothing, failed=6, output_throughput=0.0)
    summary = only_level(theirs)["summary"]
    assert [summary[name] for name in ("ttft_ms", "tpot_ms", "itl_ms")] == [None] * 3
    assert summary["output_tokens_per_s"] is None


def test_answers_of_one_token_have_no_tpot():
    theirs = told(PLAIN, total_output_tokens=6, median_tpot_ms=0.0, median_itl_ms=0.0)
    summary = only_level(theirs)["summary"]
    assert (summary["tpot_ms"], summary["itl_ms"]) == (None, None)
    assert summary["ttft_ms"]["p50"] == theirs["median_ttft_ms"]


def test_older_files_lack_latencies_and_starts():
    theirs = without(told(ONE), "latencies", "start_times", "queue_times", "failed")
    now, before = only_level(ONE), only_level(theirs)
    assert before["summary"]["tpot_ms"]["p50"] == pytest.approx(
        now["summary"]["tpot_ms"]["p50"], rel=1e-3
    )
    assert before["repetitions"][0]["requests"][0]["sent_ms"] is None


# Several files


def test_each_number_of_users_is_a_level():
    both = found(PLAIN, ONE)
    assert both.spec.levels == [1, 2]
    assert [one["users"] for one in both.report["levels"]] == [1, 2]
    assert both.moment.isoformat() == "2026-11-29T18:32:47+00:00"


def test_the_same_number_of_users_again_is_a_repetition():
    one = only_level(TWO, PLAIN)
    medians = sorted(told(name)["median_ttft_ms"] for name in (TWO, PLAIN))
    band = one["summary"]["bands"]["ttft_ms"]
    assert (band["low"], band["high"], band["n"]) == (*map(pytest.approx, medians), 2)
    assert one["summary"]["ttft_ms"]["p50"] == pytest.approx(sum(medians) / 2)
    # Percentiles of one file without requests cannot be pooled.
    assert one["summary"]["ttft_ms"]["p99"] is None
    assert found(TWO, PLAIN).spec.repeat == 2


def test_repetitions_with_their_requests_are_pooled():
    one = only_level(TWO, told(TWO, date="20261130-120000"))
    assert one["summary"]["ttft_ms"]["n"] == 12
    assert one["summary"]["completed"] == 12


def test_appended_results_are_several():
    text = content(ONE) + b"\n" + content(TWO)
    assert [one.users for one in read_bench("a.json", text)] == [1, 2]


# What is refused


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "a.json is empty."),
        (b"{", "a.json is no JSON: Expecting property name"),
        (b"users,ttft\n1,2", "a.json is no JSON: Expecting value in line 1, column 1."),
        (b"\xff\xfe", "a.json is no JSON: it is not UTF-8 text."),
        (b"[" * 100_000, "a.json is no JSON that can be read"),
        (b"[]", "a.json holds no result: its JSON is no object."),
        (b"{}", "no “model_id”, “num_prompts”, “max_concurrency”, “completed”."),
        (b'{"a": NaN}', "a.json holds NaN, which is no number in JSON."),
        (b'{"format": "prefill-measure/1"}', "a.json is a run of this lab as JSON."),
    ],
)
def test_what_is_no_result_is_refused_with_its_reason(text, sentence):
    with pytest.raises(NotImported) as refused:
        read_bench("a.json", text)
    assert sentence in str(refused.value)


LENGTHS = told(ONE)["output_lens"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"completed": None}, "“completed” is null"),
        ({"completed": True}, "“completed” is no whole number: true."),
        ({"completed": 1.5}, "“completed” is no whole number: 1.5."),
        ({"duration": "long"}, '“duration” is no number: "long".'),
        ({"median_ttft_ms": -1}, "“median_ttft_ms” is -1, which cannot be."),
        ({"p99_itl_ms": 1e300}, "“p99_itl_ms” is 1e+300, which cannot be."),
        ({"model_id": 7}, "“model_id” is no model’s name: 7."),
        ({"model_id": ""}, "“model_id” is no model’s name"),
        ({"max_concurrency": 0}, "“max_concurrency” is 0: no number of users."),
        ({"max_concurrency": None, "request_rate": 2.0}, "measured at a request rate"),
        ({"ttfts": "x"}, "“ttfts” is no list"),
        ({"ttfts": [0.1]}, "“ttfts” has 1 entries, and “input_lens” has 4"),
        ({"output_lens": ["x", *LENGTHS[1:]]}, "“output_lens[0]” is no whole number"),
        ({"itls": [1.0] * 4}, "“itls[0]” is no list: 1.0."),
        ({"itls": [["x"]] + [[]] * 3}, "“itls[0]” is no number"),
        ({"itls": [[0.1, None]] + [[]] * 3}, "“itls[0]” holds null"),
        ({"itls": [[0.1, -0.1]] + [[]] * 3}, "“itls[0]” is -0.1, which cannot be."),
        ({"itls": [[0.1, True]] + [[]] * 3}, "“itls[0]” is no number: true."),
        ({"errors": [1] * 4}, "“errors[0]” is no text: 1."),
        ({"completed": 5}, "“completed” is 5, more than “num_prompts”."),
        ({"max_concurrent_requests": "6"}, "“max_concurrent_requests” is no number"),
        ({"request_rate": [2.0]}, "“request_rate” is no number: [2.0]."),
        ({"request_rate": -2.0}, "“request_rate” is -2.0, which cannot be."),
    ],
)
def test_a_wrong_value_is_named_with_its_place(changes, sentence):
    with pytest.raises(NotImported) as refused:
        found(told(ONE, **changes))
    assert sentence in str(refused.value)
    assert "0.json" in str(refused.value)


@pytest.mark.parametrize("written", [b"1e999", b"1" + b"0" * 999])
def test_a_number_that_no_page_or_database_takes_gets_nowhere(written):
    """Python reads the one as infinity and the other as it is."""
    document = told(ONE)
    for key, value in document.items():
        if not isinstance(value, list):
            text = dumped(document | {key: "HERE"}).replace(b'"HERE"', written)
            try:
                shown = imported(read_bench("a.json", text))
            except NotImported:
                continue
            stored = json.dumps(shown.report, allow_nan=False)
            assert written.decode() not in stored


def test_a_fault_behind_other_results_is_named_with_its_line():
    with pytest.raises(NotImported, match="in line 3, column 1"):
        read_bench(
            "a.json", content(ONE).strip() + b"\n" + content(TWO).strip() + b"\n?"
        )


def test_a_file_of_very_many_results_is_refused_soon():
    one = without(told(PLAIN), "latencies")
    files = read_bench(
        "a.json", b"\n".join(dumped(one | {"duration": n}) for n in range(501))
    )
    with pytest.raises(NotImported, match="At most 500 results go into one run"):
        imported(files)


@pytest.mark.parametrize("date", ["00010101-000000", "99991231-235959", "nonsense", 7])
def test_a_date_that_no_clock_told_is_none(at_alice, alice, date):
    alice.time_zone = "America/New_York"
    alice.save()
    post(at_alice, one=dumped(told(ONE, date=date)))
    run = Run.objects.get()
    assert run.started_at == run.created_at
    assert at_alice.get(at("run", run)).status_code == 200
    assert at_alice.get(reverse("lab:runs")).status_code == 200


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, ">29 Nov 2026 18:32</time>, by its machine’s clock"),
        # Our own exports tell UTC, which is read as every other time.
        ({"run": "a-run"}, ">29 Nov 2026 13:32</time></span>"),
        ({"date": None}, "its file does not say when it was measured"),
    ],
)
def test_a_file_without_a_zone_is_of_its_machines_clock(at_alice, alice, changes, said):
    alice.time_zone = "America/New_York"
    alice.save()
    post(at_alice, one=dumped(told(ONE, **changes)))
    page = at_alice.get(at("run", Run.objects.get())).text
    assert said in page
    assert page.count("its machine’s clock") == (not changes)


def test_half_of_the_lists_are_refused():
    with pytest.raises(NotImported, match="has lists of requests, but no “itls”"):
        found(without(told(ONE), "itls"))


def test_without_a_limit_of_users_all_requests_are_at_once():
    assert found(told(ONE, max_concurrency=None)).spec.levels == [4]


def test_files_of_two_models_make_no_run():
    with pytest.raises(NotImported, match="different models, “other” and “tiny-qwen3”"):
        found(ONE, told(TWO, model_id="other"))


def test_simulated_and_real_files_make_no_run():
    with pytest.raises(NotImported, match="simulated and some are not"):
        found(ONE, told(TWO, simulated=True))


def renamed(ours, **changes):
    """A file of vLLM as an export of ours."""
    return told(ONE, run="a-run", load=None, **changes) | (
        {"load": ours} if ours else {}
    )


def test_the_same_result_twice_is_no_repetition():
    # White space and the order of keys do not make it another one.
    again = json.dumps(told(TWO), sort_keys=True, indent=1).encode()
    files = read_bench("two.json", content(TWO)) + read_bench("again.json", again)
    with pytest.raises(NotImported, match=r"two\.json and again\.json hold the same"):
        imported(files)
    appended = read_bench("both.json", content(TWO) * 2)
    with pytest.raises(NotImported, match=r"both\.json is there twice: a"):
        imported(appended)


def test_exports_of_ours_and_files_of_vllm_make_no_run():
    with pytest.raises(NotImported, match="defined in two ways: import them apart"):
        found(renamed(None), TWO)


def test_two_loads_with_names_are_no_repetitions_of_each_other():
    with pytest.raises(NotImported, match="loads with different names and the same"):
        found(renamed("short"), renamed("long"))


# The pages


def test_a_file_becomes_a_run_of_its_person(at_alice, alice):
    answer = post(at_alice, one=content(ONE), two=content(PLAIN))
    run = Run.objects.get()
    assert answer.status_code == 303
    assert answer["Location"] == at("run", run)
    assert (run.owner, run.kind, run.status) == (alice, Kind.IMPORTED, "completed")
    assert (run.model, run.simulated) == ("tiny-qwen3", False)
    page = at_alice.get(at("run", run)).content.decode()
    assert "imported from vllm bench serve" in page
    assert "one.json" in page
    assert "Run again" not in page
    assert "Replay" not in page
    assert run.figures["2"]["values"]["ttft_ms"][0] == told(PLAIN)["median_ttft_ms"]
    assert (
        "imported from vllm bench serve"
        in at_alice.get(reverse("lab:runs")).content.decode()
    )


def test_nothing_is_stored_of_a_file_that_is_refused(at_alice):
    answer = post(at_alice, good=content(ONE), bad=b"[]")
    assert answer.status_code == 422
    assert "bad.json holds no result" in answer.content.decode()
    assert at_alice.post(IMPORT).status_code == 422
    assert not Run.objects.exists()


def test_a_file_that_is_too_large_is_refused(at_alice, settings):
    settings.LAB_MAX_IMPORT_MB = 0.001
    answer = post(at_alice, one=content(ONE))
    assert answer.status_code == 422
    assert "more than the 0.001 MB that may be imported" in answer.content.decode()


def test_a_run_of_failures_is_a_failed_run(at_alice):
    theirs = told(ONE, completed=0, failed=4, errors=["no"] * 4)
    post(at_alice, one=dumped(theirs))
    run = Run.objects.get()
    assert run.status == Status.FAILED
    assert "No request was completed." in at_alice.get(at("run", run)).content.decode()


@pytest.mark.parametrize(
    ("backend", "said"), [("openai-chat", True), ("vllm", False), (None, False)]
)
def test_only_over_chat_the_role_chunk_is_told_with_its_version(
    at_alice, backend, said
):
    post(at_alice, one=dumped(told(ONE, backend=backend)))
    page = at_alice.get(at("run", Run.objects.get())).content.decode()
    assert ("version 0.31.0 takes it for the first token" in page) is said


def test_what_no_file_can_tell_is_not_in_the_file(at_alice):
    post(at_alice, one=dumped(told(ONE, completed=0, failed=4, errors=["no"] * 4)))
    page = at_alice.get(at("run", Run.objects.get())).content.decode()
    assert "not in the file" in page
    assert "not separable here" not in page
    assert "– token" not in page


def test_a_file_without_one_completed_request_leaves_a_run_incomplete(at_alice):
    broken = told(ONE, completed=0, failed=4, errors=["no"] * 4)
    post(at_alice, one=dumped(broken), two=content(TWO))
    run = Run.objects.get()
    assert (run.status, run.error) == (
        Status.INCOMPLETE,
        "No request was completed with 1 user; what the other loads measured is kept.",
    )


def test_an_imported_run_is_not_run_again_or_replayed(at_alice):
    post(at_alice, one=content(ONE))
    run = Run.objects.get()
    assert at_alice.post(at("again", run)).status_code == 404
    for name in ("replay", "run_csv"):
        assert at_alice.get(at(name, run)).status_code == 404
    assert at_alice.get(at("run_json", run)).json()["imported"]["files"][0]["detailed"]


def test_an_imported_run_has_no_limit_but_a_reason(at_alice, settings):
    settings.LAB_HARDWARE = "DGX Spark"
    post(at_alice, one=content(ONE))
    context = at_alice.get(at("run", Run.objects.get())).context
    assert "does not say on which machine" in context["load"].levels[0].limit.reason


@pytest.mark.parametrize("name", [ONE, PLAIN])
def test_what_was_imported_is_exported_with_the_same_numbers(at_alice, name):
    theirs = told(name)
    post(at_alice, one=dumped(theirs))
    ours = at_alice.get(at("run_bench", Run.objects.get())).json()
    # It is no measurement of ours, however often it goes out and comes in.
    assert (ours["run"], ours["backend"]) == (None, theirs["backend"])
    same = [f"{s}_{m}_ms" for s in ("mean", "median", "p99") for m in ("ttft", "tpot")]
    for key in (*same, "median_itl_ms", "total_output_tokens"):
        assert ours[key] == pytest.approx(theirs[key]), key
    assert (ours["max_concurrency"], ours["date"]) == (
        theirs["max_concurrency"],
        theirs["date"],
    )


@pytest.mark.parametrize(
    "missing", [(), ("start_times",), ("start_times", "latencies")]
)
def test_the_rate_of_an_imported_file_goes_out_with_it(at_alice, missing):
    post(at_alice, one=dumped(without(told(ONE), *missing)))
    ours = at_alice.get(at("run_bench", Run.objects.get())).json()
    for key in ("duration", "output_throughput", "request_throughput"):
        assert ours[key] == pytest.approx(told(ONE)[key], rel=0.05), key


def test_our_own_export_comes_back_with_the_same_figures(at_alice, claimed):
    run, claim = claimed
    requests = [request(n, ttft_ms=200.0 + n) for n in range(4)]
    requests.append(request(4, status="failed"))
    found = report(level(4, repetition(4, requests)))
    run.finish(claim, Status.COMPLETED, later(9), report=found, simulated=True)
    export = at_alice.get(at("run_bench", run)).content
    post(at_alice, export=export)
    again = Run.objects.get(kind=Kind.IMPORTED)
    assert again.simulated
    page = at_alice.get(at("run", again)).content.decode()
    assert "an export of this lab, imported" in page
    assert "our client’s clock" in page
    assert "vllm bench serve" not in page.partition("<main")[2]
    assert (
        "vllm bench serve"
        not in at_alice.get(
            reverse("lab:compare"), {"run": [run.slug, again.slug]}
        ).content.decode()
    )
    listed = at_alice.get(reverse("lab:runs")).content.decode()
    assert "an export of this lab, imported" in listed
    (pair,) = load_pairs(run.figures, again.figures)
    # The cast's summary is made up for other metrics.
    assert pair.pair("tpot_ms").ratio == pytest.approx(1)
    assert again.figures["4"]["values"]["ttft_ms"][0] == 201.5
    assert again.figures["4"]["spoiled"] == run.figures["4"]["spoiled"]
    assert again.report["levels"][0]["load"]["reached_users"] == 4
    assert b"secret" in export
    assert "secret" not in json.dumps(again.report)


def test_a_name_with_markup_or_nul_is_only_text(at_alice):
    post(at_alice, one=dumped(told(ONE, model_id="<b>\0</b>")))
    run = Run.objects.get()
    assert run.model == "<b>\ufffd</b>"
    assert "<b>\ufffd" not in at_alice.get(at("run", run)).content.decode()
