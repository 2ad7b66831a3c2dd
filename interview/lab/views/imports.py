"""Bring in what `vllm bench serve` measured, to compare with."""

from collections.abc import Sequence

from django.conf import settings
from django.core.files.base import File
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from interview.web.page import page

from ..files.bench_file import NotImported, read_bench
from ..files.imported import Imported, imported
from ..models import Run
from ..runs.visible import person
from .start import see

MB = 1_000_000
MOST_FILES = 50
NO_FILE = "Choose a file that vllm bench serve wrote with --save-result."


@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest) -> HttpResponse:
    """Several files of one model become one run; on an error nothing is stored."""
    context = {"most_mb": settings.LAB_MAX_IMPORT_MB, "error": ""}
    if request.method == "POST":
        try:
            found = read(request.FILES.getlist("files"))
        except NotImported as refused:
            context["error"] = str(refused)
            return page(request, "lab/import.html", context, status=422)
        return see(Run.objects.bring_in(person(request), found, timezone.now()))
    return page(request, "lab/import.html", context)


def read(files: "Sequence[File[bytes]]") -> Imported:
    """Raises NotImported with a sentence."""
    if not files:
        raise NotImported(NO_FILE)
    if len(files) > MOST_FILES:
        raise NotImported(f"At most {MOST_FILES} files go into one run.")
    size = sum(file.size or 0 for file in files)
    if size > settings.LAB_MAX_IMPORT_MB * MB:
        raise NotImported(
            f"{size / MB:.1f} MB are more than the {settings.LAB_MAX_IMPORT_MB} MB "
            "that may be imported at once (LAB_MAX_IMPORT_MB). Files without "
            "--save-detailed are small."
        )
    results = [read_bench(file.name or "A file", file.read()) for file in files]
    return imported([one for found in results for one in found])
