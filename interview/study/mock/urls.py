from django.urls import path

from . import posts, views

urlpatterns = [
    path("", views.mocks, name="mocks"),
    path("start/", views.start, name="mock_start"),
    path("<uuid:mock_id>/", views.mock, name="mock"),
    path("<uuid:mock_id>/end/", posts.end, name="mock_end"),
    path("<uuid:mock_id>/undo/", posts.undo, name="mock_undo"),
    path("<uuid:mock_id>/report/", views.report, name="mock_report"),
    path("<uuid:mock_id>/<int:position>/", views.question, name="mock_question"),
    path("<uuid:mock_id>/<int:position>/next/", posts.go_on, name="mock_next"),
    path("<uuid:mock_id>/<int:position>/text/", posts.write, name="mock_text"),
    path("<uuid:mock_id>/<int:position>/grade/", posts.grade, name="mock_grade"),
    path("<uuid:mock_id>/<int:position>/said/", posts.say, name="mock_said"),
]
