"""What a company can reach by track: derived from the board and cached, never stored.

Every question can be asked for a gauge: then only track that its trains can use counts. Without
one all track counts, but tracks of two gauges that meet at an edge or a junction do not join;
at a stop, and over dual track, one gauge leads to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from carril.engine.board import CLOSED, Board, circles_taken, tile_at, tokens_in, tokens_of
from carril.engine.cache import Cache
from carril.engine.hexes import opposite
from carril.engine.tables import Tables
from carril.engine.tile import GAUGES, JUNCTION, STOP, Tile

City: TypeAlias = tuple[str, int]
"""A city: its hex, and its number on the tile."""

Stops: TypeAlias = frozenset[City]
"""Hex and number of some stops."""

NO_STOPS: Stops = frozenset()


class Layout(NamedTuple):
    """The print of one hex, ready to walk: for each end the pieces that touch it."""

    tile: Tile
    at: Mapping[int, tuple[tuple[int, int, int], ...]]
    """End -> (number of the piece, its other end, its gauges)."""


class Reach(NamedTuple):
    """All track and stops that a company's tokens reach, at any distance."""

    pieces: frozenset[tuple[str, int]]
    """Hex and number of each piece of track."""
    stops: Stops
    entries: Mapping[str, int]
    """The edges of each hex at which track arrives from the neighbour, as `side_bits`."""


_Place: TypeAlias = tuple[str, int, int, int]
"""An end of track to go on from: hex, end, the piece by which it was reached, gauges."""

# Steps ask about the present board many times.
_reach: Cache[Reach] = Cache(2048)
_walks: Cache[Walk] = Cache(128)
_supply: Cache[Mapping[str, int]] = Cache(512)


def _make_layout(tile: Tile) -> Layout:
    at: dict[int, list[tuple[int, int, int]]] = {}
    for number, path in enumerate(tile.paths):
        gauges = GAUGES[path.gauge]
        at.setdefault(path.a, []).append((number, path.b, gauges))
        at.setdefault(path.b, []).append((number, path.a, gauges))
    return Layout(tile, {end: tuple(pieces) for end, pieces in at.items()})


def layout(tables: Tables, board: Board, hex_id: str) -> Layout:
    """Return the walkable print of a hex; each is made once."""
    lying = board.laid.get(hex_id, hex_id)
    found: Layout | None = tables.layouts.get(lying)
    if found is None:
        found = tables.layouts[lying] = _make_layout(tile_at(tables, board, hex_id))
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


def passable(tables: Tables, board: Board, company: str | None, hex_id: str, stop: int) -> bool:
    """Return whether a company's trains may go through a stop, not only end there.

    Without a company no token blocks the way.
    """
    definition = layout(tables, board, hex_id).tile.stops[stop]
    if definition.slots:
        present = tokens_in(board, hex_id, stop)
        if company is None:
            return CLOSED not in present
        return circles_taken(tables, present) < definition.slots or company in present
    if definition.kind in ("offboard", "harbour"):
        return definition.run_through
    return True


def gauge_of(tables: Tables, company: str) -> str:
    """Return the gauge that all trains of a company have, "" if they may differ."""
    return tables.companies[company].gauge


def reach(
    tables: Tables,
    board: Board,
    company: str,
    gauge: str | None = None,
    passes: Stops = NO_STOPS,
) -> Reach:
    """Return all that a company reaches, from each of its tokens; by its own gauge if None.

    No token blocks the way through the stops in `passes`.
    """
    wanted = tables.companies[company].gauge if gauge is None else gauge
    key = (company, wanted, passes)
    return _reach.get(key, partial(_reach_of, tables, board, company, wanted, passes), owner=board)


def _reach_of(tables: Tables, board: Board, company: str, gauge: str, passes: Stops) -> Reach:
    if passes:
        return _walk_with(tables, board, company, gauge, passes).reach()
    return _walk(tables, board, company, list(tokens_of(board, company)), gauge).reach()


def _walk_with(tables: Tables, board: Board, company: str, gauge: str, passes: Stops) -> Walk:
    """Return the walk of a company through some stops: that without one of them goes on."""

    def make() -> Walk:
        if not passes:
            return _walk(tables, board, company, list(tokens_of(board, company)), gauge)
        last = max(passes)
        return _walk_with(tables, board, company, gauge, passes - {last}).through_stop(last)

    return _walks.get((company, gauge, passes), make, owner=board)


def joined(
    tables: Tables, board: Board, start: tuple[str, int], goal: str, gauge: str = ""
) -> bool:
    """Return whether track, blocked by no token, leads from a stop to any stop of a hex."""
    if not _track_arrives(tables, board, goal):
        return start[0] == goal
    found = _walk(tables, board, None, [start], gauge).reach()
    return any(hex_id == goal for hex_id, _ in found.stops)


def _track_arrives(tables: Tables, board: Board, hex_id: str) -> bool:
    """Return whether track of a hex meets track of a neighbour, a quick test that often fails."""
    here = layout(tables, board, hex_id).at
    for edge, beyond in enumerate(tables.hexes[hex_id].neighbours):
        if beyond and edge in here and opposite(edge) in layout(tables, board, beyond).at:
            return True
    return False


def _walk(
    tables: Tables, board: Board, company: str | None, starts: list[City], gauge: str
) -> Walk:
    """Return what is reached from some stops."""
    found = Walk(tables, board, company, starts, GAUGES[gauge])
    found.follow([(hex_id, STOP + city, -1, found.usable) for hex_id, city in starts])
    return found


