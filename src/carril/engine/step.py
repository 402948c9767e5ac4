"""A pending decision: who decides, what he may do, and what it does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec import Struct

from carril.engine.actions import Action, Option
from carril.engine.move import Move
from carril.engine.refusals import Fact, Refusal
from carril.engine.state import State


class Step(Struct, frozen=True, tag_field="step"):
    """Base of all decisions on the agenda.

    `refusal` is the one place where a rule is checked; `options` proposes what it lets through.
    """

    allows: ClassVar[tuple[type[Action], ...]] = ()

    def actor(self, state: State) -> str:
        """Return the player who decides."""
        raise NotImplementedError

    def allowed(self, state: State) -> tuple[type[Action], ...]:
        """Return the kinds of actions that this step handles in a game of this title."""
        return self.allows

    def options(self, state: State) -> Iterable[Option]:
        """Yield every legal action; those with an amount as ranges."""
        raise NotImplementedError

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Return why an action of an allowed kind is refused, or None."""
        raise NotImplementedError

    def play(self, move: Move, action: Action) -> None:
        """Carry out a legal action."""
        raise NotImplementedError

    def settle(self, move: Move) -> bool:
        """Do what needs no decision; return whether anything was done."""
        return False

    @property
    def mechanism(self) -> str:
        """The mechanism that this step is part of: panels, messages and bots go by it."""
        return str(type(self).__struct_config__.tag)

    @property
    def subject(self) -> str:
        """The company whose step this is, or "" in a round of players."""
        return getattr(self, "company", "")


def refuse(state: State, code: str, **facts: Fact) -> Refusal:
    """Return a refusal with the rule that the title cites for this code."""
    return Refusal(code, facts, state.title.cites.get(code, ""))
