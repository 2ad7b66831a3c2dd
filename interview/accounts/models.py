"""The tables of this app; each lives in the module of its noun."""

from .attempts import Attempt
from .invitations import Invitation
from .signed_in import SignedIn
from .user import People, Role, User, check_time_zone

__all__ = [
    "Attempt",
    "Invitation",
    "People",
    "Role",
    "SignedIn",
    "User",
    "check_time_zone",
]
