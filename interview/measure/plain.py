"""The one shape that most events of a vLLM stream have, read without parsing JSON.

What it takes, sse.py and chunks.py would read alike, for four times the price; all else
is theirs. It knows no state and decides nothing about tokens.
"""

import re

# No escapes: their text is left to the JSON parser. The bound keeps below the limit
# that sse.py sets for an event.
_TEXT = rb'[^"\\\x00-\x1f]{0,65535}+'
_NUMBER = rb"(?:0|[1-9]\d{0,14}+)"
_NULLS = (
    rb'(?:,"(?:logprobs|finish_reason|stop_reason|prompt_token_ids|token_ids)":null)*+'
)
_EVENT = re.compile(
    rb'data: \{"id":"%(text)b","object":"(?:chat\.completion\.chunk|text_completion)",'
    rb'"created":%(number)b,"model":"%(text)b","choices":\[\{"index":0,'
    rb'(?:"delta":\{"(?:content":"(%(text)b)|reasoning":"(%(text)b))"\}'
    rb'|"text":"(%(text)b)")%(nulls)b\}\],"usage":\{"prompt_tokens":(%(number)b),'
    rb'"total_tokens":%(number)b,"completion_tokens":(%(number)b)'
    rb'(?:,"completion_tokens_details":(?:null|\{"reasoning_tokens":(%(number)b)\}))?+'
    rb"\}\}\n\n" % {b"text": _TEXT, b"number": _NUMBER, b"nulls": _NULLS}
)


Plain = tuple[str, str, int, int, int | None, int]
"""Text, reasoning, prompt, completion and reasoning tokens of the running usage, and
where the event ends in the read. A bare tuple: a record costs as much as the match."""


def plain_event(read: bytes, start: int) -> Plain | None:
    """The event that starts there and is whole, when it has the plain shape.

    It has one choice, no finish reason, and may have text or reasoning.
    """
    match = _EVENT.match(read, start)
    if match is None:
        return None
    content, reasoning, text, prompt, completion, thought = match.groups()
    if content is None:
        content = text or b""
    return (
        content.decode("utf-8", "replace"),
        reasoning.decode("utf-8", "replace") if reasoning else "",
        int(prompt),
        int(completion),
        int(thought) if thought else None,
        match.end(),
    )
