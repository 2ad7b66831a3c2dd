from django.urls import path

from . import views
from .events import events

app_name = "lab"
urlpatterns = [
    path("", views.lab, name="lab"),
    path("expected/", views.expectation, name="expected"),
    path("runs/", views.runs, name="runs"),
    path("runs/<slug:slug>/", views.run, name="run"),
    path("runs/<slug:slug>/events", events, name="events"),
    path("runs/<slug:slug>/stop/", views.stop, name="stop"),
    path("runs/<slug:slug>/again/", views.again, name="again"),
    path("runs/<slug:slug>/replay/", views.replay, name="replay"),
    path("runs/<slug:slug>/log.json", views.log, name="log"),
    path("runs/<slug:slug>.json", views.run_json, name="run_json"),
    path("runs/<slug:slug>.bench.json", views.run_bench, name="run_bench"),
    path("runs/<slug:slug>.csv", views.run_csv, name="run_csv"),
    path("experiments/<slug:experiment_id>/", views.experiment, name="experiment"),
]
