"""What a program knows of the past, and what it can decide."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event
from carril.engine.refusals import Fact


class Happened(Struct, frozen=True):
    """A recorded action."""

    number: int
    """The position that it led to."""
    by: str
    action: Action | None
    """None for the end of a game by agreement."""
    events: tuple[Event, ...] = ()
    programmed: bool = False
    """Whether a program took it."""


class History(Struct, frozen=True):
    """What has happened since a program was given, or since it was last asked."""

    round: str = ""
    """The round in which the program was given."""
    start: int = 0
    """The position at which it was given."""
    seen: int = 0
    """The position up to which it was asked before."""
    done: int = 0
    """How many actions the program has taken."""
    entries: tuple[Happened, ...] = ()
    """The actions after `seen`, oldest first."""


class Reason(Struct, frozen=True):
    """Why a program has stopped: a code and the facts."""

    code: str
    facts: Mapping[str, Fact] = {}


class Act(Struct, frozen=True):
    """The program takes an action."""

    action: Action


class Halt(Struct, frozen=True):
    """The program is over."""

    reason: Reason


class Wait(Struct, frozen=True):
    """The program has nothing to do now; if its player is asked, they decide."""


Decision = Act | Halt | Wait


def halt(code: str, **facts: Fact) -> Halt:
    """Return the end of a program with its reason."""
    return Halt(Reason(code, facts))
