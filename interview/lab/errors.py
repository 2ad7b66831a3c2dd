"""What can go wrong at the lab's edge. Every message is a sentence for the person."""


class LabError(Exception):
    """The root of the lab's errors."""


class OverCap(LabError):
    """A limit of this installation would be exceeded."""

    def __init__(self, sentence: str, cap: str | None = None) -> None:
        super().__init__(sentence)
        self.cap = cap
        """The setting that holds the limit; None when it is no setting."""


class ClaimLost(LabError):
    """The run is no longer this worker's: it was finished or taken by someone else."""


class PredictionLocked(LabError):
    """A prediction cannot be made or changed any more."""


class RoomError(LabError):
    """A room cannot do what was asked."""
