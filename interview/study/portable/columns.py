"""One column of an exported row: how its value is written, and how one is read back.

The rules are those of the model's field, so that what is read can be stored; a value
is never converted from another type of JSON. Knows no file and no person.
"""

import json
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from interview.web.keys import uuid7

from ..item_name import SPOT_THE_FLAW
from ..models import Attempt

RANGES = BaseDatabaseOperations.integer_field_ranges
YEARS = range(2000, 2200)
SHOWN = 40
NAME = re.compile(r"[A-Za-z0-9_-]+")
PLACES: Mapping[type[models.Model], Collection[str]] = {Attempt: [SPOT_THE_FLAW]}
"""What stands in a row for the id of a rung, and is none."""


class Unreadable(ValueError):
    """The sentence goes on from the place of the value: “is no number: true”."""


class Required:
    """The default of a column that every row must have."""


REQUIRED = Required()


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    """The key in the file."""
    path: str
    """Of the value, for a query."""
    read: Callable[[Any], Any]
    """Raises Unreadable."""
    default: Any = REQUIRED
    """Stands for a key that is left out."""


def column(field: "models.Field[Any, Any]") -> Column:
    read = reader(field)
    if field.null:
        return Column(field.name, field.attname, or_null(read), None)
    default: Any = REQUIRED
    if field.has_default() and field.default is not uuid7:
        default = field.get_default()
    elif field.blank:
        default = ""
    return Column(field.name, field.attname, read, default)


def written(value: object) -> Any:
    """As JSON has it: times in UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


def reader(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    if isinstance(field, models.BooleanField):
        return read_bool
    if isinstance(field, models.UUIDField):
        return read_uuid
    if isinstance(field, models.DateTimeField):
        return read_time
    if isinstance(field, models.DateField):
        return read_day
    if isinstance(field, models.IntegerField | models.FloatField):
        return number_reader(field)
    if field.name in ("card_id", "rung_id"):
        return name_reader(field, PLACES.get(field.model, ()))
    return text_reader(field)


def or_null(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def read_bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unreadable(f"is neither true nor false: {shown(value)}")
    return value


def read_uuid(value: Any) -> UUID:
    try:
        if isinstance(value, str) and len(value) == 36:
            return UUID(value)
    except ValueError:
        pass
    raise Unreadable(f"is no UUID: {shown(value)}")


def read_time(value: Any) -> datetime:
    try:
        at = datetime.fromisoformat(text_of(value))
    except ValueError:
        at = None
    if at is None or at.tzinfo is None or at.year not in YEARS:
        raise Unreadable(
            f"is no time with its zone, such as 2026-11-30T09:00:00Z: {shown(value)}"
        )
    return at.astimezone(UTC)


def read_day(value: Any) -> date:
    try:
        day = date.fromisoformat(text_of(value))
    except ValueError:
        day = None
    if day is None or day.year not in YEARS:
        raise Unreadable(f"is no day such as 2026-11-30: {shown(value)}")
    return day


def number_reader(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    is_whole = isinstance(field, models.IntegerField)
    kinds = (int,) if is_whole else (int, float)
    what = "whole number" if is_whole else "number"
    low, high = RANGES.get(field.get_internal_type(), (-math.inf, math.inf))
    for rule in field.validators:
        if isinstance(rule, MinValueValidator):
            low = max(low, rule.limit_value)
        elif isinstance(rule, MaxValueValidator):
            high = min(high, rule.limit_value)

    def read(value: Any) -> Any:
        if type(value) not in kinds or value in (math.inf, -math.inf):
            raise Unreadable(f"is no {what}: {shown(value)}")
        if not low <= value <= high:
            raise Unreadable(f"is not between {low} and {high}: {shown(value)}")
        return value if is_whole else float(value)

    return read


def text_reader(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    most = field.max_length or math.inf
    words = [word for word, _ in field.flatchoices]
    if words and field.blank:
        words.append("")

    def read(value: Any) -> str:
        text = text_of(value)
        if words and text not in words:
            known = ", ".join(str(word) for word in words if word)
            raise Unreadable(f"is none of {known}: {shown(text)}")
        if not text and not field.blank:
            raise Unreadable("is empty")
        if len(text) > most:
            raise Unreadable(f"has {len(text):,} characters, and {most:,} at most fit")
        return text

    return read


def name_reader(
    field: "models.Field[Any, Any]", others: Collection[str] = ()
) -> Callable[[Any], Any]:
    """A card's or a rung's id, which becomes part of an address; or one of `others`."""
    read_text = text_reader(field)

    def read(value: Any) -> str:
        text = str(read_text(value))
        if text and text not in others and not NAME.fullmatch(text):
            raise Unreadable(f"is no id such as kv-cache: {shown(text)}")
        return text

    return read


def text_of(value: Any) -> str:
    if not isinstance(value, str):
        raise Unreadable(f"is no text: {shown(value)}")
    if "\0" in value:
        raise Unreadable("holds the character NUL, which no database keeps")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise Unreadable("holds half a character") from error
    return value


def shown(value: Any) -> str:
    """Short, whatever it is, and as the file has it."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)[: SHOWN + 1]
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
