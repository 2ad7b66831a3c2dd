"""A file to take away: written whole before its first byte is sent, then piecewise."""

import tempfile
from collections.abc import AsyncIterator, Callable
from typing import IO

from asgiref.sync import sync_to_async
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase


class Download(FileResponse):
    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Portion after portion; Django's own would read the whole file first."""
        portions = iter(self)

        def another() -> bytes:
            return next(portions, b"")

        while portion := await sync_to_async(another)():
            yield portion


def download(
    request: HttpRequest, name: str, kind: str, write: Callable[[IO[bytes]], object]
) -> HttpResponseBase:
    """A failure comes while nothing is sent yet, and no reader holds a snapshot."""
    if request.method == "HEAD":
        disposition = f'attachment; filename="{name}"'
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store"}
        return HttpResponse(content_type=kind, headers=headers)
    # The response closes the file, which is gone then.
    file = tempfile.TemporaryFile()  # noqa: SIM115
    try:
        write(file)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    answer = Download(file, as_attachment=True, filename=name, content_type=kind)
    answer["Cache-Control"] = "no-store"
    return answer
