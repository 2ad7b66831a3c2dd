"""Old versions of cards, so that what was asked once can always be read again."""

from django.db import models

from interview.cards.card import Card
from interview.cards.cardfile import read_card
from interview.cards.problem import Notes


class CardVersions(models.QuerySet["CardVersion"]):
    def keep(self, card: Card) -> None:
        """Write-once: the file of a card that somebody was asked or graded on."""
        self.bulk_create(
            [CardVersion(hash=card.version, card_id=card.id, source=card.source)],
            ignore_conflicts=True,
        )


class CardVersion(models.Model):
    """A card's whole file as it was; nobody changes or deletes a row."""

    hash = models.CharField(max_length=64, primary_key=True)
    """`Card.version`: of the whole file."""
    card_id = models.CharField(max_length=100, db_index=True)
    source = models.TextField()
    kept_at = models.DateTimeField(auto_now_add=True)

    objects = CardVersions.as_manager()

    def __str__(self) -> str:
        return f"{self.card_id} {self.hash[:8]}"

    def card(self) -> Card | None:
        """None when the format has changed so much that it can't be read any more."""
        return read_card(self.source, Notes(f"{self.card_id}.md"), private=True)
