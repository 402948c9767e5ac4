"""Middleware: request size limits, security headers and Server-Timing."""

from __future__ import annotations

import json
import logging
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from carril.service.errors import TooLarge
from carril.service.settings import Settings

_log = logging.getLogger("carril.service")

UPLOAD_PATHS = ("/api/import", "/import")
"""Paths that accept uploads, and therefore larger bodies."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""The content security policy of every response: no inline scripts or styles, no other hosts."""
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guards:
    """ASGI middleware that limits request bodies and adds security headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Wrap an application."""
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its body is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._most(scope["path"])
        length = Headers(scope=scope).get("content-length", "0")
        guarded = _with_headers(send, scope["path"], _Clock())
        if not length.isdigit() or int(length) > most:
            _log.warning("%s %s: 413, a body of %s bytes", scope["method"], scope["path"], length)
            await _refuse(guarded, most)
            return
        await self._app(scope, _counted(receive, most), guarded)

    def _most(self, path: str) -> int:
        if path.rstrip("/") in UPLOAD_PATHS:
            return self._settings.upload_bytes + self._settings.body_bytes
        return self._settings.body_bytes


def _counted(receive: Receive, most: int) -> Receive:
    """Limit bodies sent without a Content-Length."""
    count = 0

    async def receive_some() -> Message:
        nonlocal count
        message = await receive()
        count += len(message.get("body", b""))
        if count > most:
            raise HTTPException(413, f"The request body is larger than {most} bytes.")
        return message

    return receive_some


class _Clock:
    """Measures the wall-clock time and the CPU time of a request.

    CPU time is that of the whole process, so it is meaningful only with one request at a time, as
    in benchmarks.
    """

    def __init__(self) -> None:
        self._begun, self._worked = time.perf_counter(), time.process_time()

    def __str__(self) -> str:
        took = (time.perf_counter() - self._begun) * 1000
        worked = (time.process_time() - self._worked) * 1000
        return f"total;dur={took:.2f}, cpu;dur={worked:.2f}"


def _with_headers(send: Send, path: str, clock: _Clock) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Server-Timing", str(clock))
            if path.startswith("/api"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_on


async def _refuse(send: Send, most: int) -> None:
    error = TooLarge(f"The request body is larger than {most} bytes.", {"most": most})
    body = json.dumps(error.body()).encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
