"""Every address of the site."""

from django.urls import include, path

from interview.home import home

urlpatterns = [
    path("", home, name="home"),
    path("", include("interview.web.urls")),
    path("", include("interview.study.urls")),
    path("lab/", include("interview.lab.urls")),
]

handler400 = "interview.web.errors.bad_request"
handler403 = "interview.web.errors.forbidden"
handler404 = "interview.web.errors.not_found"
handler500 = "interview.web.errors.server_error"
