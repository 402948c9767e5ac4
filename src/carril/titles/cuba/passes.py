"""Passes: tokens of the state railway that a major ignores for a fee (CUBA-IV.5-g)."""

from __future__ import annotations

from carril.engine.board import tokens_in, tokens_of
from carril.engine.network import Stops, passable
from carril.engine.passes import PassRules
from carril.engine.state import State
from carril.titles.cuba.common import MAJOR, central, kind
from carril.titles.cuba.figures import figures


def tolled(state: State, company: str, hex_id: str, city: int) -> bool:
    """Return whether a company may pass a city only for a fee.

    The slot of the state railway counts as free, also where all others are taken (G41).
    """
    return (
        kind(state, company) == MAJOR
        and central(state) in tokens_in(state.board, hex_id, city)
        and not passable(state.tables, state.board, company, hex_id, city)
    )


def tolled_cities(state: State, company: str) -> Stops:
    """Return all cities that a company may pass only for a fee."""
    return frozenset(
        (hex_id, city)
        for hex_id, city in tokens_of(state.board, central(state))
        if tolled(state, company, hex_id, city)
    )


PASSES = PassRules(
    may=lambda state, company: kind(state, company) == MAJOR,
    tolled=tolled,
    fee=lambda state: figures(state).central.fee,
    payee=central,
)
