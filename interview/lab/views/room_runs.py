"""Runs in a room: predict apart, run, stop, press, and look at what came of it."""

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from interview.web.page import page

from ..errors import LabError, OverCap
from ..files.export import log_document
from ..models import Kind, Prediction, Press, Room, RoomSeat, Run, Step
from ..pages import for_room, page_context
from ..rooms.access import acting_seat, check_lively, driving_seat, seat_in
from ..rooms.drive import drive_form, spec_of
from ..rooms.predict_form import PredictForm
from ..rooms.predicting import experiment_of
from ..rooms.room_page import room_context
from ..runs.addresses import Addresses
from .rooms import enter, room_page

PARTS = {"result": "lab/room/_news.html", "levels": "lab/room/_result.html"}
OF_THE_HOST = "A room’s runs are its host’s, and so are the limits."
GONE_ON = "The room has gone on to another step meanwhile; here it is."
NO_STEP = "There is nothing to run yet: the host chooses what comes first."


@login_not_required
@require_POST
def predict(request: HttpRequest, slug: str) -> HttpResponse:
    """Lock what this seat says of the next run, or of the one that waits."""
    seat = acting_seat(request, slug)
    step = seat.room.step
    if step is None or is_behind(request, step):
        return refuse(request, seat, problem=GONE_ON if step else NO_STEP)
    form = PredictForm(request.POST, experiment_of(step))
    if not form.is_valid():
        return refuse(request, seat, predict=form)
    try:
        Prediction.objects.lock_in(step, seat, form.guesses(), timezone.now())
    except LabError as refused:
        return refuse(request, seat, problem=str(refused))
    return enter(seat.room)


@login_not_required
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue the step's run, with what the driver chose in the step's form."""
    seat, now = driving_seat(request, slug), timezone.now()
    step = seat.room.step
    if step is None or is_behind(request, step):
        return refuse(request, seat, problem=GONE_ON if step else NO_STEP)
    form = drive_form(step, request.POST)
    if form and not form.is_valid():
        return refuse(request, seat, drive=form)
    try:
        check_lively(seat.room)
        Run.objects.queue_for(step, spec_of(step, form), now)
    except OverCap as refused:
        said = f"{OF_THE_HOST} {refused}"
        return refuse(request, seat, drive=form, problem=said)
    except LabError as refused:
        return refuse(request, seat, drive=form, problem=str(refused))
    return enter(seat.room)


@login_not_required
@require_POST
def stop(request: HttpRequest, slug: str) -> HttpResponse:
    """Also while the room is quiet, and when the host is away."""
    room = driving_seat(request, slug).room
    for run in Run.objects.filter(step__room=room).under_way():
        run.ask_stop(timezone.now())
    room.changed()
    return enter(room)


@login_not_required
@require_POST
def press(request: HttpRequest, slug: str) -> HttpResponse:
    """One stream more in the run that the room makes together, once for each form."""
    seat = acting_seat(request, slug)
    try:
        Press.objects.add(seat, timezone.now(), request.POST.get("key", ""))
    except LabError as refused:
        return refuse(request, seat, problem=str(refused))
    return enter(seat.room)


@login_not_required
@require_safe
def run(request: HttpRequest, slug: str, run: str) -> HttpResponse:
    """A run in its step; with `?part=` only what is new when it began or is over."""
    seat = seat_in(request, slug)
    Run.objects.interrupt_dead(timezone.now())
    shown = run_of(seat.room, run)
    step = step_of(seat.room, shown)
    part = PARTS.get(request.GET.get("part", ""))
    if part is None:
        return room_page(request, seat, step, shown)
    return page(request, part, room_context(seat, step, run=shown))


@login_not_required
@require_safe
def replay(request: HttpRequest, slug: str, run: str) -> HttpResponse:
    room = seat_in(request, slug).room
    shown = run_of(room, run)
    if shown.kind == Kind.IMPORTED:
        raise Http404
    context = page_context(shown, Addresses.in_room(room, shown))
    return page(request, "lab/replay.html", context)


@login_not_required
@require_safe
def log(request: HttpRequest, slug: str, run: str) -> HttpResponse:
    """The events of a run, for its replay: the one thing of it that is no page."""
    shown = run_of(seat_in(request, slug).room, run)
    document = log_document(shown, for_room(shown.asked))
    return HttpResponse(document, content_type="application/json")


def run_of(room: Room, slug: str) -> Run:
    """A run of this room's steps, or one that a step shows; else 404."""
    return get_object_or_404(Run.objects.of_room(room).defer("report"), slug=slug)


def step_of(room: Room, run: Run) -> Step:
    """Its own, or the last one that shows it."""
    steps = room.listed_steps
    own = steps.filter(runs=run).first()
    return own or steps.filter(run=run).latest("number")


def is_behind(request: HttpRequest, step: Step) -> bool:
    """The page that was posted from is of a step that is over."""
    return request.POST.get("step") not in (None, str(step.number))


def refuse(request: HttpRequest, seat: RoomSeat, **why: Any) -> HttpResponse:
    """The room as it is now, with the sentence or the form that says what is wrong."""
    context = room_context(seat, **why)
    return page(request, "lab/room.html", context, part="room", status=422)
