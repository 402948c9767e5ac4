"""Giving up trains above the limit."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, DiscardTrain
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step, refuse
from carril.engine.trains import discard, runs_itself, train_limit, trains_counted


class DiscardTrains(Step, tag="discards", frozen=True):
    """Companies above their train limit put the excess into the pool, one after the other."""

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
        """Return what may go: a car that does not run by itself goes before any train."""
        trains = sorted(set(state.companies[self.companies[0]].trains))
        return [name for name in trains if not runs_itself(state, name)] or trains

    def settle(self, move: Move) -> bool:
        """Go on to the next company, or take what is no choice."""
        if not self.companies:
            move.pop()
            return True
        state = move.state
        company = state.companies[self.companies[0]]
        if trains_counted(state, company) <= train_limit(state, company):
            move.swap(DiscardTrains(self.companies[1:]))
            return True
        choices = self._choices(state)
        asked = state.setup.conventions.single_choices_asked and runs_itself(state, choices[0])
        if len(choices) == 1 and not asked:
            discard(move, company.symbol, choices[0])
            return True
        return False

    def options(self, state: State) -> Iterable[Action]:
        """Yield each kind of train that may go."""
        by = self.actor(state)
        return tuple(DiscardTrain(name, by=by) for name in self._choices(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the company owns the train and that no car goes first."""
        assert isinstance(action, DiscardTrain)
        if action.train not in state.companies[self.companies[0]].trains:
            return refuse(state, "no-such-train-owned", train=action.train)
        if action.train not in self._choices(state):
            return refuse(state, "pullman-first", train=action.train)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Put the train into the pool."""
        assert isinstance(action, DiscardTrain)
        discard(move, self.companies[0], action.train)
