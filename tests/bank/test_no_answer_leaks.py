"""Nothing that was not put to the candidate reaches them, at no address of the site.

Each text has a mark of its own. In every state of an interview the candidate asks for
every named URL, and what comes is searched: bodies, headers, cookies. What is put now
may show, at their own page alone.
"""

import re
import secrets
from dataclasses import dataclass, field
from string import Formatter

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from interview.accounts.seat import COOKIE
from interview.bank.models import CandidateLink, CandidateSeat, Interview, Kit, Line
from interview.bank.privacy.forgetting import anonymise
from interview.web.content import library
from tests.bank import stage
from tests.bank.full_interview import attach, beside, fill, measured
from tests.people import address, gather, named_urls

pytestmark = pytest.mark.django_db

CARD = """\
---
id: {id}
roles: [inference-engineering]
topics: [request-lifecycle]
levels: [L1, L4]
minutes: 6
competences: [metrics]
status: kit-only
engine: vLLM 0.31.0 · db9527a
checked: 2026-10-05
edition: 2026.10
needs: []
taught_in: [manual/1.3]
experiments: [{experiment}]
---
# {title}

## Question

{question} See [a card](card:two-phases-of-a-request "{tip}").

## Short answer

{short}

## Full answer

{full}

## Follow-ups

### L1 {rungone} {{#{rungoneid}}}

{answerone}

### L2 {rungtwo} {{#{rungtwoid}}}

{answertwo}

### L3 {rungthree} {{#{rungthreeid}}}

{answerthree}

### L4 {rungfour} {{#{rungfourid}}}

{answerfour}

## Wrong answers

### “{wrong}” {{#{wrongid} experiment={experiment}}}

{why}

### “More is better.” {{#more}}

{whynot}

## Sources

- {source}
"""
EXPERIMENT = """\
---
id: {experiment}
title: {experimenttitle}
status: written
order: 99
users: [1]
requests: 1
prompt_tokens: 512
output_tokens: 128
repetitions: 1
predict: [ttft_ms@1]
cards: [{id}]
---
{watch}

## Question to predict

{predict}

## What to look for

{look}

## Claims

### {held} {{#{claimid} of=ttft_ms@1 to=tpot_ms@1 agrees=3.. doubt=2.. against={id}/{wrongid}}}

{because}
"""  # noqa: E501
EXPERIMENT_TEXTS = {
    *("experiment", "experimenttitle", "watch", "predict", "look"),
    *("held", "claimid", "because"),
}
"""Whoever signs in may read them in the lab, without what a card says of them."""


class Marks:
    """Gives each text its mark, and finds all of them again."""

    def __init__(self):
        self.tail = secrets.token_hex(4)

    def say(self, name):
        return f"z{name}z{self.tail}"

    def fill(self, template):
        names = set(re.findall(r"(?<!{){(\w+)}(?!})|{(\w+)}", template))
        return template.format(
            **{name: self.say(name) for pair in names for name in pair}
        )

    def found(self, text):
        return {
            name.lower() for name in re.findall(f"(?i)z([a-z]+?)z{self.tail}", text)
        }


def names_in(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@dataclass
class Stage:
    marks: Marks
    cast: object
    interview: Interview
    token: str
    """Of the candidate's link."""
    seat: str
    known: dict = field(default_factory=dict)
    """What stands in an address for each of its parameters."""

    def by_link(self):
        """The candidate's browser, which knows nobody."""
        return self.seated(Client())

    def signed_in(self):
        """The same of a candidate who also practises here."""
        return self.seated(self.cast.client("cand"))

    def seated(self, client):
        client.cookies[COOKIE] = self.seat
        return client

    def addresses(self, namespaces=()):
        """Of every named URL, or of these namespaces': with the marked objects, and
        with those of the table."""
        for name in sorted(named_urls()):
            namespace = name.rpartition(":")[0]
            if namespaces and namespace not in namespaces:
                continue
            yield name, address(name)
            known = self.known.get(namespace, {})
            if set(named_urls()[name].pattern.converters) & set(known):
                yield name, address(name, **known)


@pytest.fixture
def marks():
    return Marks()


@pytest.fixture
def on_stage(marks, settings, tmp_path):
    for path, template in (("cards/any", CARD), ("experiments", EXPERIMENT)):
        text = marks.fill(template)
        name = re.search("^id: (.+)$", text, re.MULTILINE)[1]
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / f"{name}.md").write_text(text)
    settings.CONTENT_PATHS = [tmp_path]
    cast = gather(settings)
    host, panel = cast.users["host"], cast.users["panel"]
    interview = planned(marks, host, [host, panel])
    link, token = CandidateLink.objects.make(interview, timezone.now())
    _, seat = CandidateSeat.objects.take(link, timezone.now())
    fill(interview, host, panel, say=marks.say, **run_of(marks))
    sample = beside(interview, host, say=marks.say)
    evidence = interview.evidence.get()
    known = {
        "study": {"card_id": marks.say("id")},
        "lab": {"slug": evidence.run.slug, "experiment_id": marks.say("experiment")},
        "candidate": {"token": token, "interview_id": interview.pk},
        "bank": {
            "card_id": marks.say("id"),
            "kit_id": interview.version.kit_id,
            "interview_id": interview.pk,
            "evidence_id": evidence.pk,
            "sample_id": sample.pk,
        },
    }
    return Stage(marks, cast, interview, token, seat, known)


