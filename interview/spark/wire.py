"""vLLM 0.31's answers as JSON: chunks of a stream, and whole bodies.

Field order and nulls are those of vLLM's own serializer. Knows no HTTP and no engine.
"""

import json
from dataclasses import dataclass

from .ask import Ask
from .transcript import Delta, Transcript

DONE = b"data: [DONE]\n\n"

Json = dict[str, object]


def event(payload: Json) -> bytes:
    """One server-sent event."""
    return b"data: " + encode_json(payload) + b"\n\n"


def encode_json(payload: object) -> bytes:
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode(
        errors="replace"
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """The parts that all chunks of one answer share."""

    id: str
    created: int
    model: str
    fingerprint: str
    ask: Ask

    def role_chunk(self) -> bytes:
        """Opens a chat stream, in the same write as the first token [V:API-1]."""
        delta: Json = {"role": "assistant", "content": ""}
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        payload = self._head(choice)
        if self.ask.continuous_usage:
            payload["usage"] = self._running_usage(0, 0)
        ids = {"prompt_token_ids": self._prompt_ids(), "prompt_text": None}
        return event(payload | ids)

    def token_chunk(self, delta: Delta, transcript: Transcript) -> bytes:
        """One token, and the end of the output when it is the last."""
        payload = self._head(
            self._chat_choice(delta)
            if self.ask.api == "chat"
            else self._completion_choice(delta, transcript)
        )
        if delta.finish_reason is not None and not self.ask.include_usage:
            payload["system_fingerprint"] = self.fingerprint
        if self.ask.continuous_usage:
            payload["usage"] = self._running_usage(
                transcript.count, transcript.reasoning_count
            )
        return event(payload)

    def usage_chunk(self, transcript: Transcript, cached_tokens: int) -> bytes:
        """The last chunk of a stream with include_usage: no choice, only counts."""
        usage = self._usage(transcript.count)
        usage["prompt_tokens_details"] = {"cached_tokens": cached_tokens}
        if self.ask.thinking:
            usage["completion_tokens_details"] = _reasoning(transcript.reasoning_count)
        payload = self._head(None) | {"usage": usage}
        return event(payload | {"system_fingerprint": self.fingerprint})

    def whole(self, parts: list[Delta], transcript: Transcript, cached: int) -> bytes:
        """The body of an answer that is not streamed."""
        chat = self.ask.api == "chat"
        end: Json = {
            "finish_reason": parts[-1].finish_reason,
            "stop_reason": parts[-1].stop_reason,
            "token_ids": transcript.ids if self.ask.return_token_ids else None,
        }
        prompt_ids = self._prompt_ids()
        said = {"message": self._message(parts)} if chat else {"text": _text(parts)}
        choice: Json = {"index": 0, **said, "logprobs": None, **end}
        if not chat:
            choice |= {"prompt_logprobs": None, "prompt_token_ids": prompt_ids}
        payload = self._head(choice)
        payload |= {
            "object": "chat.completion" if chat else "text_completion",
            "service_tier": None,
            "system_fingerprint": self.fingerprint,
            "usage": self._whole_usage(transcript, cached),
        }
        if chat:
            payload |= {"prompt_logprobs": None, "prompt_token_ids": prompt_ids}
        return encode_json(payload | {"kv_transfer_params": None})

    def _message(self, parts: list[Delta]) -> Json:
        thought = _text(parts, reasoning=True) if self.ask.include_reasoning else ""
        return {
            "role": "assistant",
            "content": _text(parts),
            "refusal": None,
            "annotations": None,
            "audio": None,
            "function_call": None,
            "reasoning": thought or None,
        }

    def _whole_usage(self, transcript: Transcript, cached: int) -> Json:
        usage = self._usage(transcript.count)
        usage["prompt_tokens_details"] = {"cached_tokens": cached}
        thought = _reasoning(transcript.reasoning_count) if self.ask.thinking else None
        return usage | {"completion_tokens_details": thought}

    def _prompt_ids(self) -> list[int] | None:
        return list(self.ask.prompt) if self.ask.return_token_ids else None

    def _head(self, choice: Json | None) -> Json:
        chat = self.ask.api == "chat"
        return {
            "id": self.id,
            "object": "chat.completion.chunk" if chat else "text_completion",
            "created": self.created,
            "model": self.model,
            "choices": [] if choice is None else [choice],
        }

    def _chat_choice(self, delta: Delta) -> Json:
        field = "reasoning" if delta.reasoning else "content"
        choice: Json = {
            "index": 0,
            "delta": {field: delta.text},
            "logprobs": None,
            "finish_reason": delta.finish_reason,
        }
        if delta.finish_reason is not None:
            choice["stop_reason"] = delta.stop_reason
        choice["token_ids"] = self._token_ids(delta)
        return choice

    def _completion_choice(self, delta: Delta, transcript: Transcript) -> Json:
        return {
            "index": 0,
            "text": delta.text,
            "logprobs": None,
            "finish_reason": delta.finish_reason,
            "stop_reason": delta.stop_reason,
            "prompt_token_ids": self._prompt_ids() if transcript.count == 1 else None,
            "token_ids": self._token_ids(delta),
        }

    def _token_ids(self, delta: Delta) -> list[int] | None:
        if not self.ask.return_token_ids:
            return None
        return [] if delta.token is None else [delta.token]

    def _usage(self, completion: int) -> Json:
        prompt = len(self.ask.prompt)
        return {
            "prompt_tokens": prompt,
            "total_tokens": prompt + completion,
            "completion_tokens": completion,
        }

    def _running_usage(self, completion: int, reasoning: int) -> Json:
        usage = self._usage(completion)
        if self.ask.api == "chat":
            details = _reasoning(reasoning) if self.ask.thinking else None
            usage["completion_tokens_details"] = details
        return usage


def _reasoning(count: int) -> Json:
    return {"reasoning_tokens": count}


def _text(parts: list[Delta], *, reasoning: bool = False) -> str:
    return "".join(part.text for part in parts if part.reasoning is reasoning)
