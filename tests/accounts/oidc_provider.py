"""A small OpenID provider on loopback: it signs in whoever `claims` describe.

Its knobs spoil one thing at a time, as a broken or hostile provider would.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "prefill", "a-secret-of-the-client"
KEY_ID = "the-key"


class Provider:
    def __init__(self):
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.reset()

    def reset(self):
        self.claims = {"sub": "1"}
        """Who sits at the browser."""
        self.spoiled = {}
        """What the ID token says otherwise; None leaves a claim out."""
        self.signing_key, self.algorithm, self.key_id = self.key, "RS256", KEY_ID
        self.userinfo = {}
        """What userinfo says otherwise."""
        self.discovery = {}
        """What the discovery document says otherwise; None leaves an entry out."""
        self.denied = False
        """The person said no."""
        self.grants = {}
        """Code -> the request that it was given for."""
        self.asked = []
        """Paths in the order of asking."""

    def authorize(self, asked):
        """Where the browser goes next."""
        if self.denied:
            answer = {"error": "access_denied"}
        else:
            code = secrets.token_urlsafe(8)
            self.grants[code] = asked
            answer = {"code": code}
        answer["state"] = asked["state"]
        return asked["redirect_uri"] + "?" + urlencode(answer)

    def token(self, sent):
        """An answer to the code, once; None when the client may not have it."""
        asked = self.grants.pop(sent.get("code"), None)
        verifier = sent.get("code_verifier", "").encode()
        digest = hashlib.sha256(verifier).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        expected = {
            "client_id": CLIENT_ID,
            "client_secret": CLIENT_SECRET,
            "grant_type": "authorization_code",
        }
        if not asked or any(sent.get(key) != value for key, value in expected.items()):
            return None
        if asked["redirect_uri"] != sent["redirect_uri"]:
            return None
        if asked["code_challenge_method"] != "S256":
            return None
        if asked["code_challenge"] != challenge:
            return None
        id_token = self.id_token(asked.get("nonce"))
        return {"access_token": "open", "token_type": "Bearer", "id_token": id_token}

    def id_token(self, nonce):
        now = int(time.time())
        claims = {
            "iss": self.url,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **self.claims,
            **self.spoiled,
        }
        kept = {name: value for name, value in claims.items() if value is not None}
        headers = {"kid": self.key_id}
        return jwt.encode(kept, self.signing_key, self.algorithm, headers)

    def document(self):
        said = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "id_token_signing_alg_values_supported": ["RS256"],
        } | self.discovery
        return {name: value for name, value in said.items() if value is not None}

    def keys(self):
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [key | {"kid": KEY_ID, "alg": "RS256", "use": "sig"}]}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        provider, parts = self.server.provider, urlsplit(self.path)
        provider.asked.append(parts.path)
        match parts.path:
            case "/.well-known/openid-configuration":
                self.answer(provider.document())
            case "/keys":
                self.answer(provider.keys())
            case "/authorize":
                self.go(provider.authorize(flat(parts.query)))
            case "/userinfo" if self.headers["Authorization"] == "Bearer open":
                self.answer(provider.claims | provider.userinfo)
            case "/userinfo":
                self.answer({"error": "invalid_token"}, 401)
            case "/moved":
                self.go(f"{provider.url}/keys")
            case _:
                self.answer({}, 404)

    def do_POST(self):
        self.server.provider.asked.append(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        given = self.server.provider.token(flat(body))
        if given:
            self.answer(given)
        else:
            self.answer({"error": "invalid_grant"}, 400)

    def answer(self, said, status=200):
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def go(self, where):
        self.send_response(302)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def flat(query):
    return {name: values[0] for name, values in parse_qs(query).items()}


@contextmanager
def running_provider():
    provider = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.provider, server.daemon_threads = provider, True
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
