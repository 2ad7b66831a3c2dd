"""Lets go of everything of study that is one person's."""

from django.db import transaction

from interview.accounts.models import User

from ..models import Act, Attempt, CardMark, Item, Plan, Session, Upload
from ..models.acts import hold

OWNED = (Act, Attempt, CardMark, Item, Plan, Session, Upload)
"""Every table of study with a person in it; steps go with their session."""


@transaction.atomic
def erase(person: User) -> None:
    """The account, lab runs and rooms stay, and texts of cards, which are nobody's."""
    hold(person)
    # Row by row, Django would read all acts to look for undos of them, which are here.
    acts = Act.objects.of(person)
    acts._raw_delete(acts.db)
    for model in OWNED:
        model._default_manager.filter(user=person).delete()
