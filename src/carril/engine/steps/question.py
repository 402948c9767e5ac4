"""A question that is answered with yes or no: consents and offers."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Accept, Action, Decline
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step


class Question(Step, frozen=True):
    """Base of decisions with two answers, both always legal."""

    allows = (Accept, Decline)

    def options(self, state: State) -> Iterable[Action]:
        """Yes or no."""
        by = self.actor(state)
        return (Accept(by=by), Decline(by=by))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Either answer is legal."""
        return None
