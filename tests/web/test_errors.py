"""Errors are pages: they say what happened and lead back."""

import pytest
from django.test import Client

from interview.web import errors

pytestmark = pytest.mark.django_db


def test_a_missing_page_is_a_page(client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert "Nothing at this address" in response.text
    assert 'href="/"' in response.text


def test_an_address_that_takes_forms_alone_is_a_page_that_says_so(client):
    response = client.get("/theme/", headers={"accept": "text/html,*/*"})
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "Only forms are sent here" in response.text
    assert 'href="/"' in response.text
    program = client.get("/theme/", headers={"accept": "application/json"})
    assert (program.status_code, program.text) == (405, "")


def test_a_stranger_is_told_to_sign_in_without_seeing_anything(client, settings):
    settings.PREFILL_MODE = "shared"
    response = client.get("/cards/")
    assert response.status_code == 403
    assert "Sign in first" in response.text


def test_a_fault_says_so_even_when_the_database_is_what_failed(
    monkeypatch, settings, caplog
):
    def broken(*_):
        raise OSError("gone")

    monkeypatch.setattr("interview.web.context.library", broken)
    response = Client(raise_request_exception=False).get("/cards/")
    assert response.status_code == 500
    assert "The page failed" in response.text
    assert "gone" not in response.text


def test_a_form_without_its_token_gets_a_page_that_says_what_to_do():
    response = Client(enforce_csrf_checks=True).post("/theme/", {"theme": "dark"})
    assert response.status_code == 403
    assert "The form has expired" in response.text
    assert "style=" not in response.text


def test_a_probe_with_a_foreign_host_leaves_a_line_and_no_stack(client, caplog):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    told = [record for record in caplog.records if "evil.example" in record.message]
    assert [record.levelname for record in told] == ["ERROR"]
    assert not any(record.exc_info or record.exc_text for record in caplog.records)
    assert "Traceback" not in caplog.text


def test_a_fault_page_needs_no_request_at_all():
    assert errors.server_error(None).status_code == 500
