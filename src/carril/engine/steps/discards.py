"""Giving up trains above the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from carril.engine.actions import Action, DiscardTrain
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step, refuse
from carril.engine.trains import discard, excess_trains, over_limit, runs_itself


@dataclass(frozen=True, slots=True)
class DiscardRules:
    """How trains above the limit are given up."""

    barred: Callable[[State, str, str], Refusal | None] = lambda state, company, train: None
    """Why a company may not give up this one of its excess trains."""
    discard: Callable[[Move, str, str], None] = discard
    """Give up a train of a company: to the pool, or out of the game."""


class DiscardTrains(Step, tag="discards", frozen=True):
    """Companies above their train limit give up the excess, one company after the other."""

    companies: tuple[str, ...]

    allows = (DiscardTrain,)

    def actor(self, state: State) -> str:
        """Return the owner of the company that is next."""
        return state.companies[self.companies[0]].owner

    @property
    def subject(self) -> str:
        """The company that is next."""
        return self.companies[0] if self.companies else ""

    def _choices(self, state: State) -> list[str]:
        barred, company = state.title.discards.barred, self.subject
        excess = excess_trains(state, state.companies[company])
        return [train for train in excess if barred(state, company, train) is None]

    def settle(self, move: Move) -> bool:
        """Go on to the next company, or discard automatically when there is only one choice."""
        if not self.companies:
            move.pop()
            return True
        state = move.state
        choices = self._choices(state)
        if not choices:
            move.swap(DiscardTrains(self.companies[1:]))
            return True
        asked = state.setup.conventions.single_choices_asked and runs_itself(state, choices[0])
        if len(choices) == 1 and not asked:
            self.play(move, DiscardTrain(choices[0]))
            return True
        return False

    def options(self, state: State) -> Iterable[Action]:
        """Yield each kind of train that may go."""
        by = self.actor(state)
        return tuple(DiscardTrain(name, by=by) for name in self._choices(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the company owns too many of such trains, and that this one may go."""
        assert isinstance(action, DiscardTrain)
        if action.train not in excess_trains(state, state.companies[self.subject]):
            return refuse(state, "no-such-train-owned", train=action.train)
        return state.title.discards.barred(state, self.subject, action.train)

    def play(self, move: Move, action: Action) -> None:
        """Give up the train."""
        assert isinstance(action, DiscardTrain)
        move.state.title.discards.discard(move, self.subject, action.train)


def discards_due(state: State, order: Iterable[str]) -> tuple[DiscardTrains, ...]:
    """Return the step for the companies above their limit in this order; () if there are none."""
    over = {company.symbol for company in over_limit(state)}
    names = tuple(dict.fromkeys(symbol for symbol in order if symbol in over)) if over else ()
    return (DiscardTrains(names),) if names else ()
