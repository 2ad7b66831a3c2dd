"""A form’s address without its form."""

from urllib.parse import urljoin

import pytest

from interview.web.not_allowed import page_above, way_up

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "above"),
    [
        ("/mock/start/", "/mock/"),
        ("/lab/runs/abc/stop/", "/lab/runs/abc/"),
        ("/people/01a22c22-6afe-75c7-b5a9-a7a4707b37af/role/", "/people/"),
        ("/theme/", "/"),
        ("/", "/"),
        ("//", "/"),
    ],
)
def test_a_form_stands_on_the_nearest_page_above(path, above):
    assert page_above(path) == above


@pytest.mark.parametrize(
    ("path", "above"),
    [("/mock/start/", "/mock/"), ("/a/b/c/d/", "/a/"), ("/a/b", "/a/"), ("/", "/")],
)
def test_the_way_up_repeats_nothing_of_the_address(path, above):
    assert urljoin(path, way_up(path, above)) == above
    assert set(way_up(path, above)) == {".", "/"}


def test_it_is_a_page_that_changes_nothing_and_leads_back(client):
    response = client.get("/mock/start/")
    assert response.status_code == 405
    assert response["Allow"] == "POST"
    assert "Only forms are sent here" in response.text
    assert 'href="../"' in response.text


def test_a_program_is_told_the_status_alone(client):
    response = client.get("/mock/start/", headers={"accept": "application/json"})
    assert (response.status_code, response.text) == (405, "")
