"""Every address of the site."""

from django.conf import settings
from django.urls import include, path

from interview.health import healthz
from interview.home import home
from interview.prometheus import metrics

urlpatterns = [
    path("", home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("", include("interview.accounts.urls")),
    path("", include("interview.web.urls")),
    path("", include("interview.study.urls")),
    path("lab/", include("interview.lab.urls")),
    path("", include("interview.lab.room_urls")),
    path("bank/", include("interview.bank.urls")),
    path("candidate/", include("interview.bank.candidate_urls")),
]
if settings.OIDC_URL:
    there = "interview.accounts.sso_urls"
    urlpatterns.append(path("sign-in/oidc/", include(there)))

handler400 = "interview.web.errors.bad_request"
handler403 = "interview.web.errors.forbidden"
handler404 = "interview.web.errors.not_found"
handler500 = "interview.web.errors.server_error"
