"""A question that is answered with yes or no: consents and offers."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Accept, Action, Decline
from carril.engine.events import Answered
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step


class Question(Step, frozen=True):
    """Base of decisions with two answers, both always legal."""

    allows = (Accept, Decline)

    @property
    def about(self) -> str:
        """The train, company or place that the question is about."""
        raise NotImplementedError

    def answered(self, move: Move, accepted: bool) -> None:
        """Do what follows from the answer; the step that led to the question is due again."""
        raise NotImplementedError

    def options(self, state: State) -> Iterable[Action]:
        """Yes or no."""
        by = self.actor(state)
        return (Accept(by=by), Decline(by=by))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Either answer is legal."""
        return None

    def play(self, move: Move, action: Action) -> None:
        """Record the answer and do what follows from it."""
        accepted = isinstance(action, Accept)
        move.tell(Answered(self.actor(move.state), accepted, self.about))
        move.pop()
        self.answered(move, accepted)
