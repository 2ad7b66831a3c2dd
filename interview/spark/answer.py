"""What the simulated model says: plain sentences about the machine itself.

Text only; which sentence comes next depends on the prompt's hash and on nothing else.
"""

import zlib
from collections.abc import Sequence

OPENING = (
    "This answer is simulated: no model ran, and the words were written in advance."
    " Only the timing is computed, from the bytes that each step would read."
)

PARAGRAPHS = (
    "A request waits in the queue until a step has room for it. Then its prompt is"
    " computed in one step or in several chunks, and the first token comes out of the"
    " last of them. Every later token takes one more step.",
    "At batch one a step reads the attention weights, the head and eight experts in"
    " each layer, about six gigabytes in all. The memory of this machine delivers a"
    " little more than two hundred gigabytes a second, so a token takes about thirty"
    " milliseconds.",
    "With many users the tokens of a step choose different experts. Sixty four tokens"
    " touch most of them, so a step reads almost the whole model and takes about eight"
    " times as long. Each user waits longer for a token, while the machine as a whole"
    " gives more tokens a second.",
    "One step has one budget of tokens. Running requests take theirs first, in the"
    " order in which they were admitted, and what is left goes to the prompts that"
    " wait. A long prompt is cut at the edge of the budget and goes on in the next"
    " step.",
    "Keys and values of old tokens stay in blocks of sixteen tokens. A prompt that"
    " begins like an earlier one finds its full blocks again and skips their work. The"
    " last token of a prompt is always computed, because its output is the next token.",
    "When the blocks run out, the request that was admitted last gives its own back"
    " and waits first in line. Nothing that it said is lost. Its prompt and its output"
    " are computed again when there is room.",
)

SPOKEN = 3
"""Paragraphs in one answer, after the opening."""

REASONING = (
    "The user wants an answer. I am a simulation and I do not think, so these words"
    " only show where reasoning would be streamed. A reader should measure two times"
    " here: the first reasoning token and the first token of the answer. Now the answer"
    " can begin."
)


def answer(prompt: Sequence[int]) -> str:
    """The answer to a prompt of token ids: about two hundred tokens."""
    seed = zlib.crc32(" ".join(map(str, prompt)).encode())
    turn = seed % len(PARAGRAPHS)
    ordered = (*PARAGRAPHS[turn:], *PARAGRAPHS[:turn])
    return "\n\n".join((OPENING, *ordered[:SPOKEN]))
