"""What players are worth."""

from __future__ import annotations

from carril.engine.market import price
from carril.engine.state import State


def share_worth(state: State, player: str) -> int:
    """Return the market value of all shares a player holds."""
    return sum(
        company.held(player) * price(state, company.symbol)
        for company in state.companies.values()
        if company.held(player)
    )


def standing(state: State) -> dict[str, int]:
    """Return each player's worth, best first; whoever is bankrupt comes after all others."""
    worth = {name: state.title.worth(state, name) for name in state.players}
    return dict(sorted(worth.items(), key=lambda item: (state.players[item[0]].bankrupt, -item[1])))
