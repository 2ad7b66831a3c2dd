"""The tables of this app; each lives in the module of its noun."""

from .asked import Asked
from .audit import AuditEntry, Verb
from .calibration import Sample, SampleRating
from .candidate_link import CandidateLink
from .candidate_seat import CandidateSeat
from .card_state import CardState
from .evidence import Evidence
from .interview import Interview
from .kit import Kit
from .kit_question import KitQuestion, Line
from .kit_version import KitVersion
from .note import Note
from .pack import Pack
from .panel import PanelMember
from .revision import Revision
from .score import Marking, Score
from .scorecard import Scorecard, State

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
    "Marking",
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
