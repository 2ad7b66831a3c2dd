"""What every page's header says about the lab, read only when a template asks."""

from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from .endpoint import EndpointState
from .models import Run


def endpoint(request: HttpRequest) -> dict[str, object]:
    """`endpoint`: false for strangers, and when there is none to speak of."""

    def state() -> EndpointState | bool:
        # The page that says "the database is away" has a header, too.
        try:
            user = getattr(request, "user", None)
            known = user is not None and user.is_authenticated
            return known and Run.objects.endpoint_state(timezone.now())
        except DatabaseError:
            return False

    return {"endpoint": SimpleLazyObject(state)}
