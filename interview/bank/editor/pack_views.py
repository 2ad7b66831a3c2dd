"""Packs of cards: the own ones to take away, and one that comes in after a look."""

from io import BytesIO
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from interview.accounts.access import person
from interview.cards.library import Library
from interview.web.content import library, look_again
from interview.web.numbers import counted
from interview.web.page import page

from ..access import for_interviewers, own_pack
from ..errors import Changed
from ..models import Pack
from .comparison import Comparison, Refused, bring_in, errors_of
from .folder import Folder, NotWritten
from .owncards import own_cards
from .packfile import MOST_FILES, MOST_MB, NotAPack, read_pack
from .views import attachment

DISCARDED = "The pack is discarded; nothing was imported."
NOTHING_NEW = "All of the pack was here already."


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def packs(request: HttpRequest) -> HttpResponse:
    """Keeps what is sent for a day; nothing of it is imported yet."""
    if request.method != "POST":
        return packs_page(request)
    try:
        texts = read_pack(request.FILES.getlist("files"))
    except NotAPack as refused:
        return packs_page(request, str(refused), status=422)
    kept = Pack.objects.keep(person(request), texts, errors_of(texts), timezone.now())
    return see("bank:pack", kept.pk)


def packs_page(
    request: HttpRequest, error: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "own": own_cards(library()),
        "waiting": Pack.objects.waiting(person(request), timezone.now()),
        "most_mb": MOST_MB,
        "most_files": MOST_FILES,
        "error": error,
    }
    return page(request, "bank/packs.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def pack(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    """What the pack would add and change; a POST imports or discards it."""
    kept = own_pack(request, pack_id)
    if kept.done_at:
        return see("bank:packs")
    if request.method != "POST":
        return pack_page(request, kept)
    if "discard" in request.POST:
        kept.finish(timezone.now())
        messages.success(request, DISCARDED)
        return see("bank:packs")
    return imported(request, kept)


def imported(request: HttpRequest, kept: Pack) -> HttpResponse:
    try:
        found = bring_in(kept, request.POST.get("digest", ""))
    except Refused as refused:
        return pack_page(request, kept, str(refused), status=422)
    except Changed as changed:
        return pack_page(request, kept, str(changed), status=409)
    except NotWritten as error:
        return pack_page(request, kept, str(error), status=503)
    look_again()
    kept.finish(timezone.now())
    done = f"{counted(len(found.wanted), 'card')} imported."
    messages.success(request, done if found.wanted else NOTHING_NEW)
    return see("bank:packs")


def pack_page(
    request: HttpRequest, kept: Pack, error: str = "", status: int = 200
) -> HttpResponse:
    found = Comparison.of(kept, Folder.own())
    context = {"pack": kept, "found": found, "error": error}
    return page(request, "bank/pack.html", context, status=status)


@require_safe
@for_interviewers
def pack_file(request: HttpRequest) -> HttpResponse:
    """All own cards as a pack, for another installation."""
    name = f"prefill-cards-{timezone.localdate()}.zip"
    return attachment(name, "application/zip", zipped(library()))


def zipped(content: Library) -> bytes:
    """The same cards are the same bytes: no entry has a time."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for card in content.cards.values():
            if card.private:
                entry = ZipInfo(f"cards/{card.id}.md")
                entry.compress_type = ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, card.source)
    return file.getvalue()


def see(name: str, *arguments: object) -> HttpResponse:
    return HttpResponseRedirect(reverse(name, args=arguments), status=303)
