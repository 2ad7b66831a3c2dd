"""How often something may be tried, and when again."""

from datetime import timedelta

import pytest
from django.test import RequestFactory

from interview.accounts.attempts import (
    SIGN_IN,
    SIGN_IN_ADDRESS,
    Attempt,
    Limit,
    Try,
    address_of,
    begin,
)
from interview.accounts.errors import TooManyAttempts
from tests.accounts.conftest import NOW, later

THREE = Limit("three", 3, timedelta(minutes=10))


def test_below_the_limit_the_next_attempt_is_free():
    assert THREE.free_at([NOW, NOW], NOW) is None


def test_at_the_limit_the_next_is_free_when_the_oldest_that_counts_is_over():
    times = [later(minutes=m) for m in (0, 1, 4)]
    assert THREE.free_at(times, later(minutes=5)) == later(minutes=10)


def test_more_than_the_limit_waits_for_the_one_that_makes_room():
    times = [later(minutes=m) for m in (0, 1, 2, 3, 4)]
    assert THREE.free_at(times, later(minutes=5)) == later(minutes=12)


def test_an_attempt_at_the_very_end_of_the_window_counts_no_more():
    assert THREE.free_at([NOW, NOW, NOW], later(minutes=10)) is None
    assert THREE.free_at([NOW, NOW, NOW], later(minutes=9, seconds=59)) is not None


@pytest.mark.django_db
def test_the_fourth_of_three_is_told_when_to_come_back():
    one = Try(THREE, "somebody")
    for minute in range(3):
        begin(later(minutes=minute), one)
    with pytest.raises(TooManyAttempts, match="in 5 minutes") as refused:
        begin(later(minutes=5), one)
    assert refused.value.wait_s == 300


@pytest.mark.django_db
def test_a_refused_attempt_does_not_prolong_the_wait():
    one = Try(THREE, "somebody")
    for _ in range(3):
        begin(NOW, one)
    for _ in range(5):
        with pytest.raises(TooManyAttempts):
            begin(later(minutes=9), one)
    begin(later(minutes=10, seconds=1), one)


@pytest.mark.django_db
def test_another_subject_or_limit_is_counted_apart():
    for _ in range(3):
        begin(NOW, Try(THREE, "somebody"))
    begin(NOW, Try(THREE, "somebody else"))
    begin(NOW, Try(Limit("other", 3), "somebody"))


@pytest.mark.django_db
def test_a_right_attempt_wipes_the_wrong_ones_of_its_name_and_keeps_the_address():
    own, address = Try(SIGN_IN, "1.2.3.4 ada"), Try(SIGN_IN_ADDRESS, "1.2.3.4")
    for _ in range(4):
        begin(NOW, own, address)
    begin(NOW, own, address).was_right()
    left = list(Attempt.objects.values_list("key", flat=True))
    assert left == [address.key] * 4


@pytest.mark.django_db
def test_old_attempts_are_tidied_away():
    begin(NOW, Try(THREE, "somebody"))
    begin(later(hours=2), Try(THREE, "somebody else"))
    assert Attempt.objects.count() == 1


@pytest.mark.django_db
def test_the_table_tells_neither_names_nor_addresses():
    begin(NOW, Try(SIGN_IN, "192.0.2.7 ada"))
    row = Attempt.objects.get()
    assert "ada" not in row.key
    assert "192" not in row.key


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("nonsense", "unknown"),
    ],
)
def test_an_address_is_what_its_owner_cannot_change_at_will(told, address):
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=told)) == address


def test_a_header_of_the_client_is_no_address():
    asked = RequestFactory().get("/", headers={"x-forwarded-for": "198.51.100.1"})
    assert address_of(asked) == "127.0.0.1"
