"""A first look at an OpenAI endpoint at the start: does it answer, what has it?"""

from dataclasses import dataclass

import httpx


@dataclass(frozen=True, slots=True)
class Found:
    models: tuple[str, ...]
    problem: str
    """Continues a sentence that began with the address; empty when all is well."""


def describe(url: str, key: str, timeout_s: float = 3) -> Found:
    """Ask /v1/models once, for `timeout_s` at most."""
    base = url.rstrip("/").removesuffix("/v1")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        answer = httpx.get(
            f"{base}/v1/models", headers=headers, timeout=timeout_s, trust_env=False
        )
        answer.raise_for_status()
        return Found(tuple(model["id"] for model in answer.json()["data"]), "")
    except httpx.InvalidURL as error:
        return Found((), f"is no address: {error}. Set LAB_URL, or unset it.")
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        hint = "Set LAB_API_KEY." if status in {401, 403} else "Is it a vLLM server?"
        return Found((), f"answers {status} to /v1/models. {hint}")
    except httpx.HTTPError as error:
        return Found((), f"cannot be reached: {error}. Start it, or correct LAB_URL.")
    except (ValueError, KeyError, TypeError):
        return Found((), "does not answer as an OpenAI endpoint. Correct LAB_URL.")
