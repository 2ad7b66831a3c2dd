"""Every numbered rule against a file that breaks it and says where."""

import json
import re
import shutil
from pathlib import Path

import pytest

from interview.cards import __main__ as command
from interview.cards.check import check
from interview.cards.problem import Severity
from interview.cards.rules import ALL

HERE = Path(__file__).parent
GOOD = HERE / "content"
CASES = sorted(path for path in (HERE / "broken").iterdir() if path.is_dir())
FIGURES = {"two-loads"}


@pytest.fixture
def content(tmp_path):
    return Path(shutil.copytree(GOOD, tmp_path / "content"))


def expected(case):
    """What the comments `# expect: C201 13:9, C201 35:23` in a case's files say."""
    for file in case.rglob("*.*"):
        text = file.read_bytes().decode(errors="replace")
        comment = re.search(r"^# expect: (.*)$", text, re.MULTILINE)
        for code, line, column in re.findall(r"(C\d+) (\d+):(\d+)", comment[1]):
            path = file.relative_to(case).as_posix()
            yield path, int(line), int(column), code


def found(root, problems):
    for problem in problems:
        path = Path(problem.path).relative_to(root).as_posix()
        yield path, *problem.place, problem.rule.code


def test_the_good_content_has_no_problem(content):
    assert check([content], figures=FIGURES) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_file_gives_exactly_the_problems_it_names(case, content):
    shutil.copytree(case, content, dirs_exist_ok=True)
    problems = check([content], figures=FIGURES)
    assert list(found(content, problems)) == sorted(expected(case))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_draft_alone_has_the_problems_of_its_file_among_all(case, content):
    shutil.copytree(case, content, dirs_exist_ok=True)
    problems = check([content], figures=FIGURES)
    for file in content.glob("cards/*/*.md"):
        try:
            drafts = {file: file.read_text("utf-8-sig")}
        except UnicodeDecodeError:
            continue
        alone = check([content], figures=FIGURES, drafts=drafts, only_drafts=True)
        assert alone == [p for p in problems if p.path == file.as_posix()]


def test_every_rule_has_a_broken_file():
    named = {code for case in CASES for _, _, _, code in expected(case)}
    assert named == set(ALL)


def test_a_case_is_named_after_the_rule_it_shows():
    for case in CASES:
        code, _, name = case.name.partition("-")
        assert ALL[code].name == name


def test_messages_are_filled_in(content):
    for case in CASES:
        shutil.copytree(case, content, dirs_exist_ok=True)
    for problem in check([content], figures=FIGURES):
        filled = problem.message.replace("{{ ", "").replace(" }}", "")
        assert "{" not in filled or "{#" in filled
        assert not re.search(r"\{\w", problem.rule.hint)


def test_problems_come_in_the_order_of_files_and_lines(content):
    shutil.copytree(HERE / "broken" / "C301-bad-quote", content, dirs_exist_ok=True)
    shutil.copytree(HERE / "broken" / "C501-bad-table", content, dirs_exist_ok=True)
    problems = list(found(content, check([content], figures=FIGURES)))
    assert problems == sorted(problems)
    assert len(problems) == 3


def test_an_unknown_figure_passes_where_figures_are_not_known(content):
    shutil.copytree(
        HERE / "broken" / "C208-unknown-figure", content, dirs_exist_ok=True
    )
    assert check([content]) == []


def test_the_same_mistake_twice_has_two_places(content):
    path = content / "cards" / "basics" / "first-card.md"
    text = path.read_text().replace("One budget.", "[a](x) [a](x)\n[a](x)")
    path.write_text(text)
    places = [p.place for p in check([content]) if p.rule.code == "C210"]
    line = text.split("\n").index("[a](x) [a](x)") + 1
    assert places == [(line, 5), (line, 12), (line + 1, 5)]


def test_headings_in_prose_have_ids_of_their_own(content):
    path = content / "cards" / "basics" / "first-card.md"
    text = path.read_text().replace("### Prefill", "### Prefill {#same a=b}")
    path.write_text(text.replace("### Decode", "### Decode {#same}\n\n### X {#A B}"))
    found = [(p.rule.code, p.place.column) for p in check([content])]
    assert found == [("C112", 20), ("C108", 13), ("C112", 7)]


def test_the_prose_of_claims_is_checked(content):
    path = content / "experiments" / "one-request.md"
    text = path.read_text().replace("The *wait* is long.", "The [wait](x) is <b>long.")
    path.write_text(text.replace("holds the prefill [V:SCH-1]", "{{ x }} [V:SCH-9]"))
    found = [(p.rule.code, p.place.column) for p in check([content])]
    assert found == [("C210", 16), ("C401", 22), ("C301", 4), ("C204", 13)]


def test_a_claim_whose_id_left_the_content_is_noted(content):
    gone = content / "gone.toml"
    gone.write_text(
        '["one-request/long"]\nsince = "2026.10"\nreason = "It was measured wrong."\n'
    )
    (problem,) = check([content], figures=FIGURES)
    assert (problem.rule.code, problem.place.column) == ("C014", 25)


def test_a_reference_to_a_broken_card_is_no_second_problem(content):
    path = content / "cards" / "basics" / "first-card.md"
    path.write_text(path.read_text().replace("minutes: 6", "minutes: six"))
    assert [problem.rule.code for problem in check([content])] == ["C007"]


