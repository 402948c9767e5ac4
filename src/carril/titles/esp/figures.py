"""The figures that only 18ESP has, as `setup.toml` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from carril.engine.state import State
from carril.engine.tables import Figures


class Costs(Struct, frozen=True, forbid_unknown_fields=True):
    """Fixed prices."""

    second_tile: int
    station: int
    tender: int
    tender_owner: int
    """The part of a tender's price that goes to the owner of the private that sells it."""
    mine: int


class Bonuses(Struct, frozen=True, forbid_unknown_fields=True):
    """Bonuses of a run, and the places between which the north-south one is paid."""

    north_south: int
    east_west: int
    north: tuple[str, ...]
    south: tuple[str, ...]


class TwoPlayers(Struct, frozen=True, forbid_unknown_fields=True):
    """The figures of a variant whose rules are not known."""

    cash: int
    certificates: int


class ESPFigures(Figures, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All figures of 18ESP."""

    costs: Costs
    private_price: Mapping[str, int]
    """How much of its face value a company may pay for a private, in percent, by phase."""
    bonus: Bonuses
    random: Mapping[str, int]
    """How many companies of each group the random set-up keeps."""
    two_players: TwoPlayers


def figures(state: State) -> ESPFigures:
    """Return the figures of a game of 18ESP."""
    return cast(ESPFigures, state.tables.figures)
