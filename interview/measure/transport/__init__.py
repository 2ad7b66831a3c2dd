"""HTTP/1.1 under httpx that stamps each read before parsing.

Knows nothing of tokens or statistics.
"""

from interview.measure.transport.stamping import StampingTransport
from interview.measure.transport.stamps import Stamps

__all__ = ["StampingTransport", "Stamps"]
