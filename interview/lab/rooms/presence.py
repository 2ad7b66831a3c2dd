"""Who is there: a seat with an open stream, or that asked for something just now.

It knows moments, not tables.
"""

from datetime import datetime, timedelta

from interview.accounts.seat import is_present

BEAT_S = 5.0
"""So often a web process says that the seats connected to it are there."""
AWAY_AFTER = timedelta(seconds=15)
WORTH_WRITING = timedelta(seconds=10)
"""A page that is asked for more often than that need not say so each time."""


def is_there(seen_at: datetime | None, now: datetime) -> bool:
    return is_present(seen_at, now, AWAY_AFTER)


def away_s(seen_at: datetime | None, since: datetime, now: datetime) -> int | None:
    """Whole seconds since it was seen, or else `since`; None while it is there."""
    if is_there(seen_at, now):
        return None
    return max(0, int((now - (seen_at or since)).total_seconds()))
