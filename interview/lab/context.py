from django.http import HttpRequest


def endpoint(request: HttpRequest) -> dict[str, object]:
    return {}
