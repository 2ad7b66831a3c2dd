"""What the forms beside a kit do: each may come twice, and does it once."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from interview.accounts.access import person
from interview.web.content import library

from ..access import for_interviewers, may_edit_kit, own_kit, readable_kit
from ..errors import BankError
from ..models import CardState, Kit
from .forms import CopyForm, RedrawForm, VoidForm
from .places import see, to_kit, to_version
from .views import DRAWN, kit_page, numbered, version_page


@require_POST
@for_interviewers
def draw(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """A fair set takes the place of the questions."""
    found = own_kit(request, kit_id)
    form = RedrawForm(library(), request.POST, prefix="draw")
    lines = form.lines(CardState.objects.leaked()) if form.is_valid() else []
    if not lines:
        return kit_page(request, found, draw_form=form, status=422)
    try:
        form.save(found, lines, timezone.now())
    except BankError as error:
        form.add_error(None, str(error))
        return kit_page(request, found, draw_form=form, status=409)
    messages.success(request, DRAWN.format(form.used_seed))
    return see(to_kit(found))


@require_POST
@for_interviewers
def share(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """Field `shared`: "1" lets colleagues read it, anything else does not."""
    found = own_kit(request, kit_id)
    found.share(request.POST.get("shared") == "1")
    return see(to_kit(found, "about"))


@require_POST
@for_interviewers
def retire(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """Field `retired`: "1" takes it out of use, anything else back."""
    found = own_kit(request, kit_id)
    found.retire(timezone.now() if request.POST.get("retired") == "1" else None)
    return see(to_kit(found, "about"))


@require_POST
@for_interviewers
def duplicate(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """A kit of one's own, of any that one may read."""
    found, form = readable_kit(request, kit_id), CopyForm(request.POST, prefix="copy")
    if not form.is_valid():
        return copy_again(request, found, form)
    given = form.cleaned_data
    try:
        made = found.duplicate(
            person(request), given["title"], timezone.now(), given["key"]
        )
    except BankError as error:
        form.add_error(None, str(error))
        return copy_again(request, found, form)
    return see(to_kit(made))


def copy_again(request: HttpRequest, found: Kit, form: CopyForm) -> HttpResponse:
    if may_edit_kit(request, found):
        return kit_page(request, found, copy_form=form, status=422)
    return version_page(request, found, found.latest, copy_form=form, status=422)


@require_POST
@for_interviewers
def void(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """A question counts for nobody who was asked this version, or counts again."""
    found, form = own_kit(request, kit_id), VoidForm(request.POST)
    is_valid = form.is_valid()
    number = form.cleaned_data.get("number")
    version = numbered(found, number) if number else found.latest
    if is_valid:
        position = form.cleaned_data["position"]
        try:
            version.void(position, form.reason_given, person(request), timezone.now())
        except BankError as error:
            form.add_error(None, str(error))
        else:
            return see(to_version(version, position))
    return version_page(request, found, version, void_form=form, status=422)
