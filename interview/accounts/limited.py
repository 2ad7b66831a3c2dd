"""What somebody gets who tried too often: when to come back."""

from django.http import HttpRequest, HttpResponse

from interview.web.page import page

from .errors import TooManyAttempts


def too_many(refused: TooManyAttempts, drawn: HttpResponse) -> HttpResponse:
    """The drawn page as a 429 that says when it ends."""
    drawn.status_code = 429
    drawn.headers["Retry-After"] = str(refused.wait_s)
    return drawn


def too_many_page(request: HttpRequest, refused: TooManyAttempts) -> HttpResponse:
    context = {"refused": refused}
    return too_many(refused, page(request, "accounts/too_many.html", context))
