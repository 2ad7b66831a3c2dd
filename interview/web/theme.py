"""The reader’s theme: a cookie, so that the server renders it without a flash."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.http.response import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

THEMES = ("auto", "light", "dark")
COOKIE = "prefill_theme"
YEAR_S = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    theme = request.COOKIES.get(COOKIE, "auto")
    return theme if theme in THEMES else "auto"


@login_not_required
@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the choice and go back to the page it was made on."""
    choice = request.POST.get("theme", "")
    if choice not in THEMES:
        return HttpResponseBadRequest(f"theme must be one of {', '.join(THEMES)}.")
    response = HttpResponseRedirect(back_to(request), status=303)
    response.set_cookie(
        COOKIE,
        choice,
        max_age=YEAR_S,
        samesite="Lax",
        httponly=True,
        secure=request.is_secure(),
    )
    return response


def back_to(request: HttpRequest) -> str:
    """The page that the form stood on, when it is one of ours."""
    target = request.headers.get("Referer", "/")
    ours = url_has_allowed_host_and_scheme(
        target, {request.get_host()}, require_https=request.is_secure()
    )
    return target if ours else "/"
