"""Auctions: minors and privates, bids and falling prices."""

from __future__ import annotations

from typing import Any

from carril.bots.bot import Decision
from carril.bots.greedy.ground import home_value
from carril.bots.greedy.sight import Sight
from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.state import State

RESERVE = 60
"""Cash that is kept for the first stock round."""
EARLY_ROUNDS = 4
"""Operating rounds in which a minor earns for its owner before it is merged."""
SHARE = 70
"""What the share is worth that a minor is exchanged for."""


def minor_worth(state: State, symbol: str) -> int:
    """Return what a minor brings: half its runs, and the share it is given for."""
    home = state.tables.companies[symbol].home
    if home is None:
        return SHARE
    return SHARE + int(home_value(state, home.hex) * EARLY_ROUNDS / 2 * 0.6)


def private_worth(state: State, symbol: str) -> int:
    """Return what a private brings: its income for some rounds, and what a company pays for it."""
    rows: Any = getattr(state.tables.figures, "private", ())
    for row in rows:
        if row.symbol == symbol:
            return int(row.income) * 6 + 20
    return 0


def lot_of(state: State) -> str:
    """Return what is on sale."""
    step = state.step
    return str(getattr(step, "lot", ""))


def worth_of_lot(sight: Sight) -> int:
    """Return what the one who decides would pay for the lot, a little up or down by chance."""
    lot = lot_of(sight.state)
    if lot in sight.state.companies:
        worth = minor_worth(sight.state, lot)
    else:
        worth = private_worth(sight.state, lot)
        worth = max(worth, int(getattr(sight.state.step, "least", 0)) * 11 // 10)
    return worth * (95 + sight.dice.below(11)) // 100


def choose_lot(sight: Sight) -> Decision | None:
    """Put up the minor that is worth most while there is money, else the least."""
    lots = sight.plain(ChooseLot)
    if not lots:
        return None
    rank = {option.lot: minor_worth(sight.state, option.lot) for option in lots}
    rich = sight.cash == max(player.cash for player in sight.state.players.values())
    option = (max if rich else min)(lots, key=lambda one: rank[one.lot])
    return Decision(option, f"minor {option.lot} is worth about {rank[option.lot]}")


def bid(sight: Sight) -> Decision | None:
    """Bid the least while it is below the worth of the lot, or pass."""
    ranges = sight.ranges(Bid)
    if not ranges:
        return None
    option, worth = ranges[0], worth_of_lot(sight)
    most = min(worth, sight.cash - RESERVE)
    if option.least <= most:
        action = option.at(option.least)
        return Decision(action, f"{option.least} for {lot_of(sight.state)}, worth about {worth}")
    passes = sight.plain(Pass)
    if passes:
        return Decision(passes[0], f"{option.least} is too much, worth about {worth}")
    return Decision(option.at(option.least), "must bid")


def take_price(sight: Sight) -> Decision | None:
    """Take a falling price when it is well below the worth, or nearly nothing."""
    accepts, passes = sight.plain(Accept), sight.plain(Pass)
    if not accepts or not passes or not lot_of(sight.state):
        return None
    asked = int(getattr(sight.state.step, "price", 0))
    worth = worth_of_lot(sight)
    if asked <= worth * 3 // 4 and sight.cash - asked >= RESERVE // 2:
        return Decision(accepts[0], f"{asked} for {lot_of(sight.state)}, worth about {worth}")
    return Decision(passes[0], f"{asked} is too much, worth about {worth}")
