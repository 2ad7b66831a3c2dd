"""Names of vLLM that code in a text writes, and whether this version has them.

The names are in engine.toml, which enginelist makes from the real package.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from interview.cards.form import nearest
from interview.cards.problem import Notes
from interview.cards.tables import read_toml

_FLAG = re.compile(r"(?:^|(?<=\s))--[A-Za-z][\w-]*")
_METRIC = re.compile(r"vllm:[a-z]\w*\*?")
_SUFFIX = re.compile(r"_(?:total|bucket|sum|count|created)$")
_PATH = re.compile(
    r"(?:(?P<verb>GET|POST|PUT|DELETE) )?(?P<path>/[\w./{}-]+)(?:\?\S*)?"
)
_OURS = re.compile(r"/v\d+(?:/.*)?|/[a-z_]+(?:\.json)?")
_LOCAL = re.compile(r"https?://(?:localhost|127\.0\.0\.1)(?::\d+)?(/[\w./-]*)")
_VLLM = re.compile(r"(?:^|[;&|]|\bdo\b)\s*(?:\w+=\S*\s+)*vllm\s(?P<rest>[^;&|]*)", re.M)
_SHELLS = ("sh", "bash", "console")


@dataclass(frozen=True, slots=True)
class Unknown:
    kind: str
    """flag, metric or endpoint."""
    name: str
    nearest: str


@dataclass(frozen=True, slots=True)
class EngineNames:
    """Without names nothing is unknown."""

    engine: str = ""
    flags: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    endpoints: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    """Flags and paths of other programs."""

    def in_span(self, code: str) -> Iterator[Unknown]:
        """A span that begins with another program's name has that program's flags."""
        if code.startswith(("--", "vllm ")):
            yield from self._flags(code)
        yield from self._metrics(code)
        found = _PATH.fullmatch(code)
        if found and (found["verb"] or _OURS.fullmatch(found["path"])):
            yield from self._path(found["path"])

    def in_fence(self, code: str, language: str) -> Iterator[Unknown]:
        """Flags of the `vllm` commands of a shell, metrics, paths on this machine."""
        yield from self._metrics(code)
        if language in _SHELLS:
            for command in _VLLM.finditer(code.replace("\\\n", "  ")):
                yield from self._flags(command["rest"])
            for path in _LOCAL.findall(code):
                yield from self._path(path)

    def _flags(self, code: str) -> Iterator[Unknown]:
        for name in _FLAG.findall(code):
            # argparse of vLLM reads both spellings, and --config.key as JSON.
            known = name.replace("_", "-") in self.flags or name in self.others
            yield from self._missing("flag", name, known, self.flags)

    def _metrics(self, code: str) -> Iterator[Unknown]:
        for name in _METRIC.findall(code):
            start = name.rstrip("*")
            known = {start, _SUFFIX.sub("", start)} & self.metrics or (
                start != name
                and any(metric.startswith(start) for metric in self.metrics)
            )
            yield from self._missing("metric", name, bool(known), self.metrics)

    def _path(self, path: str) -> Iterator[Unknown]:
        known = path in self.others or any(
            _leads(path, endpoint) for endpoint in self.endpoints
        )
        yield from self._missing("endpoint", path, known, self.endpoints)

    def _missing(
        self, kind: str, name: str, known: bool, names: Collection[str]
    ) -> Iterator[Unknown]:
        if names and not known:
            yield Unknown(kind, name, nearest(name, names))


def _leads(path: str, endpoint: str) -> bool:
    """Whether the path is the endpoint, or the start of it such as /v1."""
    given = path.strip("/").split("/")
    there = endpoint.strip("/").split("/")
    pairs = zip(given, there, strict=False)
    return len(given) <= len(there) and all(g == t or "{" in t for g, t in pairs)


def read_engine(text: str, others: Collection[str], notes: Notes) -> EngineNames:
    table = read_toml(text, notes)
    return EngineNames(
        engine=str(table.get("engine", "vLLM")),
        flags=frozenset(table.get("flags", ())),
        metrics=frozenset(table.get("metrics", ())),
        endpoints=frozenset(table.get("endpoints", ())),
        others=frozenset(others),
    )
