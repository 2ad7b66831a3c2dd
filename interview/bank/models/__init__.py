"""The tables of this app; each lives in the module of its noun."""

from .audit import AuditEntry, Verb
from .calibration import Sample, SampleRating
from .candidate_seat import CandidateSeat
from .card_state import CardState
from .evidence import Evidence
from .interview import Asked, CandidateLink, Interview, PanelMember
from .kit import Kit, KitQuestion, KitVersion, Line
from .pack import Pack
from .scorecard import Note, Revision, Score, Scorecard, State

__all__ = [
    "Asked",
    "AuditEntry",
    "CandidateLink",
    "CandidateSeat",
    "CardState",
    "Evidence",
    "Interview",
    "Kit",
    "KitQuestion",
    "KitVersion",
    "Line",
    "Note",
    "Pack",
    "PanelMember",
    "Revision",
    "Sample",
    "SampleRating",
    "Score",
    "Scorecard",
    "State",
    "Verb",
]
