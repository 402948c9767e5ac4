"""Programs as the service returns them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from carril.programs import AnyProgram, Reason


class ProgramInfo(Struct, frozen=True):
    """A program as the user who gave it sees it."""

    id: str
    player: str
    program: AnyProgram
    active: bool
    reason: Reason | None
    """Why it has stopped."""
    done: int
    """How many actions it has taken."""
    created: datetime
