"""What the house asks of its texts: which numbers are founded, which names exist."""

import shutil
from pathlib import Path

import pytest

from interview.cards import enginelist
from interview.cards.check import check
from interview.cards.enginenames import EngineNames
from interview.cards.evidence import blocks, measures
from interview.cards.house import load_house
from interview.cards.markdown import parser
from interview.cards.reading import alike, sentences, word_count

GOOD = Path(__file__).parent / "content"
CONTENT = Path(__file__).parents[2] / "content"
NAMES = EngineNames(
    "vLLM",
    flags=frozenset({"--max-num-seqs"}),
    metrics=frozenset({"vllm:request_success", "vllm:spec_decode_num_drafts"}),
    endpoints=frozenset({"/metrics", "/v1/responses/{response_id}/cancel"}),
    others=frozenset({"/tmp"}),
)


@pytest.fixture
def content(tmp_path):
    return Path(shutil.copytree(GOOD, tmp_path / "content"))


def founded(markdown):
    return [b.founded for b in blocks(parser().parse(markdown)) if b.measures]


def names(code):
    return [unknown.name for unknown in NAMES.in_span(code)]


def test_the_content_of_this_repository_is_held_to_all_of_it():
    problems = []
    house = load_house(CONTENT, {}, problems)
    assert not problems
    assert set(house.words) == {"short_answer", "full_answer", "section"}
    assert house.reviewed
    assert house.least_expected == 8
    assert house.names.engine == "vLLM 0.31.0"
    assert len(house.names.flags) > 400
    assert {"/metrics", "/v1/chat/completions"} < house.names.endpoints
    assert "vllm:num_requests_running" in house.names.metrics


@pytest.mark.parametrize(
    "markdown",
    [
        "A step takes 32 ms [V:SCH-1].",
        "It is {{ result:x a=1 b }} ms, so 5 % more.",
        "8 × 4 ms are 32 ms.",
        "Assume a step of 32 ms.",
        "Invented times:\n\n| Step | Time |\n|---|---|\n| 1 | 32 ms |",
        "| Step | Time |\n|---|---|\n| 1 | 32 ms |\n\nWe computed these.",
        "- With a budget of 8, 2 ÷ 4.\n- So it takes 32 ms.",
    ],
)
def test_a_number_is_founded_by(markdown):
    assert all(founded(markdown))


@pytest.mark.parametrize(
    "markdown",
    [
        "A step takes 32 ms.",
        "A step has a cost [V:SCH-1].\n\nIt takes 32 ms.",
        "- It takes 32 ms.\n- As 8 × 4 is 32.",
    ],
)
def test_a_number_is_not_founded_by(markdown):
    assert founded(markdown)[0] is False


def test_what_is_no_measure():
    text = "A prompt of 100 tokens, 3 GPUs, step 4, 2026-10-05, x20s and L4 ms"
    assert list(measures(text)) == []


def test_what_a_question_names_is_supposed():
    assert [m.text for m in measures("It is 2 ms. What if it were 3.5 ms?")] == ["2 ms"]


def test_a_measure_is_known_by_its_digits():
    (first, second) = measures("1,024 tokens per second, 1024 ms")
    assert (first.numeral, second.numeral) == ("1024", "1024")
    assert first.text == "1,024 tokens per second"


def test_a_counter_may_be_written_with_or_without_its_suffix():
    assert names("vllm:request_success") == names("vllm:request_success_total") == []
    assert names("sum(vllm:request_succes_total)") == ["vllm:request_succes_total"]
    assert names("vllm:spec_decode_*") == []


def test_a_flag_of_another_command_is_not_looked_up():
    assert names("uv pip install vllm --torch-backend=auto") == []
    assert names("--max-num-seqs=8 --max-seqs 3") == ["--max-seqs"]


def test_the_start_of_an_endpoint_and_its_parts_in_braces_exist():
    assert names("/v1") == names("POST /v1/responses/x7/cancel") == []
    assert names("/v1/responses/x7/stop") == ["/v1/responses/x7/stop"]


def test_paths_of_files_are_no_endpoints():
    assert names("/dev/shm") == names("/tmp") == names("a/b") == []


def test_without_names_nothing_is_unknown():
    assert list(EngineNames().in_span("--x vllm:y")) == []


def test_the_words_of_a_text_are_counted_without_its_markup():
    assert word_count("## A *b* [c](card:d) [V:SCH-1]\n\n| e | `f` |\n|---|--:|") == 5


def test_a_sentence_counts_from_eight_words_on():
    text = "Seven words are not enough for this. "
    text += "*Eight words* are enough for this rule here."
    assert [sentence for _, sentence, _ in sentences(text)] == [
        "Eight words are enough for this rule here."
    ]


def test_two_questions_are_alike_by_the_words_that_matter():
    assert alike("Why is decode slow?", "Why is it that decode is so slow?")
    assert not alike("Why is decode slow?", "Why does decode wait for memory?")
    assert not alike("What is TTFT?", "How is TTFT measured?")


def test_a_review_holds_until_a_word_of_the_card_changes(content):
    (content / "house.toml").write_text("reviewed = true\n")
    assert check([content]) == []
    path = content / "cards" / "basics" / "first-card.md"
    good = path.read_text()
    path.write_text(good.replace("One budget.", "One *budget*."))
    assert check([content]) == []
    path.write_text(good.replace("Users feel the gaps.", "Users feel gaps."))
    (problem,) = check([content])
    assert (problem.rule.code, Path(problem.path).name) == ("C708", "first-card.toml")


def test_a_private_card_needs_no_review(content, tmp_path):
    (content / "house.toml").write_text("reviewed = true\n")
    private = tmp_path / "private" / "cards" / "basics"
    private.mkdir(parents=True)
    text = (content / "cards" / "basics" / "first-card.md").read_text()
    text = text.replace("id: first-card", "id: own")
    (private / "own.md").write_text(text.replace(" experiment=one-request", ""))
    assert check([content, tmp_path / "private"]) == []


def test_the_totals_of_a_review_are_those_of_its_list(content):
    (content / "house.toml").write_text("reviewed = true\n")
    review = content / "reviews" / "first-card.toml"
    entry = '\n[[challenge]]\nsentence = "One."\ndoubt = "Two?"\noutcome = "upheld"\n'
    good = review.read_text()
    review.write_text(f"{good}challenged = 1\nupheld = 1\n{entry}")
    assert check([content]) == []
    review.write_text(f"{good}challenged = 1\nchanged = 1\n{entry}")
    (problem,) = check([content])
    assert (problem.rule.code, problem.place.line) == ("C501", 3)
    assert "“changed” is 1, but 0 are listed" in problem.message


def test_a_range_of_words_that_is_none_is_a_broken_table(content):
    (content / "house.toml").write_text("[words]\nsection = [9, 3]\n")
    assert [problem.rule.code for problem in check([content])] == ["C501"]


def test_the_names_of_an_engine_are_read_from_its_source(tmp_path):
    server = tmp_path / "entrypoints" / "server.py"
    server.parent.mkdir()
    server.write_text(
        '@router.post("/v1/x", dependencies=[])\ndef x(): ...\n'
        'app.mount("/static", files)\nopen("/etc/hosts")\nnames.get(path)\n'
    )
    (tmp_path / "stats.py").write_text(
        'Gauge(name="vllm:running")\nop("vllm::all_reduce")\n"vllm:kv_offload_"\n'
    )
    assert enginelist.endpoints(tmp_path) - {"/docs", "/redoc", "/openapi.json"} == {
        "/v1/x"
    }
    assert enginelist.metrics(tmp_path) == {"vllm:running"}
