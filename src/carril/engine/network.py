"""What a company's track reaches: derived from the board, kept beside it, never stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from carril.engine.board import Board, circles_taken, tile_at, tokens_in, tokens_of
from carril.engine.cache import Cache
from carril.engine.hexes import opposite
from carril.engine.tables import Tables
from carril.engine.tile import JUNCTION, STOP, Tile

# In this name the network is walked as if no token blocked.
UNBLOCKED = "*"

# A token in this name shuts a place for everybody.
CLOSED = "closed"


class Layout(NamedTuple):
    """The print of one hex, ready to walk: for each end the pieces that touch it."""

    tile: Tile
    at: Mapping[int, tuple[tuple[int, int], ...]]
    """End -> (number of the piece, its other end)."""


class Reach(NamedTuple):
    """All that a company's tokens reach by track, however long."""

    pieces: frozenset[tuple[str, int]]
    """Hex and number of each piece of track."""
    stops: frozenset[tuple[str, int]]
    entries: Mapping[str, frozenset[int]]
    """The edges of each hex at which track arrives from the neighbour."""


# A game asks about its present board again and again.
_reach: Cache[Reach] = Cache(512)
_supply: Cache[Mapping[str, int]] = Cache(64)

# The print of a hex by its id, a tile by its number and rotation: a few hundred for each map.
_Layouts = dict[str | tuple[str, int], Layout]
_layouts: Cache[_Layouts] = Cache(32)


def _make_layout(tile: Tile) -> Layout:
    at: dict[int, list[tuple[int, int]]] = {}
    for number, path in enumerate(tile.paths):
        at.setdefault(path.a, []).append((number, path.b))
        at.setdefault(path.b, []).append((number, path.a))
    return Layout(tile, {end: tuple(pieces) for end, pieces in at.items()})


def _layouts_of(tables: Tables) -> _Layouts:
    """Return the layouts made so far for the map of these tables; set-ups share a map."""
    return _layouts.get(id(tables.tiles), dict, owner=tables.hexes)


def layout(tables: Tables, board: Board, hex_id: str) -> Layout:
    """Return the walkable print of a hex; each is made once."""
    made = _layouts_of(tables)
    lying = board.laid.get(hex_id, hex_id)
    found = made.get(lying)
    if found is None:
        found = made[lying] = _make_layout(tile_at(tables, board, hex_id))
    return found


def supply(tables: Tables, board: Board) -> Mapping[str, int]:
    """Return how many pieces of each tile are left."""
    return _supply.get("supply", partial(_count_supply, tables, board), owner=board)


def _count_supply(tables: Tables, board: Board) -> Mapping[str, int]:
    left = {number: tile.count for number, tile in tables.tiles.items()}
    for number, _ in board.laid.values():
        left[number] -= 1
        if back := tables.tiles[number].back:
            left[back] -= 1
    return left


def passable(tables: Tables, board: Board, company: str, hex_id: str, stop: int) -> bool:
    """Return whether a company's trains may go through a stop, not only end there."""
    definition = layout(tables, board, hex_id).tile.stops[stop]
    if definition.slots:
        present = tokens_in(board, hex_id, stop)
        if company == UNBLOCKED:
            return CLOSED not in present
        return circles_taken(tables, present) < definition.slots or company in present
    if definition.kind in ("offboard", "harbour"):
        return definition.run_through
    return True


def reach(tables: Tables, board: Board, company: str) -> Reach:
    """Return all that a company reaches, from each of its tokens."""
    return _reach.get(company, partial(_reach_of, tables, board, company), owner=board)


def _reach_of(tables: Tables, board: Board, company: str) -> Reach:
    return _walk(tables, board, company, list(tokens_of(board, company)))


def joined(tables: Tables, board: Board, start: tuple[str, int], goal: str) -> bool:
    """Return whether track, blocked by no token, leads from a stop to any stop of a hex."""
    if not _track_arrives(tables, board, goal):
        return start[0] == goal
    found = _walk(tables, board, UNBLOCKED, [start])
    return any(hex_id == goal for hex_id, _ in found.stops)


def _track_arrives(tables: Tables, board: Board, hex_id: str) -> bool:
    """Return whether track of a hex and of a neighbour meet: most often a goal has none yet."""
    here = layout(tables, board, hex_id).at
    for edge, beyond in enumerate(tables.hexes[hex_id].neighbours):
        if beyond and edge in here and opposite(edge) in layout(tables, board, beyond).at:
            return True
    return False


