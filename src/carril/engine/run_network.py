"""Run problems: the track that a company reaches as stops, points and pieces, and its trains.

`company_ground` and `company_train` are for titles without rules of their own about routes;
others build on the same parts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from carril.engine.board import Board, tokens_in
from carril.engine.hexes import opposite
from carril.engine.network import Stops, layout, passable, reach
from carril.engine.runs import Piece, Point, Room, RunProblem, Stop, Train
from carril.engine.state import State
from carril.engine.tables import Tables
from carril.engine.tile import JUNCTION, STOP, Tile
from carril.engine.trains import phase_def, train_def

MakeStop = Callable[[str, int], Stop | None]
"""Returns a stop (hex, number) as the company sees it, or None where no train can go."""
ExclusiveGroup = Callable[[str, Tile, int], str]
"""Returns the group of a piece (hex, tile, number) of which a route may use only one, or ""."""

_NO_POINT = -1
_hex_of = itemgetter(0)


class RunNetwork(NamedTuple):
    """The first three fields of a run problem."""

    stops: tuple[Stop, ...]
    points: tuple[Point, ...]
    pieces: tuple[Piece, ...]


def build_run_network(
    tables: Tables,
    board: Board,
    company: str,
    make_stop: MakeStop,
    *,
    exclusive: bool = False,
    group_of: ExclusiveGroup | None = None,
    passes: Stops = frozenset(),
) -> RunNetwork:
    """Return the track that `company` reaches on `board`, also through the stops in `passes`.

    With `exclusive`, junctions and hexsides count as track: one train may use each of them once.
    """
    points = _Points(tables, make_stop, exclusive)
    pieces: list[Piece] = []
    found = reach(tables, board, company, passes=passes)
    for hex_id, numbers in groupby(sorted(found.pieces), _hex_of):
        tile = layout(tables, board, hex_id).tile
        for _, number in numbers:
            path = tile.paths[number]
            a, b = points.number(hex_id, path.a), points.number(hex_id, path.b)
            if a != _NO_POINT and b != _NO_POINT:
                group = group_of(hex_id, tile, number) if group_of else ""
                pieces.append(Piece(a, b, hex_id, path.gauge, group))
    return RunNetwork(tuple(points.stops), tuple(points.points), tuple(pieces))


class _Points:
    """Numbers the points where pieces meet, and collects them with their stops."""

    def __init__(self, tables: Tables, make_stop: MakeStop, exclusive: bool) -> None:
        self.tables, self.make_stop, self.exclusive = tables, make_stop, exclusive
        self.stops: list[Stop] = []
        self.points: list[Point] = []
        self._numbers: dict[tuple[str, int], int] = {}

    def number(self, hex_id: str, end: int) -> int:
        """Return the number of the point at one end of a path; a new point is added.

        A hexside is one point, with the same number from both of its hexes.
        """
        key = (hex_id, end)
        found = self._numbers.get(key)
        if found is None:
            self._numbers[key] = len(self.points)
            if end < JUNCTION:
                neighbour = self.tables.hexes[hex_id].neighbours[end]
                self._numbers[(neighbour, opposite(end))] = len(self.points)
                self.points.append(Point("side", hex_id, exclusive=self.exclusive))
            elif end < STOP:
                self.points.append(Point("junction", hex_id, exclusive=self.exclusive))
            else:
                self._add_stop(key)
            found = self._numbers[key]
        return found

    def _add_stop(self, key: tuple[str, int]) -> None:
        hex_id, end = key
        stop = self.make_stop(hex_id, end - STOP)
        if stop is None:
            self._numbers[key] = _NO_POINT
            return
        self.points.append(Point("stop", hex_id, len(self.stops)))
        self.stops.append(stop)


def company_stop(state: State, company: str, hex_id: str, number: int) -> Stop:
    """Return a stop as a company sees it; of several cities in one hex a route visits one."""
    tables, board = state.tables, state.board
    tile = layout(tables, board, hex_id).tile
    definition = tile.stops[number]
    value = definition.value(phase_def(state).colour)
    return Stop(
        key=f"{hex_id}.{number}",
        hex=hex_id,
        kind=definition.kind,
        value=0 if definition.treasury else value,
        treasury=value if definition.treasury else 0,
        token=company in tokens_in(board, hex_id, number),
        through=passable(tables, board, company, hex_id, number),
        once=hex_id if len(tile.cities) > 1 else "",
        tags=definition.tags,
    )


def company_ground(state: State, company: str) -> RunProblem:
    """Return the track that a company can run on, without trains."""
    make_stop = partial(company_stop, state, company)
    return RunProblem(*build_run_network(state.tables, state.board, company, make_stop), trains=())


def company_train(state: State, company: str, name: str) -> Train:
    """Return a train with the range and the gauge of its table."""
    definition = train_def(state, name)
    return Train(
        name,
        room=tuple(Room(distance.stops, distance.count) for distance in definition.distance),
        gauges=(definition.gauge, "dual") if definition.gauge else (),
        factor=definition.factor,
        free_tolls=definition.free_tolls,
    )