class Walk:
    """The track that is reached from some stops; it can go on through a stop that was blocked."""

    def __init__(
        self,
        tables: Tables,
        board: Board,
        company: str | None,
        starts: list[City],
        usable: int,
        opened: Stops = NO_STOPS,
    ) -> None:
        """Start without any track; `usable` are the gauges, and no token blocks `opened` stops."""
        self._ask = (tables, board, company)
        self._found: Reach | None = None
        self.starts, self.usable, self.opened = starts, usable, opened
        self.pieces: set[tuple[str, int, int]] = set()
        """Directed, since no train turns round."""
        self.through: dict[City, bool] = {}
        """The stops that are reached, and whether the walk goes through them."""
        self.entries: defaultdict[str, int] = defaultdict(int)
        self.blocked: dict[City, list[_Place]] = {}
        """Where to go on if a stop is opened."""

    def through_stop(self, stop: City) -> Walk:
        """Return a walk that also goes through a stop, whether it has been reached or not."""
        if self.through.get(stop):
            return self
        longer = Walk(*self._ask, self.starts, self.usable, self.opened | {stop})
        longer.pieces, longer.entries = self.pieces, self.entries
        longer.through, longer.blocked = self.through, self.blocked
        if stop in self.blocked:
            longer.pieces, longer.entries = set(self.pieces), self.entries.copy()
            longer.through = self.through | {stop: True}
            longer.blocked = {at: list(where) for at, where in self.blocked.items()}
            longer.follow(longer.blocked.pop(stop))
        return longer

    def follow(self, todo: list[_Place]) -> None:
        """Follow all track from some places; one loop, since every lay needs it."""
        tables, board, company = self._ask
        hexes, laid, made, usable = tables.hexes, board.laid, tables.layouts, self.usable
        pieces, through, entries = self.pieces, self.through, self.entries
        while todo:
            hex_id, end, by, came = todo.pop()
            walkable = made.get(laid.get(hex_id, hex_id)) or layout(tables, board, hex_id)
            for number, other, gauges in walkable.at.get(end, ()):
                if number == by or not gauges & came:
                    continue
                if (piece := (hex_id, number, other)) in pieces:
                    continue
                pieces.add(piece)
                gauges &= usable
                if other < JUNCTION:
                    if beyond := hexes[hex_id].neighbours[other]:
                        arrival = (other + 3) % 6
                        entries[beyond] |= gauges << 2 * arrival  # `side_bits`, without the call
                        todo.append((beyond, arrival, -1, gauges))
                    continue
                if other >= STOP:
                    stop, gauges = (hex_id, other - STOP), usable
                    if stop not in through:
                        free = stop in self.opened or passable(tables, board, company, *stop)
                        through[stop] = free
                    if not through[stop]:
                        self.blocked.setdefault(stop, []).append((hex_id, other, number, gauges))
                        continue
                todo.append((hex_id, other, number, gauges))

    def reach(self) -> Reach:
        """Return what the walk has reached."""
        if self._found is None:
            pieces = frozenset({(at, number) for at, number, _ in self.pieces})
            stops = frozenset((*self.starts, *self.through))
            self._found = Reach(pieces, stops, dict(self.entries))
        return self._found


def next_stops(
    tables: Tables, board: Board, hex_id: str, stop: int, gauge: str = ""
) -> Iterable[tuple[str, int]]:
    """Yield the next stops along the tracks that leave a stop."""
    usable = GAUGES[gauge]
    seen: set[tuple[str, int, int]] = set()
    todo = _pieces(tables, board, hex_id, STOP + stop, usable)
    while todo:
        piece = todo.pop()
        at, number, end, gauges = piece
        if piece[:3] in seen:
            continue
        seen.add(piece[:3])
        if end >= STOP:
            yield at, end - STOP
        elif end == JUNCTION:
            onward = _pieces(tables, board, at, end, gauges & usable)
            todo += [one for one in onward if one[1] != number]
        elif beyond := tables.hexes[at].neighbours[end]:
            todo += _pieces(tables, board, beyond, opposite(end), gauges & usable)


def _pieces(
    tables: Tables, board: Board, hex_id: str, end: int, usable: int
) -> list[tuple[str, int, int, int]]:
    """Return the pieces that go on from an end: hex, number, other end, gauges."""
    found = layout(tables, board, hex_id).at.get(end, ())
    return [(hex_id, number, other, gauges) for number, other, gauges in found if gauges & usable]


def has_route(
    tables: Tables,
    board: Board,
    company: str,
    ignore: frozenset[str] = frozenset(),
    same_hex: bool = False,
) -> bool:
    """Return whether some token of a company has another stop next to it on its track.

    Closed places, and stops of the kinds in `ignore`, do not count as that other stop; another stop
    of the same hex only with `same_hex`, since no route joins the two.
    """
    gauge = gauge_of(tables, company)
    for hex_id, city in tokens_of(board, company):
        for other, stop in next_stops(tables, board, hex_id, city, gauge):
            kind = layout(tables, board, other).tile.stops[stop].kind
            near = other == hex_id and (not same_hex or stop == city)
            if near or kind in ignore or CLOSED in tokens_in(board, other, stop):
                continue
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
        self.gauge = gauge_of(tables, company)
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
            for other, city in next_stops(self.tables, self.board, hex_id, stop, self.gauge):
                visited = self._visited(used, other)
                if visited is None:
                    continue
                if (other, city) in self.goals:
                    return True
                if passable(self.tables, self.board, self.company, other, city):
                    todo.append((other, city, visited))
        return False
