"""The ASGI application: which path is answered by what.

Raw ASGI, because a framework would add its own time to every token.
"""

import secrets
import time
from collections.abc import Awaitable, Callable

from . import tokens
from .ask import Api, completion_prompt, read_ask
from .errors import ApiError, UnknownModel
from .exchange import Exchange, Receive, Scope, Send
from .exposition import CONTENT_TYPE
from .fields import Body, flag, missing, wrong_type
from .generation import Generator
from .metrics_page import metrics_page
from .template import render_chat, wants_thinking

VERSION = "0.31.0"
"""The vLLM release whose behaviour is simulated."""

_GUARDED = ("/v1", "/v2", "/inference", "/cohere")

Handler = Callable[[Exchange], Awaitable[None]]


class App:
    """One served model behind vLLM's paths."""

    def __init__(
        self,
        generator: Generator,
        *,
        aliases: frozenset[str],
        longest: int,
        reasoning: bool,
        api_key: str | None,
        badge: bytes,
    ) -> None:
        self.generator = generator
        self.engine = generator.engine
        self.aliases = aliases
        self.longest = longest
        self.reasoning = reasoning
        self.api_key = api_key
        self.badge = badge
        self.created = int(time.time())
        self.routes: dict[str, tuple[str, Handler]] = {
            "/health": ("GET", self.health),
            "/ping": ("GET", self.health),
            "/version": ("GET", self.version),
            "/load": ("GET", self.load),
            "/metrics": ("GET", self.metrics),
            "/v1/models": ("GET", self.models),
            "/v1/chat/completions": ("POST", self.chat),
            "/v1/completions": ("POST", self.completions),
            "/tokenize": ("POST", self.tokenize),
            "/detokenize": ("POST", self.detokenize),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise NotImplementedError(f"{scope['type']} is not served here")
        exchange = Exchange(scope, receive, send, self.badge)
        try:
            await self._route(exchange)
        except ApiError as error:
            await exchange.refuse(error)
        except ConnectionAbortedError:
            pass  # the client left in the middle of its own request

    async def _route(self, exchange: Exchange) -> None:
        path = exchange.path
        if path.startswith(_GUARDED) and not self._may(exchange):
            await exchange.reply_json(401, {"error": "Unauthorized"})
        elif path in self.routes:
            method, handler = self.routes[path]
            if exchange.method == method:
                await handler(exchange)
            else:
                allow = [(b"allow", method.encode())]
                await exchange.reply_json(405, {"detail": "Method Not Allowed"}, allow)
        elif path.rstrip("/") in self.routes:
            host = exchange.headers.get(b"host", b"")
            target = b"http://" + host + path.rstrip("/").encode()
            await exchange.reply(307, headers=[(b"location", target)])
        else:
            await exchange.reply_json(404, {"detail": "Not Found"})

    def _may(self, exchange: Exchange) -> bool:
        if self.api_key is None:
            return True
        given = exchange.headers.get(b"authorization", b"")
        return secrets.compare_digest(given, f"Bearer {self.api_key}".encode())

    def _check_model(self, body: Body) -> None:
        name = body.get("model")
        if name is not None and not isinstance(name, str):
            raise wrong_type("model", "a valid string", name)
        if name and name != self.generator.model and name not in self.aliases:
            raise UnknownModel(name)

    async def health(self, exchange: Exchange) -> None:
        await exchange.reply(200)

    async def version(self, exchange: Exchange) -> None:
        await exchange.reply_json(200, {"version": VERSION, "simulated": True})

    async def load(self, exchange: Exchange) -> None:
        await exchange.reply_json(200, {"server_load": 0})

    async def metrics(self, exchange: Exchange) -> None:
        scheduler = self.engine.front.core.scheduler
        page = metrics_page(self.engine.metrics, scheduler)
        await exchange.reply(200, page.encode(), CONTENT_TYPE)

    async def models(self, exchange: Exchange) -> None:
        card = {
            "id": self.generator.model,
            "object": "model",
            "created": self.created,
            "owned_by": "prefill-simulation",
            "root": self.generator.model,
            "parent": None,
            "max_model_len": self.longest,
            "permission": [],
        }
        await exchange.reply_json(200, {"object": "list", "data": [card]})

    async def chat(self, exchange: Exchange) -> None:
        await self._generate(exchange, "chat")

    async def completions(self, exchange: Exchange) -> None:
        await self._generate(exchange, "completions")

    async def _generate(self, exchange: Exchange, api: Api) -> None:
        arrived_at = self.engine.now()
        body = await exchange.json()
        self._check_model(body)
        ask = read_ask(body, api, self.longest, self.reasoning)
        await self.generator.answer(ask, exchange, arrived_at)

    async def tokenize(self, exchange: Exchange) -> None:
        body = await exchange.json()
        self._check_model(body)
        if "messages" in body:
            silent = self.reasoning and not wants_thinking(body)
            ids = tokens.encode(render_chat(body, close_thinking=silent))
        else:
            prompt = body.get("prompt")
            if not isinstance(prompt, str):
                raise missing("prompt")
            ids = tokens.encode(prompt)
        texts = [tokens.decode([token], keep_special=True) for token in ids]
        await exchange.reply_json(
            200,
            {
                "count": len(ids),
                "max_model_len": self.longest,
                "tokens": ids,
                "token_strs": texts if flag(body, "return_token_strs") else None,
            },
        )

    async def detokenize(self, exchange: Exchange) -> None:
        body = await exchange.json()
        self._check_model(body)
        given = body.get("tokens")
        if not isinstance(given, list):
            raise missing("tokens")
        ids = completion_prompt(given) if given else ()
        text = tokens.decode(ids, keep_special=True)
        await exchange.reply_json(200, {"prompt": text})
