"""Who interviews."""

from django.conf import settings
from django.db import models


class PanelMember(models.Model):
    interview = models.ForeignKey(
        "bank.Interview", on_delete=models.CASCADE, related_name="panel"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["interview", "user"], name="one_panel_place_per_person"
            )
        ]

    def __str__(self) -> str:
        return str(self.user)
