"""What can go wrong at the lab's edge. Every message is a sentence for the person."""


class LabError(Exception):
    """The root of the lab's errors."""


class OverCap(LabError):
    """A limit of this installation would be exceeded."""


class ClaimLost(LabError):
    """The run is no longer this worker's: it was finished or taken by someone else."""


class PredictionLocked(LabError):
    """A prediction cannot be made or changed any more."""
