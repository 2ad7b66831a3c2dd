"""What a room begins with: a card, an experiment or a run, where one is named."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from interview.accounts.models import User

from .. import content
from ..errors import LabError
from ..models import Run
from ..pages import run_title


class NothingThere(LabError):
    """What a room shall begin with is not there, or may not come into a room."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One of the three at most."""

    card: str = ""
    experiment: str = ""
    run: Run | None = None
    title: str = ""
    """Of what is set; "" of none."""

    @classmethod
    def of(cls, person: User, query: Mapping[str, Any]) -> Self:
        """From a form or an address; raises NothingThere."""
        card, experiment = query.get("card", ""), query.get("experiment", "")
        if slug := query.get("run", ""):
            return cls._of_run(person, slug)
        if card:
            found = content.card(None, card)
            if found is None:
                raise NothingThere(f"No published card has the id “{card}”.")
            return cls(card=card, title=found.title_text)
        if experiment:
            shown = content.experiment(experiment)
            if shown is None or not shown.written:
                raise NothingThere(f"No experiment has the id “{experiment}”.")
            return cls(experiment=experiment, title=shown.title)
        return cls()

    @classmethod
    def _of_run(cls, person: User, slug: str) -> Self:
        run = Run.objects.visible_to(person).named(slug).first()
        if run is None:
            raise NothingThere("None of your runs has this address.")
        asked = run.asked
        card = content.card(None, asked.card or "")
        if asked.card and card is None:
            raise NothingThere("This run asks a card that may not come into a room.")
        experiment = content.experiment(asked.experiment or "")
        return cls(run=run, title=run_title(asked, card, experiment))

    @property
    def fields(self) -> dict[str, str]:
        """What a form has to send on."""
        told = {"card": self.card, "experiment": self.experiment}
        told["run"] = self.run.slug if self.run else ""
        return {name: value for name, value in told.items() if value}
