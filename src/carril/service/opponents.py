"""Access to the bots: their names, and what one of them does in a position."""

from __future__ import annotations

from carril.bots import Dice, bot_named
from carril.bots import bot_names as _names
from carril.engine.actions import Action
from carril.engine.state import State
from carril.service.errors import BadRequest

_DEFAULT = "greedy"


def bot_names() -> tuple[str, ...]:
    """Return the names of the bots that can take a seat."""
    return _names()


def default_bot() -> str:
    """Return the bot that takes a seat unless another one is chosen."""
    return _DEFAULT if _DEFAULT in bot_names() else bot_names()[0]


def check_bot(name: str) -> None:
    """Raise BadRequest if there is no bot of this name."""
    if name not in bot_names():
        known = ", ".join(bot_names())
        raise BadRequest(f"There is no bot {name!r}. Choose one of: {known}.")


def choose(bot: str, state: State, seed: int) -> tuple[Action, str]:
    """Return a bot's action and its explanation; the same seed gives the same action."""
    decision = bot_named(bot).choose(state, Dice(seed))
    return decision.action, decision.reason
