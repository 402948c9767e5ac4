"""A pending decision: who decides, what they may do, and what follows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import ClassVar

from msgspec import Struct

from carril.engine.actions import Action, Kinds, Option, Range, kind_of
from carril.engine.move import Move
from carril.engine.refusals import Fact, Refusal
from carril.engine.state import State


class Step(Struct, frozen=True, tag_field="step"):
    """Base of all decisions on the agenda.

    Rules are checked in `refusal` alone; `options` proposes what it does not refuse.
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

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Option]:
        """Yield the options of some allowed kinds, in the order of `options`.

        A step with kinds that are costly to list looks only for those that are asked for.
        """
        return (option for option in self.options(state) if kind_of(option) in kinds)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Return why an action of an allowed kind is refused, or None."""
        raise NotImplementedError

    def play(self, move: Move, action: Action) -> None:
        """Carry out a legal action."""
        raise NotImplementedError

    def settle(self, move: Move) -> bool:
        """Do what needs no decision; return whether anything was done."""
        return False

    def take_only_option(self, move: Move) -> bool:
        """Take the option if there is only one and single choices are not asked for.

        Return whether it was taken.
        """
        if move.state.setup.conventions.single_choices_asked:
            return False
        found = list(islice(self.options(move.state), 2))
        if len(found) != 1 or isinstance(found[0], Range):
            return False
        self.play(move, found[0])
        return True

    @property
    def mechanism(self) -> str:
        """The mechanism of this step: panels, messages and bots are registered by it."""
        return str(type(self).__struct_config__.tag)

    @property
    def subject(self) -> str:
        """The company whose step this is, or "" in a round of players."""
        return getattr(self, "company", "")


def refuse(state: State, code: str, **facts: Fact) -> Refusal:
    """Return a refusal with the rule that the title cites for its code."""
    return Refusal(code, facts, state.title.cites.get(code, ""))
