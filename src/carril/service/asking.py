"""Who asks: the user or address that the work of a request is queued for, and its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from starlette.requests import Request


@dataclass(slots=True)
class Asking:
    """The request that is being answered; outside requests, nobody's."""

    user: str = ""
    """The id of the user, or the address of somebody who is not signed in."""
    request: Request | None = None

    @property
    def table(self) -> str:
        """The id of the game that the request names, or ""."""
        return str(self.request.path_params.get("game", "")) if self.request else ""

    async def has_left(self) -> bool:
        """Return whether the sender of the request has closed the connection."""
        return self.request is not None and await self.request.is_disconnected()


_current: ContextVar[Asking | None] = ContextVar("asking", default=None)


def asking() -> Asking:
    """Return who asks in this context."""
    return _current.get() or Asking()


@contextmanager
def asked_by(who: Asking) -> Iterator[None]:
    """Let somebody ask in this context."""
    before = _current.set(who)
    try:
        yield
    finally:
        _current.reset(before)
