"""Which tiles can replace which, on any hex of the map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from carril.engine.cache import Cache
from carril.engine.hexes import EDGES
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import COLOURS, Tile, city_map, next_colour, turned

_upgrades: Cache[Mapping[str, tuple[str, ...]]] = Cache(16)


def upgrades(tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Return for each tile the tiles that can replace it on some hex of the map.

    The sort of tile is judged as in a lay (`Tables.replaces`), and the track must be kept in some
    rotation. The sides of the hexes are not looked at.
    """
    key = id(tables.tiles)
    return _upgrades.get(key, partial(_find_upgrades, tables), owner=tables.hexes)


def _find_upgrades(tables: Tables) -> Mapping[str, tuple[str, ...]]:
    hexes = {number: set(_first_hexes(tables, tile)) for number, tile in tables.tiles.items()}
    found: dict[str, tuple[str, ...]] = {}
    for number, tile in _by_colour(tables):
        places = {
            other: {at for at in hexes[number] if tables.replaces(tables.hexes[at], tile, new)}
            for other, new in tables.tiles.items()
            if _keeps_track(tile, new)
        }
        found[number] = tuple(other for other, where in places.items() if where)
        for other, where in places.items():
            hexes[other] |= where
    return found


def _first_hexes(tables: Tables, tile: Tile) -> Iterable[str]:
    """Yield the hexes where a tile can be the first one laid."""
    for hex_id, hex_def in tables.hexes.items():
        if _fits_print(tables, hex_def, tile):
            yield hex_id


def _fits_print(tables: Tables, hex_def: HexDef, tile: Tile) -> bool:
    if not hex_def.buildable or tile.colour != next_colour(hex_def.print.colour):
        return False
    return tables.replaces(hex_def, hex_def.print, tile) and _keeps_track(hex_def.print, tile)


def _by_colour(tables: Tables) -> list[tuple[str, Tile]]:
    """Return the tiles in the order of their colours, so that each comes before its upgrades."""
    return sorted(tables.tiles.items(), key=lambda item: COLOURS.index(item[1].colour))


def _keeps_track(old: Tile, new: Tile) -> bool:
    """Return whether a tile is of the next colour and keeps the old track in some rotation."""
    if new.colour != next_colour(old.colour):
        return False
    return any(city_map(old, turned(new, rotation)) is not None for rotation in EDGES)
