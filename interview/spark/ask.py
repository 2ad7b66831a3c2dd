"""A request's JSON body checked and turned into values, with vLLM's refusals.

Knows the API's fields and the tokenizer's ids; no HTTP and no engine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from . import tokens
from .errors import Invalid
from .fields import Body, flag, integer, integer_or_none, wrong_type
from .template import render_chat, wants_thinking

Api = Literal["chat", "completions"]

COMPLETIONS_MAX_TOKENS = 16
"""The default of /v1/completions; chat goes on to the end of the context."""

# What a simulation has no honest answer to, and the values that ask for nothing.
_UNAVAILABLE: dict[str, tuple[object, ...]] = {
    "logprobs": (None, False),
    "top_logprobs": (None, 0),
    "prompt_logprobs": (None,),
    "echo": (None, False),
    "suffix": (None, ""),
    "structured_outputs": (None,),
    "stop_token_ids": (None, []),
    "use_beam_search": (None, False),
    "truncate_prompt_tokens": (None,),
}


@dataclass(frozen=True, slots=True)
class Ask:
    """What a client wants generated, and how it wants it sent."""

    api: Api
    prompt: tuple[int, ...]
    max_tokens: int
    min_tokens: int
    ignore_eos: bool
    stop: tuple[str, ...]
    include_stop: bool
    stream: bool
    include_usage: bool
    continuous_usage: bool
    cache_salt: str | None
    thinking: bool
    include_reasoning: bool
    return_token_ids: bool


def read_ask(body: Body, api: Api, longest: int, reasoning: bool) -> Ask:
    """The ask in a body; `longest` is the context length in tokens.

    Raises Malformed or Invalid.
    """
    _refuse_unavailable(body)
    thinking = reasoning and api == "chat" and wants_thinking(body)
    prompt = _prompt(body, api, close_thinking=reasoning and not thinking)
    max_tokens = _max_tokens(body, api, len(prompt), longest)
    min_tokens = integer(body, "min_tokens", 0)
    if min_tokens > max_tokens:
        raise Invalid(
            "min_tokens must be less than or equal to "
            f"max_tokens={max_tokens}, got {min_tokens}."
        )
    stream = flag(body, "stream")
    usage, continuous = _stream_options(body, stream)
    return Ask(
        api=api,
        prompt=prompt,
        max_tokens=max_tokens,
        min_tokens=min_tokens,
        ignore_eos=flag(body, "ignore_eos"),
        stop=_stop(body),
        include_stop=flag(body, "include_stop_str_in_output"),
        stream=stream,
        include_usage=usage,
        continuous_usage=continuous,
        cache_salt=_salt(body),
        thinking=thinking,
        include_reasoning=flag(body, "include_reasoning", True),
        return_token_ids=flag(body, "return_token_ids"),
    )


def _refuse_unavailable(body: Body) -> None:
    count = integer(body, "n", 1)
    if count != 1:
        raise Invalid(
            "This simulated server gives one choice per request: set n to 1.",
            "n",
            count,
        )
    for name, nothing in _UNAVAILABLE.items():
        if body.get(name) not in nothing:
            raise Invalid(
                f"{name} is not available: no model runs behind this simulated server.",
                name,
            )
    if body.get("tools"):
        raise Invalid(
            '"auto" tool choice requires --enable-auto-tool-choice and '
            "--tool-call-parser to be set"
        )
    shape = body.get("response_format")
    if isinstance(shape, Mapping) and shape.get("type") not in (None, "text"):
        raise Invalid(
            "This simulated server answers with text only.", "response_format"
        )
    temperature = body.get("temperature")
    if isinstance(temperature, int | float) and temperature < 0:
        value = float(temperature)
        raise Invalid(
            f"temperature must be non-negative, got {value}.", "temperature", value
        )


def _prompt(body: Body, api: Api, *, close_thinking: bool) -> tuple[int, ...]:
    if api == "chat":
        text = render_chat(body, close_thinking=close_thinking)
        return tuple(tokens.encode(text))
    return completion_prompt(body.get("prompt"))


def completion_prompt(prompt: object) -> tuple[int, ...]:
    """Token ids of a text, of a list of ids, or of a list that holds one of these."""
    if not prompt:
        raise Invalid(
            "Either prompt or prompt_embeds must be provided and non-empty.", "prompt"
        )
    if isinstance(prompt, str):
        return tuple(tokens.encode(prompt))
    if isinstance(prompt, list) and all(_is_id(item) for item in prompt):
        return _known_ids(prompt)
    if isinstance(prompt, list) and len(prompt) == 1:
        return completion_prompt(prompt[0])
    raise Invalid("This simulated server takes one prompt per request.", "prompt")


def _known_ids(ids: list[int]) -> tuple[int, ...]:
    for token in ids:
        if not 0 <= token < tokens.VOCABULARY:
            raise Invalid(f"Token id {token} is out of vocabulary")
    return tuple(ids)


def _is_id(item: object) -> bool:
    return isinstance(item, int) and not isinstance(item, bool)


def _max_tokens(body: Body, api: Api, prompt_tokens: int, longest: int) -> int:
    asked = integer_or_none(body, "max_completion_tokens") if api == "chat" else None
    if asked is None:
        asked = integer_or_none(body, "max_tokens")
    if asked is None and api == "completions":
        asked = COMPLETIONS_MAX_TOKENS
    if asked is not None and asked < 1:
        raise Invalid(
            f"max_tokens must be at least 1, got {asked}.", "max_tokens", asked
        )
    if asked is not None and asked > longest:
        raise Invalid(
            f"max_tokens={asked} cannot be greater than max_model_len={longest}. "
            "Please request fewer output tokens.",
            "max_tokens",
            asked,
        )
    wanted = asked or 1
    if prompt_tokens + wanted > longest:
        raise _too_long(longest, asked or 0, prompt_tokens)
    return asked or longest - prompt_tokens


def _too_long(longest: int, output: int, prompt: int) -> Invalid:
    return Invalid(
        f"This model's maximum context length is {longest} tokens. However, you "
        f"requested {output} output tokens and your prompt contains {prompt} input "
        f"tokens, for a total of {prompt + output} tokens. Please reduce the length "
        "of the input prompt or the number of requested output tokens.",
        "input_tokens",
        prompt,
    )


def _stream_options(body: Body, stream: bool) -> tuple[bool, bool]:
    options = body.get("stream_options")
    if options is None:
        return False, False
    if not stream:
        raise Invalid(
            "Stream options can only be defined when `stream=True`.", "stream_options"
        )
    if not isinstance(options, Mapping):
        raise wrong_type("stream_options", "a valid dictionary", options)
    usage = flag(options, "include_usage")
    # Continuous usage alone does nothing, as in vLLM.
    return usage, usage and flag(options, "continuous_usage_stats")


def _stop(body: Body) -> tuple[str, ...]:
    stop = body.get("stop")
    strings = [stop] if isinstance(stop, str) else stop or []
    if not isinstance(strings, list) or not all(isinstance(s, str) for s in strings):
        raise wrong_type("stop", "a valid string or a list of strings", stop)
    if "" in strings:
        raise Invalid("stop cannot contain an empty string.", "stop")
    return tuple(strings)


def _salt(body: Body) -> str | None:
    salt = body.get("cache_salt")
    if salt is None:
        return None
    if not isinstance(salt, str) or not salt:
        raise Invalid(
            "Parameter 'cache_salt' must be a non-empty string if provided.",
            "cache_salt",
        )
    return salt
