"""Web push: encryption of messages (RFC 8291) and identification of the service (RFC 8292)."""

from __future__ import annotations

import base64
import os
import time
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_CURVE = ec.SECP256R1()
_RECORD = 4096
_HOURS = 12


def b64(data: bytes) -> str:
    """Return data in the URL-safe alphabet, without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Return what `b64` encoded."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_key() -> str:
    """Return a new private key that identifies a service."""
    number = ec.generate_private_key(_CURVE).private_numbers().private_value
    return b64(number.to_bytes(32, "big"))


def _private(key: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(unb64(key), "big"), _CURVE)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


def public_key(key: str) -> str:
    """Return the public part of a private key, as browsers want it."""
    return b64(_point(_private(key).public_key()))


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def encrypt(data: bytes, browser_key: str, auth: str) -> bytes:
    """Return a message that only the browser with these keys can read."""
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, unb64(browser_key))
    own = ec.generate_private_key(_CURVE)
    point, salt = _point(own.public_key()), os.urandom(16)
    shared = own.exchange(ec.ECDH(), theirs)
    secret = _derive(unb64(auth), shared, b"WebPush: info\0" + unb64(browser_key) + point, 32)
    key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, data + b"\x02", None)
    return salt + _RECORD.to_bytes(4, "big") + bytes([len(point)]) + point + sealed


def authorization(key: str, endpoint: str, contact: str) -> str:
    """Return the header by which a service identifies itself at a push service."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + _HOURS * 3600,
        "sub": contact,
    }
    header = {"typ": "JWT", "alg": "ES256"}
    text = ".".join(b64(msgspec.json.encode(part)) for part in (header, claims))
    signed = _private(key).sign(text.encode(), ec.ECDSA(hashes.SHA256()))
    numbers = b"".join(one.to_bytes(32, "big") for one in decode_dss_signature(signed))
    return f"vapid t={text}.{b64(numbers)}, k={public_key(key)}"


def is_key(text: str) -> bool:
    """Return whether a text is the public key of a browser."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, unb64(text))
    except ValueError:
        return False
    return True
