"""Prints content/engine.toml: the names of flags, metrics and endpoints of a vLLM.

It runs by itself, in the environment that vLLM is installed in, and knows no cards:
`/path/to/vllm/bin/python -P interview/cards/enginelist.py > content/engine.toml`.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

_COMMANDS = ("serve", "launch", "openai", "run_batch", "benchmark.main", "collect_env")
_SHELLS = "vllm.entrypoints.cli."
_ROUTES = {"get", "post", "put", "delete", "websocket", "mount", "Mount"}
_METRIC = re.compile(r"vllm:[a-z][a-z0-9_]*[a-z0-9]")
_FASTAPI = ("/docs", "/redoc", "/openapi.json")
_HEAD = """\
# The names of vLLM {version} ({package}) that cards and manual may write.
#
# Flags come from the parsers of `vllm` and its subcommands, metrics and endpoints from
# its source: texts that look like one, and the paths of routes. Made, never edited:
# /path/to/vllm/bin/python -P interview/cards/enginelist.py > content/engine.toml

engine = "vLLM {version}"
"""


def flags() -> set[str]:
    """Long options of `vllm` and all its subcommands."""
    parser_class = import_module("vllm.utils.argparse_utils").FlexibleArgumentParser
    parser = parser_class(prog="vllm")
    # The parsers of `vllm bench` are only made when it is the command.
    sys.argv = ["vllm", "bench"]
    commands = parser.add_subparsers()
    for name in _COMMANDS:
        for command in import_module(_SHELLS + name).cmd_init():
            command.subparser_init(commands)
    return {"--version", *_options(parser)}


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (name for name in action.option_strings if name.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from _options(inner)


def endpoints(package: Path) -> set[str]:
    """Paths that a router of the server, or a mount, is given."""
    calls = (n for n in _nodes(package / "entrypoints") if isinstance(n, ast.Call))
    found = {
        str(call.args[0].value)
        for call in calls
        if _name(call.func) in _ROUTES
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    paths = {path for path in found if path.startswith("/") and path != "/static"}
    return {*paths, *_FASTAPI}


def metrics(package: Path) -> set[str]:
    """Names as the source writes them: a counter without its `_total`."""
    texts = (n.value for n in _nodes(package) if isinstance(n, ast.Constant))
    return {str(text) for text in texts if _METRIC.fullmatch(str(text))}


def _nodes(folder: Path) -> Iterator[ast.AST]:
    for path in sorted(folder.rglob("*.py")):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def _name(function: ast.expr) -> str:
    """What is called, without what it belongs to."""
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _listed(key: str, names: set[str]) -> str:
    lines = "".join(f'    "{name}",\n' for name in sorted(names))
    return f"{key} = [\n{lines}]\n"


def main() -> None:
    package = Path(str(import_module("vllm").__file__)).parent
    about = {"version": version("vllm").split("+")[0], "package": version("vllm")}
    print(_HEAD.format(**about))
    print(_listed("flags", flags()))
    print(_listed("metrics", metrics(package)))
    print(_listed("endpoints", endpoints(package)), end="")


if __name__ == "__main__":
    main()
