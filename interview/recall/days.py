"""Days of study: in the learner's zone, and not over before four in the morning."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

ROLLOVER = time(4)
DAY_MS = 86_400_000


def posix_ms(at: datetime) -> float:
    """Milliseconds of POSIX time, as thousands of instants are told."""
    return at.timestamp() * 1000


@dataclass(frozen=True, slots=True)
class StudyDays:
    zone: str = "UTC"
    """A name of the time zone database."""

    def day_of(self, at: datetime) -> date:
        """The day of study in which the instant `at` lies; `at` knows its zone."""
        local = at.astimezone(ZoneInfo(self.zone))
        early = local.time() < ROLLOVER
        return local.date() - timedelta(days=1) if early else local.date()

    def begin(self, day: date) -> datetime:
        """Its first instant, in UTC. Where clocks skip four o'clock, the next one."""
        local = datetime.combine(day, ROLLOVER, ZoneInfo(self.zone))
        return local.astimezone(UTC)

    def end(self, day: date) -> datetime:
        """The first instant after it, in UTC."""
        return self.begin(day + timedelta(days=1))

    def last(self, day: date) -> datetime:
        """Its last second, in UTC: the full 24 hours between a look and then are the
        days of study between them, at whatever hour the look was."""
        return self.end(day) - timedelta(seconds=1)
