"""The words that front matter may use: roles, topics, competences, levels."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    slug: str
    title: str
    summary: str = ""

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Each mapping goes from slug to word, in the order of the file."""

    roles: Mapping[str, Word] = field(default_factory=dict)
    topics: Mapping[str, Word] = field(default_factory=dict)
    competences: Mapping[str, Word] = field(default_factory=dict)
    levels: Mapping[str, Word] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fact:
    """One citable fact of sources.toml."""

    id: str
    says: str
    origin: str
