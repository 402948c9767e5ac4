"""Which tile is of the right sort for a hex of 18Cuba (CUBA-VII.3.4-i, CUBA-VII.3.5-e, G8)."""

from __future__ import annotations

from carril.engine.tables import HexDef
from carril.engine.tile import Tile


def gauges(tile: Tile) -> frozenset[str]:
    """Return the gauges of a tile's track."""
    return frozenset(path.gauge for path in tile.paths)


def replaces(hex_def: HexDef, current: Tile, new: Tile) -> bool:
    """Return whether a tile is of the right sort, whoever lays it.

    A cane field takes a tile with a field, or plain standard track, which makes it an open hex. A
    city with standard track alone never gets narrow track: it is no minor's home.
    """
    if new.label != current.label:
        return False
    if current.colour == "white" and hex_def.terrain == "cane":
        return new.kind == "field" or (new.kind == "plain" and gauges(new) == {"standard"})
    if new.kind != current.kind:
        return False
    if new.kind == "city" and current.paths and not new.label:
        return gauges(new) == gauges(current)
    return True
