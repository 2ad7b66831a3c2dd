"""What goes wrong with people and their links, as sentences for whoever asked.

PeopleError
├── LastOwner         nobody would be left to run the installation
├── NameTaken         somebody else has that name
├── LinkOver          used, revoked or expired meanwhile
└── TooManyAttempts   with the time at which it may go on
"""

from datetime import datetime
from math import ceil


class PeopleError(Exception):
    pass


class LastOwner(PeopleError):
    def __init__(self) -> None:
        super().__init__(
            "This is the last owner who can sign in. "
            "Make somebody else an owner first, and have them sign in once."
        )


class NameTaken(PeopleError):
    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}” is taken. Choose another name.")


class LinkOver(PeopleError):
    def __init__(self) -> None:
        super().__init__("This link was used, revoked or has expired meanwhile.")


class TooManyAttempts(PeopleError):
    def __init__(self, until: datetime, now: datetime) -> None:
        self.wait_s = max(1, ceil((until - now).total_seconds()))
        minutes = ceil(self.wait_s / 60)
        plural = "" if minutes == 1 else "s"
        super().__init__(f"Too many attempts. Try again in {minutes} minute{plural}.")
