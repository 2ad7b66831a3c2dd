"""Who comes in from an OpenID provider: whether, and under which name.

Pure: claims in, words out. An e-mail address decides who may come, never who it is.
"""

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any

from .names import JOINERS, is_joined, key_of, tidy
from .seat import NAME_LENGTH

SPARE = 4
"""Room for a number behind a name that is taken."""


def refusal(claims: Mapping[str, Any], domains: Collection[str]) -> str:
    """Why these claims do not come in, as a sentence; "" when they do."""
    if not domains:
        return ""
    address = str(claims.get("email") or "")
    if claims.get("email_verified") not in (True, "true"):
        return (
            "Your provider does not confirm your e-mail address, "
            "and this installation asks for one."
        )
    if address.rpartition("@")[2].casefold() not in domains:
        return f"{address} has an address that this installation does not let in."
    return ""


def names(claims: Mapping[str, Any]) -> Iterator[str]:
    """Names to try, the best first, without end."""
    said = [claims.get(key) for key in ("name", "preferred_username", "nickname")]
    said.append(str(claims.get("email") or "").partition("@")[0])
    best = next(filter(None, map(readable, said)), "Somebody")
    yield best
    for number in count(2):
        yield f"{best} {number}"


def readable(said: object) -> str:
    """Shortened, without what cannot be seen; "" when nothing is left."""
    if not isinstance(said, str):
        return ""
    seen = "".join(
        one if one.isprintable() or is_joined(said, place) else " "
        for place, one in enumerate(said)
    )
    name = tidy(seen)[: NAME_LENGTH - SPARE]
    while len(key_of(name)) > NAME_LENGTH - SPARE:
        name = name[:-1]
    return tidy(name.rstrip(JOINERS))
