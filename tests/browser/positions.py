"""Positions for the browser: made by hand, or played quickly by a simple hand."""

from __future__ import annotations

from random import Random

from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyShare,
    BuyTrain,
    ChooseLot,
    DeclareDividend,
    ExchangeMinor,
    LayTile,
    Option,
    Pass,
    Range,
    RunTrains,
    StartCompany,
)
from carril.engine.state import State
from tests import table

_WISHES = (RunTrains, Accept, ChooseLot, LayTile, BuyTrain, ExchangeMinor, StartCompany, BuyShare)


def simple(state: State, random: Random) -> Action:
    """Choose quickly and not too badly, so that a game goes on: bid low, build, run, pay, buy."""
    options = state.options()
    for option in options:
        if isinstance(option, Range) and isinstance(option.action, Bid) and option.least <= 110:
            return option.at(option.least) if random.random() < 0.5 else Pass(by=state.acting or "")
    for kind in _WISHES:
        found = [o for o in options if isinstance(o, kind) and not _silly(state, o)]
        if found and (kind is not BuyTrain or random.random() < 0.7):
            return random.choice(found)
    if dividends := [o for o in options if isinstance(o, DeclareDividend)]:
        return dividends[0]
    if passes := [o for o in options if isinstance(o, Pass)]:
        return passes[0]
    chosen = random.choice(options)
    return chosen.at(chosen.least) if isinstance(chosen, Range) else chosen


def _silly(state: State, option: Option) -> bool:
    return isinstance(option, StartCompany) and option.price < 80


def played(seed: int, actions: int, players: int = 3) -> State:
    """Return a game after so many actions of the simple hand."""
    random = Random(seed)
    state = table.game(players, seed=seed)
    for _ in range(actions):
        if state.finished:
            break
        state = state.apply(simple(state, random)).state
    return state


def played_until(seed: int, tag: str, players: int = 3, after: int = 0) -> State:
    """Return the first position after so many actions where a step is due with a choice."""
    random = Random(seed)
    state = table.game(players, seed=seed)
    for number in range(4000):
        if state.finished:
            break
        due = type(state.step).__struct_config__.tag == tag
        if number >= after and due and (tag == "run" or len(state.options()) > 1):
            return state
        state = state.apply(simple(state, random)).state
    raise AssertionError(f"no {tag} with seed {seed}")
