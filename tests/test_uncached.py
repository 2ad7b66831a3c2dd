"""No page of one person is kept by a browser or by anything on the way."""

import pytest
from django.conf import settings as configured

from interview.lab import urls as lab
from interview.study.mock import urls as mock
from interview.study.own import urls as own
from interview.study.portable import urls as portable
from interview.study.practice import urls as practice
from interview.study.progress import urls as progress
from tests.people import gather, named_urls

pytestmark = pytest.mark.django_db
STUDY = (practice, mock, progress, own, portable)
# No file waits to be imported, and a run that nobody measured is no benchmark.
NOT_THERE = {"study:import_shown", "lab:run_bench"}


def own_pages():
    """Names of the addresses that show, or change, what is somebody's own."""
    yield from ("home", "study:cards", "study:cards_print")
    yield from (f"study:{url.name}" for part in STUDY for url in part.urlpatterns)
    yield from (f"lab:{url.name}" for url in lab.of_one_person)


def unlisted_pages():
    namespaces = configured.UNLISTED - {"sso"}
    return (name for name in named_urls() if name.partition(":")[0] in namespaces)


def stored(people, who, names):
    """The names of those that may be kept."""
    answers = {name: people.ask(who, "get", name) for name in names}
    for answer in answers.values():
        answer.close()
    return [
        name
        for name, answer in answers.items()
        if "no-store" not in answer.get("Cache-Control", "")
        and not (name in NOT_THERE and answer.status_code == 404)
    ]


def test_no_personal_page_is_stored(settings):
    assert not stored(gather(settings), "cand", own_pages())


def test_no_page_of_a_room_or_an_interview_is_stored(settings):
    assert not stored(gather(settings), "host", unlisted_pages())
