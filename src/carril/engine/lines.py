"""The track within a company's reach, as the route solver wants it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter

from carril.engine.board import Board
from carril.engine.hexes import opposite
from carril.engine.network import layout, reach
from carril.engine.runs import Piece, Point, Stop
from carril.engine.tables import Tables
from carril.engine.tile import JUNCTION, STOP, Tile

_hex_of = itemgetter(0)


class Lines:
    """Stops, points and pieces of the track within reach.

    `make_stop` gives a stop as the company sees it now, or None where a train cannot go at all.
    """

    def __init__(
        self,
        tables: Tables,
        board: Board,
        company: str,
        make_stop: Callable[[str, int], Stop | None],
        *,
        exclusive: bool = False,
        once: Callable[[str, Tile, int], str] | None = None,
    ) -> None:
        """Collect everything; `exclusive` junctions and sides are used by one train once.

        `once` gives the word of a piece (hex, tile, number) that excludes others in a route.
        """
        self.tables, self.board, self.make_stop = tables, board, make_stop
        self.exclusive = exclusive
        self.stops: list[Stop] = []
        self.points: list[Point] = []
        self.pieces: list[Piece] = []
        self.index: dict[tuple[str, int], int] = {}
        for hex_id, numbers in groupby(sorted(reach(tables, board, company).pieces), _hex_of):
            tile = layout(tables, board, hex_id).tile
            for _, number in numbers:
                path = tile.paths[number]
                a, b = self._point(hex_id, path.a), self._point(hex_id, path.b)
                if a >= 0 and b >= 0:
                    word = once(hex_id, tile, number) if once else ""
                    self.pieces.append(Piece(a, b, hex_id, path.gauge, word))

    def _point(self, hex_id: str, end: int) -> int:
        """Return the number of a point; a side is one point, whichever hex asks."""
        key = (hex_id, end)
        found = self.index.get(key)
        if found is not None:
            return found
        self.index[key] = len(self.points)
        if end < JUNCTION:
            beyond = self.tables.hexes[hex_id].neighbours[end]
            self.index[(beyond, opposite(end))] = len(self.points)
            self.points.append(Point("side", hex_id, exclusive=self.exclusive))
        elif end < STOP:
            self.points.append(Point("junction", hex_id, exclusive=self.exclusive))
        else:
            self._add_stop(key, hex_id, end - STOP)
        return self.index[key]

    def _add_stop(self, key: tuple[str, int], hex_id: str, number: int) -> None:
        stop = self.make_stop(hex_id, number)
        if stop is None:
            self.index[key] = -1
            return
        self.points.append(Point("stop", hex_id, len(self.stops)))
        self.stops.append(stop)
