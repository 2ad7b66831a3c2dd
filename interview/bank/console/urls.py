from django.urls import path

from . import acts, evidence, views

urlpatterns = [
    path("<uuid:interview_id>/console/", views.console, name="console"),
    path(
        "<uuid:interview_id>/console/<int:position>/", views.question, name="question"
    ),
    path("<uuid:interview_id>/console/<int:position>/note/", views.note, name="note"),
    path("<uuid:interview_id>/console/<int:position>/put/", acts.put, name="put"),
    path(
        "<uuid:interview_id>/console/<int:position>/evidence/",
        evidence.attach,
        name="evidence",
    ),
    path("<uuid:interview_id>/console/clear/", acts.clear, name="clear"),
    path("<uuid:interview_id>/end/", acts.end_interview, name="end_interview"),
    path(
        "<uuid:interview_id>/evidence/<uuid:evidence_id>/",
        evidence.evidence_run,
        name="evidence_run",
    ),
    path(
        "<uuid:interview_id>/evidence/<uuid:evidence_id>/show/",
        evidence.show_evidence,
        name="show_evidence",
    ),
    path(
        "<uuid:interview_id>/evidence/<uuid:evidence_id>/remove/",
        evidence.remove_evidence,
        name="remove_evidence",
    ),
]
