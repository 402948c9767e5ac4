"""Single hexes of a map, as they are drawn in its layers.

From one position to the next hardly a hex changes, so each is drawn once for everything that its
drawing depends on, and kept: a map is then mostly put together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from carril.engine.board import CLOSED, Circles
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import Tile, turned

from .geometry import Point, centre
from .map_key import MapKey
from .marks import Ground, draw_marks, upgrades_due
from .pieces import Piece, draw_piece
from .placing import Disc
from .stops import draw_stops, slot_points
from .svg import group, moved, num, tag, text, text_width, title
from .tile import tile_words
from .tokens import draw_closed, draw_token
from .track import draw_track, places

_KEPT = 8192
"""Hexes kept at most, some 2 kB each: what a few dozen games show."""

Homes = tuple[tuple[int, str], ...]
"""Cities with the companies whose home mark shows there."""


class Face(NamedTuple):
    """All that decides how a hex is drawn: its tile, tokens and pieces, whose home and goal."""

    hex: str
    laid: tuple[str, int] | None
    circles: Circles = ()
    homes: Homes = ()
    goal_of: tuple[str, ...] = ()
    phase_colour: str = ""
    pieces: tuple[Piece, ...] = ()


class Layers(NamedTuple):
    """A hex in the layers of the map above the ground."""

    track: str
    stops: str
    marks: str


def _tile(tables: Tables, hex_id: str, laid: tuple[str, int] | None) -> Tile:
    return turned(tables.tiles[laid[0]], laid[1]) if laid else tables.hexes[hex_id].print


def _at(tables: Tables, hex_id: str, *parts: str) -> str:
    return group(*parts, transform=moved(*centre(hex_id, tables.orientation)))


@lru_cache(maxsize=_KEPT)
def draw_layers(kept: MapKey, face: Face) -> Layers:
    """Return a hex with its track, stops, tokens and marks."""
    tables, at = kept.tables, face.hex
    hex_def, tile = tables.hexes[at], _tile(tables, at, face.laid)
    ground = _ground(tables, hex_def, tile, face)
    stops = draw_stops(tile, tables.orientation, at, hex_def.name)
    more = tuple(_surplus_tokens(tile, tables.orientation, face))
    marks = draw_marks(tile, tables.orientation, ground, at, face.phase_colour, more)
    return Layers(
        _at(tables, at, draw_track(tile, tables.orientation)),
        _at(tables, at, stops, *_in_circles(tables, tile, face)),
        _at(tables, at, marks),
    )


def _ground(tables: Tables, hex_def: HexDef, tile: Tile, face: Face) -> Ground:
    return Ground(
        name=hex_def.name,
        terrain=hex_def.terrain,
        cost=0 if face.laid else hex_def.cost,
        upgrade_cost=upgrades_due(tile, hex_def.upgrade_cost),
        consent_of="" if face.laid else hex_def.consent_of,
        goal_of=face.goal_of,
        pieces=tuple(draw_piece(tables, piece, face.hex) for piece in face.pieces),
    )


def _token_spot(spots: Sequence[Point], slot: int) -> Point:
    """Return where a token is drawn; one that has no slot of its own, next to the last one."""
    beyond = 10 * max(slot - len(spots) + 1, 0)
    x, y = spots[min(slot, len(spots) - 1)]
    return Point(x + beyond, y + beyond)


def _surplus_tokens(tile: Tile, orientation: str, face: Face) -> Iterator[Disc]:
    """Yield the tokens without a slot, which marks must not cover either."""
    for stop, place, tokens in zip(
        tile.stops, places(tile, orientation), face.circles, strict=False
    ):
        spots = slot_points(stop, place)
        for slot in range(len(spots), len(tokens)):
            yield Disc(*_token_spot(spots, slot), 28, 30)


def _in_circles(tables: Tables, tile: Tile, face: Face) -> Iterator[str]:
    """Yield tokens and home marks in the circles of a hex."""
    for index, (stop, place) in enumerate(
        zip(tile.stops, places(tile, tables.orientation), strict=True)
    ):
        spots = slot_points(stop, place)
        tokens = face.circles[index] if index < len(face.circles) else ()
        for slot, symbol in enumerate(tokens):
            x, y = _token_spot(spots, slot)
            where = f"{face.hex}.{index}"
            if symbol == CLOSED:
                yield draw_closed(x, y)
            else:
                yield draw_token(tables, symbol, x, y, where)
        homes = [symbol for city, symbol in face.homes if city == index]
        for symbol, spot in zip(homes, spots[len(tokens) :], strict=False):
            size = min(25, 40 / text_width(symbol, 1))
            yield text(symbol, spot.x, spot.y, size, class_="home", data_home=symbol)


@lru_cache(maxsize=_KEPT)
def draw_ground(kept: MapKey, hex_id: str, laid: tuple[str, int] | None, note: str | None) -> str:
    """Return the hex itself: what a hand points at, and a key goes to where there are notes."""
    tables = kept.tables
    tile = _tile(tables, hex_id, laid)
    x, y = centre(hex_id, tables.orientation)
    words = f"{hex_id} {tables.hexes[hex_id].name}".strip()
    if laid:
        words = f"{words}: {tile_words(tile, laid[1])}"
    if note:
        words = f"{words} – {note}"  # noqa: RUF001
    return tag(
        "g",
        title(words),
        tag("use", href=f"#carril-{tables.orientation}", x=x, y=y),
        class_=f"hex {tile.colour}",
        data_hex=hex_id,
        data_tile=laid[0] if laid else None,
        data_turn=num(laid[1]) if laid else None,
        role=None if note is None else "button",
        tabindex=None if note is None else "-1",
    )


@lru_cache(maxsize=16)
def changing(kept: MapKey) -> frozenset[str]:
    """Return the hexes and the numbers of tiles whose stops change their value with the phase."""
    tables = kept.tables
    prints = {hex_id: hex_def.print for hex_id, hex_def in tables.hexes.items()}
    return frozenset(
        key
        for key, tile in (*prints.items(), *tables.tiles.items())
        if any(len(set(stop.revenue)) > 1 for stop in tile.stops)
    )
