"""A load's numbers at one count of users, in words. Knows no page."""

from collections.abc import Mapping
from typing import Any

from .numbers import counted, ms, rate, tpot


def load_words(row: Mapping[str, Any]) -> str:
    """ "4 users: 88.5 tok/s together, 60.0 ms per token and 200 ms … for each".

    A row as `loads_figure` takes it; what is missing is left out.
    """
    users = counted(row["users"], "user")
    together, per_token, first = map(
        row.get, ("output_tokens_per_s", "tpot_ms", "ttft_ms")
    )
    each = [] if per_token is None else [f"{tpot(per_token)} per token"]
    each += [] if first is None else [f"{ms(first)} to the first token"]
    found = [] if together is None else [f"{rate(together)} together"]
    found += [f"{' and '.join(each)} for each"] if each else []
    return f"{users}: {', '.join(found) or 'no request was completed'}"
