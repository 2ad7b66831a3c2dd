"""No page of one person is kept by a browser or by anything on the way."""

import pytest

from interview.study.mock import urls as mock
from interview.study.own import urls as own
from interview.study.portable import urls as portable
from interview.study.practice import urls as practice
from interview.study.progress import urls as progress
from tests.people import gather

pytestmark = pytest.mark.django_db
PARTS = (practice, mock, progress, own, portable)


def test_no_personal_page_is_stored(settings):
    people = gather(settings)
    names = ["cards", "cards_print"]
    names += [each.name for part in PARTS for each in part.urlpatterns]
    answers = {name: people.ask("cand", "get", f"study:{name}") for name in names}
    for answer in answers.values():
        answer.close()
    # There is no file of the candidate to import, so that page is not found.
    assert answers.pop("import_shown").status_code == 404
    stored = [
        name
        for name, answer in answers.items()
        if "no-store" not in answer.get("Cache-Control", "")
    ]
    assert not stored
