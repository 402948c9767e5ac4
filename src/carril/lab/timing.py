"""How long bots take to decide, and how long a whole game of them takes."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

from msgspec import Struct

from carril.bots import Dice, bot_named
from carril.lab.arena import MOST_ACTIONS, Match, first_position


class Slow(Struct, frozen=True):
    """A decision and the milliseconds of processor time that it took."""

    milliseconds: float
    bot: str
    action: str
    round: str
    number: int


class Timed(Struct, frozen=True):
    """The decisions of a game."""

    match: Match
    decisions: tuple[Slow, ...]
    seconds: float
    """The processor time of the whole game, the engine included."""


class Summary(Struct, frozen=True):
    """The decisions of a bot, in milliseconds."""

    bot: str
    count: int
    median: float
    percentile_99: float
    most: float
    slowest: Slow


def timed(match: Match) -> Timed:
    """Play a match and measure every decision; options are part of a decision."""
    state, found = first_position(match), list[Slow]()
    bots = dict(zip(match.players, map(bot_named, match.bots), strict=True))
    dice, began = Dice(match.seed), process_time()
    while not state.finished and len(found) < MOST_ACTIONS:
        bot = bots[state.acting or ""]
        before = process_time()
        action = bot.choose(state, dice).action
        taken = (process_time() - before) * 1000
        kind = str(type(action).__struct_config__.tag)
        found.append(Slow(taken, bot.name, kind, str(state.round), len(found) + 1))
        state = state.apply(action).state
    return Timed(match, tuple(found), process_time() - began)


def summaries(games: Sequence[Timed]) -> tuple[Summary, ...]:
    """Return the figures of each bot over some games."""
    made = []
    for bot in sorted({one.bot for game in games for one in game.decisions}):
        own = [one for game in games for one in game.decisions if one.bot == bot]
        ranked = sorted(one.milliseconds for one in own)
        made.append(
            Summary(
                bot=bot,
                count=len(own),
                median=ranked[len(ranked) // 2],
                percentile_99=ranked[int(len(ranked) * 0.99)],
                most=ranked[-1],
                slowest=max(own, key=lambda one: one.milliseconds),
            )
        )
    return tuple(made)
