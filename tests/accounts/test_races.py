"""Two who come at the same moment, each on a connection of their own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from django.utils import timezone

from interview.accounts.attempts import Attempt, Limit, Try, begin
from interview.accounts.errors import LastOwner, LinkOver, NameTaken, TooManyAttempts
from interview.accounts.models import Invitation, Role, User
from tests.accounts.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts):
    """What each act returned or raised; all begin together."""
    start = Barrier(len(acts))

    def run(act):
        try:
            start.wait(10)
            return act()
        except Exception as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def kinds(outcomes):
    return sorted(type(outcome).__name__ for outcome in outcomes)


def test_of_two_who_use_one_invitation_one_comes_in(shared):
    made, _ = Invitation.objects.invite(Role.CANDIDATE, timezone.now())
    held = [Invitation.objects.get(pk=made.pk) for _ in range(4)]
    outcomes = at_once(
        *(
            lambda one=one, number=number: one.accept(
                f"Guest {number}", PASSWORD, timezone.now()
            )
            for number, one in enumerate(held)
        )
    )
    assert kinds(outcomes) == sorted([LinkOver.__name__] * 3 + [User.__name__])
    assert User.objects.count() == 1


def test_of_two_who_ask_for_one_name_one_gets_it(shared):
    outcomes = at_once(
        lambda: User.objects.join("Eva", PASSWORD, Role.CANDIDATE),
        lambda: User.objects.join("EVA", PASSWORD, Role.CANDIDATE),
    )
    assert kinds(outcomes) == [NameTaken.__name__, User.__name__]


def test_two_owners_cannot_demote_each_other_at_once(shared):
    owners = [make_person(name, Role.OWNER) for name in ("Ada", "Bea")]
    User.objects.update(last_login=timezone.now())
    outcomes = at_once(
        lambda: owners[0].change_role(Role.CANDIDATE), lambda: owners[1].deactivate()
    )
    assert kinds(outcomes) == [LastOwner.__name__, "NoneType"]
    assert User.objects.owners_who_sign_in().count() == 1


def test_many_attempts_at_once_are_no_more_than_the_limit(shared):
    one = Try(Limit("three", 3), "somebody")
    outcomes = at_once(*[lambda: begin(timezone.now(), one)] * 10)
    let_in = [o for o in outcomes if not isinstance(o, TooManyAttempts)]
    assert len(let_in) <= 3
    assert Attempt.objects.count() == len(let_in)
