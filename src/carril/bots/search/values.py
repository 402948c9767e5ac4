"""The value of a position: a figure for each player, since everybody plays for their own."""

from __future__ import annotations

from collections.abc import Mapping

from carril.bots.forecast import forecast
from carril.engine.state import State

RIVAL = 0.5
"""How much a player minds what the best of the others is worth, against the own worth."""


def final_worth(state: State) -> Mapping[str, int]:
    """Return what each player is worth at the end: by the result, or else by the forecast."""
    return state.result or forecast(state).worth


def utility(worth: Mapping[str, int], player: str) -> float:
    """Return how good it is for a player that everybody ends with this worth.

    >>> utility({"Ana": 900, "Ben": 800, "Cleo": 500}, "Ana")
    500.0
    """
    others = [value for name, value in worth.items() if name != player]
    return worth[player] - RIVAL * max(others, default=0)
