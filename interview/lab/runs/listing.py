"""The list of runs: which of them are asked for, by the address's query."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from django.db.models import Q

from interview.accounts.models import User

from .. import content
from ..models import Kind, Run, Status
from ..models.runs import RunQuerySet

LONGEST_WORDS = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """What is "" or false leaves nothing out; nonsense counts as that."""

    status: str = ""
    kind: str = ""
    experiment: str = ""
    model: str = ""
    words: str = ""
    """Text of the prompt, the model or the experiment."""
    pinned: bool = False

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> Self:
        def one(name: str) -> str:
            return str(query.get(name, ""))[:LONGEST_WORDS].replace("\0", "").strip()

        status, kind = one("status"), one("kind")
        return cls(
            status=status if status in Status.values else "",
            kind=kind if kind in Kind.values else "",
            experiment=one("experiment"),
            model=one("model"),
            words=one("q"),
            pinned=one("pinned") == "1",
        )

    @property
    def query(self) -> dict[str, str]:
        """What of them an address has to say."""
        told = {
            "status": self.status,
            "kind": self.kind,
            "experiment": self.experiment,
            "model": self.model,
            "q": self.words,
            "pinned": "1" if self.pinned else "",
        }
        return {name: value for name, value in told.items() if value}

    def __bool__(self) -> bool:
        return self != Filters()

    def of_runs(self, runs: RunQuerySet) -> RunQuerySet:
        exact = {
            "status": self.status,
            "kind": self.kind,
            "spec__experiment": self.experiment,
            "model": self.model,
            "pinned": self.pinned,
        }
        found = runs.filter(**{name: value for name, value in exact.items() if value})
        if not self.words:
            return found
        return found.filter(
            Q(spec__prompt__icontains=self.words)
            | Q(spec__experiment__icontains=self.words)
            | Q(model__icontains=self.words)
        )


def filtered(person: User, query: Mapping[str, Any]) -> RunQuerySet:
    """The runs that this person sees and asks for, newest first."""
    return Filters.of(query).of_runs(Run.objects.visible_to(person).listed())


def choices(person: User) -> dict[str, Any]:
    """What the filters offer."""
    models = Run.objects.visible_to(person).order_by("model").distinct()
    return {
        "statuses": Status.values,
        "kinds": Kind.values,
        "experiments": [e for e in content.experiments() if e.written],
        "models": list(models.values_list("model", flat=True)),
    }
