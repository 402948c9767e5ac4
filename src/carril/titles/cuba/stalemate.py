"""The end of a game in which nothing can happen any more (G47)."""

from __future__ import annotations

from carril.engine.launch import start_cost
from carril.engine.market import price
from carril.engine.shares import held_by_players, sold_out
from carril.engine.state import POOL, Company, State
from carril.titles.cuba.central import counted_cities
from carril.titles.cuba.common import MAJOR, central


def stalled(state: State) -> bool:
    """Return whether no money will ever be earned again.

    No player runs a company or can buy into one, no dividend of the state railway reaches a
    player, its price does not rise, and no export begins another phase.
    """
    if any(company.floated and company.owner for company in state.companies.values()):
        return False
    if state.phase != state.tables.phases[-1].name:
        return False
    railway = state.companies[central(state)]
    if sold_out(state) or (held_by_players(state, railway) and counted_cities(state)):
        return False
    return not any(_can_invest(state, railway, player) for player in state.players)


def _can_invest(state: State, railway: Company, player: str) -> bool:
    """Return whether a player could pay for a certificate of a major."""
    least = min(par.price for par in state.tables.pars)
    costs = (
        price(state, major.symbol) if major.started else start_cost(state, major.symbol, least)
        for major in state.companies.values()
        if major.kind == MAJOR and not major.closed
    )
    return _most_cash(state, railway, player) >= min(costs)


def _most_cash(state: State, railway: Company, player: str) -> int:
    """Return what a player could raise by selling shares of the state railway.

    The pool takes only some of them, and more for each share that another player buys from it.
    """
    each, cash = price(state, railway.symbol), state.players[player].cash
    room = state.tables.share_limit("pool", railway.symbol) - railway.held(POOL)
    others = sum(other.cash for other in state.players.values()) - cash
    return cash + each * min(railway.held(player), room + others // each)
