"""A local receiver of web-hooks and push messages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from carril.service.notifications.web_push import b64


@dataclass(frozen=True)
class Received:
    """A request that was posted."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """Keeps what is posted; `answer` decides the status of each answer."""

    def __init__(self) -> None:
        self.got: list[Received] = []
        self.answer: Callable[[Received], int] = lambda _: 204
        self.url = ""


@contextmanager
def receiver() -> Iterator[Receiver]:
    """Run a receiver on a free port."""
    made = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Keep a request and answer."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            one = Received(self.path, dict(self.headers), body)
            made.got.append(one)
            self.send_response(made.answer(one))
            self.send_header("Location", "http://127.0.0.1:1/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()


class Browser:
    """The keys of a browser, with which it reads push messages."""

    def __init__(self) -> None:
        self._own = ec.generate_private_key(ec.SECP256R1())
        self._secret = bytes(range(16))
        form = serialization.PublicFormat.UncompressedPoint
        self._point = self._own.public_key().public_bytes(serialization.Encoding.X962, form)
        self.key, self.auth = b64(self._point), b64(self._secret)

    def read(self, body: bytes) -> bytes:
        """Decrypt a message, written after RFC 8291 and not with the code that is tested."""
        salt, length = body[:16], body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        shared = self._own.exchange(ec.ECDH(), theirs)
        info = b"WebPush: info\x00" + self._point + point
        secret = HKDF(hashes.SHA256(), 32, self._secret, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\x00").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\x00").derive(secret)
        return AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\x02")
