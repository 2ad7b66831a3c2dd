"""What the log of practice knows."""

from django.db import models


class ActKind(models.TextChoices):
    GRADE = "grade"
    KEEP = "keep"
    """The card changed, what was known of it still holds."""
    RESET = "reset"
    """The card changed so much that the item begins anew."""
    SKIP = "skip"
    """Later today."""
    SUSPEND = "suspend"
    RESUME = "resume"
    FLAG = "flag"
    UNFLAG = "unflag"
    UNDO = "undo"


MARKS = {
    ActKind.SUSPEND: ("is_suspended", True),
    ActKind.RESUME: ("is_suspended", False),
    ActKind.FLAG: ("is_flagged", True),
    ActKind.UNFLAG: ("is_flagged", False),
}
"""Field of a card's mark and its value after such an act."""
ON_ITEMS = (ActKind.GRADE, ActKind.KEEP, ActKind.RESET)
ENDS_STEPS = (ActKind.GRADE, ActKind.SKIP, ActKind.SUSPEND)
"""After these a step of a session can be done."""
