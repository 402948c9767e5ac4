"""The order of play: order cards that are dealt by cash."""

from __future__ import annotations

from carril.engine.events import OrderDealt
from carril.engine.move import Move


def deal_order(move: Move, *, most_first: bool) -> None:
    """Seat the players by cash; those with equal cash keep their order. The first has priority."""
    players, sign = move.state.players, -1 if most_first else 1
    names = sorted(players, key=lambda name: sign * players[name].cash)
    move.set(players={name: players[name] for name in names}, priority=names[0])
    move.tell(OrderDealt(tuple(names)))
