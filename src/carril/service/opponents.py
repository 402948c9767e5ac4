"""The one door to the bots: which there are, and what one of them does in a position."""

from __future__ import annotations

from carril.engine.actions import Action, Range
from carril.engine.state import State


def bot_names() -> tuple[str, ...]:
    """Return the names of the bots that can take a seat."""
    return ("first",)


def choose(bot: str, state: State, seed: int) -> tuple[Action, str]:
    """Return what a bot does and why: the first option there is."""
    option = state.options()[0]
    action = option.at(option.least) if isinstance(option, Range) else option
    return action, "the first option"
