"""One's own account, and the places where one is signed in."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interview.accounts.models import SignedIn
from interview.accounts.signed_in import to_the_hour
from tests.accounts.conftest import (
    NEXT_PASSWORD,
    NOW,
    PASSWORD,
    browser,
    later,
    sign_in,
)

pytestmark = pytest.mark.django_db
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) Version/26.0 Mobile Safari/604.1"
NEW = {"old": PASSWORD, "password": NEXT_PASSWORD, "again": NEXT_PASSWORD}


def about(client, **fields):
    return client.post("/account/", {"name": "Cem", "time_zone": "UTC", **fields})


def test_a_name_can_be_changed_and_opens_the_door(cem):
    client = browser(cem)
    assert about(client, name="Cem Öz").status_code == 303
    assert sign_in(browser(), "cem öz").status_code == 303
    assert sign_in(browser(), "Cem").status_code == 422


def test_the_case_of_ones_own_name_can_be_changed(cem):
    assert about(browser(cem), name="CEM").status_code == 303


def test_a_name_that_somebody_else_has_is_refused(cem, ian):
    response = about(browser(cem), name="IAN")
    assert response.status_code == 422
    assert "“IAN” is taken" in response.text
    assert response.text.count(">Cem<") >= 1
    cem.refresh_from_db()
    assert cem.name == "Cem"


def test_times_are_shown_in_ones_own_zone(cem):
    client = browser(cem)
    about(client, time_zone="Asia/Tokyo")
    since = timezone.now()
    SignedIn.objects.update(since=since)
    shown = since.astimezone(timezone.zoneinfo.ZoneInfo("Asia/Tokyo"))
    assert f"{shown:%H:%M}" in client.get("/account/").text
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_time_zone_that_is_none_is_refused(cem):
    response = about(browser(cem), time_zone="Mars/Olympus")
    assert response.status_code == 422
    assert "“Mars/Olympus” is no time zone" in response.text


def test_a_new_password_needs_the_old_one(cem):
    client = browser(cem)
    response = client.post("/account/password/", NEW | {"old": "wrong"})
    assert response.status_code == 422
    assert "not your present password" in response.text
    assert sign_in(browser(), "Cem", PASSWORD).status_code == 303


def test_the_old_password_cannot_be_guessed_from_an_open_browser(cem):
    client = browser(cem)
    for _ in range(10):
        client.post("/account/password/", NEW | {"old": "wrong"})
    response = client.post("/account/password/", NEW)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    cem.refresh_from_db()
    assert cem.check_password(PASSWORD)


def test_a_new_password_ends_the_other_sessions_and_keeps_this_one(cem):
    here, there = browser(cem), browser(cem)
    key = here.cookies["prefill_session"].value
    assert here.post("/account/password/", NEW).status_code == 303
    assert here.cookies["prefill_session"].value != key
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").status_code == 302
    assert SignedIn.objects.count() == 1
    assert sign_in(browser(), "Cem", NEXT_PASSWORD).status_code == 303


def test_a_weak_new_password_is_refused(cem):
    weak = {"password": "short", "again": "short"}
    response = browser(cem).post("/account/password/", NEW | weak)
    assert response.status_code == 422
    assert "at least 10 characters" in response.text


def test_sessions_are_listed_in_words(cem):
    client = browser(cem)
    browser(cem, user_agent=PHONE)
    text = client.get("/account/").text
    assert "Firefox on Linux" in text
    assert "Safari on iPhone" in text
    assert text.count(">this one<") == 1


def test_one_session_can_be_ended_from_another(cem):
    here, there = browser(cem), browser(cem, user_agent=PHONE)
    phone = SignedIn.objects.get(browser="Safari on iPhone")
    assert here.post(f"/account/sessions/{phone.pk}/end/").status_code == 303
    assert there.get("/account/").status_code == 302
    assert here.get("/account/").status_code == 200


def test_nobody_ends_a_session_of_somebody_else(cem, ian):
    his, mine = browser(ian), browser(cem)
    row = SignedIn.objects.get(person=ian)
    assert mine.post(f"/account/sessions/{row.pk}/end/").status_code == 404
    assert his.get("/account/").status_code == 200


def test_sign_out_everywhere_ends_all_sessions(cem, ian):
    browsers = [browser(cem) for _ in range(3)]
    other = browser(ian)
    assert browsers[0].post("/account/sessions/end/")["Location"] == "/sign-in/"
    for client in browsers:
        assert client.get("/account/").status_code == 302
    assert other.get("/account/").status_code == 200


def test_a_cookie_that_was_copied_dies_with_the_session(cem):
    client, thief = browser(cem), browser()
    thief.cookies["prefill_session"] = client.cookies["prefill_session"].value
    assert thief.get("/account/").status_code == 200
    client.post("/account/sessions/end/")
    assert thief.get("/account/").status_code == 302


@pytest.mark.parametrize("name", ["Cem", "Ian"])
def test_a_browser_is_listed_once_whoever_signs_in_there_next(cem, ian, name):
    client = browser(cem)
    sign_in(client, name)
    assert [row.person.name for row in SignedIn.objects.all()] == [name]


def test_the_table_of_sessions_holds_no_key(cem):
    client = browser(cem)
    key = client.cookies["prefill_session"].value
    assert key not in str(SignedIn.objects.values().get())


def test_the_hour_is_written_once(cem):
    row = SignedIn(person=cem, session_hash="h", browser="b", since=NOW)
    row.seen_at = to_the_hour(NOW)
    row.save()
    assert not row.see(later(minutes=39))
    assert row.see(later(minutes=40))
    row.refresh_from_db()
    assert row.seen_at == to_the_hour(later(minutes=40))
    assert not row.see(later(minutes=99))


def test_a_request_within_the_hour_writes_nothing(cem):
    client = browser(cem)
    client.get("/account/")
    with CaptureQueriesContext(connection) as seen:
        client.get("/account/")
    assert [q["sql"] for q in seen if not q["sql"].startswith("SELECT")] == []


def test_whoever_comes_regularly_stays_signed_in(cem):
    client = browser(cem)
    SignedIn.objects.update(seen_at=timezone.now() - timedelta(hours=2))
    assert client.get("/account/").cookies["prefill_session"]["max-age"]


def test_rows_of_sessions_that_expired_are_tidied_at_the_next_sign_in(cem):
    browser(cem)
    SignedIn.objects.update(seen_at=timezone.now() - timedelta(days=15))
    browser(cem)
    assert SignedIn.objects.count() == 1


def test_who_has_no_password_here_is_told_so(cem):
    client = browser(cem)
    cem.set_unusable_password()
    cem.save()
    client.force_login(cem)
    text = client.get("/account/").text
    assert "You have none here" in text
    assert "Present password" not in text
