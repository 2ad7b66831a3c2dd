"""What a room looks at, one after the other: a card, an experiment, a run."""

from django.db import models

from interview.web.keys import uuid7

from .room import Room


class Shown(models.IntegerChoices):
    """How much of a card's answer the host has opened for all."""

    QUESTION = 0
    SHORT = 1
    FULL = 2


class Step(models.Model):
    """Of `card`, `experiment` and `run` one is set, or none: a free request."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    """From 1, in the order of the session."""
    card = models.CharField(max_length=100, blank=True, default="")
    experiment = models.CharField(max_length=100, blank=True, default="")
    run = models.ForeignKey(
        "lab.Run", null=True, on_delete=models.CASCADE, related_name="+"
    )
    """One that was measured before, to be looked at together."""
    shown = models.PositiveSmallIntegerField(choices=Shown, default=Shown.QUESTION)
    begun_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["room", "number"], name="one_step_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.room} {self.number}"
