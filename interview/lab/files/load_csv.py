"""The token events of a load as CSV, from its stored ticks; a load's texts are not."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

COLUMNS = (
    *("load", "users", "repetition", "stream", "user", "neighbour", "event"),
    *("t_ms", "gap_ms", "tokens", "simulated"),
)

Row = tuple[Any, ...]


def load_csv(events: Iterable[Mapping[str, Any]], *, simulated: bool) -> str:
    """One line per token event in the order it was told.

    `t_ms` counts from the start of the measurement, streams and repetitions from 0.
    `neighbour` is "yes" for those that were sent beside a measured request.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    mark = "yes" if simulated else "no"
    writer.writerows((*row, mark) for row in rows(events))
    return out.getvalue()


def rows(events: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    repetition: Repetition | None = None
    for event in events:
        if event["k"] == "level" and event["state"] == "started":
            repetition = Repetition(event, repetition if event.get("joined") else None)
        elif repetition is not None:
            yield from repetition.rows(event)


class Repetition:
    """One repetition of one level, as far as it was told.

    A gathering's streams go on from the level `before`.
    """

    def __init__(
        self, started: Mapping[str, Any], before: "Repetition | None" = None
    ) -> None:
        self._users, self._number = started["users"], started["repetition"]
        self._name = started.get("name") or str(self._users)
        is_crowd = started.get("neighbours") or started.get("joined")
        self._is_alone = self._users == 1 and not is_crowd
        self._user: dict[int, int] = before._user if before else {}
        self._last_us: dict[int, int] = before._last_us if before else {}
        self._count: dict[int, int] = before._count if before else {}

    def rows(self, event: Mapping[str, Any]) -> Iterator[Row]:
        """One user alone is told event by event, else all are in ticks together."""
        t_us = event["t_us"]
        if event["k"] == "tokens" and self._is_alone and event["n"]:
            self._user[event["stream"]] = 0
            yield self._row(event["stream"], event["n"], t_us)
        elif event["k"] == "ticks":
            self._user |= {stream: user for stream, user, _ in event["starts"]}
            for stream, tokens, dt_us in event["ticks"]:
                yield self._row(stream, tokens, t_us + dt_us)

    def _row(self, stream: int, tokens: int, at_us: int) -> Row:
        last_us = self._last_us.get(stream)
        gap_ms = "" if last_us is None else (at_us - last_us) / 1000
        self._last_us[stream] = at_us
        self._count[stream] = self._count.get(stream, 0) + 1
        user = self._user.get(stream)
        beside = "yes" if user is not None and user >= self._users else "no"
        load = (self._name, self._users, self._number)
        place = (*load, stream, "" if user is None else user, beside)
        return (*place, self._count[stream], at_us / 1000, gap_ms, tokens)
