from .event import RunEvent
from .prediction import Prediction
from .press import Press
from .room import Room
from .room_seat import RoomSeat, SeatRole
from .run import Run
from .status import Kind, Status
from .step import Shown, Step
from .worker import Worker

__all__ = [
    "Kind",
    "Prediction",
    "Press",
    "Room",
    "RoomSeat",
    "Run",
    "RunEvent",
    "SeatRole",
    "Shown",
    "Status",
    "Step",
    "Worker",
]
