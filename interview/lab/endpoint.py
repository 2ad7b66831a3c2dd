"""The one inference endpoint of this installation, from settings, never from a person.

Nothing here touches the network: its state is read from the runs and the workers.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urlsplit

from django.conf import settings


@dataclass(frozen=True, slots=True)
class Endpoint:
    url: str
    """Base address, as set by the operator; "" when none is set."""
    model: str
    hardware: str
    simulated: bool
    """The simulator carries the word in its model's name."""

    @classmethod
    def current(cls) -> Self:
        model = settings.LAB_MODEL
        return cls(
            url=settings.LAB_URL,
            model=model,
            hardware=settings.LAB_HARDWARE,
            simulated="simulated" in model.lower(),
        )

    @property
    def extra_body(self) -> dict[str, Any]:
        """Merged into each request; a system check has seen that it is an object."""
        return dict(json.loads(settings.LAB_EXTRA_BODY))

    @property
    def is_set(self) -> bool:
        return bool(self.url and self.model)

    @property
    def missing(self) -> str:
        """Why nothing can be measured, as a sentence for whoever runs Prefill."""
        if not self.url:
            return "No endpoint is set: start Prefill with `manage.py up`."
        return (
            f"{self.name} has not answered yet, so its model is not known. Prefill "
            "asks again every few seconds; LAB_MODEL would name it at once."
        )

    @property
    def name(self) -> str:
        """What people see and runs store: no scheme, no credentials, no path.

        A simulator gets a new port at each start, so its port is no part of its name.
        """
        if self.simulated:
            return f"simulated {self.hardware}"
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        return f"{host}:{parts.port}" if parts.port else host


class Activity(StrEnum):
    """What the endpoint is doing, as the header says it."""

    NOT_SET = "not set"
    SILENT = "not answering"
    """It has not said yet which model it serves."""
    NO_WORKER = "no lab worker"
    UNREACHABLE = "unreachable"
    """The last run could not reach it."""
    STARTING = "starting"
    """A run is next and the worker about to take it."""
    RUNNING = "running"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class EndpointState:
    """What the header says about the endpoint; false when none is set."""

    name: str
    model: str
    simulated: bool
    activity: Activity
    queued: int
    """Runs that wait, the one that runs or starts not counted."""

    def __bool__(self) -> bool:
        return self.activity is not Activity.NOT_SET

    @property
    def worker(self) -> bool:
        """A lab worker was alive in the last seconds."""
        return self.activity is not Activity.NO_WORKER

    @property
    def state(self) -> str:
        """In words, with the queue when there is one."""
        return (
            f"{self.activity}, {self.queued} waiting" if self.queued else self.activity
        )
