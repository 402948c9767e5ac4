"""Errors of requests: each has a code, an HTTP status, and possibly facts and a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from carril.engine.refusals import Refusal
from carril.notation.words import say


class ServiceError(Exception):
    """A request that cannot be carried out and has changed nothing."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad-request"

    def __init__(
        self, message: str, facts: Mapping[str, Any] | None = None, rule: str = ""
    ) -> None:
        """Explain the error in a sentence and in facts."""
        super().__init__(message)
        self.message = message
        self.facts = dict(facts or {})
        self.rule = rule

    @property
    def name(self) -> str:
        """The code that is sent to the client."""
        return self.code

    def body(self) -> dict[str, Any]:
        """Return the error as JSON values for the client."""
        error = {"code": self.name, "message": self.message, "facts": self.facts}
        return {"error": error | {"rule": self.rule}}


class BadRequest(ServiceError):
    """The request itself is wrong, for example a field or a name."""


class BadUpload(ServiceError):
    """A file that is not a game, or cannot be read."""

    status = 422
    code = "bad-file"


class TooLarge(ServiceError):
    """A request body or file that exceeds a limit."""

    status = 413
    code = "too-large"


class NotSignedIn(ServiceError):
    """Nobody is signed in, or the name or password is wrong."""

    status = 401
    code = "not-signed-in"


class Forbidden(ServiceError):
    """This user may not do this."""

    status = 403
    code = "forbidden"


class BadToken(Forbidden):
    """A request from a browser without a valid CSRF token."""

    code = "csrf"


class NotYourSeat(Forbidden):
    """Somebody else plays this seat."""

    code = "not-your-seat"


class Blocked(Forbidden):
    """The administrator has blocked this user."""

    code = "blocked"


class ReadOnly(Forbidden):
    """An imported or closed game cannot be continued; a fork of it can."""

    code = "read-only"


class NotFound(ServiceError):
    """There is no such game, position, fork or invitation."""

    status = 404
    code = "not-found"


class Stale(ServiceError):
    """Somebody else acted first: the position is not the one the request was made for."""

    status = 409
    code = "stale"


class Paused(ServiceError):
    """The table is paused."""

    status = 409
    code = "paused"


class TimeOver(ServiceError):
    """The player has no time left."""

    status = 409
    code = "time-over"


class Finished(ServiceError):
    """The game is over."""

    status = 409
    code = "finished"


class Taken(ServiceError):
    """Somebody else has this name or seat."""

    status = 409
    code = "taken"


class Damaged(ServiceError):
    """A stored record does not match its hash."""

    status = 500
    code = "damaged"


class Broken(ServiceError):
    """An internal error."""

    status = 500
    code = "broken"


class Busy(ServiceError):
    """The database cannot be reached, or has been locked for too long."""

    status = 503
    code = "busy"


class TooMany(ServiceError):
    """Too many requests in a short time."""

    status = 429
    code = "too-many"


class RefusedByRules(ServiceError):
    """The rules refuse the action; code, facts and rule are those of the refusal."""

    status = 422

    def __init__(self, refusal: Refusal) -> None:
        """Describe a refusal."""
        super().__init__(say(refusal), dict(refusal.facts), refusal.rule)
        self.refusal = refusal

    @property
    def name(self) -> str:
        """The code of the refusal."""
        return self.refusal.code


class StorageFull(Forbidden):
    """A user has stored as much as they may."""

    code = "storage-full"


class Unsuitable(ServiceError):
    """A program that makes no sense in this position."""

    status = 422

    def __init__(self, code: str, message: str, facts: Mapping[str, Any]) -> None:
        """Describe the reason."""
        super().__init__(message, facts)
        self._name = code

    @property
    def name(self) -> str:
        """The code of the reason."""
        return self._name
