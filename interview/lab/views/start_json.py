"""A run asked for as JSON: 201 with where it stands, 422 with what is wrong."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone

from interview.web.numbers import number

from ..form.asking import ask, cap_of, refusals
from ..form.posted import NoDocument, document_of, form_of
from ..runs.standing import links, standing
from ..runs.visible import person


def start_json(request: HttpRequest) -> JsonResponse:
    try:
        document = document_of(request.body)
    except RequestDataTooBig:
        most = number(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        said = f"The body is too long: it may have {most} bytes at most."
        return refused({"body": [said]}, None, status=413)
    except NoDocument as wrong:
        return refused({"body": [str(wrong)]}, None, status=400)
    form, errors = form_of(document)
    if errors:
        return refused(errors, None, status=422)
    run = ask(person(request), form)
    if run is None:
        return refused(refusals(form), cap_of(form), status=422)
    return JsonResponse(
        {"slug": run.slug, **standing(run, timezone.now()), "links": links(run)},
        status=201,
        headers={"Location": reverse("lab:run", args=[run.slug])},
    )


def refused(
    errors: dict[str, list[str]], cap: str | None, *, status: int
) -> JsonResponse:
    return JsonResponse({"errors": errors, "cap": cap}, status=status)
