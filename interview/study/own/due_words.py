"""When something is asked again, in words."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.text import capfirst

from ..models import Item, Plan


def due_words(item: Item, plan: Plan, now: datetime) -> str:
    """ "back on Thursday, 9 days before your interview" """
    if plan.is_over(now):
        return "not asked, since your interview was"
    # What rested until an interview that was moved comes back as memory asks.
    due_at = item.due_at or item.natural_due_at
    day, today = plan.days.day_of(due_at), plan.today(now)
    if plan.interview_on and max(day, today) >= plan.interview_on:
        return "not asked again before your interview"
    verb = "back" if item.reviews else "first asked"
    if day == today and due_at > now:
        local = due_at.astimezone(ZoneInfo(plan.user.time_zone))
        return f"{verb} today at {local:%H:%M}"
    if day <= today:
        return "due today"
    return f"{verb} {day_words(day, today)}{before_words(day, plan.interview_on)}"


def due_sentence(item: Item, plan: Plan, now: datetime) -> str:
    """ "Back on Thursday, 9 days before your interview." """
    return f"{capfirst(due_words(item, plan, now))}."


def day_words(day: date, today: date) -> str:
    """A day to come: "tomorrow", "on Thursday", "on 12 January 2028"."""
    days = (day - today).days
    if days == 1:
        return "tomorrow"
    if days < 7:
        return f"on {day:%A}"
    year = "" if day.year == today.year or days < 180 else f" {day.year}"
    return f"on {day.day} {day:%B}{year}"


def before_words(day: date, interview_on: date | None) -> str:
    """ ", 9 days before your interview"; "" without one, or from it on."""
    left = (interview_on - day).days if interview_on else -1
    if left <= 0:
        return ""
    if left == 1:
        return ", the day before your interview"
    return f", {left} days before your interview"
