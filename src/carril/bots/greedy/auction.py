"""Auctions of companies and private companies: bids and falling prices."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy.ground import home_value
from carril.bots.greedy.sight import Sight
from carril.engine.actions import Accept, Bid, ChooseLot, Pass
from carril.engine.state import State
from carril.engine.steps.auction import Auction

RESERVE = 60
"""Cash to keep for the first stock round."""
EARLY_ROUNDS = 4
"""Operating rounds in which a minor earns for its owner before it is merged."""
SHARE = 70
"""The value of the share that a minor is exchanged for."""


def minor_worth(state: State, symbol: str) -> int:
    """Return the value of a minor: half its runs, and the share it is exchanged for."""
    home = state.tables.companies[symbol].home
    if home is None:
        return SHARE
    return SHARE + int(home_value(state, home.hex) * EARLY_ROUNDS / 2 * 0.6)


def lot_worth(sight: Sight, auction: Auction) -> int:
    """Return what the player would pay for the lot, varied a little by chance."""
    if auction.lot in sight.state.companies:
        worth = minor_worth(sight.state, auction.lot)
    else:
        face = sight.state.title.auction.opening_bid(sight.state, auction.lot)
        worth = max(sight.answers.private_worth(sight.state, auction.lot), face * 11 // 10)
    return worth * (95 + sight.dice.below(11)) // 100


def draft(sight: Sight) -> Decision | None:
    """Take the lot that is worth most above its price, where lots have fixed prices."""
    if isinstance(sight.step, Auction):
        return None
    found = []
    for option in sight.plain(ChooseLot):
        cost = sight.cash - sight.state.apply(option).state.players[sight.me].cash
        worth = sight.answers.private_worth(sight.state, option.lot)
        found.append((worth - cost, worth, cost, option))
    gain, worth, cost, best = max(found, key=lambda row: row[0])
    if gain > 0:
        return Decision(best, f"{cost} for {best.lot}, worth about {worth}")
    return None


def choose_lot(sight: Sight) -> Decision | None:
    """Put up the most valuable company if nobody has more cash, else the least valuable."""
    lots = sight.plain(ChooseLot)
    if not isinstance(sight.step, Auction):
        return None
    rank = {option.lot: minor_worth(sight.state, option.lot) for option in lots}
    rich = sight.cash == max(player.cash for player in sight.state.players.values())
    option = (max if rich else min)(lots, key=lambda one: rank[one.lot])
    return Decision(option, f"minor {option.lot} is worth about {rank[option.lot]}")


def bid(sight: Sight) -> Decision | None:
    """Bid the minimum while it is below the value of the lot, or pass."""
    option, auction = sight.ranges(Bid)[0], sight.step
    if not isinstance(auction, Auction):
        return None
    worth = lot_worth(sight, auction)
    if option.least <= min(worth, sight.cash - RESERVE):
        reason = f"{option.least} for {auction.lot}, worth about {worth}"
        return Decision(option.at(option.least), reason)
    passes = sight.plain(Pass)
    if passes:
        return Decision(passes[0], _why_not(option.least, worth))
    return Decision(option.at(option.least), "must bid")


def take_price(sight: Sight) -> Decision | None:
    """Take a falling price when it is well below the value of the lot."""
    accepts, passes, auction = sight.plain(Accept), sight.plain(Pass), sight.step
    if not isinstance(auction, Auction) or not passes:
        return None
    asked, worth = auction.price, lot_worth(sight, auction)
    if asked <= worth * 3 // 4 and sight.cash - asked >= RESERVE // 2:
        return Decision(accepts[0], f"{asked} for {auction.lot}, worth about {worth}")
    if asked <= worth * 3 // 4:
        return Decision(passes[0], _why_not(asked, worth))
    return Decision(passes[0], f"waits for a price below {asked}, worth about {worth}")


def _why_not(price: int, worth: int) -> str:
    """Return why a price is not paid: for what it buys, or for what it would leave."""
    if price > worth:
        return f"{price} is more than it is worth, about {worth}"
    return f"worth about {worth}, but {price} would leave too little cash"
