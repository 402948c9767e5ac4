"""Access to the bots: their names, and what one of them does in a position."""

from __future__ import annotations

from msgspec import Struct

from carril.bots import Dice, bot_named
from carril.bots import bot_names as _names
from carril.bots.guard import guarded_choice
from carril.bots.levels import CHARACTERS, LEVELS
from carril.engine.actions import Action
from carril.engine.state import State
from carril.service.errors import BadRequest

_DEFAULT = "greedy"
_FAILED = "Failure of the bot "
FALLBACK = "random"
"""The bot that gets the seat of one that fails."""


def bot_names() -> tuple[str, ...]:
    """Return the names of the bots that can take a seat."""
    return _names()


def listed_bots() -> tuple[str, ...]:
    """Return the bots as a list for people: the levels from weak to strong, characters, others."""
    first = [*(level.name for level in LEVELS), *CHARACTERS]
    known = bot_names()
    return (*(name for name in first if name in known), *(n for n in known if n not in first))


def default_bot() -> str:
    """Return the bot that takes a seat unless another one is chosen."""
    return _DEFAULT if _DEFAULT in bot_names() else bot_names()[0]


def check_bot(name: str) -> None:
    """Raise BadRequest if there is no bot of this name."""
    if name not in bot_names():
        known = ", ".join(bot_names())
        raise BadRequest(f"There is no bot {name!r}. Choose one of: {known}.")


class Choice(Struct, frozen=True):
    """A legal action, the bot's explanation, and what was wrong with its own answer, or ""."""

    action: Action
    reason: str
    fault: str = ""


def choose(bot: str, state: State, seed: int) -> tuple[Action, str]:
    """Return a bot's action and its explanation; the same seed gives the same action."""
    decision = bot_named(bot).choose(state, Dice(seed))
    return decision.action, decision.reason


def choose_guarded(bot: str, state: State, seed: int, seconds: float = 0.0) -> Choice:
    """Return what a bot does, even if it fails; the same seed gives the same action.

    If the bot raises, answers nonsense, or takes longer than `seconds` (0 for no limit), the random
    bot decides instead, and the reason says so.
    """
    known = bot_named(bot if bot in bot_names() else FALLBACK)
    found = guarded_choice(known, state, Dice(seed), seconds)
    fault = found.fault if bot in bot_names() else "it no longer exists"
    reason = found.decision.reason
    if fault:
        reason = f"{_FAILED}{bot}: {fault}. The bot {FALLBACK} plays on in its place."
    return Choice(found.decision.action, reason, fault)


def is_failure(reason: str) -> bool:
    """Return whether the reason of an action is that a bot has failed."""
    return reason.startswith(_FAILED)
