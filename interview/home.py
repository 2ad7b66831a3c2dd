"""The front page: the one view that may look into every app."""

from django.http import HttpRequest, HttpResponse

from interview.web.page import page


def home(request: HttpRequest) -> HttpResponse:
    return page(request, "home.html")
