"""Where companies begin and minors end: first tokens, mergers, the final exchange."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.ground import home_value, place_value
from carril.bots.greedy.sight import Sight
from carril.engine.actions import (
    BuyShare,
    CloseMinor,
    ExchangeMinor,
    MergeMinor,
    PlaceToken,
    StartCompany,
)
from carril.engine.asides import takes
from carril.engine.market import price

LOOKS = 6
"""How many places for a first token are tried with a train."""


def merge(sight: Sight) -> Decision | None:
    """Found a company on the minor that earns most."""
    options = sight.plain(MergeMinor)
    state = sight.state
    rank = {one.minor: outlook.later(state, one.minor) for one in options}
    best = max(options, key=lambda one: (rank[one.minor], state.companies[one.minor].cash))
    return Decision(best, f"minor {best.minor} can earn {rank[best.minor]}")


def first_token(sight: Sight) -> Decision | None:
    """Place a token that must be placed where a train earns most."""
    options = sight.plain(PlaceToken)
    if sight.may_pass or sight.company is None:
        return None
    state, symbol = sight.state, sight.company.symbol
    kinds = sight.answers.visits(state, symbol)
    value = {one.hex: home_value(state, one.hex, kinds) for one in options}
    options.sort(key=lambda one: -place_value(state, one.hex, kinds) - value[one.hex] / 3)
    found = []
    for option in options[:LOOKS]:
        after = state.apply(option).state
        earns = outlook.income_with(after, symbol, (outlook.next_train(after, symbol),))
        found.append((earns + value[option.hex] / 4, earns, option))
    _, earns, best = max(found, key=lambda row: row[:2])
    return Decision(best, f"from {best.hex} a train earns {earns}")


def set_par(sight: Sight) -> Decision | None:
    """Choose the highest starting value where there is nothing else to choose."""
    options = sight.plain(StartCompany)
    if len(options) < len(sight.options):
        return None
    best = max(options, key=lambda one: one.price)
    return Decision(best, f"{best.price} is the highest value")


def final_exchange(sight: Sight) -> Decision | None:
    """Exchange a minor for the most valuable share; close it only if there is none."""
    options = sight.plain(ExchangeMinor)
    state = sight.state
    if takes(state, BuyShare):
        return None
    real = [one for one in options if one.source != "none"] or options
    if real:
        best = max(real, key=lambda one: (price(state, one.company), _own(sight, one.company)))
        worth = price(state, best.company) if best.source != "none" else 0
        return Decision(best, f"a share of {best.company} at {worth}")
    close = sight.plain(CloseMinor)[0]
    return Decision(close, f"no company can take minor {close.minor}")


def _own(sight: Sight, symbol: str) -> bool:
    return sight.state.companies[symbol].owner == sight.me
