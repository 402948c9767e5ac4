"""A quick hand for 18ESP: it bids, builds, runs and buys, so that every mechanism comes up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from carril import start
from carril.engine.actions import (
    Accept,
    Action,
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    ChooseSide,
    CombineTrains,
    DeclareDividend,
    LayTile,
    OpenPass,
    Option,
    Pass,
    PlaceToken,
    Range,
    RepayLoan,
    RunTrains,
    StartCompany,
    TakeOver,
)
from carril.engine.state import State

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Fay")
_WISHES: tuple[tuple[type[Action], float], ...] = (
    (RunTrains, 1),
    (DeclareDividend, 1),
    (ChooseSide, 1),
    (Accept, 0.8),
    (TakeOver, 0.9),
    (OpenPass, 0.9),
    (PlaceToken, 0.6),
    (LayTile, 1),
    (CombineTrains, 0.7),
    (BuyTrain, 0.6),
    (RepayLoan, 1),
    (BuyShare, 0.8),
    (StartCompany, 0.6),
    (BuyPrivate, 0.15),
    (Bid, 0.5),
)


def hand(state: State, random: Random) -> Action:
    """Choose the first kind of action that is wished for and offered; pass otherwise."""
    options = state.options()
    for kind, wish in _WISHES:
        found = [o for o in options if isinstance(_action(o), kind)]
        if found and random.random() < wish:
            return _chosen(random, found)
    passes = [o for o in options if isinstance(o, Pass)]
    return passes[0] if passes else _chosen(random, options)


def _action(option: Option) -> Action:
    return option.action if isinstance(option, Range) else option


def _chosen(random: Random, found: Sequence[Option]) -> Action:
    kind = type(_action(found[0]))
    first = kind in (RunTrains, DeclareDividend)
    option = found[0] if first else random.choice(found)
    if not isinstance(option, Range):
        return option
    return option.at(option.most if kind is RepayLoan else option.least)


def game(
    players: int = 4, seed: int = 1, edition: str = "de", variants: tuple[str, ...] = ()
) -> State:
    """Return the first position of 18ESP."""
    return start("18ESP", NAMES[:players], seed=seed, edition=edition, variants=variants)


def whole(
    players: int = 4,
    seed: int = 1,
    edition: str = "de",
    variants: tuple[str, ...] = (),
    most: int = 5000,
) -> list[State]:
    """Return every position of a game of this hand, or of its first actions."""
    random = Random(seed)
    states = [game(players, seed, edition, variants)]
    while not states[-1].finished and len(states) < most:
        states.append(states[-1].apply(hand(states[-1], random)).state)
    return states
