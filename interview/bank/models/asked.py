"""The questions of an interview, from its kit."""

from django.db import models

from .kit_question import KitQuestion


class Asked(models.Model):
    """A question of the kit in this interview: when it was put, and if at all."""

    interview = models.ForeignKey(
        "bank.Interview", on_delete=models.CASCADE, related_name="asked"
    )
    question = models.ForeignKey(
        KitQuestion, on_delete=models.PROTECT, related_name="asked"
    )
    card_id = models.CharField(max_length=100)
    """Of the question, for the statistics of the bank."""
    asked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interview", "question"], name="one_question_per_interview"
            )
        ]
        indexes = [
            models.Index(fields=["card_id", "asked_at"], name="asked_by_card"),
        ]

    def __str__(self) -> str:
        return str(self.question)
