"""The ID token of an OpenID provider: read only when every check holds.

It knows neither Django nor who the person is here.
"""

import hashlib
import hmac
from typing import Any

import jwt

ALGORITHMS = {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"} | {
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
}
"""With a public key: what all can see is never taken for a shared secret."""
LEEWAY_S = 60
REQUIRED = ["iss", "sub", "aud", "exp", "iat"]


def nonce_of(state: str) -> str:
    """Binds a token to the sign-in with this state, and so to one session."""
    return hashlib.sha256(f"nonce {state}".encode()).hexdigest()


def claims_of(
    token: str, keys: dict[str, Any], *, issuer: str, client_id: str, nonce: str
) -> dict[str, Any]:
    """OpenID Connect Core 1.0, section 3.1.3.7; raises jwt.PyJWTError.

    The signature is checked although the token came straight from the provider: then
    it doesn't matter what stands between the two.
    """
    key = key_for(jwt.get_unverified_header(token), keys)
    claims: dict[str, Any] = jwt.decode(
        token,
        key,
        algorithms=[key.algorithm_name],
        issuer=issuer,
        audience=client_id,
        leeway=LEEWAY_S,
        options={"require": REQUIRED},
    )
    if claims.get("azp", client_id) != client_id:
        raise jwt.InvalidAudienceError("The token is for another client.")
    if not hmac.compare_digest(str(claims.get("nonce")).encode(), nonce.encode()):
        raise jwt.InvalidTokenError("The token is not for this sign-in.")
    return claims


def key_for(header: dict[str, Any], keys: dict[str, Any]) -> jwt.PyJWK:
    """The key that the token names, or the only one there is."""
    found = jwt.PyJWKSet.from_dict(keys).keys
    named = [key for key in found if "kid" not in header or key.key_id == header["kid"]]
    usable = [key for key in named if key.algorithm_name in ALGORITHMS]
    if len(usable) != 1:
        raise jwt.InvalidKeyError("The provider has no key that fits the token.")
    return usable[0]
