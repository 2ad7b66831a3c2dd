from django.urls import path

from . import posts, views
from .plan import plan

urlpatterns = [
    path("", views.practice, name="practice"),
    path("plan/", plan, name="plan"),
    path("start/", posts.start, name="practice_start"),
    path("<uuid:key>/", views.session, name="session"),
    path("<uuid:key>/end/", views.end, name="session_end"),
    path("<uuid:key>/undo/", posts.undo, name="session_undo"),
    path("<uuid:key>/more/", posts.more, name="session_more"),
    path("<uuid:key>/<int:position>/", views.step, name="step"),
    path("<uuid:key>/<int:position>/reveal/", posts.reveal, name="step_reveal"),
    path("<uuid:key>/<int:position>/grade/", posts.grade, name="step_grade"),
    path("<uuid:key>/<int:position>/attempt/", posts.attempt, name="step_attempt"),
    path(
        "<uuid:key>/<int:position>/confidence/",
        posts.confidence,
        name="step_confidence",
    ),
    path("<uuid:key>/<int:position>/skip/", posts.skip, name="step_skip"),
    path("<uuid:key>/<int:position>/keep/", posts.keep, name="step_keep"),
    path("<uuid:key>/<int:position>/reset/", posts.reset, name="step_reset"),
    path("<uuid:key>/<int:position>/flag/", posts.flag, name="step_flag"),
    path("<uuid:key>/<int:position>/suspend/", posts.suspend, name="step_suspend"),
]
