"""Who measured a run, and what that tool says of its numbers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..models.status import Kind

if TYPE_CHECKING:
    from ..models import Run

OURS = "this lab"
VLLM = "vllm bench serve"
CHAT = "openai-chat"


def tool_of(run: "Run") -> str:
    """An export of this lab that was imported is still measured by this lab."""
    return str(imports_of(run).get("tool") or VLLM) if is_import(run) else OURS


def over_chat(run: "Run") -> bool:
    """Its files say that vLLM's benchmark measured through `openai-chat`."""
    return tool_of(run) == VLLM and CHAT in backends_of(run)


def backend_of(run: "Run") -> str | None:
    """Of the files of an import, where they say one."""
    told = backends_of(run)
    return told[0] if len(set(told)) == 1 else None


def backends_of(run: "Run") -> list[str | None]:
    return [file.get("backend") for file in imports_of(run).get("files") or ()]


def imported_from(run: "Run") -> str:
    """What a line says of an imported run; "" of one that was measured here."""
    if not is_import(run):
        return ""
    if tool_of(run) == OURS:
        return f"an export of {OURS}, imported"
    return f"imported from {VLLM}"


def is_import(run: "Run") -> bool:
    return bool(run.kind == Kind.IMPORTED)


def imports_of(run: "Run") -> Mapping[str, Any]:
    """Of a listed run, whose report is not read, as annotated."""
    if hasattr(run, "imports"):
        found: Mapping[str, Any] | None = run.imports
    else:
        found = (run.report or {}).get("imported")
    return found or {}
