from django.urls import path
from django.views.decorators.cache import never_cache

from . import exports, views

# What was marked stays in no cache, of the browser or on the way.
urlpatterns = [
    path(f"<uuid:interview_id>/{address}", never_cache(view), name=view.__name__)
    for address, view in (
        ("review/", views.review),
        ("submit/", views.submit),
        ("revise/<int:position>/", views.revise),
        ("debrief/", views.debrief),
        ("scorecard/print/", views.scorecard_print),
        ("scorecard.md", exports.scorecard_md),
        ("scorecard.json", exports.scorecard_json),
        ("scorecard.csv", exports.scorecard_csv),
        ("debrief.md", exports.debrief_md),
        ("debrief.json", exports.debrief_json),
        ("debrief.csv", exports.debrief_csv),
    )
]
