"""Profiles of machines and models read from TOML, and found again by name.

Matching is by listed names alone: a guess would draw a wrong limit.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from .accelerator import Accelerator
from .architecture import Model

SIMULATED = "-simulated"
GB = 1e9
SIZES = (
    "layers",
    "hidden",
    "query_heads",
    "kv_heads",
    "head_dim",
    "mlp_width",
    "vocabulary",
    "max_positions",
)


class ProfileError(ValueError):
    """A file of profiles cannot be used; the sentence names the file and the key."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Profiles under each of their names, in small letters."""

    machines: Mapping[str, Accelerator] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)

    def machine(self, name: str) -> Accelerator | None:
        """By a listed name; capitals and spaces around it do not matter."""
        return self.machines.get(key_of(name))

    def model(self, served: str) -> Model | None:
        """By a listed name, with or without organisation and `-simulated`."""
        return self.models.get(key_of(served).removesuffix(SIMULATED))

    def over(self, other: Self) -> "Catalogue":
        """Both, with this one's profile where a name is in both."""
        machines = {**other.machines, **self.machines}
        return Catalogue(machines, {**other.models, **self.models})


def key_of(name: str) -> str:
    return name.strip().lower()


def read_catalogue(path: Path) -> Catalogue:
    """The profiles in the file; raises ProfileError when it cannot be used."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(f"{path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{path} is no TOML: {error}.") from error
    for key in document.keys() - {"machine", "model"}:
        raise ProfileError(
            f"{path}: “{key}” is unknown. Write [[machine]] and [[model]] tables."
        )
    machines: dict[str, Accelerator] = {}
    models: dict[str, Model] = {}
    for entry in entries(document, "machine", path):
        add(machines, entry.names(), entry.machine(), entry)
    for entry in entries(document, "model", path):
        listed = entry.names()
        bare = [name.rpartition("/")[2] for name in listed]
        add(models, list(dict.fromkeys(listed + bare)), entry.model(), entry)
    return Catalogue(machines, models)


def entries(document: Mapping[str, Any], kind: str, path: Path) -> list["Entry"]:
    tables = document.get(kind, [])
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise ProfileError(f"{path}: “{kind}” is no list. Write [[{kind}]] tables.")
    return [Entry(t, f"{path}: {kind} {i}") for i, t in enumerate(tables, 1)]


def add[T](found: dict[str, T], names: list[str], profile: T, entry: "Entry") -> None:
    for name in names:
        if name in found:
            raise entry.error("names", f"has “{name}”, which an earlier one has too")
        found[name] = profile


@dataclass(frozen=True, slots=True)
class Entry:
    """One table of the file, read key by key."""

    table: Mapping[str, Any]
    where: str

    def error(self, key: str, what: str) -> ProfileError:
        name = self.table.get("name")
        named = f" ({name})" if isinstance(name, str) else ""
        return ProfileError(f"{self.where}{named}: the key “{key}” {what}.")

    def machine(self) -> Accelerator:
        self.only("bandwidth_gb_per_s", "memory_gb")
        memory = self.gb("memory_gb") if "memory_gb" in self.table else None
        return Accelerator(
            name=self.text("name"),
            peak_bytes_per_s=self.gb("bandwidth_gb_per_s"),
            memory_bytes=None if memory is None else int(memory),
        )

    def model(self) -> Model:
        self.only(*SIZES, "experts", "active_experts", "qk_norm")
        experts = self.whole("experts") if "experts" in self.table else 0
        active = self.whole("active_experts") if experts else 0
        if active > experts:
            raise self.error("active_experts", f"is more than the {experts} experts")
        sizes = {key: self.whole(key) for key in SIZES}
        qk_norm = self.table.get("qk_norm", False)
        if not isinstance(qk_norm, bool):
            raise self.error("qk_norm", "is neither true nor false")
        return Model(
            name=self.text("name"),
            experts=experts,
            active_experts=active,
            qk_norm=qk_norm,
            **sizes,
        )

    def names(self) -> list[str]:
        others = self.table.get("names", [])
        if not isinstance(others, list) or not all(isinstance(n, str) for n in others):
            raise self.error("names", 'is no list of names. Write ["one", "another"]')
        return list(dict.fromkeys(map(key_of, [self.text("name"), *others])))

    def only(self, *known: str) -> None:
        allowed = {"name", "names", "source", *known}
        for key in self.table.keys() - allowed:
            raise self.error(key, f"is unknown; known are {', '.join(sorted(allowed))}")

    def text(self, key: str) -> str:
        value = self.needed(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, "is no text")
        return value.strip()

    def whole(self, key: str) -> int:
        value = self.needed(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.error(key, f"is {value!r}; write a whole number from 1")
        return value

    def gb(self, key: str) -> float:
        """10^9 bytes, or bytes per second."""
        value = self.needed(key)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 < value < 1e9:
            raise self.error(key, f"is {value!r}; write a number of GB above 0")
        return float(value * GB)

    def needed(self, key: str) -> Any:
        if key not in self.table:
            raise self.error(key, "is missing. Add it")
        return self.table[key]
