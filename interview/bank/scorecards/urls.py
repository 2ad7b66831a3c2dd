from django.urls import path

from . import exports, views

urlpatterns = [
    path(f"<uuid:interview_id>/{address}", view, name=view.__name__)
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
