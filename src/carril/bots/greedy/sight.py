"""What a decision is made from: the position, who decides, the options by kind, the dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from carril.bots.bot import Dice
from carril.engine.actions import Accept, Action, Option, Pass, Range
from carril.engine.state import Company, State

Kind = TypeVar("Kind", bound=Action)


@dataclass(frozen=True, slots=True)
class Sight:
    """A position as the one who must decide sees it."""

    state: State
    me: str
    options: tuple[Option, ...]
    dice: Dice

    def plain(self, kind: type[Kind]) -> list[Kind]:
        """Return the options of a kind that have no amount to choose."""
        return [option for option in self.options if isinstance(option, kind)]

    def ranges(self, kind: type[Action]) -> list[Range]:
        """Return the options of a kind with an amount to choose."""
        return [
            option
            for option in self.options
            if isinstance(option, Range) and isinstance(option.action, kind)
        ]

    def offers(self, kind: type[Action]) -> bool:
        """Return whether an option of a kind is there, with or without an amount."""
        return any(
            isinstance(option.action if isinstance(option, Range) else option, kind)
            for option in self.options
        )

    @property
    def may_pass(self) -> bool:
        """Whether nothing must be done."""
        return bool(self.plain(Pass))

    @property
    def company(self) -> Company | None:
        """The company whose step is due."""
        return self.state.companies.get(self.state.step.subject)

    @property
    def cash(self) -> int:
        """The money of the one who decides."""
        return self.state.players[self.me].cash

    @property
    def mine(self) -> list[Company]:
        """The companies that the one who decides leads."""
        return [c for c in self.state.companies.values() if c.owner == self.me and not c.closed]


def agreed(state: State, action: Action) -> State:
    """Return the position after an action, as if the one who is asked for it said yes."""
    after = state.apply(action).state
    if after.agenda and len(after.agenda) > len(state.agenda) and Accept in after.step.allows:
        yes = Accept()
        if after.refusal(yes) is None:
            after = after.apply(yes).state
    return after
