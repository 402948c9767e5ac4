"""Logs: lines as text or JSON, each with the id of the request that it belongs to."""

from __future__ import annotations

import json
import logging
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered, or ""."""
FIELDS = ("method", "path", "status", "ms")
"""What a line about a request has besides its message."""
_TEXT = "%(asctime)s %(levelname)s %(request)s %(message)s"


def new_request_id() -> str:
    """Return an id for a request, and use it in the lines logged from now on."""
    made = secrets.token_hex(8)
    request_id.set(made)
    return made


class _WithRequest(logging.Filter):
    """Adds the id of the request to log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request = request_id.get() or "-"
        return True


class JsonFormatter(logging.Formatter):
    """Writes a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": request_id.get(),
        }
        values |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, ensure_ascii=True, default=str)


def configure_logging(form: Literal["text", "json"]) -> None:
    """Write the logs of this process to standard error."""
    handler = logging.StreamHandler()
    handler.addFilter(_WithRequest())
    handler.setFormatter(JsonFormatter() if form == "json" else logging.Formatter(_TEXT))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


_SECRET = (
    "/return/",
    "/api/return/",
    "/join/",
    "/api/invitations/",
    "/confirm/",
    "/recover/",
    "/api/address/",
    "/api/recovery/",
)
"""Addresses that end in a token, which must not be written to the log."""


def logged_path(path: str) -> str:
    """Return the path of a request as the log shows it, without tokens.

    >>> logged_path("/return/abc"), logged_path("/table/abc")
    ('/return/…', '/table/abc')
    """
    secret = next((prefix for prefix in _SECRET if path.startswith(prefix)), "")
    return f"{secret}…" if secret else path
