"""Settings as they stand in the environment; nonsense is refused with a sentence."""

import ipaddress
import os
from collections.abc import Callable
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int, low: int, high: int) -> int:
    raw = text(name, str(default))
    if not raw.isdecimal() or not low <= int(raw) <= high:
        raise ImproperlyConfigured(
            f"{name} is {raw!r}: set a whole number from {low} to {high}."
        )
    return int(raw)


def flag(name: str, default: bool = False) -> bool:
    raw = text(name, "1" if default else "0").lower()
    if raw in {"1", "true", "yes", "on"}:
        return True
    if raw in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {raw!r}: set 1 or 0.")


def one_of(name: str, *choices: str) -> str:
    raw = text(name, choices[0])
    if raw not in choices:
        raise ImproperlyConfigured(f"{name} is {raw!r}: set {' or '.join(choices)}.")
    return raw


def networks(name: str) -> list[str]:
    """Addresses and networks of addresses, separated by commas."""
    found = [item.strip() for item in text(name).split(",") if item.strip()]
    for item in found:
        try:
            ipaddress.ip_network(item)
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} has {item!r}: list addresses and networks, such as "
                "127.0.0.1,10.0.0.0/24."
            ) from error
    return found


def secret(name: str, default: Callable[[], str] = str) -> str:
    """The secret in $NAME, or in the file that $NAME_FILE names."""
    if not (path := text(f"{name}_FILE")):
        return text(name) or default()
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}_FILE: cannot read {path}: {error}."
        ) from error
