"""A room on stage: its host is signed in, guests come with a cookie each."""

from django.test import Client
from django.urls import reverse

from interview.accounts.seat import COOKIE
from interview.lab.models import Room, RoomSeat, Run, Status, Worker
from tests.lab.cast import NOW, REPORT, batch, later, phase, token

CARD = "two-phases-of-a-request"
SECRET = "8613.25"
"""A guess that no page has by chance."""
WRITTEN = ("8613.25", "8,613", "8613")


class RoomStage:
    def __init__(self, host, **first):
        self.room = Room.objects.open(host, "Prefill aloud", NOW)
        self.host = Client()
        self.host.force_login(host)
        self.seat = self.room.seats.get(is_host=True)
        self.room.begin(NOW, **first)

    def guest(self, name):
        """A seat and the browser that holds it."""
        seat, held = RoomSeat.objects.take(self.room, name, NOW)
        browser = Client()
        browser.cookies[COOKIE] = held
        return seat, browser

    def at(self, name, *args):
        return reverse(f"room:{name}", args=[self.room.slug, *args])

    def page(self, browser, name="room", *args):
        response = browser.get(self.at(name, *args))
        assert response.status_code == 200, response.status_code
        return text_of(response)

    def predict(self, browser, **said):
        return browser.post(self.at("predict"), said)

    def start(self, browser=None, **form):
        form = {"max_tokens": "64", "freshness": "fresh"} | form
        return (browser or self.host).post(self.at("start"), form)

    @property
    def run(self):
        return Run.objects.filter(step__room=self.room).latest("created_at")

    def claim(self):
        worker = Worker(name="w", started_at=NOW, alive_at=NOW)
        worker.save()
        run = self.run
        self.claim_token = run.claim(worker, later(5))
        return Run.objects.get(pk=run.pk)

    def finish(self, report=REPORT):
        """Claim the run if it waits, let it stream a little, end it."""
        run = self.run
        if run.status == Status.QUEUED:
            run = self.claim()
        run.append(self.claim_token, batch(phase("sent", 0), token("Be", 257_000)))
        run.append(self.claim_token, batch(token("cause", 287_500, n=2)))
        run.finish(self.claim_token, Status.COMPLETED, later(9), report=report)
        return run


def text_of(response):
    """Its text, with plain spaces."""
    return response.content.decode().replace("\xa0", " ").replace("&nbsp;", " ")
