"""What players are worth."""

from __future__ import annotations

from carril.engine.market import price
from carril.engine.shares import most_sellable, sale_refusal
from carril.engine.state import State


def cash_and_shares(state: State, player: str) -> int:
    """Return a player's cash and the market value of their shares."""
    return state.players[player].cash + share_worth(state, player)


def share_worth(state: State, player: str) -> int:
    """Return the market value of all shares a player holds."""
    return sum(
        company.held(player) * price(state, company.symbol)
        for company in state.companies.values()
        if company.held(player)
    )


def liquidity(state: State, player: str) -> int:
    """Return the cash that a player could have: with all shares sold that can be, at today's price.

    A sale lowers the price of the next, so this is what one block of each company would bring in.
    """
    return state.players[player].cash + sum(
        most_sellable(state, player, company) * price(state, company.symbol)
        for company in state.companies.values()
        if company.held(player) and sale_refusal(state, player, company.symbol, 1) is None
    )


def _rank(state: State, player: str) -> tuple[bool, int, tuple[int, ...]]:
    """Return what players are placed by: the bankrupt last, then worth, then the tie-break."""
    bankrupt = state.players[player].bankrupt
    return bankrupt, -state.title.worth(state, player), state.title.tie_break(state, player)


def standing(state: State) -> dict[str, int]:
    """Return each player's worth, best first; bankrupt players come last."""
    ranks = {name: _rank(state, name) for name in state.players}
    return {name: -ranks[name][1] for name in sorted(ranks, key=ranks.__getitem__)}


def winners(state: State) -> tuple[str, ...]:
    """Return who leads; more than one where nothing breaks a tie."""
    best = min(_rank(state, name) for name in state.players)
    return tuple(name for name in state.players if _rank(state, name) == best)