def planned(marks, owner, panel):
    """Of a kit with the marked card and one of the house's."""
    card = library().cards[marks.say("id")]
    kit = Kit.objects.begin(owner, marks.say("kit"), stage.NOW)
    rungs = tuple(rung.id for rung in card.follow_ups)
    lines = [
        Line(card.id, rungs, 6, marks.say("kitnote")),
        stage.line(stage.FIRST, notes=marks.say("kitnote")),
    ]
    draft = {"role": "", "level": "L4", "notes": marks.say("opening")}
    version = kit.latest
    version.save_lines(lines, revision=version.revision, **draft)
    return stage.interview(kit, panel, candidate=marks.say("name"))


def run_of(marks):
    """What it asked for: words somebody typed, under an experiment’s name."""
    return {"prompt": marks.say("prompt"), "experiment": marks.say("experiment")}


def run_of_card(on_stage):
    """Attached to the same question: its prompt is a question that nobody put."""
    host, say = on_stage.cast.users["host"], on_stage.marks.say
    spec = {"prompt": say("cardprompt"), "source": "card", "card": say("id")}
    asked = on_stage.interview.in_order().first()
    return attach(asked, measured(host, **spec), host, say)


def test_the_marks_are_in_the_texts(on_stage):
    """Otherwise nothing here could fail: who may read them finds them all."""
    card = library().cards[on_stage.marks.say("id")]
    assert on_stage.marks.found(repr(card)) >= names_in(CARD)
    experiment = library().experiments[on_stage.marks.say("experiment")]
    assert on_stage.marks.found(repr(experiment)) >= EXPERIMENT_TEXTS


def states(on_stage):
    """Each state of the interview with what the candidate's page shows then."""
    interview, evidence = on_stage.interview, on_stage.interview.evidence.get()
    first, second = interview.in_order()
    rungs = first.question.rungs_named
    host = on_stage.cast.users["host"]
    yield "before", set()
    interview.put(first, "", stage.NOW)
    yield "question", {"question"}
    interview.put(first, rungs[0], stage.NOW)
    yield "first rung", {"rungone"}
    interview.show(evidence)
    yield "run", {"rungone", "prompt"}
    interview.show(run_of_card(on_stage))
    yield "run of a card", {"rungone"}
    interview.put(first, rungs[2], stage.NOW)
    yield "third rung", {"rungthree"}
    interview.clear()
    yield "between", set()
    interview.put(second, "", stage.NOW)
    yield "another question", set()
    interview.end(host, stage.NOW)
    yield "over", set()
    anonymise(interview, host, stage.NOW)
    yield "anonymised", None


def test_in_every_state_the_candidate_gets_what_is_put_now_alone(on_stage):
    client = on_stage.by_link()
    for state, shown in states(on_stage):
        assert at_the_surface(on_stage, client) == shown, state
        search(on_stage, client, state, shown)


@pytest.mark.parametrize("chosen", ["run", "anonymised"])
def test_who_also_signs_in_as_a_candidate_gets_no_more(on_stage, chosen):
    client = on_stage.signed_in()
    for state, shown in states(on_stage):
        assert at_the_surface(on_stage, client) == shown, state
        # What is for people alone does not look at interviews: once is enough.
        namespaces = () if state == chosen else ("bank", "candidate")
        search(on_stage, client, state, shown, namespaces)
        if state == chosen:
            return


def search(on_stage, client, state, shown, namespaces=()):
    for name, place in on_stage.addresses(namespaces):
        found = crawled(on_stage, client, name, place)
        assert found <= allowed(name, state, shown or set()), (state, place)


def allowed(name, state, shown):
    if name == "candidate:surface":
        return shown
    if name == "candidate:brief" and state != "anonymised":
        return {"name"}
    return EXPERIMENT_TEXTS if name.startswith(("lab:", "room:")) else set()


def at_the_surface(on_stage, client):
    """The marks there; None when there is no seat any more."""
    place = address("candidate:surface", interview_id=on_stage.interview.pk)
    answer = client.get(place)
    return on_stage.marks.found(text_of(answer)) if answer.status_code == 200 else None


def crawled(on_stage, client, name, place):
    """The marks in every answer of an address; of the bank's and the candidate's also
    in parts of a page and in answers to a form."""
    part = {"HX-Request": "true", "HX-Request-Type": "partial"}
    asked = [lambda: client.get(place)]
    if name.startswith(("bank:", "candidate:")):
        asked += [lambda: client.get(place, headers=part), lambda: client.post(place)]
    found = set()
    for ask in asked:
        with transaction.atomic():
            found |= on_stage.marks.found(text_of(ask()))
            transaction.set_rollback(True)
        # The brief gave another seat, which is undone.
        on_stage.seated(client)
    return found


def text_of(response):
    """All that goes over the wire, but for a stream that has no end: the candidate
    opens none but those of their own runs and rooms."""
    head = f"{response.headers}{response.cookies.output()}"
    if response.headers.get("Content-Type", "").startswith("text/event-stream"):
        return head
    body = response.getvalue() if response.streaming else response.content
    return head + body.decode(errors="replace")


def test_no_stream_of_a_run_of_the_interview_is_the_candidates(on_stage):
    slug = on_stage.interview.evidence.get().run.slug
    for client in (on_stage.by_link(), on_stage.signed_in()):
        for name in ("lab:events", "lab:replay", "lab:log", "lab:run_json"):
            assert client.get(address(name, slug=slug)).status_code in (403, 404)
