"""The people of the permission table, how each comes in, and every address there is."""

from dataclasses import dataclass, field
from uuid import UUID

from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.accounts.seat import COOKIE
from interview.bank.models import CandidateLink, CandidateSeat, Evidence
from interview.cards.card import Audience
from interview.cards.draw import Wish, draw
from interview.lab.models import Room, RoomSeat, Run
from interview.lab.runs.spec import Spec
from interview.study.models import Mock, Session
from interview.web.content import library
from tests.bank import stage as bank

CARD, CODE = "two-phases-of-a-request", "ABC234"
MOCK = "00000000-0000-7000-8000-00000000000c"
PRACTICE = "00000000-0000-7000-8000-000000000001"
INTERVIEW = "00000000-0000-7000-8000-000000000010"
KIT = "00000000-0000-7000-8000-000000000011"
SAMPLE = "00000000-0000-7000-8000-000000000012"
EVIDENCE = "00000000-0000-7000-8000-000000000013"
UNKNOWN = "00000000-0000-4000-8000-000000000000"
ROLES = {
    "host": Role.INTERVIEWER,
    "cand": Role.CANDIDATE,
    "other": Role.CANDIDATE,
    "inter": Role.INTERVIEWER,
    "panel": Role.INTERVIEWER,
    "owner": Role.OWNER,
}
# What stands in an address for each of its parameters, by namespace.
ARGUMENTS = {
    "accounts": {"token": "unknown", "key": "00000000-0000-7000-8000-000000000000"},
    "study": {
        "card_id": CARD,
        "number": "1.3",
        "mock_id": MOCK,
        "key": PRACTICE,
        "position": 1,
        "upload_id": UNKNOWN,
    },
    "lab": {"slug": "a-run", "experiment_id": "one-request"},
    "room": {"slug": "a-room", "code": CODE, "number": 1, "run": "a-room-run"},
    "bank": {
        "card_id": CARD,
        "kit_id": KIT,
        "interview_id": INTERVIEW,
        "position": 1,
        "sample_id": SAMPLE,
        "pack_id": UNKNOWN,
        "number": 1,
        "evidence_id": EVIDENCE,
    },
    "candidate": {"token": "unknown", "interview_id": INTERVIEW},
}
# What a form sends; the name of a seat stands for its key.
POSTED = {
    "study:mine": {"act": "flag"},
    "room:join": {"name": "Ada"},
    "room:begin": {"card": CARD},
    "room:show": {"shown": "1"},
    "room:driver": {"seat": "watch"},
    "room:remove": {"seat": "watch"},
    "room:freeze": {"minutes": "1"},
    "room:hand": {"raised": "1"},
}


@dataclass(slots=True)
class Cast:
    """Everybody who is in the table, but for those whom we do not know."""

    users: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    """What the cookie of a seat holds."""
    seats: dict[str, str] = field(default_factory=dict)
    """Keys of seats."""

    def client(self, person, **options):
        client = Client(**options)
        if user := self.users.get(person):
            client.force_login(user)
        if token := self.tokens.get(person):
            client.cookies[COOKIE] = token
        return client

    def ask(self, person, method, name, **arguments):
        sent = {k: self.seats.get(v, v) for k, v in POSTED.get(name, {}).items()}
        ask = getattr(self.client(person), method)
        return ask(address(name, **arguments), sent if method == "post" else None)

    def sit(self, person, room):
        seat, token = RoomSeat.objects.take(room, person, timezone.now())
        self.tokens[person], self.seats[person] = token, str(seat.pk)
        return seat


def gather(settings):
    """A run of a candidate; a room with a card and a run; a guest of another room."""
    settings.PREFILL_MODE = "shared"
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:1", "m"
    cast, now = Cast(), timezone.now()
    for name, role in ROLES.items():
        cast.users[name] = User.objects.create(name=name, role=role, password="!")
    queue_run(cast.users["cand"], slug=ARGUMENTS["lab"]["slug"])
    kit = draw(library().listed(Audience.CANDIDATE), Wish(20), 1)
    Mock.objects.begin(cast.users["cand"], UUID(MOCK), Wish(20), 1, kit, now)
    practise(cast.users["cand"], now)
    room = Room.objects.open(cast.users["host"], "", now)
    step = room.begin(now, card=CARD)
    cast.sit("watch", room)
    room.hand_over(cast.sit("drive", room))
    cast.sit("guest", Room.objects.open(cast.users["inter"], "", now))
    queue_run(cast.users["host"], slug=ARGUMENTS["room"]["run"], step=step)
    Room.objects.filter(pk=room.pk).update(slug=ARGUMENTS["room"]["slug"], code=CODE)
    plan_interview(cast, now)
    return cast


def plan_interview(cast, now):
    """Host and panel interview a candidate; nothing is asked or marked yet, and a run
    of the host's is attached to the first question. Host wrote a sample to calibrate
    with."""
    host = cast.users["host"]
    bank.sample(host, key=UUID(SAMPLE))
    kit = bank.kit(host, key=UUID(KIT))
    panel = [host, cast.users["panel"]]
    interview = bank.interview(kit, panel, key=UUID(INTERVIEW))
    run = Run.objects.get(slug=ARGUMENTS["room"]["run"])
    Evidence.objects.create(
        pk=EVIDENCE,
        interview=interview,
        asked=interview.in_order()[0],
        run=run,
        attached_by=host,
        attached_at=now,
    )
    link, _ = CandidateLink.objects.make(interview, now)
    _, cast.tokens["appl"] = CandidateSeat.objects.take(link, now)


def practise(person, now):
    """A session of two cards, nothing revealed yet."""
    session = Session.objects.create(
        id=PRACTICE, user=person, kind="practice", started_at=now
    )
    session.append([(CARD, ""), ("kv-cache-in-bytes", "")])


def queue_run(owner, **changes):
    run = Run.objects.queue(owner, Spec(prompt="Hello"), timezone.now())
    Run.objects.filter(pk=run.pk).update(**changes)


def address(name, **arguments):
    """The address of a named URL; `arguments` replace those of the table's people."""
    namespace, _, _ = name.rpartition(":")
    wanted = named_urls()[name].pattern.converters
    known = ARGUMENTS.get(namespace, {}) | arguments
    return reverse(name, kwargs={key: known[key] for key in wanted})


def named_urls():
    return {
        f"{namespace}:{pattern.name}" if namespace else pattern.name: pattern
        for namespace, pattern in patterns(get_resolver())
    }


def patterns(resolver, namespace=""):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from patterns(pattern, pattern.namespace or namespace)
        else:
            yield namespace, pattern