def _walk(tables: Tables, board: Board, company: str, starts: list[tuple[str, int]]) -> Reach:
    """Follow directed pieces: a train cannot turn round inside a piece of track.

    One loop with few calls, since every lay of a tile asks for it.
    """
    hexes, laid, made = tables.hexes, board.laid, _layouts_of(tables)
    pieces: set[tuple[str, int, int]] = set()
    through: dict[tuple[str, int], bool] = {}
    entries: defaultdict[str, set[int]] = defaultdict(set)
    todo = [(hex_id, STOP + city, -1) for hex_id, city in starts]
    while todo:
        hex_id, end, by = todo.pop()
        walkable = made.get(laid.get(hex_id, hex_id)) or layout(tables, board, hex_id)
        for number, other in walkable.at.get(end, ()):
            piece = (hex_id, number, other)
            if number == by or piece in pieces:
                continue
            pieces.add(piece)
            if other < JUNCTION:
                beyond = hexes[hex_id].neighbours[other]
                if beyond:
                    arrival = (other + 3) % 6
                    entries[beyond].add(arrival)
                    todo.append((beyond, arrival, -1))
                continue
            if other >= STOP:
                stop = (hex_id, other - STOP)
                if stop not in through:
                    through[stop] = passable(tables, board, company, *stop)
                if not through[stop]:
                    continue
            todo.append((hex_id, other, number))
    reached = {hex_id: frozenset(edges) for hex_id, edges in entries.items()}
    stops = frozenset((*starts, *through))
    return Reach(frozenset({(at, number) for at, number, _ in pieces}), stops, reached)


def next_stops(tables: Tables, board: Board, hex_id: str, stop: int) -> Iterable[tuple[str, int]]:
    """Yield the stops that lie next on the tracks leaving a stop."""
    seen: set[tuple[str, int, int]] = set()
    todo = [(hex_id, number, end) for number, end in _pieces(tables, board, hex_id, STOP + stop)]
    while todo:
        at, number, end = todo.pop()
        if (at, number, end) in seen:
            continue
        seen.add((at, number, end))
        if end >= STOP:
            yield at, end - STOP
        elif end == JUNCTION:
            todo += [(at, n, e) for n, e in _pieces(tables, board, at, end) if n != number]
        elif beyond := tables.hexes[at].neighbours[end]:
            todo += [(beyond, n, e) for n, e in _pieces(tables, board, beyond, opposite(end))]


def _pieces(tables: Tables, board: Board, hex_id: str, end: int) -> tuple[tuple[int, int], ...]:
    return layout(tables, board, hex_id).at.get(end, ())


def has_route(
    tables: Tables, board: Board, company: str, ignore: frozenset[str] = frozenset()
) -> bool:
    """Return whether some token of a company has another stop next to it on its track.

    Stops of the kinds in `ignore` do not count as that other stop.
    """
    for hex_id, city in tokens_of(board, company):
        for other, stop in next_stops(tables, board, hex_id, city):
            kind = layout(tables, board, other).tile.stops[stop].kind
            if other != hex_id and kind not in ignore:
                return True
    return False


def linked(tables: Tables, board: Board, company: str, target: str, once_per_hex: bool) -> bool:
    """Return whether a company's token joins one of another company: by track or in one hex.

    With `once_per_hex` the line may not visit two cities of one hex (a route may not either).
    """
    goals = set(tokens_of(board, target))
    homes = list(tokens_of(board, company))
    if {hex_id for hex_id, _ in goals} & {hex_id for hex_id, _ in homes}:
        return True
    if not goals & reach(tables, board, company).stops:
        return False
    return not once_per_hex or _Line(tables, board, company, goals).found(homes)


class _Line:
    """A search that also remembers which hexes with several cities it has visited."""

    def __init__(
        self, tables: Tables, board: Board, company: str, goals: set[tuple[str, int]]
    ) -> None:
        self.tables, self.board, self.company, self.goals = tables, board, company, goals
        self.seen: set[tuple[str, int, frozenset[str]]] = set()

    def _visited(self, used: frozenset[str], hex_id: str) -> frozenset[str] | None:
        if len(layout(self.tables, self.board, hex_id).tile.cities) < 2:
            return used
        return None if hex_id in used else used | {hex_id}

    def found(self, homes: list[tuple[str, int]]) -> bool:
        todo = [(h, c, self._visited(frozenset(), h) or frozenset()) for h, c in homes]
        while todo:
            hex_id, stop, used = todo.pop()
            if (hex_id, stop, used) in self.seen:
                continue
            self.seen.add((hex_id, stop, used))
            for other, city in next_stops(self.tables, self.board, hex_id, stop):
                visited = self._visited(used, other)
                if visited is None:
                    continue
                if (other, city) in self.goals:
                    return True
                if passable(self.tables, self.board, self.company, other, city):
                    todo.append((other, city, visited))
        return False
