"""Middleware: request size limits, security headers and Server-Timing."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from carril.engine.runs import using
from carril.service.asking import Asking, asked_by
from carril.service.errors import BadRequest, ServiceError, TooLarge
from carril.service.logs import logged_path, new_request_id
from carril.service.settings import Settings
from carril.service.visitors import address

_log = logging.getLogger("carril.service")
_access = logging.getLogger("carril.access")

_STREAM = "/live"
"""How the paths of streams end."""
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


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    fields = {"method": scope["method"], "path": logged_path(scope["path"]), "status": status}
    fields["ms"] = round(seconds * 1000, 1)
    _access.info("%(method)s %(path)s: %(status)s, %(ms)s ms", fields, extra=fields)


class Guards:
    """ASGI middleware that limits request bodies and adds security headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Wrap an application."""
        self._app = app
        self._settings = settings
        hsts = {"Strict-Transport-Security": f"max-age={settings.hsts_days * 86400}"}
        self._headers = HEADERS | (hsts if settings.hsts_days else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its body is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        added = self._headers | {"X-Request-ID": new_request_id()}
        watched = _Watched(send)
        begun = time.perf_counter()
        try:
            await self._guard(
                scope,
                receive,
                _with_headers(
                    watched, scope["path"], added, _Clock(scope["app"].state.measures_cpu)
                ),
            )
        finally:
            seconds = time.perf_counter() - begun
            stream = scope["path"].endswith(_STREAM)
            metrics = scope["app"].state.metrics
            metrics.count(scope["method"], watched.status, None if stream else seconds)
            if self._settings.access_log or watched.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                _log_request(scope, watched.status, seconds)

    async def _guard(self, scope: Scope, receive: Receive, guarded: Send) -> None:
        """Pass a request on if its size and address are in order."""
        most = self._most(scope["path"])
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            path = logged_path(scope["path"])
            _log.warning("%s %s: 413, a body of %s bytes", scope["method"], path, length)
            error = TooLarge(f"The request body is larger than {most} bytes.", {"most": most})
            await _refuse(guarded, error)
            return
        if b"%00" in scope.get("raw_path", b"") + scope["query_string"] or "\x00" in scope["path"]:
            await _refuse(guarded, BadRequest("An address cannot contain the character NUL."))
            return
        body = _limited(receive, most, self._settings.body_seconds)
        await self._answer(scope, body, guarded)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; answer it with an error if it fails for an unforeseen reason."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        request = Request(scope, receive)
        try:
            with using(scope["app"].state.solver), asked_by(Asking(address(request), request)):
                await self._app(scope, receive, watched)
        except Exception as error:
            if begun:
                raise
            response = await scope["app"].state.on_failure(Request(scope), error)
            await response(scope, receive, send)

    def _most(self, path: str) -> int:
        if path.rstrip("/") in UPLOAD_PATHS:
            return self._settings.upload_bytes + self._settings.body_bytes
        return self._settings.body_bytes


class _Watched:
    """Sends messages on and keeps the status of the response."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        await self._send(message)


def _limited(receive: Receive, most: int, seconds: float) -> Receive:
    """Limit the size of bodies sent without a Content-Length, and the time that bodies take."""
    count, complete = 0, False
    deadline = time.monotonic() + seconds

    async def receive_some() -> Message:
        nonlocal count, complete
        if complete:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(0, deadline - time.monotonic()))
        except TimeoutError:
            raise HTTPException(408, "The body of the request took too long.") from None
        count += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        if count > most:
            raise HTTPException(413, f"The request body is larger than {most} bytes.")
        return message

    return receive_some


class _Clock:
    """Measures the wall-clock time of a request; in benchmarks also its CPU time.

    CPU time is that of the whole process, so it is meaningful only with one request at a time. The
    system adds it up over all threads, which is too slow for every request.
    """

    def __init__(self, cpu: bool) -> None:
        self._begun = time.perf_counter()
        self._worked = time.process_time() if cpu else None

    def __str__(self) -> str:
        took = (time.perf_counter() - self._begun) * 1000
        if self._worked is None:
            return f"total;dur={took:.2f}"
        worked = (time.process_time() - self._worked) * 1000
        return f"total;dur={took:.2f}, cpu;dur={worked:.2f}"


def _with_headers(send: Send, path: str, added: Mapping[str, str], clock: _Clock) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in added.items():
                headers.setdefault(name, value)
            headers.setdefault("Server-Timing", str(clock))
            if path.startswith("/api"):
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_on


async def _refuse(send: Send, error: ServiceError) -> None:
    """Answer before the body is read; what still arrives of it is dropped by the connection.

    Closing the connection here would reset it while the client still sends, and lose the answer.
    """
    body = json.dumps(error.body()).encode()
    headers = [(b"content-type", b"application/json")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
