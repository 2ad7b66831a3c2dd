"""The way in: a file is shown against what is here, and added when that is wanted."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from interview.accounts.access import person
from interview.web.numbers import number
from interview.web.page import page

from ..models import Upload
from .bringing_in import Changed, bring_in
from .difference import difference
from .reading import NotRead, read_study, read_text
from .views import see

MB = 1_000_000
SHOWN = 20
NO_FILE = "Choose a file that Prefill exported."
CHANGED = "Your data changed since this was shown: look at it once more."


@require_http_methods(["GET", "HEAD", "POST"])
def import_study(request: HttpRequest) -> HttpResponse:
    """Keeps the file for an hour; nothing of it is added yet."""
    context = {"most_mb": settings.STUDY_MAX_IMPORT_MB, "error": ""}
    if request.method == "POST":
        try:
            text = uploaded(request)
            read_study(text)
        except NotRead as refused:
            context["error"] = str(refused)
            return page(request, "study/portable/import.html", context, status=422)
        kept = Upload.objects.keep(person(request), text, timezone.now())
        return see("study:import_shown", kept.pk)
    return page(request, "study/portable/import.html", context)


def uploaded(request: HttpRequest) -> str:
    """Raises NotRead."""
    file = request.FILES.get("file")
    if file is None:
        raise NotRead(NO_FILE)
    most = settings.STUDY_MAX_IMPORT_MB
    size = file.size or 0
    if size > most * MB:
        raise NotRead(
            f"{size / MB:.1f} MB are more than the {most} MB that may be imported "
            "(STUDY_MAX_IMPORT_MB)."
        )
    return read_text(file.read())


@require_http_methods(["GET", "HEAD", "POST"])
def import_shown(request: HttpRequest, upload_id: UUID) -> HttpResponse:
    """What the file would add; a POST adds just that."""
    me = person(request)
    upload = Upload.objects.fresh(me, timezone.now()).filter(pk=upload_id).first()
    if upload is None:
        raise Http404("The file is not kept any more: choose it again.")
    document = read_study(upload.text)
    if request.method == "POST":
        try:
            added = bring_in(document, me, request.POST.get("digest", ""))
        except Changed:
            messages.warning(request, CHANGED)
            return see("study:import_shown", upload.pk)
        upload.delete()
        noun = "entry" if added.new == 1 else "entries"
        messages.success(request, f"{number(added.new)} {noun} added.")
        return see("study:data")
    found = difference(document, me)
    context = {"found": found, "upload": upload, "most_shown": SHOWN}
    return page(request, "study/portable/import_shown.html", context)
