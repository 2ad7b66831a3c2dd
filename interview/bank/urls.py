"""Addresses of the bank, all for interviewers."""

from django.urls import include, path

from .calibration import urls as calibration
from .console import urls as console
from .editor import urls as editor
from .interviews import urls as interviews
from .kits import urls as kits
from .privacy import urls as privacy
from .questions import urls as questions
from .scorecards import urls as scorecards

app_name = "bank"
urlpatterns = [
    path("", include(questions.urlpatterns)),
    path("", include(editor.urlpatterns)),
    path("kits/", include(kits.urlpatterns)),
    path("interviews/", include(interviews.urlpatterns)),
    path("interviews/", include(console.urlpatterns)),
    path("interviews/", include(scorecards.urlpatterns)),
    path("interviews/", include(privacy.urlpatterns)),
    path("calibration/", include(calibration.urlpatterns)),
]
