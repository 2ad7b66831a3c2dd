"""What can stop a whole measurement, as one tree.

MeasureError
├── UsageError      the command line, the URL or the spec is wrong
├── EndpointError   the server cannot be reached, or refuses before the load starts
├── StreamError     the bytes of one stream cannot be read as events
└── ReaderStalled   nobody reads what the measurement says
"""


class MeasureError(Exception):
    """Base; the message is a sentence for the person who can act."""


class UsageError(MeasureError):
    """Wrong arguments; exit status 2."""


class EndpointError(MeasureError):
    """No endpoint to measure; exit status 3."""


class StreamError(MeasureError):
    """One answer cannot be decoded; that request fails, others go on."""


class ReaderStalled(MeasureError):
    """The queue towards the reader is full; exit status 1."""
