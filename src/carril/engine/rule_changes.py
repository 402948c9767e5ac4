"""Corrections of a title's rules, and the games that began before them.

A game keeps the version of the rules that it began with. A correction that changes what is legal,
or what an action leads to, is a `RuleChange` of its title; the rule that it corrects asks whether
the game follows it, and has both readings:

    if not follows(state, EXCESS_SOLD_AT_ONCE): ...

So a correction never breaks a game. All players together can adopt a newer version: see
`carril.engine.play.adopt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.events import Event

if TYPE_CHECKING:
    from carril.engine.state import State
    from carril.engine.title import Title

FIRST = "1"
"""The version that every title begins with."""


class RuleChange(Struct, frozen=True):
    """A correction: the version that brings it, the rule, and the code of a note about it."""

    version: str
    rule: str
    """Its id in the ledger."""
    note: str


class AdoptRules(Action, tag="adopt", frozen=True):
    """Play by a newer version of the rules from now on.

    All players must agree, so nobody has this option: see `carril.engine.play.adopt`.
    """

    version: str


class RulesAdopted(Event, tag="rules-adopted", frozen=True):
    """The players have agreed to play by a newer version of the rules."""

    version: str


def follows(state: State, change: RuleChange) -> bool:
    """Return whether a game is played with a correction."""
    return int(state.setup.version) >= int(change.version)


def versions(title: Title) -> tuple[str, ...]:
    """Return the versions of a title's rules that can be played, the oldest first."""
    return tuple(dict.fromkeys([FIRST, *(change.version for change in title.changes)]))


def later_changes(state: State) -> tuple[RuleChange, ...]:
    """Return the corrections that were made after a game began, and are not part of it."""
    return tuple(change for change in state.title.changes if not follows(state, change))
