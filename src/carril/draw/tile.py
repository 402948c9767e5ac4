"""A single tile."""

from __future__ import annotations

from carril.engine.tile import Tile, turned

from .colours import style
from .geometry import INNER, RADIUS, corners, polygon_path
from .marks import Ground, draw_marks
from .stops import draw_stops
from .svg import group, moved, sheet, tag, title
from .symbols import define
from .track import draw_track

_STOP_SYMBOLS = {"harbour": "anchor", "mine": "mine", "field": "cane"}
_EDGE = 6.0


def symbols_of(tile: Tile) -> set[str]:
    """Return the symbols that the stops of a tile use."""
    return {_STOP_SYMBOLS[stop.kind] for stop in tile.stops if stop.kind in _STOP_SYMBOLS}


def tile_words(tile: Tile, turn: int) -> str:
    """Return a tile in words."""
    return f"tile {tile.number}, {tile.colour}" + (f", turned {turn}" if turn else "")


def draw_tile(
    tile: Tile,
    *,
    turn: int = 0,
    orientation: str = "flat",
    size: float = 160.0,
    embedded: bool = False,
) -> str:
    """Return a picture of a tile, rotated clockwise by `turn` sixths, `size` pixels wide.

    `embedded` leaves out the style and the definitions, which the page around it has once.

    >>> from carril.engine.tile import read_tile
    >>> draw_tile(read_tile("8", {"colour": "yellow", "paths": ["0-2"]}), turn=1)[:4]
    '<svg'
    """
    face = turned(tile, turn % 6)
    wide, high = (RADIUS, INNER) if orientation == "flat" else (INNER, RADIUS)
    width, height = 2 * (wide + _EDGE), 2 * (high + _EDGE)
    parts = (
        title(tile_words(tile, turn % 6)),
        tag("path", class_=f"hex {tile.colour}", d=polygon_path(corners(orientation))),
        draw_track(face, orientation),
        draw_stops(face, orientation, tile.number),
        draw_marks(face, orientation, Ground(number=tile.number), tile.number, ""),
    )
    body = group(*parts, transform=moved(width / 2, height / 2), data_tile=tile.number)
    defs = "" if embedded else define(symbols_of(tile))
    return sheet(
        width,
        height,
        "" if embedded else style(),
        tag("defs", defs) if defs else "",
        body,
        scale=size / width,
        kind="carril-tile",
        label=f"Tile {tile.number}",
    )
