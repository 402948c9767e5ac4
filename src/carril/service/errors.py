"""What can go wrong at the border: an error has a code, a status, perhaps facts and a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from carril.engine.refusals import Refusal
from carril.notation.words import say


class ServiceError(Exception):
    """A request that cannot be carried out. Nothing has changed."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "bad-request"

    def __init__(
        self, message: str, facts: Mapping[str, Any] | None = None, rule: str = ""
    ) -> None:
        """Keep the reason in words and in facts."""
        super().__init__(message)
        self.message = message
        self.facts = dict(facts or {})
        self.rule = rule

    @property
    def name(self) -> str:
        """The code that is told to the client."""
        return self.code

    def body(self) -> dict[str, Any]:
        """Return the error as it is told to a client."""
        told = {"code": self.name, "message": self.message, "facts": self.facts}
        return {"error": told | {"rule": self.rule}}


class BadRequest(ServiceError):
    """The request itself is wrong: a field, a name, a set-up."""


class BadUpload(ServiceError):
    """A file that is no record of a game, or one that cannot be read."""

    status = 422
    code = "bad-file"


class TooLarge(ServiceError):
    """More than is taken."""

    status = 413
    code = "too-large"


class NotSignedIn(ServiceError):
    """Nobody is signed in, or the name and password do not fit."""

    status = 401
    code = "not-signed-in"


class Forbidden(ServiceError):
    """Not for this user."""

    status = 403
    code = "forbidden"


class BadToken(Forbidden):
    """A request from a page without the page's token."""

    code = "csrf"


class NotYourSeat(Forbidden):
    """The seat belongs to somebody else."""

    code = "not-your-seat"


class ReadOnly(Forbidden):
    """An imported record cannot be played on; a fork of it can."""

    code = "read-only"


class NotFound(ServiceError):
    """There is no such game, position, fork or invitation."""

    status = 404
    code = "not-found"


class Stale(ServiceError):
    """Somebody acted first: the position is not the one the request was made for."""

    status = 409
    code = "stale"


class Finished(ServiceError):
    """The game is over."""

    status = 409
    code = "finished"


class Taken(ServiceError):
    """A name or a seat that somebody else has."""

    status = 409
    code = "taken"


class Damaged(ServiceError):
    """A record of the store is not what was written."""

    status = 500
    code = "damaged"


class Broken(ServiceError):
    """A mistake of ours."""

    status = 500
    code = "broken"


class Busy(ServiceError):
    """The database cannot be reached, or is locked for too long."""

    status = 503
    code = "busy"


class TooMany(ServiceError):
    """Too many requests in a short time."""

    status = 429
    code = "too-many"


class RefusedByRules(ServiceError):
    """The rules refuse the action; code, facts and rule are the refusal's."""

    status = 422

    def __init__(self, refusal: Refusal) -> None:
        """Keep the refusal and say it in words."""
        super().__init__(say(refusal), dict(refusal.facts), refusal.rule)
        self.refusal = refusal

    @property
    def name(self) -> str:
        """The refusal's own code."""
        return self.refusal.code
