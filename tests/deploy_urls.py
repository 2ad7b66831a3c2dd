"""The product's addresses, and `/sender`."""

from django.contrib.auth.decorators import login_not_required
from django.http import JsonResponse
from django.urls import path

from interview.urls import *  # noqa: F403
from interview.urls import urlpatterns


@login_not_required
def sender(request):
    return JsonResponse(
        {
            "address": request.META["REMOTE_ADDR"],
            "secure": request.is_secure(),
            "host": request.get_host(),
        }
    )


urlpatterns = [*urlpatterns, path("sender", sender)]
