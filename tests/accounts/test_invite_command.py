"""`manage.py invite`: how the first owner of a fresh installation comes in."""

from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from interview.accounts.models import Role, User
from tests.accounts.conftest import NEXT_PASSWORD, browser, sign_in

pytestmark = pytest.mark.django_db
BOTH = {"password": NEXT_PASSWORD, "again": NEXT_PASSWORD}


def invite(*arguments):
    """The printed link, and what was said beside it."""
    out, beside = StringIO(), StringIO()
    call_command("invite", *arguments, stdout=out, stderr=beside)
    assert out.getvalue().count("\n") == 1
    return out.getvalue().strip(), beside.getvalue()


def test_the_first_owner_comes_from_the_command_line(shared):
    link, beside = invite("--role", "owner", "--url", "https://prefill.example/")
    assert link.startswith("https://prefill.example/invitations/")
    assert "works once" in beside
    client = browser()
    client.post(urlsplit(link).path, {"name": "Ada", **BOTH})
    assert client.get("/people/").status_code == 200


def prepare():
    said = StringIO()
    call_command("prepare", stdout=said)
    return said.getvalue()


def test_a_start_names_the_way_in_until_an_owner_has_signed_in(shared, tmp_path):
    shared.STATIC_ROOT, shared.IS_SHARED = tmp_path, True
    owner = User.objects.local_owner()
    assert "`manage.py invite --role owner`" in prepare()
    User.objects.filter(pk=owner.pk).update(last_login=timezone.now())
    assert prepare() == ""


def test_a_name_alone_is_a_candidate(shared):
    link, _ = invite("Eva Berg")
    page = browser().get(urlsplit(link).path).text
    assert 'value="Eva Berg"' in page
    assert "as a candidate" in page


def test_the_address_is_the_first_host_of_the_settings(shared):
    shared.ALLOWED_HOSTS = ["*", "prefill.lan"]
    assert invite("Eva")[0].startswith("http://prefill.lan:8765/invitations/")
    shared.HTTPS = True
    assert invite("Eva")[0].startswith("https://prefill.lan/invitations/")


def test_the_owner_of_a_local_past_gets_a_password_and_keeps_what_is_theirs(shared):
    owner = User.objects.local_owner()
    link, _ = invite("--password-for", "Owner")
    assert browser().post(urlsplit(link).path, BOTH).status_code == 303
    assert sign_in(browser(), "OWNER", NEXT_PASSWORD).status_code == 303
    owner.refresh_from_db()
    assert owner.role == Role.OWNER
    assert owner.has_usable_password()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say whom you invite"),
        (["--password-for", "Nobody"], "Nobody here is called 'Nobody'."),
        (["x" * 41], "40 characters at most"),
    ],
)
def test_what_cannot_be_is_said(shared, arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        invite(*arguments)


def test_a_deactivated_person_gets_no_link(cem):
    cem.deactivate()
    with pytest.raises(CommandError, match="Cem is deactivated"):
        invite("--password-for", "cem")


def test_a_local_installation_invites_nobody(settings):
    settings.PREFILL_MODE = "local"
    with pytest.raises(CommandError, match="Set PREFILL_MODE=shared"):
        invite("--role", "owner")
