"""Opponents. A bot chooses among the options of a position, and says why.

>>> from carril import start
>>> from carril.bots import Dice, bot_named
>>> state = start("18EU", ["Ana", "Ben", "Cleo"], seed=7)
>>> decision = bot_named("random").choose(state, Dice(1))
>>> state.refusal(decision.action) is None
True
"""

from carril.bots.bot import Bot, Decision, Dice
from carril.bots.greedy import GreedyBot
from carril.bots.random_bot import CarelessBot, RandomBot
from carril.engine.refusals import BadSetup

_BOTS: dict[str, Bot] = {}


def register_bot(bot: Bot) -> None:
    """Make a bot known by its name."""
    _BOTS[bot.name] = bot


def bot_named(name: str) -> Bot:
    """Return a bot by its name, or say which there are."""
    if name not in _BOTS:
        raise BadSetup(f"unknown bot {name!r}; there are: {', '.join(bot_names())}")
    return _BOTS[name]


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots."""
    return tuple(sorted(_BOTS))


register_bot(RandomBot())
register_bot(CarelessBot())
register_bot(GreedyBot())

__all__ = [
    "Bot",
    "CarelessBot",
    "Decision",
    "Dice",
    "GreedyBot",
    "RandomBot",
    "bot_named",
    "bot_names",
    "register_bot",
]
