"""The form that begins a mock interview, and the kit that it draws."""

from datetime import datetime
from uuid import UUID

from django import forms

from interview.accounts.models import User
from interview.cards.card import Audience
from interview.cards.draw import Drawn, Wish, draw
from interview.cards.library import Library
from interview.recall.grade import Grade
from interview.web.draw_form import NO_CARD, DrawForm

from ..models import Item, Mock

MINUTES = (20, 30, 45, 60)
LAST_MOCKS = 2
"""What was asked in so many is not asked again while there are other cards."""


class StartForm(DrawForm):
    key = forms.UUIDField(widget=forms.HiddenInput)
    minutes = forms.TypedChoiceField(
        coerce=int, choices=[(count, f"{count} minutes") for count in MINUTES]
    )

    def begin(self, person: User, chance: int, now: datetime) -> Mock | None:
        """The mock; None when no card suits, which is then an error of the form.

        `chance` is the seed when none was typed. A typed one looks at nothing that is
        known of the person, so that it draws the same for everybody.
        """
        typed = self.cleaned_data["seed"]
        seed: int = typed or chance
        kit = (
            anybodys_kit(self.library, self.wish, seed)
            if typed
            else own_kit(self.library, person, self.wish, seed)
        )
        if not kit:
            self.add_error(None, NO_CARD)
            return None
        key: UUID = self.cleaned_data["key"]
        return Mock.objects.begin(person, key, self.wish, seed, kit, now)


def anybodys_kit(library: Library, wish: Wish, seed: int) -> tuple[Drawn, ...]:
    return draw(library.listed(Audience.CANDIDATE), wish, seed)


def own_kit(library: Library, person: User, wish: Wish, seed: int) -> tuple[Drawn, ...]:
    """Fair to what this person knows, and was asked lately."""
    answered = Item.objects.of(person).filter(
        rung_id="", last_grade__in=(Grade.PARTLY, Grade.SOLID)
    )
    return draw(
        library.listed(Audience.CANDIDATE),
        wish,
        seed,
        known=frozenset(answered.values_list("card_id", flat=True)),
        recent=Mock.objects.card_ids(person, LAST_MOCKS),
    )


def is_repeatable(library: Library, mock: Mock, card_ids: list[str]) -> bool:
    """Whether its seed, typed by anybody today, would draw the same questions."""
    wish = Wish(mock.minutes or 0, mock.level, mock.role)
    drawn = anybodys_kit(library, wish, mock.seed)
    return [each.card.id for each in drawn] == card_ids
