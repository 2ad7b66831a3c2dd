"""How far a step is revealed, as one word: what is asked or answered at it.

question, short, full, then per rung asked ("rung:ID") and answered ("answer:ID"),
flaws, done.
"""

QUESTION, SHORT, FULL, FLAWS, DONE = "question", "short", "full", "flaws", "done"


def asked(rung_id: str) -> str:
    """Of a rung, or of the question, which is ""."""
    return f"rung:{rung_id}" if rung_id else QUESTION


def answered(rung_id: str) -> str:
    return f"answer:{rung_id}"


def rung_of(stage: str) -> str:
    """The rung that is asked or answered there; "" at the question's stages."""
    return stage.partition(":")[2]
