"""The chat template: messages to the text of a prompt, in Qwen's marks."""

from collections.abc import Mapping

from .errors import Invalid
from .fields import Body, flag, missing, wrong_type


def render_chat(body: Body, *, close_thinking: bool = False) -> str:
    """The prompt of a chat body, with the opening of the assistant's turn.

    `close_thinking` opens the turn with an empty thought, as Qwen's template does
    when thinking is switched off.
    """
    messages = body.get("messages")
    if messages is None:
        raise missing("messages")
    if not isinstance(messages, list):
        raise wrong_type("messages", "a valid list", messages)
    if not messages:
        raise Invalid(
            "Cannot apply chat template to an empty conversation. "
            "Provide at least one message."
        )
    turns = "".join(_turn(message, index) for index, message in enumerate(messages))
    if not flag(body, "add_generation_prompt", True):
        return turns
    thought = "<think>\n\n</think>\n\n" if close_thinking else ""
    return f"{turns}<|im_start|>assistant\n{thought}"


def wants_thinking(body: Body) -> bool:
    """Whether a body leaves thinking on; matters only where the model thinks."""
    options = body.get("chat_template_kwargs")
    off = isinstance(options, Mapping) and options.get("enable_thinking") is False
    return not off


def _turn(message: object, index: int) -> str:
    if not isinstance(message, Mapping) or not isinstance(message.get("role"), str):
        raise missing(f"messages.{index}.role")
    content = _text(message.get("content"), index)
    return f"<|im_start|>{message['role']}\n{content}<|im_end|>\n"


def _text(content: object, index: int) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        where = f"messages.{index}.content"
        raise wrong_type(where, "a valid string or list", content)
    return "\n".join(_part(part) for part in content)


def _part(part: object) -> str:
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    raise Invalid("This simulated server reads text parts only.", "messages")
