"""Pieces on the map that are neither tiles nor stations: waiting tokens, and mills with cubes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from carril.engine.answers import MapPiece
from carril.engine.tables import Tables
from carril.notation.words import say

from .svg import tag, text, title
from .tokens import TOKEN, draw_token

_WAITING = 0.7
_MILL = 27.0
_CUBE = 23.0


class Piece(NamedTuple):
    """A piece of one hex, with what is said about it."""

    kind: str
    company: str
    cubes: int
    words: str


class Shape(NamedTuple):
    """A drawing around its own origin, and its size."""

    drawn: str
    width: float
    height: float


def by_hex(pieces: Iterable[MapPiece]) -> dict[str, tuple[Piece, ...]]:
    """Return the pieces of each hex."""
    found: dict[str, tuple[Piece, ...]] = {}
    for piece in pieces:
        here = Piece(piece.kind, piece.company, piece.count, say(piece.note))
        found[piece.hex] = (*found.get(piece.hex, ()), here)
    return found


def _waiting(tables: Tables, piece: Piece) -> tuple[Shape, ...]:
    """Return a small token in a dashed ring."""
    ring = TOKEN + 6
    drawn = tag("circle", class_="waiting", r=ring) + draw_token(tables, piece.company, 0, 0)
    size = 2 * ring * _WAITING
    return (Shape(tag("g", drawn, transform=f"scale({_WAITING})"), size, size),)


def _mill(tables: Tables, piece: Piece) -> tuple[Shape, ...]:
    """Return a mill with a cube beside it or below it that shows how many are in its box."""
    if not piece.cubes:
        return (Shape(_mill_at(0, 0), _MILL, _MILL),)
    apart = (_MILL + _CUBE) / 2
    mill, cube = -apart + _MILL / 2, apart - _CUBE / 2
    return (
        Shape(_mill_at(mill, 0) + _cube_at(cube, 0, piece.cubes), 2 * apart, _MILL),
        Shape(_mill_at(0, mill) + _cube_at(0, cube, piece.cubes), _MILL, 2 * apart),
    )


def _mill_at(x: float, y: float) -> str:
    return tag("use", href="#carril-mill", x=x, y=y)


def _cube_at(x: float, y: float, count: int) -> str:
    side = _CUBE - 2
    box = tag("rect", class_="cube", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=2)
    return box + text(str(count), x, y, 19, class_="ink")


_KINDS: dict[str, Callable[[Tables, Piece], tuple[Shape, ...]]] = {
    "token": _waiting,
    "mill": _mill,
}


def draw_piece(tables: Tables, piece: Piece, at: str) -> tuple[Shape, ...]:
    """Return the shapes in which a piece can be drawn in its hex."""
    return tuple(
        shape._replace(
            drawn=tag(
                "g",
                title(piece.words),
                shape.drawn,
                class_=f"piece {piece.kind}",
                data_piece=at,
                data_owner=piece.company,
                data_count=str(piece.cubes) if piece.cubes else None,
            )
        )
        for shape in _KINDS[piece.kind](tables, piece)
    )
