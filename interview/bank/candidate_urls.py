"""Addresses for the candidate of an interview, who has a link and no account."""

from .candidate import urls as candidate

app_name = "candidate"
urlpatterns = candidate.urlpatterns
