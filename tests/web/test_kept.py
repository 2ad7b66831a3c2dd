"""Kept pages: rendered once, filled for each request."""

import pytest
from django.contrib import messages

from interview.web.kept import MOST_PAGES, KeptPages

pytestmark = pytest.mark.django_db
TOKEN = r'name="csrfmiddlewaretoken" value="(\w+)"'


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def request_of(client, rf):
    """A request as it reaches a view, behind all middleware."""
    return lambda path="/": client.get(path).wsgi_request


class Context:
    """Counts how often a page's context is asked for."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return {}


def test_a_page_is_rendered_once(request_of):
    kept, context = KeptPages(), Context()
    for _ in range(3):
        html = kept.page(request_of(), "a", "errors/404.html", context).text
        assert "Nothing at this address" in html
    assert context.times == 1


def test_each_key_has_its_own_page(request_of):
    kept, context = KeptPages(), Context()
    one = kept.page(request_of(), "a", "errors/404.html", context).text
    other = kept.page(request_of(), "b", "errors/403.html", context).text
    assert "Nothing at this address" in one
    assert "Not yours to open" in other


def test_every_reader_gets_a_token_of_their_own():
    import re

    from django.test import Client

    first, second = (Client().get("/manual/1.3/") for _ in range(2))
    tokens = [re.search(TOKEN, response.text)[1] for response in (first, second)]
    cookies = [r.cookies["prefill_csrf"].value for r in (first, second)]
    assert tokens[0] != tokens[1]
    assert cookies[0] != cookies[1]
    assert "\0" not in first.text


def test_the_token_of_a_kept_page_opens_a_form():
    import re

    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.get("/manual/1.3/")
    html = client.get("/manual/1.3/").text
    token = re.search(TOKEN, html)[1]
    data = {"theme": "dark", "csrfmiddlewaretoken": token}
    assert client.post("/theme/", data).status_code == 303
    assert f'"X-CSRFToken": "{token}"' in html


def test_the_state_of_the_endpoint_is_at_most_a_second_old(request_of, settings):
    clock = Clock()
    kept = KeptPages(clock)
    settings.LAB_URL, settings.LAB_MODEL = "http://10.0.0.7:8000", "first-model"
    assert "first-model" in page_of(kept, request_of)
    settings.LAB_MODEL = "second-model"
    clock.now = 0.9
    assert "first-model" in page_of(kept, request_of)
    clock.now = 1.0
    assert "second-model" in page_of(kept, request_of)


def page_of(kept, request_of):
    return kept.page(request_of(), "a", "errors/404.html", dict).text


def test_a_message_is_shown_once_and_not_kept(request_of):
    kept = KeptPages()
    request = request_of()
    messages.success(request, "Saved for you alone.")
    assert (
        "Saved for you alone." in kept.page(request, "a", "errors/404.html", dict).text
    )
    assert "Saved for you alone." not in page_of(kept, request_of)


def test_no_more_pages_are_kept_than_fit(request_of):
    kept, request = KeptPages(), request_of()
    for number in range(MOST_PAGES + 3):
        kept._keep(number, ["x"])
    assert len(kept._pages) == MOST_PAGES
    assert (MOST_PAGES + 2) in kept._pages
    assert 0 not in kept._pages
    assert "Nothing" in kept.page(request, "a", "errors/404.html", dict).text


def test_nobody_reads_the_name_of_who_opened_a_page_first(settings):
    from django.test import Client

    from interview.accounts.models import Role, User

    settings.PREFILL_MODE = "shared"
    people = {
        name: User.objects.create(name=name, role=role, password="!")
        for name, role in (("Grace", Role.OWNER), ("Edsger", Role.INTERVIEWER))
    }
    names, ways_of_owners = {*people}, "/people/"
    for path in ("/cards/two-phases-of-a-request/", "/manual/1.3/"):
        for name, person in people.items():
            client = Client()
            client.force_login(person)
            html = client.get(path).text
            assert {each for each in names if each in html} == {name}
            assert (ways_of_owners in html) is person.is_owner
    settings.PREFILL_MODE = "local"
    assert not any(name in Client().get(path).text for name in names)
