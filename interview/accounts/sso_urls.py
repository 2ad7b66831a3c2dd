"""The two addresses of signing in at an OpenID provider; there only with OIDC_URL."""

from django.urls import path

from . import sso_views

app_name = "sso"
urlpatterns = [
    path("", sso_views.begin, name="begin"),
    path("callback/", sso_views.callback, name="callback"),
]
