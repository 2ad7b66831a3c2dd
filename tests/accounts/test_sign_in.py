"""The door: who comes in, who does not, and where they come out."""

import re

import pytest
from django.contrib.auth import hashers
from django.test import Client

from interview.accounts.models import Attempt, SignedIn, User
from tests.accounts.conftest import PASSWORD, browser, sign_in

pytestmark = pytest.mark.django_db


def test_the_right_password_opens_the_front_page(cem):
    client = browser()
    response = sign_in(client, "Cem")
    assert (response.status_code, response["Location"]) == (303, "/")
    assert client.get("/").context["me"] == cem


@pytest.mark.parametrize("name", ["cem", "CEM", "  Cem "])
def test_the_case_of_a_name_does_not_matter(cem, name):
    assert sign_in(browser(), name).status_code == 303


def test_every_mistake_gets_the_same_answer(cem, ian):
    ian.deactivate()
    User.objects.create(name="Guest of SSO", password="!")
    tries = [
        ("Cem", "wrong"),
        ("Nobody", PASSWORD),
        ("Ian", PASSWORD),
        ("Guest of SSO", "!"),
        ("Cem", PASSWORD.upper()),
        ("Cem", PASSWORD + " "),
    ]
    pages = set()
    for name, password in tries:
        response = sign_in(browser(), name, password)
        assert response.status_code == 422
        pages.add(re.sub(r'(value|X-CSRFToken)"?[=:] ?"[^"]*"', "", response.text))
    assert len(pages) == 1
    assert "do not belong together" in pages.pop()


def test_every_mistake_costs_one_password_hash(cem, ian, monkeypatch):
    """A name that nobody has must take as long as one that somebody has."""
    ian.deactivate()
    User.objects.create(name="Guest of SSO", password="!")
    counted = []
    encode = hashers.MD5PasswordHasher.encode

    def counting(self, password, salt):
        counted.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counting)
    for name in ("Cem", "Nobody", "Ian", "Guest of SSO"):
        counted.clear()
        sign_in(browser(), name, "wrong")
        assert len(counted) == 1, name


def test_the_name_stays_in_the_form_and_the_password_does_not(cem):
    text = sign_in(browser(), "Cem", "a wrong one").text
    assert 'value="Cem"' in text
    assert "a wrong one" not in text


@pytest.mark.parametrize("nasty", ["\x00", "a\x00b", "x" * 5000])
def test_nonsense_is_a_wrong_form_and_no_fault(cem, nasty):
    assert sign_in(browser(), nasty, PASSWORD).status_code == 422
    assert sign_in(browser(), "Cem", nasty).status_code == 422


def test_who_wanted_a_page_gets_there_after_the_door(cem):
    client = browser()
    asked = client.get("/cards/?q=kv")
    assert asked.status_code == 302
    assert asked["Location"] == "/sign-in/?next=%2Fcards%2F%3Fq%3Dkv"
    door = client.get(asked["Location"])
    assert 'name="next" value="/cards/?q=kv"' in door.text
    assert sign_in(client, "Cem", next="/cards/?q=kv")["Location"] == "/cards/?q=kv"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\\\evil.example/",
        "///evil.example/",
        "javascript:alert(1)",
        "http:evil.example",
        "/\t/evil.example",
        "evil",
    ],
)
def test_the_door_leads_to_this_site_alone(cem, elsewhere):
    assert sign_in(browser(), "Cem", next=elsewhere)["Location"] == "/"
    client = browser(cem)
    assert client.get("/sign-in/", {"next": elsewhere})["Location"] == "/"


def test_the_session_of_a_stranger_is_not_taken_over(cem):
    """Fixation: whoever planted a session knows nothing of the one after the door."""
    client = browser()
    session = client.session
    session["planted"] = 1
    session.save()
    client.cookies["prefill_session"] = planted = session.session_key
    sign_in(client, "Cem")
    assert client.cookies["prefill_session"].value != planted
    thief = browser()
    thief.cookies["prefill_session"] = planted
    assert thief.get("/account/").status_code == 302


def test_another_person_in_the_same_browser_finds_nothing_of_the_first(cem, ian):
    client = browser(cem)
    session = client.session
    session["of_cem"] = 1
    session.save()
    sign_in(client, "Ian")
    assert "of_cem" not in client.session
    assert client.get("/account/").context["me"] == ian


def test_the_door_asks_for_the_token_of_its_page(cem):
    client = Client(enforce_csrf_checks=True)
    assert sign_in(client, "Cem").status_code == 403
    token = re.search(
        r'csrfmiddlewaretoken" value="(\w+)"', client.get("/sign-in/").text
    )
    assert sign_in(client, "Cem", csrfmiddlewaretoken=token[1]).status_code == 303


def test_the_door_stands_in_no_frame_no_cache_and_no_index(shared):
    response = browser().get("/sign-in/")
    assert response.status_code == 200
    assert response["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "no-store"
    assert response["X-Robots-Tag"] == "noindex, nofollow"


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(cem):
    client = browser(cem)
    for name in ("prefill_session", "prefill_csrf"):
        cookie = client.cookies[name]
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"


def test_after_ten_wrong_passwords_the_right_one_waits(cem):
    for _ in range(10):
        assert sign_in(browser(), "Cem", "wrong").status_code == 422
    response = sign_in(browser(), "cem")
    assert response.status_code == 429
    assert 800 < int(response["Retry-After"]) <= 900
    assert "Try again in 15 minutes." in response.text
    assert not SignedIn.objects.exists()


def test_who_is_limited_at_one_address_is_not_so_at_another(cem):
    for _ in range(10):
        sign_in(browser(), "Cem", "wrong")
    elsewhere = browser()
    elsewhere.defaults["REMOTE_ADDR"] = "192.0.2.9"
    assert sign_in(elsewhere, "Cem").status_code == 303


def test_many_names_from_one_address_are_limited_too(cem):
    for number in range(100):
        assert sign_in(browser(), f"name {number}", "wrong").status_code == 422
    assert sign_in(browser(), "Cem").status_code == 429


def test_a_right_password_leaves_no_attempt_behind(cem):
    sign_in(browser(), "Cem", "wrong")
    sign_in(browser(), "Cem")
    assert Attempt.objects.count() == 1


def test_signing_out_needs_a_button_and_ends_the_session(cem):
    client = browser(cem)
    assert client.get("/sign-out/").status_code == 405
    key = client.cookies["prefill_session"].value
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    client.cookies["prefill_session"] = key
    assert client.get("/account/").status_code == 302
    assert not SignedIn.objects.exists()


def test_whoever_is_in_already_passes_the_door(cem):
    assert browser(cem).get("/sign-in/?next=/manual/")["Location"] == "/manual/"


@pytest.mark.parametrize(
    "path",
    ["/sign-in/", "/account/", "/people/", "/invitations/abc/", "/password/abc/"],
)
def test_a_local_installation_has_no_door(client, settings, path):
    settings.PREFILL_MODE = "local"
    assert client.get(path).status_code == 404
