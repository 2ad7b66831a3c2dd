"""What can go wrong in the bank. Every message is a sentence for the person."""

NOT_YOURS = "This form is not yours: open the page anew."
"""Its key, by which it can be sent twice, is of what somebody else made."""


class BankError(Exception):
    """The root of the bank's errors: the act was refused, and nothing changed."""


class Changed(BankError):
    """Somebody saved this since it was read; `now` is how it stands."""

    def __init__(self, sentence: str, now: object) -> None:
        super().__init__(sentence)
        self.now = now


class Frozen(BankError):
    """A kit that was used, or a scorecard that was submitted, does not change."""
