"""What every page's frame needs."""

from django.http import HttpRequest

THEMES = ("auto", "light", "dark")


def site(request: HttpRequest) -> dict[str, str]:
    theme = request.COOKIES.get("theme", "auto")
    return {"theme": theme if theme in THEMES else "auto"}
