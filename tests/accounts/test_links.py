"""Invitations and links to a new password."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from interview.accounts.models import Invitation, Role, SignedIn, User
from interview.accounts.seat import hashed
from interview.accounts.views import links
from interview.accounts.views import sign_in as sign_in_view
from tests.accounts.conftest import NEXT_PASSWORD, PASSWORD, browser, sign_in

pytestmark = pytest.mark.django_db
BOTH = {"password": NEXT_PASSWORD, "again": NEXT_PASSWORD}
HOME, AT_WORK = "192.0.2.7", "192.0.2.9"


@pytest.fixture
def invited(ada):
    """An invitation and its address."""
    made, token = Invitation.objects.invite(
        Role.INTERVIEWER, timezone.now(), name="Eva", by=ada
    )
    return made, f"/invitations/{token}/"


@pytest.fixture
def forgotten(ada, cem):
    made, token = Invitation.objects.renew_password(cem, timezone.now(), by=ada)
    return made, f"/password/{token}/"


def join(path, **fields):
    return browser().post(path, {"name": "Eva", **BOTH, **fields})


def test_an_invitation_makes_a_person_and_signs_them_in(invited):
    client = browser()
    response = client.post(invited[1], {"name": " Eva  Berg ", **BOTH})
    assert (response.status_code, response["Location"]) == (303, "/")
    eva = client.get("/account/").context["me"]
    assert (eva.name, eva.role) == ("Eva Berg", Role.INTERVIEWER)
    assert sign_in(browser(), "eva berg", NEXT_PASSWORD).status_code == 303


def test_looking_at_an_invitation_uses_nothing_up(invited):
    for _ in range(3):
        page = browser().get(invited[1])
        assert page.status_code == 200
        assert 'value="Eva"' in page.text
        assert "Ada invites you" in page.text
    assert join(invited[1]).status_code == 303


def test_an_invitation_works_once(invited):
    join(invited[1])
    assert join(invited[1], name="Another").status_code == 404
    assert browser().get(invited[1]).status_code == 404
    assert not User.objects.filter(name="Another").exists()


def test_the_table_knows_a_link_by_its_hash_alone(invited):
    token = invited[1].split("/")[2]
    row = Invitation.objects.values().get()
    assert row["token_hash"] == hashed(token)
    assert token not in str(row)
    assert len(token) >= 22


def spoil_by_age(made, ada):
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def spoil_by_revoking(made, ada):
    made.revoke(timezone.now())


def spoil_by_role(made, ada):
    User.objects.filter(pk=ada.pk).update(role=Role.INTERVIEWER)


def spoil_by_leaving(made, ada):
    User.objects.filter(pk=ada.pk).update(is_active=False)


@pytest.mark.parametrize(
    "spoil", [spoil_by_age, spoil_by_revoking, spoil_by_role, spoil_by_leaving]
)
def test_a_link_that_is_over_opens_nothing(invited, forgotten, ada, spoil):
    made, path = invited
    spoil(made, ada)
    assert browser().get(path).status_code == 404
    assert join(path).status_code == 404
    if spoil is not spoil_by_revoking:
        assert browser().get(forgotten[1]).status_code == 404


def test_a_link_is_good_for_seven_days(invited):
    made = invited[0]
    assert made.expires_at - made.made_at == timedelta(days=7)


def test_a_link_of_one_kind_is_none_of_the_other(invited, forgotten):
    assert (
        browser().get(invited[1].replace("invitations", "password")).status_code == 404
    )
    assert (
        browser().get(forgotten[1].replace("password", "invitations")).status_code
        == 404
    )


def test_a_name_that_is_taken_keeps_the_invitation_open(invited, cem):
    response = join(invited[1], name="CEM")
    assert response.status_code == 422
    assert "“CEM” is taken. Choose another name." in response.text
    assert join(invited[1]).status_code == 303


@pytest.mark.parametrize(
    ("password", "again", "sentence"),
    [
        ("short", "short", "at least 10 characters"),
        ("1234567890123", "1234567890123", "entirely numeric"),
        ("password123", "password123", "too common"),
        ("Eva Bergman 1", "Eva Bergman 1", "too similar to the name"),
        (PASSWORD, NEXT_PASSWORD, "not the same"),
        ("x" * 257, "x" * 257, "256 characters at most"),
        ("", "", "Write the password"),
    ],
)
def test_a_weak_password_is_refused_with_its_reason(invited, password, again, sentence):
    response = join(invited[1], name="Eva Bergman", password=password, again=again)
    assert response.status_code == 422
    assert sentence in response.text
    if password:
        assert f'value="{password}"' not in response.text
    assert not User.objects.filter(name="Eva Bergman").exists()


def test_a_new_password_ends_every_session_and_opens_this_one(forgotten, cem):
    old = browser(cem)
    client = browser()
    assert client.get(forgotten[1]).status_code == 200
    assert old.get("/account/").status_code == 200
    assert client.post(forgotten[1], BOTH).status_code == 303
    assert client.get("/account/").context["me"] == cem
    assert old.get("/account/").status_code == 302
    assert sign_in(browser(), "Cem", PASSWORD).status_code == 422
    assert sign_in(browser(), "Cem", NEXT_PASSWORD).status_code == 303


def test_a_newer_link_to_a_password_makes_the_older_worthless(forgotten, ada, cem):
    Invitation.objects.renew_password(cem, timezone.now(), by=ada)
    assert browser().post(forgotten[1], BOTH).status_code == 404


def test_a_newer_link_outlasts_an_older_one_whose_maker_is_an_owner_again(
    forgotten, ada, cem
):
    spoil_by_role(None, ada)
    Invitation.objects.renew_password(cem, timezone.now())
    User.objects.filter(pk=ada.pk).update(role=Role.OWNER)
    assert browser().post(forgotten[1], BOTH).status_code == 404


def test_who_is_deactivated_gets_no_password(forgotten, cem):
    cem.deactivate()
    assert browser().post(forgotten[1], BOTH).status_code == 404


def test_a_password_like_the_own_name_is_refused(ada):
    eva = User.objects.join("Evangeline Berg", PASSWORD, Role.CANDIDATE)
    _, token = Invitation.objects.renew_password(eva, timezone.now(), by=ada)
    both = {"password": "evangeline berg", "again": "evangeline berg"}
    assert browser().post(f"/password/{token}/", both).status_code == 422


def test_who_guesses_links_is_stopped_and_told_when_to_come_back(shared, invited):
    for number in range(30):
        assert browser().get(f"/invitations/guess-{number}/").status_code == 404
    response = browser().get("/password/guess/")
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Try again in" in response.text


def test_who_opens_a_right_link_often_is_no_guesser(invited):
    for _ in range(40):
        assert browser().get(invited[1]).status_code == 200


@pytest.mark.parametrize("kind", ["invitations", "password"])
def test_a_link_leaves_no_trace_in_caches_indexes_and_other_sites(
    invited, forgotten, kind
):
    path = invited[1] if kind == "invitations" else forgotten[1]
    for response in (
        browser().get(path),
        browser().post(path, {}),
        browser().get(f"/{kind}/nothing/"),
    ):
        assert response["Cache-Control"] == "no-store"
        assert response["Referrer-Policy"] == "strict-origin"
        assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert response["X-Frame-Options"] == "DENY"


def test_no_line_of_the_log_holds_the_key_of_a_link(invited, settings, tmp_path):
    """As the server would write it, with its own handlers."""
    import logging.config

    token, lines = invited[1].split("/")[2], []
    logging.config.dictConfig(settings.LOGGING)
    handler = logging.getLogger().handlers[-1]
    handler.emit = lambda record: lines.append(handler.format(record))
    browser().post(invited[1], {})
    join(invited[1])
    browser().get(invited[1])
    assert any("/invitations/…/" in line for line in lines)
    assert not any(token in line for line in lines)


def test_the_password_is_in_no_error_report(shared, rf):
    """Django blanks what a view names as sensitive."""
    for view, key in (
        (links.invitation, {"token": "t"}),
        (links.password, {"token": "t"}),
        (sign_in_view.sign_in, {}),
    ):
        request = rf.post("/", BOTH)
        with suppress(AttributeError):  # there is no session here
            view(request, **key)
        assert "password" in request.sensitive_post_parameters


def test_whoever_is_signed_in_becomes_the_invited_one(invited, cem):
    client = browser(cem)
    assert "You are signed in as Cem" in client.get(invited[1]).text
    client.post(invited[1], {"name": "Eva", **BOTH})
    assert client.get("/account/").context["me"].name == "Eva"
    assert SignedIn.objects.get(person__name="Eva")


def test_a_new_password_lifts_the_limit_of_the_old_one_everywhere(forgotten, cem):
    for address in HOME, AT_WORK:
        guesses = [sign_in(at(address), "Cem", "wrong").status_code for _ in range(11)]
        assert guesses[-1] == 429
    assert at(HOME).post(forgotten[1], BOTH).status_code == 303
    for address in HOME, AT_WORK:
        assert sign_in(at(address), "cem", NEXT_PASSWORD).status_code == 303


def test_the_limit_of_a_new_password_is_its_own(forgotten, cem):
    assert browser().post(forgotten[1], BOTH).status_code == 303
    guesses = [sign_in(browser(), "Cem", "wrong").status_code for _ in range(11)]
    assert guesses[-1] == 429
    assert sign_in(browser(), "Cem", NEXT_PASSWORD).status_code == 429


def at(address):
    client = browser()
    client.defaults["REMOTE_ADDR"] = address
    return client
