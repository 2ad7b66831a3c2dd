from django.urls import path

from interview.web.uncached import uncached

from .live.events import events
from .views import (
    compare,
    experiments,
    exports,
    imports,
    numbers,
    pins,
    queue,
    runs,
    start,
)

app_name = "lab"
of_one_person = [
    path("compare/", compare.compare, name="compare"),
    path("queue/", queue.queue, name="queue"),
    path("runs/", runs.runs, name="runs"),
    path("runs.csv", exports.runs_list_csv, name="runs_csv"),
    path("runs/<slug:slug>/", runs.run, name="run"),
    path("runs/<slug:slug>/stop/", start.stop, name="stop"),
    path("runs/<slug:slug>/again/", start.again, name="again"),
    path("runs/<slug:slug>/pin/", pins.pin, name="pin"),
    path("runs/<slug:slug>/replay/", runs.replay, name="replay"),
    path("runs/<slug:slug>/log.json", exports.log, name="log"),
    path("runs/<slug:slug>.json", exports.run_json, name="run_json"),
    path("runs/<slug:slug>.bench.json", exports.run_bench, name="run_bench"),
    path("runs/<slug:slug>.csv", exports.run_csv, name="run_csv"),
]
urlpatterns = [
    path("", start.lab, name="lab"),
    path("expected/", start.expectation, name="expected"),
    path("numbers/", numbers.numbers, name="numbers"),
    path("import/", imports.bring_in, name="import"),
    *uncached(of_one_person),
    path("runs/<slug:slug>/events", events, name="events"),
    path("experiments/", experiments.experiments, name="experiments"),
    path(
        "experiments/<slug:experiment_id>/", experiments.experiment, name="experiment"
    ),
]
