"""The manual's stacked bars: which columns of a result are drawn, and in what words.

It reads no files and draws nothing itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .numbers import counted, number
from .stacks import Part, Row, stack

Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StackFigure:
    label: str
    title: str
    unit: str
    first: str
    """The head of the column that names the bars."""
    last: str
    """The head of the column with their notes."""
    parts: tuple[tuple[str, str, str], ...]
    """Column of the result, kind of filling, name of the part."""
    name: Callable[[Cells], str]
    note: Callable[[Cells], str]
    sentence: str
    """The caption of a figure that content gives none."""
    decimals: int = 0
    limit: tuple[str, str] | None = None
    """Column and name of what no bar may exceed."""

    def context(
        self, rows: Sequence[Cells], about: Mapping[str, str]
    ) -> dict[str, Any]:
        """What `figures/stack.html` shows; without a shape when there are no rows."""
        bars = [Row(self.name(row), self.note(row), self._parts(row)) for row in rows]
        limit = float(rows[0][self.limit[0]]) if self.limit and rows else None
        return {
            "label": self.label,
            "title": self.title,
            "unit": self.unit,
            "first": self.first,
            "last": self.last,
            "sentence": self.sentence,
            "decimals": self.decimals,
            "limit_name": self.limit[1] if self.limit else "",
            "key": [Part(kind, name, 0) for _, kind, name in self.parts],
            "shape": stack(bars, limit=limit) if bars else None,
            "origin": about.get("origin", ""),
        }

    def _parts(self, row: Cells) -> list[Part]:
        return [
            Part(kind, name, float(row[column])) for column, kind, name in self.parts
        ]


def _users(row: Cells) -> str:
    return counted(int(row["users"]), "user")


def _bytes_note(row: Cells) -> str:
    gb, limit_ms = float(row["read_gb"]), float(row["limit_ms"])
    return f"{number(gb, 1)} GB, at least {number(limit_ms)} ms"


def _step_note(row: Cells) -> str:
    return f"{row['prompt_tokens']} of prompts, {row['decode_tokens']} decoding"


def _reuse_note(row: Cells) -> str:
    share = float(row["cached_tokens"]) / float(row["prompt_tokens"])
    return f"{number(100 * share)} % from the cache"


STACKS: Mapping[str, StackFigure] = MappingProxyType(
    {
        "memory-split": StackFigure(
            label="the memory of one machine",
            title="Where 121.6 GiB go",
            unit="GiB",
            first="Weights",
            last="For the KV cache",
            parts=(
                ("weights_gib", "dark", "weights"),
                ("other_gib", "grey", "activations and graphs, assumed"),
                ("kv_gib", "decode", "KV cache"),
                ("left_gib", "open", "left to everybody else"),
            ),
            name=lambda row: f"{row['bits']}-bit weights",
            note=lambda row: f"{number(float(row['kv_tokens']))} tokens of KV cache",
            sentence="What the weights do not take is room for users.",
            decimals=1,
        ),
        "prefix-reuse": StackFigure(
            label="the same seed again",
            title="Prompt tokens of three runs",
            unit="prompt tokens",
            first="Run",
            last="Share",
            parts=(
                ("computed_tokens", "prefill", "computed"),
                ("cached_tokens", "open", "found in the prefix cache"),
            ),
            name=lambda row: f"run {row['run']}, seed {row['seed']}",
            note=_reuse_note,
            sentence="A run with a seed that the server has seen measures its cache.",
        ),
        "decode-bytes": StackFigure(
            label="what one step reads",
            title="Bytes that a decode step reads",
            unit="GB",
            first="Users",
            last="In all",
            parts=(
                ("shared_gb", "dark", "attention, routers, norms"),
                ("head_gb", "grey", "output head"),
                ("experts_gb", "decode", "experts"),
                ("kv_gb", "open", "keys and values"),
            ),
            name=_users,
            note=_bytes_note,
            sentence="Divide a bar by the bandwidth, and you have the least time.",
            decimals=2,
        ),
        "step-budget": StackFigure(
            label="steps and their budget",
            title="Tokens of each step",
            unit="tokens in the step",
            first="Step",
            last="In words",
            parts=(
                ("prompt_tokens", "prefill", "tokens of prompts"),
                ("decode_tokens", "decode", "decoding, one token a request"),
            ),
            name=lambda row: f"step {row['step']}",
            note=_step_note,
            sentence="Who decodes takes one token; prompts fill what is left.",
            limit=("budget", "the budget"),
        ),
    }
)