def test_a_fact_is_unique_over_all_folders(content, tmp_path):
    private = tmp_path / "private"
    private.mkdir()
    (private / "sources.toml").write_text(
        '["V:SCH-1"]\nsays = "Otherwise."\norigin = "Nowhere."\n'
    )
    (problem,) = check([content, private])
    assert (problem.rule.code, problem.place) == ("C011", (1, 3))


def test_a_ratio_to_nothing_is_no_ratio(content):
    path = content / "cards" / "basics" / "first-card.md"
    for rows in ("users=1 / users=16", "users=16 / users=16"):
        quote = f"{{{{ ratio:loads {rows} output_tokens_per_s }}}}"
        text = path.read_text().replace("It writes one token a step.", quote)
        problems = check([content], drafts={path: text})
        assert [problem.rule.code for problem in problems] == ["C302"]


def test_a_kit_only_card_may_lie_in_a_private_folder(content, tmp_path):
    private = tmp_path / "private"
    shutil.copytree(HERE / "broken" / "C013-kit-only-in-public", private)
    assert check([content, private], figures=FIGURES) == []


def test_an_id_is_unique_over_all_folders(content, tmp_path):
    private = tmp_path / "private" / "cards"
    shutil.copytree(content / "cards", private)
    codes = [problem.rule.code for problem in check([content, tmp_path / "private"])]
    assert codes == ["C011", "C011"]


def test_a_draft_is_checked_as_if_it_were_saved(content):
    path = content / "cards" / "basics" / "first-card.md"
    draft = path.read_text().replace("minutes: 6", "minutes: six")
    problems = check([content], drafts={path: draft})
    assert [(p.rule.code, p.place.line) for p in problems] == [("C007", 6)]
    new = content / "cards" / "basics" / "new-card.md"
    problems = check([content], drafts={new: path.read_text()})
    assert [problem.rule.code for problem in problems] == ["C010"]


@pytest.fixture
def project(content, monkeypatch):
    monkeypatch.chdir(content.parent)
    monkeypatch.setattr(command, "ROOT", content.parent)
    return content


def test_the_command_says_where_and_exits_with_1(project, capsys):
    shutil.copytree(HERE / "broken" / "C012-unknown-word", project, dirs_exist_ok=True)
    assert command.main(["check"]) == 1
    output = capsys.readouterr().out
    assert "content/cards/basics/broken.md:5:10: C012 error: “basic”" in output
    assert "did you mean “basics”?" in output
    assert output.endswith("1 errors, 0 notices\n")


def test_notices_alone_exit_with_0(project, capsys):
    shutil.copytree(
        HERE / "broken" / "C205-planned-reference", project, dirs_exist_ok=True
    )
    assert command.main(["check"]) == 0
    output = capsys.readouterr().out
    assert output == (
        "0 errors, 2 notices (planned references); --notices lists them\n"
    )


def test_notices_are_listed_behind_the_errors_when_asked(project, capsys):
    for case in ("C205-planned-reference", "C501-bad-table"):
        shutil.copytree(HERE / "broken" / case, project, dirs_exist_ok=True)
    command.main(["check", "--notices"])
    lines = capsys.readouterr().out.splitlines()
    kinds = ["error" if " error: " in line else "notice" for line in lines[:-1]]
    assert kinds == sorted(kinds)
    assert set(kinds) == {"error", "notice"}
    errors = kinds.count("error")
    assert lines[-1] == f"{errors} errors, {len(kinds) - errors} notices"


def test_json_has_the_notices_without_asking(project, capsys):
    case = HERE / "broken" / "C205-planned-reference"
    shutil.copytree(case, project, dirs_exist_ok=True)
    command.main(["check", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [problem["severity"] for problem in found] == ["notice", "notice"]


def test_every_kind_of_notice_has_its_words():
    notices = {rule for rule in ALL.values() if rule.severity is Severity.NOTICE}
    assert notices == set(command._KINDS)


def test_help_names_the_program_that_was_started(capsys):
    for words in (["-h"], ["check", "-h"]):
        with pytest.raises(SystemExit):
            command.main(words, prog="manage.py cards")
        assert capsys.readouterr().out.startswith("usage: manage.py cards ")


def test_it_works_from_any_folder(project, monkeypatch, tmp_path_factory, capsys):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    monkeypatch.chdir(elsewhere)
    shutil.copytree(HERE / "broken" / "C012-unknown-word", project, dirs_exist_ok=True)
    assert command.main(["check"]) == 1
    assert f"{project}/cards/basics/broken.md:5:10" in capsys.readouterr().out


def test_the_command_writes_json(project, capsys):
    shutil.copytree(HERE / "broken" / "C012-unknown-word", project, dirs_exist_ok=True)
    command.main(["check", "--json"])
    (problem,) = json.loads(capsys.readouterr().out)
    assert problem["path"] == "content/cards/basics/broken.md"
    assert (problem["line"], problem["column"]) == (5, 10)
    assert (problem["rule"], problem["severity"]) == ("C012", "error")
    assert problem["hint"]


def test_a_path_narrows_the_report(project, capsys):
    shutil.copytree(HERE / "broken" / "C012-unknown-word", project, dirs_exist_ok=True)
    assert command.main(["check", "content/manual"]) == 0
    assert command.main(["check", "content/cards/basics/broken.md"]) == 1
    capsys.readouterr()


def test_a_path_that_is_not_there_is_a_usage_error(project, capsys):
    with pytest.raises(SystemExit) as stop:
        command.main(["check", "contents"])
    assert stop.value.code == 2
    assert "contents does not exist" in capsys.readouterr().err
