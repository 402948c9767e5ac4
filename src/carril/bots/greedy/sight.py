"""The input of a decision: the position, who decides, the options by kind, the dice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from carril.bots.bot import Dice
from carril.engine.actions import Accept, Action, Option, Pass, Range, kind_of
from carril.engine.answers import Answers
from carril.engine.asides import takes
from carril.engine.shares import company_def
from carril.engine.state import Company, State

Kind = TypeVar("Kind", bound=Action)


@dataclass(frozen=True, slots=True)
class Sight:
    """A position as seen by the player who must decide."""

    state: State
    me: str
    options: tuple[Option, ...]
    dice: Dice
    kinds: frozenset[type[Action]] = field(init=False)
    """The kinds of actions that are offered: each rule asks for its own."""

    def __post_init__(self) -> None:
        """Note the kinds once."""
        object.__setattr__(self, "kinds", frozenset(map(kind_of, self.options)))

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

    def offers(self, *kinds: type[Action]) -> bool:
        """Return whether there is an option of one of these kinds, with or without an amount."""
        return not self.kinds.isdisjoint(kinds)

    @property
    def step(self) -> Any:
        """The decision that is due; a rule reads the fields that its mechanism has."""
        return self.state.step

    @property
    def answers(self) -> Answers:
        """What the title answers about a position."""
        return self.state.title.answers

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
        """The cash of the player who decides."""
        return self.state.players[self.me].cash

    @property
    def mine(self) -> list[Company]:
        """The companies that the player who decides leads."""
        return [c for c in self.state.companies.values() if c.owner == self.me and not c.closed]

    @property
    def my_minors(self) -> list[Company]:
        """The companies that belong to the player who decides as a whole."""
        return [c for c in self.mine if has_sole_owner(self.state, c)]


def has_sole_owner(state: State, company: Company) -> bool:
    """Return whether a company belongs to one player as a whole: others cannot hold shares."""
    return company_def(state, company.symbol).sole_owner


def agreed(state: State, action: Action) -> State:
    """Return the position after an action, as if the player who is asked for it agreed."""
    after = state.apply(action).state
    if len(after.agenda) > len(state.agenda) and takes(after, Accept):
        yes = Accept()
        if after.refusal(yes) is None:
            after = after.apply(yes).state
    return after
