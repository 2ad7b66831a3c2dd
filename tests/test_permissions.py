"""Who gets what at every address: each named URL x each kind of person.

A named URL without a row fails, so a new page decides its permissions in this table.
"""

import pytest
from django.urls import get_resolver, reverse
from django.utils import timezone

from interview.accounts.models import Role, User
from interview.lab.models import Run
from interview.lab.spec import Spec

pytestmark = pytest.mark.django_db

OK, SEE_OTHER, BAD, NO, GONE, INVALID = 200, 303, 400, 403, 404, 422

PEOPLE = ("stranger", "candidate", "other_candidate", "interviewer", "owner")
# What the people get, in the order of PEOPLE. A run is its candidate's alone.
ANYONE = (OK, OK, OK, OK, OK)
SIGNED_IN = (NO, OK, OK, OK, OK)
ITS_OWN = (NO, OK, GONE, GONE, GONE)
ITS_OWN_VERB = (NO, SEE_OTHER, GONE, GONE, GONE)

CARD = {"card_id": "two-phases-of-a-request"}
RUN = {"slug": "a-run"}
# name -> (arguments of the address, method, what each of PEOPLE gets)
TABLE = {
    "home": ({}, "get", SIGNED_IN),
    "web:theme": ({}, "post", (BAD,) * 5),
    "study:cards": ({}, "get", SIGNED_IN),
    "study:cards_json": ({}, "get", SIGNED_IN),
    "study:card": (CARD, "get", SIGNED_IN),
    "study:card_json": (CARD, "get", SIGNED_IN),
    "study:card_print": (CARD, "get", SIGNED_IN),
    "study:manual": ({}, "get", SIGNED_IN),
    "study:section": ({"number": "1.3"}, "get", SIGNED_IN),
    "lab:lab": ({}, "get", SIGNED_IN),
    "lab:expected": ({}, "get", SIGNED_IN),
    "lab:runs": ({}, "post", (NO,) + (INVALID,) * 4),
    "lab:run": (RUN, "get", ITS_OWN),
    "lab:events": (RUN, "get", ITS_OWN),
    "lab:stop": (RUN, "post", ITS_OWN_VERB),
    "lab:again": (RUN, "post", ITS_OWN_VERB),
    "lab:replay": (RUN, "get", ITS_OWN),
    "lab:log": (RUN, "get", ITS_OWN),
    "lab:run_json": (RUN, "get", ITS_OWN),
    "lab:run_csv": (RUN, "get", ITS_OWN),
    "lab:run_bench": (RUN, "get", (NO, GONE, GONE, GONE, GONE)),
    "lab:experiment": ({"experiment_id": "one-request"}, "get", SIGNED_IN),
}


@pytest.fixture
def people(settings):
    settings.PREFILL_MODE = "shared"
    return {
        "stranger": None,
        "candidate": make_person("candidate", Role.CANDIDATE),
        "other_candidate": make_person("other", Role.CANDIDATE),
        "interviewer": make_person("interviewer", Role.INTERVIEWER),
        "owner": make_person("owner", Role.OWNER),
    }


@pytest.fixture
def run(people, settings):
    settings.LAB_URL, settings.LAB_MODEL = "http://127.0.0.1:1", "m"
    spec = Spec(prompt="Hello")
    made = Run.objects.queue(people["candidate"], spec, timezone.now())
    Run.objects.filter(pk=made.pk).update(slug=RUN["slug"])
    return made


def make_person(name, role):
    return User.objects.create(name=name, role=role, password="!")


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("person", PEOPLE)
def test_each_person_gets_what_the_table_says(client, people, run, name, person):
    arguments, method, statuses = TABLE[name]
    if people[person]:
        client.force_login(people[person])
    response = getattr(client, method)(reverse(name, kwargs=arguments))
    assert response.status_code == statuses[PEOPLE.index(person)]


# A stream has no head worth asking for: it would be opened to be closed.
@pytest.mark.parametrize(
    "name", [n for n, row in TABLE.items() if row[1] == "get" and n != "lab:events"]
)
def test_the_head_of_a_page_is_answered_as_the_page(client, people, run, name):
    client.force_login(people["candidate"])
    address = reverse(name, kwargs=TABLE[name][0])
    response = client.head(address)
    expected = TABLE[name][2][PEOPLE.index("candidate")]
    assert response.status_code == client.get(address).status_code == expected
    assert response.content == b""


@pytest.mark.parametrize("name", [n for n, row in TABLE.items() if row[1] == "post"])
def test_a_post_without_the_token_of_our_page_is_refused(people, run, name):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(people["candidate"])
    assert client.post(reverse(name, kwargs=TABLE[name][0])).status_code == NO


def test_every_named_url_has_a_row_and_every_row_a_url():
    assert set(named_urls(get_resolver())) == set(TABLE)


def test_no_url_is_without_a_name():
    assert None not in {pattern.name for _, pattern in patterns(get_resolver())}


def named_urls(resolver):
    for namespace, pattern in patterns(resolver):
        yield f"{namespace}:{pattern.name}" if namespace else pattern.name


def patterns(resolver, namespace=""):
    for pattern in resolver.url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from patterns(pattern, pattern.namespace or namespace)
        else:
            yield namespace, pattern
