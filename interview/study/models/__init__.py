from .act import Act
from .act_kind import ActKind
from .acts import Answer
from .attempt import Attempt
from .card_mark import CardMark, NoteChanged
from .item import Item
from .mock import Mock
from .plan import Plan
from .session import Confidence, Session, SessionKind, SessionStep
from .upload import Upload

__all__ = [
    "Act",
    "ActKind",
    "Answer",
    "Attempt",
    "CardMark",
    "Confidence",
    "Item",
    "Mock",
    "NoteChanged",
    "Plan",
    "Session",
    "SessionKind",
    "SessionStep",
    "Upload",
]
