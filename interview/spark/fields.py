"""Typed reads of a JSON body, refused in the words of a validation error."""

from collections.abc import Mapping

from .errors import Malformed

Body = Mapping[str, object]


def integer(body: Body, name: str, default: int) -> int:
    value = integer_or_none(body, name)
    return default if value is None else value


def integer_or_none(body: Body, name: str) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(name, "a valid integer", value)
    return value


def flag(body: Body, name: str, default: bool = False) -> bool:
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise wrong_type(name, "a valid boolean", value)
    return value


def wrong_type(name: str, wanted: str, value: object) -> Malformed:
    shown = repr(value)[:200]
    return Malformed(
        f"1 validation error:\n  {{'loc': 'body.{name}', "
        f"'msg': 'Input should be {wanted}', 'input': {shown}}}",
        f"body.{name}",
    )


def missing(name: str) -> Malformed:
    return Malformed(
        f"1 validation error:\n  {{'type': 'missing', 'loc': 'body.{name}', "
        "'msg': 'Field required'}",
        f"body.{name}",
    )
