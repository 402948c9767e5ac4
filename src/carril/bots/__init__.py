"""Opponents. A bot chooses among the options of a position, and says why.

>>> from carril import start
>>> from carril.bots import Dice, bot_named
>>> state = start("18EU", ["Ana", "Ben", "Cleo"], seed=7)
>>> decision = bot_named("random").choose(state, Dice(1))
>>> state.refusal(decision.action) is None
True
"""

import logging
from functools import cache
from importlib.metadata import entry_points

from carril.bots.bot import Bot, Decision, Dice
from carril.bots.greedy import GreedyBot
from carril.bots.levels import level_bots
from carril.bots.planner import PlannerBot
from carril.bots.random_bot import CarelessBot, RandomBot
from carril.bots.search import SearchBot
from carril.engine.refusals import BadSetup

_log = logging.getLogger("carril.bots")
ENTRY_POINTS = "carril.bots"
"""The group of entry points by which installed packages offer bots: objects, or functions and
classes that make one."""
_BOTS: dict[str, Bot] = {}


def register_bot(bot: Bot) -> None:
    """Make a bot known by its name."""
    _BOTS[bot.name] = bot


def bot_named(name: str) -> Bot:
    """Return a bot by its name, or say which there are."""
    if name not in _BOTS:
        load_installed()
    if name not in _BOTS:
        raise BadSetup(f"unknown bot {name!r}; there are: {', '.join(bot_names())}")
    return _BOTS[name]


def bot_names() -> tuple[str, ...]:
    """Return the names of all bots, those of installed packages included."""
    load_installed()
    return tuple(sorted(_BOTS))


@cache
def load_installed() -> None:
    """Register the bots of installed packages; one that cannot be loaded is left out."""
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            found = entry.load()
            register_bot(found() if callable(found) else found)
        except Exception as error:
            _log.warning("the bot %s of another package cannot be used: %s", entry.name, error)


register_bot(RandomBot())
register_bot(CarelessBot())
register_bot(GreedyBot())
for _bot in level_bots():
    register_bot(_bot)
register_bot(SearchBot())

__all__ = [
    "Bot",
    "CarelessBot",
    "Decision",
    "Dice",
    "GreedyBot",
    "PlannerBot",
    "RandomBot",
    "SearchBot",
    "bot_named",
    "bot_names",
    "register_bot",
]
