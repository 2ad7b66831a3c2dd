"""Own cards: written and edited as text, seen as others will see them."""

from pathlib import Path

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from interview.cards.form import SLUG
from interview.web.content import library, look_again
from interview.web.page import page

from ..access import for_interviewers
from ..errors import Changed
from .draft import Draft, as_draft, clean
from .folder import Folder, NotWritten, OwnFile
from .page import Conflict, EditorPage
from .preview import Reader


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def write(request: HttpRequest) -> HttpResponse:
    """A new card."""
    if request.method == "POST":
        return save(request, "", None)
    about = {"today": timezone.localdate(), "edition": library().contents.edition}
    text = render_to_string("bank/new_card.md", about)
    return shown(request, EditorPage.of(Draft.of(text), Reader.CANDIDATE, library()))


@require_http_methods(["GET", "HEAD", "POST"])
@for_interviewers
def edit(request: HttpRequest, card_id: str) -> HttpResponse:
    folder = Folder.own()
    own, other = folder.find(card_id), folder.elsewhere().get(card_id)
    if other and own is None:
        return edit_elsewhere(request, card_id, other)
    if request.method == "POST":
        return save(request, card_id, own)
    if own is None:
        raise Http404(f"There is no card {card_id}.")
    draft = Draft.of(own.text, own)
    at = EditorPage.of(draft, reader(request), library(), card_id, own.version)
    return shown(request, at)


def edit_elsewhere(request: HttpRequest, card_id: str, path: Path) -> HttpResponse:
    """A card that is not written here says where its file is."""
    if request.method == "POST":
        raise PermissionDenied(f"This card is not edited here: edit the file {path}.")
    context = {"card_id": card_id, "path": path}
    return page(request, "bank/elsewhere.html", context)


def save(request: HttpRequest, card_id: str, own: OwnFile | None) -> HttpResponse:
    text = clean(request.POST.get("text", ""))
    if "draft" in request.POST:
        text = as_draft(text)
    version = request.POST.get("version", "") if card_id else ""
    draft, reads = Draft.of(text, own), reader(request)
    if refusal := draft.refusal(card_id):
        at = EditorPage.of(draft, reads, library(), card_id, version, refusal)
        return shown(request, at, status=422)
    assert draft.card is not None
    try:
        saved = Folder.own().save(draft.card, version)
    except Changed as changed:
        return conflict(request, draft, card_id, changed)
    except NotWritten as error:
        at = EditorPage.of(draft, reads, library(), card_id, version, str(error))
        return shown(request, at, status=503)
    look_again()
    messages.success(request, f"Saved as {draft.card.status}.")
    where = reverse("bank:edit", args=[saved.card_id])
    return HttpResponseRedirect(f"{where}?as={reads}", status=303)


def conflict(
    request: HttpRequest, draft: Draft, card_id: str, changed: Changed
) -> HttpResponse:
    """Both texts; an edit may be saved again, knowingly over what is there now."""
    now = changed.now if isinstance(changed.now, OwnFile) else None
    at = EditorPage.of(
        draft,
        reader(request),
        library(),
        card_id,
        version=now.version if now and card_id else "",
        conflict=Conflict.of(now, draft.text),
    )
    return shown(request, at, status=409)


@require_POST
@for_interviewers
def preview(request: HttpRequest) -> HttpResponse:
    """While somebody types, the part alone; without JavaScript the whole page."""
    sent = request.POST.get("card_id", "")
    card_id = sent if SLUG.fullmatch(sent) else ""
    draft = Draft.of(request.POST.get("text", ""), Folder.own().find(card_id))
    version = request.POST.get("version", "") if card_id else ""
    return shown(
        request, EditorPage.of(draft, reader(request), library(), card_id, version)
    )


@require_safe
@for_interviewers
def card_file(request: HttpRequest, card_id: str) -> HttpResponse:
    """As a file, for the repository or for another installation."""
    card = library().cards.get(card_id)
    if card is None:
        raise Http404(f"There is no card {card_id}.")
    return attachment(f"{card.id}.md", "text/markdown; charset=utf-8", card.source)


def attachment(name: str, kind: str, content: str | bytes) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def reader(request: HttpRequest) -> Reader:
    return Reader.named(request.POST.get("as", request.GET.get("as", "")))


def shown(request: HttpRequest, at: EditorPage, status: int = 200) -> HttpResponse:
    context = {"at": at, "readers": tuple(Reader)}
    return page(request, "bank/editor.html", context, part="preview", status=status)
