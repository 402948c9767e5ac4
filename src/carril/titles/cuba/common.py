"""What the steps of 18Cuba share: its own state, and small questions about companies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from carril.engine.move import Move
from carril.engine.state import State, TitleState
from carril.titles.cuba.figures import Concession, figures

MINOR = "minor"
MAJOR = "major"
CENTRAL = "central"


class CubaState(TitleState, tag="18Cuba", frozen=True):
    """What only 18Cuba remembers."""

    commissioners: Mapping[str, str] = {}
    """The commissioners in the game and their owners; "" before the auction."""
    concessions: Mapping[str, str] = {}
    """The concessions in the game and their owners; "" before the draft."""
    founding: tuple[str, ...] = ()
    """Majors that have floated in this stock round and are founded at its end."""
    bonuses: Mapping[str, str] = {}
    """Converted concessions whose bonus has not been placed, and their owners."""
    mail: str = ""
    """The company that has the mail contract."""
    machines: Mapping[str, tuple[str, ...]] = {}
    """The machines of each minor, by generation."""
    machine_prices: Mapping[str, tuple[int, ...]] = {}
    """What the machines that are left cost, by generation, the cheapest first."""
    cubes: Mapping[str, int] = {}
    """The cubes in the box of each minor."""


def cuba(state: State) -> CubaState:
    """Return what only 18Cuba remembers."""
    return cast(CubaState, state.extra)


def set_extra(move: Move, **changes: object) -> None:
    """Change what only 18Cuba remembers."""
    move.set(extra=replace(cuba(move.state), **changes))


def kind(state: State, company: str) -> str:
    """Return whether a company is a minor, a major or the state railway."""
    return state.tables.companies[company].kind


def concession_def(state: State, symbol: str) -> Concession:
    """Return what the tables say of a concession."""
    return next(one for one in figures(state).concession if one.symbol == symbol)


def without(owners: Mapping[str, str], card: str) -> dict[str, str]:
    """Return cards and their owners without one of the cards."""
    return {one: owner for one, owner in owners.items() if one != card}


def central(state: State) -> str:
    """Return the state railway."""
    return figures(state).central.symbol
