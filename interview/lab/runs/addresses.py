"""Where the parts of one run are asked for: in the lab, or inside a room."""

from dataclasses import dataclass
from typing import Self

from django.urls import reverse

from ..models import Room, Run


@dataclass(frozen=True, slots=True)
class Addresses:
    """A browser in a room asks for nothing outside of it."""

    page: str
    result: str
    """The result alone, once the run has begun or is over."""
    levels: str
    """The levels that have ended."""
    events: str
    log: str
    replay: str
    room: Room | None = None

    @classmethod
    def in_lab(cls, run: Run) -> Self:
        def at(name: str) -> str:
            return reverse(f"lab:{name}", args=[run.slug])

        page = at("run")
        return cls(page, page, page, at("events"), at("log"), at("replay"))

    @classmethod
    def in_room(cls, room: Room, run: Run) -> Self:
        def at(name: str) -> str:
            return reverse(f"room:{name}", args=[room.slug, run.slug])

        page = at("run")
        return cls(
            page=page,
            result=f"{page}?part=result",
            levels=f"{page}?part=levels",
            events=at("run_events"),
            log=at("run_log"),
            replay=at("replay"),
            room=room,
        )
