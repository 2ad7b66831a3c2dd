"""The linter as a command: `python -m interview.cards check [PATH…]`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from interview.cards import claimrules, houserules, rules
from interview.cards.check import check
from interview.cards.problem import Problem, has_errors

ROOT = Path(__file__).resolve().parents[2]
_KINDS = {
    rules.PLANNED: "planned references",
    rules.NOT_CITED: "sources that nothing cites",
    claimrules.NOT_REFUTED: "wrong answers that no claim is against",
    houserules.BARE_NUMBER: "numbers that stand on nothing",
    houserules.READING_LENGTH: "texts too short or too long",
    houserules.REPEATED_QUESTION: "follow-ups that repeat a question",
}


def main(
    arguments: Sequence[str] | None = None, prog: str = "python -m interview.cards"
) -> int:
    """Exit status 0 without errors, 1 with some, 2 for bad usage."""
    parser = _parser(prog)
    options = parser.parse_args(arguments)
    missing = [path for path in options.paths if not path.exists()]
    if missing:
        parser.error(f"{missing[0]} does not exist.")
    files = [path for path in options.paths if path.is_file()]
    stray = [file for file in files if not _within(file, ROOT / "content")]
    if stray:
        parser.error(f"{stray[0]} is not in content/: name its content folder.")
    problems = problems_under(options.paths)
    if options.json:
        print(as_json(problems))
    else:
        print(as_text(problems, notices=options.notices))
    return 1 if has_errors(problems) else 0


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=prog)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("check", help="lint the content")
    command.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="files or folders to report on; a folder outside content/ is private",
    )
    command.add_argument("--notices", action="store_true", help="list notices too")
    command.add_argument("--json", action="store_true", help="all problems as JSON")
    return parser


def problems_under(paths: Sequence[Path]) -> list[Problem]:
    """The problems in these files and folders; in all of content/ when none."""
    content = _from_here(ROOT / "content")
    inside = [path for path in paths if _within(path, content)]
    outside = [path for path in paths if path.is_dir() and path not in inside]
    drawings = (ROOT / "templates" / "figures").glob("*.svg")
    figures = {path.stem for path in drawings} or None
    problems = check([content, *outside], figures=figures)
    if not paths:
        return problems
    return [p for p in problems if any(_within(Path(p.path), path) for path in paths)]


def _from_here(path: Path) -> Path:
    """The short way to name it, when it lies below the current folder."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _within(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def as_json(problems: Sequence[Problem]) -> str:
    return json.dumps([p.as_json() for p in problems], ensure_ascii=False, indent=2)


def as_text(problems: Sequence[Problem], *, notices: bool) -> str:
    """A line for each error, then for each notice if asked, then how many there are."""
    errors = [problem for problem in problems if has_errors([problem])]
    others = [problem for problem in problems if not has_errors([problem])]
    count = f"{len(errors)} errors, {len(others)} notices"
    if others and not notices:
        kinds = {_KINDS.get(problem.rule, problem.rule.name) for problem in others}
        count += f" ({', '.join(sorted(kinds))}); --notices lists them"
    return "\n".join([*map(str, errors + (others if notices else [])), count])


if __name__ == "__main__":
    sys.exit(main())
