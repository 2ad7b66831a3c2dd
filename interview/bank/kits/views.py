"""The pages of kits: the list, one to edit, a version to read, one to print."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.web.content import library
from interview.web.draw_form import a_chance
from interview.web.keys import uuid7
from interview.web.page import page
from interview.web.rendering import renderer_of

from ..access import for_interviewers, may_edit_kit, own_kit, readable_kit
from ..errors import BankError, Changed
from ..models import CardState, Kit, KitVersion, Line
from .editing import Editing, looked_for
from .forms import CopyForm, NewKitForm, RedrawForm, VoidForm
from .kit_page import KitPage
from .listing import KitList
from .places import see, to_kit
from .version_page import VersionPage

MOST_DIGITS = 6
"""Of a version's number in an address."""
ORDINARY_LEVEL = "L4"
DRAWN = "Drawn with seed {}: it draws the same set while the cards are the same."


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def kits(request: HttpRequest) -> HttpResponse:
    """`?retired=1` lists those that are out of use. POST begins a kit."""
    if request.method == "POST":
        return begin(request)
    first = {"key": uuid7(), "level": ORDINARY_LEVEL, "chance": a_chance()}
    return kits_page(request, NewKitForm(library(), initial=first))


def begin(request: HttpRequest) -> HttpResponse:
    form, made = NewKitForm(library(), request.POST), None
    if form.is_valid():
        leaked = CardState.objects.leaked()
        made = form.begin(person(request), leaked, timezone.now())
    if made is None:
        return kits_page(request, form, status=422)
    if form.cleaned_data["minutes"]:
        messages.success(request, DRAWN.format(form.used_seed))
    return see(to_kit(made))


def kits_page(
    request: HttpRequest, form: NewKitForm, status: int = 200
) -> HttpResponse:
    retired = request.GET.get("retired") == "1"
    asked = request.GET.get("page", "")
    context = {
        "list": KitList.of(person(request), asked, retired, library()),
        "form": form,
    }
    return page(request, "bank/kits.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def kit(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """The newest version: its owner edits it, who may only read it reads it.

    `?find=` looks for cards to add, "" for all.
    """
    if request.method == "POST":
        return save(request, own_kit(request, kit_id))
    found = readable_kit(request, kit_id)
    if not may_edit_kit(request, found):
        return version_page(request, found, found.latest)
    return kit_page(request, found, find=request.GET.get("find"))


def save(request: HttpRequest, found: Kit) -> HttpResponse:
    content, given = library(), request.POST
    editing = Editing.sent(given, content)
    if not editing.is_valid():
        return kit_page(request, found, editing=editing, status=422)
    lines = editing.lines(given, content)
    try:
        version = editing.save(found, lines, timezone.now())
    except Changed as error:
        return kit_page(
            request, found, editing=editing, late=lines, said=str(error), status=409
        )
    except BankError as error:
        editing.frame.add_error(None, str(error))
        return kit_page(request, found, editing=editing, status=422)
    place, find = editing.place(given), looked_for(given)
    if version.number != editing.frame.cleaned_data["number"]:
        messages.success(request, f"Saved as version {version.number}.")
    elif not place:
        messages.success(request, "Saved.")
    return see(to_kit(found, place, find))


def kit_page(
    request: HttpRequest,
    found: Kit,
    *,
    editing: Editing | None = None,
    late: Sequence[Line] | None = None,
    said: str = "",
    find: str | None = None,
    draw_form: RedrawForm | None = None,
    copy_form: CopyForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """`late` are the lines of a form that came after somebody else's, `said` what to
    say to that."""
    content = library()
    shown = KitPage.of(found, editing, find, content, renderer_of(content), late=late)
    context = {
        "page": shown,
        "kit": found,
        "said": said,
        "draw_form": draw_form or RedrawForm.of(shown.version, content, a_chance()),
        "copy_form": copy_form or CopyForm.of(found),
    }
    return page(request, "bank/kit.html", context, part="found", status=status)


@require_safe
@for_interviewers
def kit_version(request: HttpRequest, kit_id: UUID, number: int) -> HttpResponse:
    found = readable_kit(request, kit_id)
    return version_page(request, found, numbered(found, number))


def version_page(
    request: HttpRequest,
    found: Kit,
    version: KitVersion,
    *,
    void_form: VoidForm | None = None,
    copy_form: CopyForm | None = None,
    status: int = 200,
) -> HttpResponse:
    content = library()
    context = {
        "page": VersionPage.of(found, version, content, renderer_of(content)),
        "kit": found,
        "may_edit": may_edit_kit(request, found),
        "void_form": void_form,
        "void_at": void_form and void_form.cleaned_data.get("position"),
        "copy_form": copy_form or CopyForm.of(found),
    }
    return page(request, "bank/kit_version.html", context, status=status)


@require_safe
@for_interviewers
def kit_print(request: HttpRequest, kit_id: UUID) -> HttpResponse:
    """`?version=` is its number, else the newest; `?questions=1` leaves answers out."""
    found, content = readable_kit(request, kit_id), library()
    typed = request.GET.get("version", "")
    if typed and not (typed.isdecimal() and len(typed) <= MOST_DIGITS):
        raise Http404("No version has such a number.")
    version = numbered(found, int(typed)) if typed else found.latest
    context = {
        "page": VersionPage.of(found, version, content, renderer_of(content)),
        "kit": found,
        "answers": request.GET.get("questions") != "1",
    }
    return page(request, "bank/kit_print.html", context)


def numbered(found: Kit, number: int) -> KitVersion:
    if len(str(number)) > MOST_DIGITS:
        raise Http404("No version has such a number.")
    return get_object_or_404(found.versions, number=number)
