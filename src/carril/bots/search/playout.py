"""Playing on from a position: all players by a quick policy, the others now and then by chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from zlib import crc32

from msgspec import Struct

from carril.bots.bot import Dice
from carril.bots.greedy import GreedyBot
from carril.bots.planner import PlannerBot
from carril.bots.search.values import final_worth
from carril.engine.actions import Action, Bid, BuyShare, LayTile, Pass, Range
from carril.engine.asides import takes
from carril.engine.state import State

OFTEN = 10
"""Of how many decisions of the others one is drawn by chance."""
CHANCE = (BuyShare, Pass, Bid)
"""The kinds of actions that are drawn: what another player could well do instead."""

_GREEDY, _PLANNER = GreedyBot(), PlannerBot()


class Interrupted(Exception):
    """The search was told to stop."""


class Job(Struct, frozen=True):
    """One game to play on: for whom, with which chance, and how far."""

    player: str
    seed: int
    rounds: int
    """Operating rounds to complete."""
    allowance: int
    """The most positions."""


class Playout(Struct, frozen=True):
    """What everybody is worth at the end of a playout, and how many positions it took."""

    worth: Mapping[str, int]
    positions: int


def play_on(state: State, job: Job, stop: Callable[[], bool] | None = None) -> Playout:
    """Play on until some operating rounds are over, the positions are used up, or the game ends."""
    positions, completed = 0, 0
    turns: Counter[str] = Counter()
    while not state.finished and positions < job.allowance:
        if stop is not None and stop():
            raise Interrupted
        dice = _dice(job.seed, state, turns)
        after = state.apply(_move(state, job.player, dice)).state
        positions += 1
        if after.round != state.round:
            turns.clear()
            completed += state.round.kind == "OR"
            if completed >= job.rounds:
                state = after
                break
        state = after
    return Playout(final_worth(state), positions)


def _dice(seed: int, state: State, turns: Counter[str]) -> Dice:
    """Return the chance of one decision, by who decides in which round for how many times.

    So the same player has the same luck after each of the actions that are compared.
    """
    acting = state.acting or ""
    turns[acting] += 1
    return Dice(crc32(f"{seed} {state.round} {acting} {turns[acting]}".encode()))


def _move(state: State, player: str, dice: Dice) -> Action:
    """Return the move of the quick policy, or sometimes another one of somebody else."""
    if state.acting != player and not dice.below(OFTEN) and (drawn := _drawn(state, dice)):
        return drawn
    bot = _GREEDY if takes(state, LayTile) else _PLANNER
    return bot.choose(state, dice).action


def _drawn(state: State, dice: Dice) -> Action | None:
    """Return an option of the kinds that are drawn, a bid at its least; None if there is none."""
    if not any(takes(state, kind) for kind in (BuyShare, Bid)):
        return None
    options = state.options(*CHANCE)
    if not options:
        return None
    option = options[dice.below(len(options))]
    return option.at(option.least) if isinstance(option, Range) else option
