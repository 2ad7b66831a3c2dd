"""Addresses of rooms: the door with its short code, and what only a seat reaches."""

from django.urls import path

from .live.room_events import events, run_events
from .views import join, presenter, room_acts, room_runs, rooms

app_name = "room"
urlpatterns = [
    path("join/", join.ask_code, name="ask_code"),
    path("join/<slug:code>/", join.join, name="join"),
    path("rooms/", rooms.rooms, name="rooms"),
    path("rooms/<slug:slug>/", rooms.room, name="room"),
    path("rooms/<slug:slug>/events", events, name="events"),
    path("rooms/<slug:slug>/steps/", room_acts.begin, name="begin"),
    path("rooms/<slug:slug>/steps/<int:number>/", rooms.step, name="step"),
    path("rooms/<slug:slug>/show/", room_acts.show, name="show"),
    path("rooms/<slug:slug>/driver/", room_acts.hand_over, name="driver"),
    path("rooms/<slug:slug>/hand/", room_acts.hand, name="hand"),
    path("rooms/<slug:slug>/freeze/", room_acts.freeze, name="freeze"),
    path("rooms/<slug:slug>/remove/", room_acts.remove, name="remove"),
    path("rooms/<slug:slug>/code/", room_acts.renew_code, name="code"),
    path("rooms/<slug:slug>/leave/", room_acts.leave, name="leave"),
    path("rooms/<slug:slug>/end/", room_acts.end, name="end"),
    path("rooms/<slug:slug>/predict/", room_runs.predict, name="predict"),
    path("rooms/<slug:slug>/run/", room_runs.start, name="start"),
    path("rooms/<slug:slug>/stop/", room_runs.stop, name="stop"),
    path("rooms/<slug:slug>/press/", room_runs.press, name="press"),
    path("rooms/<slug:slug>/runs/<slug:run>/", room_runs.run, name="run"),
    path("rooms/<slug:slug>/runs/<slug:run>/events", run_events, name="run_events"),
    path("rooms/<slug:slug>/runs/<slug:run>/replay/", room_runs.replay, name="replay"),
    path("rooms/<slug:slug>/runs/<slug:run>/log.json", room_runs.log, name="run_log"),
    path("rooms/<slug:slug>/presenter/", presenter.presenter, name="presenter"),
    path("rooms/<slug:slug>/door.svg", presenter.door, name="door"),
]
