"""The figures that only 18EU has, as `setup.toml` gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from carril.engine.figures import Figures
from carril.engine.state import State


class TileLays(Struct, frozen=True, forbid_unknown_fields=True):
    """How many tiles may be laid in a turn: yellow ones, upgrades, and both together."""

    yellow: int
    upgrades: int
    together: int


class RedToRed(Struct, frozen=True, forbid_unknown_fields=True):
    """The bonus for a run between two off-board areas, by phase colour."""

    per_token: Mapping[str, int]
    most_tokens: Mapping[str, int]


class EUFigures(Figures, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All figures of 18EU."""

    tile_lays: Mapping[str, TileLays]
    mountain_upgrade: int
    """What the upgrade of a yellow tile on a mountain costs, where the tile keeps it (G-19)."""
    red_to_red: RedToRed
    discard_order: tuple[str, ...]
    """The order in which 18xx.games asks corporations for excess trains (G-4)."""


def figures(state: State) -> EUFigures:
    """Return the figures of a game of 18EU."""
    return cast(EUFigures, state.tables.figures)
