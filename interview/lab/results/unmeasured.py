"""Why a number of streams in a gathering has no numbers, as its report tells; pure."""

from collections.abc import Mapping
from typing import Any

from interview.measure.gathering_windows import SHORTEST_NS

SHORTEST_MS = SHORTEST_NS / 1e6

UNKNOWN = "the measurement broke off"
NEVER_JOINED = "the run ended before it joined"
FAILED = "its request failed"
NO_TOKEN = "not every stream had a token before the next joined or the run ended"
NO_GAP = "a stream had no two tokens in it"
TOO_SHORT = "it stood for less than a second"


def why_unmeasured(report: Mapping[str, Any], users: int) -> str:
    """Of the level with so many streams, which the report does not have."""
    told = report.get("gathering")
    if not told:
        return UNKNOWN
    joins = {join["users"]: join for join in told["joins"]}
    stood_ms = {one["users"]: one["stood_ms"] for one in told["missing"]}
    if users not in joins:
        return NEVER_JOINED
    if joins[users]["ttft_ms"] is None and failed(report, users):
        return FAILED
    if not stood_ms.get(users):
        return NO_TOKEN
    return TOO_SHORT if stood_ms[users] < SHORTEST_MS else NO_GAP


def failed(report: Mapping[str, Any], users: int) -> bool:
    """Whether a request of the stream that joined last did."""
    own = [r for r in report["requests"] if r.get("user") == users - 1]
    return any(request["status"] == "failed" for request in own)
