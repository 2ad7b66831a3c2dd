"""From a filled form to a queued run, whichever way the form was filled."""

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.utils import timezone

from interview.accounts.models import User

from .. import content
from ..errors import LabError, OverCap
from ..models import Run
from ..runs.gathering import NEEDS_ROOM
from .forms import RunForm


def ask(person: User, form: RunForm) -> Run | None:
    """Queue what the form asks; None when it has errors, which then say why.

    The code of an error that comes from a cap is the name of its setting.
    """
    if not form.is_valid():
        return None
    named = form.cleaned_data.get("card", "")
    card = content.card(person, named)
    if named and card is None:
        form.add_error("card", f"No card has the id “{named}”.")
        return None
    spec = form.spec(content.question_of(card))
    if spec.gathers:
        form.add_error(None, NEEDS_ROOM)
        return None
    try:
        return Run.objects.queue(person, spec, timezone.now(), form.guesses())
    except LabError as refused:
        cap = refused.cap if isinstance(refused, OverCap) else None
        form.add_error(None, ValidationError(str(refused), code=cap))
        return None


def refusals(form: RunForm) -> dict[str, list[str]]:
    """Sentences by field; "run" has those of the run as a whole."""
    return {
        "run" if name == NON_FIELD_ERRORS else name: [str(error) for error in errors]
        for name, errors in form.errors.items()
    }


def cap_of(form: RunForm) -> str | None:
    """The setting of the first cap that refused; None when no cap did."""
    codes = (e.code for errors in form.errors.as_data().values() for e in errors)
    return next((code for code in codes if code and code.startswith("LAB_")), None)
