"""Levels of play: the planner with mistakes of a stated size, up to the planner itself.

A mistake is a decision that is drawn at random instead of planned, as often as the level says.
"""

from __future__ import annotations

from msgspec import Struct

from carril.bots.bot import Bot, Decision, Dice
from carril.bots.planner import PlannerBot
from carril.bots.random_bot import RandomBot
from carril.engine.state import State


class Level(Struct, frozen=True):
    """A named strength."""

    name: str
    mistakes: int
    """How many of 100 decisions are drawn at random."""


LEVELS = (
    Level("beginner", 40),
    Level("novice", 20),
    Level("amateur", 8),
    Level("skilled", 2),
    Level("planner", 0),
)
"""The levels, the weakest first."""
CHARACTERS = ("cautious", "investor", "builder", "raider")
"""Planners that weigh things differently; their parameters are data."""


class LevelBot:
    """A planner that makes mistakes."""

    def __init__(self, level: Level) -> None:
        """Play at a level."""
        self.name = level.name
        self._mistakes = level.mistakes
        self._planner, self._random = PlannerBot(), RandomBot()

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return the planner's decision, or sometimes a random one."""
        if dice.below(100) < self._mistakes:
            return self._random.choose(state, dice)
        return self._planner.choose(state, dice)


def level_bots() -> tuple[Bot, ...]:
    """Return the bots of all levels and characters."""
    levels: list[Bot] = [LevelBot(level) for level in LEVELS if level.mistakes]
    return (*levels, PlannerBot(), *(PlannerBot(name) for name in CHARACTERS))
