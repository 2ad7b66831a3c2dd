"""The owner's list of people."""

import re

import pytest
from django.urls import reverse

from interview.accounts.models import Invitation, Role, User
from tests.accounts.conftest import PASSWORD, browser, make_person, sign_in

pytestmark = pytest.mark.django_db
LINK = re.compile(r'id="link" value="http://testserver(/[^"]+)"')


@pytest.fixture
def owner(ada):
    return browser(ada)


def link_in(response):
    return LINK.search(response.text)[1]


@pytest.mark.parametrize("name", ["cem", "ian"])
def test_only_owners_see_the_people(request, name):
    client = browser(request.getfixturevalue(name))
    refused = client.get("/people/")
    assert refused.status_code == 403
    assert "Only an owner of this installation may do that." in refused.text
    assert client.post("/people/", {"role": "owner"}).status_code == 403
    assert 'href="/people/"' not in client.get("/account/").text
    assert not Invitation.objects.exists()


def test_an_owner_finds_the_people_in_the_header(owner):
    assert 'href="/people/"' in owner.get("/").text


def test_an_invitation_is_shown_once_and_opens(owner, ada):
    response = owner.post("/people/", {"name": "Eva", "role": "interviewer"})
    assert response.status_code == 200
    path = link_in(response)
    assert browser().get(path).status_code == 200
    token = path.split("/")[2]
    listed = owner.get("/people/").text
    assert token not in listed
    assert "Eva" in listed
    made = Invitation.objects.get()
    assert (made.role, made.made_by) == (Role.INTERVIEWER, ada)


def test_an_invitation_needs_no_name_but_a_role(owner):
    assert link_in(owner.post("/people/", {"role": "candidate"}))
    refused = owner.post("/people/", {"name": "Eva", "role": "king"})
    assert refused.status_code == 422
    assert "“king” is none of them" in refused.text


def test_a_revoked_invitation_opens_nothing(owner):
    path = link_in(owner.post("/people/", {"role": "candidate"}))
    made = Invitation.objects.get()
    assert owner.post(f"/people/invitations/{made.pk}/revoke/").status_code == 303
    assert browser().get(path).status_code == 404


def test_a_link_to_a_new_password_is_shown_once(owner, cem):
    path = link_in(owner.post(f"/people/{cem.pk}/password/"))
    both = {"password": "nine louder herons", "again": "nine louder herons"}
    assert browser().post(path, both).status_code == 303
    assert sign_in(browser(), "Cem", PASSWORD).status_code == 422


def test_a_role_changes_what_the_next_request_may(owner, cem):
    client = browser(cem)
    assert client.get("/people/").status_code == 403
    owner.post(f"/people/{cem.pk}/role/", {"role": "owner"})
    assert client.get("/people/").status_code == 200
    owner.post(f"/people/{cem.pk}/role/", {"role": "candidate"})
    assert client.get("/people/").status_code == 403


def test_who_is_deactivated_is_out_at_the_next_request_and_back_by_the_door(owner, cem):
    client = browser(cem)
    owner.post(f"/people/{cem.pk}/active/", {"active": "0"})
    assert client.get("/account/").status_code == 302
    assert sign_in(browser(), "Cem").status_code == 422
    owner.post(f"/people/{cem.pk}/active/", {"active": "1"})
    assert client.get("/account/").status_code == 302
    assert sign_in(client, "Cem").status_code == 303


@pytest.mark.parametrize(
    ("act", "fields"), [("role", {"role": "candidate"}), ("active", {"active": "0"})]
)
def test_the_last_owner_stays_one(owner, ada, act, fields):
    response = owner.post(f"/people/{ada.pk}/{act}/", fields, follow=True)
    assert "last owner who can sign in" in response.text
    ada.refresh_from_db()
    assert ada.is_active
    assert ada.is_owner


def test_the_owner_of_a_local_past_is_nobody_who_could_take_over(owner, ada):
    User.objects.local_owner()
    owner.post(f"/people/{ada.pk}/role/", {"role": "candidate"})
    ada.refresh_from_db()
    assert ada.is_owner


def test_one_of_two_owners_may_go(owner, ada):
    bea = make_person("Bea", Role.OWNER)
    second = browser(bea)
    second.post(f"/people/{ada.pk}/role/", {"role": "interviewer"})
    assert owner.get("/people/").status_code == 403
    second.post(f"/people/{bea.pk}/role/", {"role": "interviewer"})
    assert second.get("/people/").status_code == 200


def test_an_unknown_person_or_role_is_no_fault(owner, cem):
    nobody = "00000000-0000-7000-8000-000000000000"
    for act in ("role", "active", "password"):
        assert owner.post(f"/people/{nobody}/{act}/").status_code == 404
    assert owner.post(f"/people/invitations/{nobody}/revoke/").status_code == 404
    page = owner.post(f"/people/{cem.pk}/role/", {"role": "king"}, follow=True)
    assert "“king” is none of them" in page.text


def test_a_name_with_markup_is_text(owner):
    make_person("<b>bold</b>", Role.CANDIDATE)
    text = owner.get("/people/").text
    assert "<b>bold</b>" not in text
    assert "&lt;b&gt;bold&lt;/b&gt;" in text


def test_the_words_on_candidates_are_what_they_may_do(owner, cem):
    told = re.search(r"<dt>Candidate</dt><dd>([^<]+)", owner.get("/people/").text)[1]
    may_open_rooms = browser(cem).post(reverse("room:rooms")).status_code == 303
    assert ("opens rooms" in told) == may_open_rooms
