"""Tiles: what is printed on them, and how that changes when they are rotated.

An end of a piece of track is a small number: 0 to 5 is an edge, `JUNCTION` the meeting point in
the middle of a plain tile, `STOP` + i the i-th stop of the tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, reduce
from itertools import combinations
from operator import or_
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from carril.engine.hexes import EDGES

JUNCTION = 6
STOP = 10

COLOURS = ("white", "yellow", "green", "brown", "grey")

# The gauges as sets of bits: trains of every gauge use dual track and track without a gauge. No map
# has more than two; the wider one is called broad or standard.
WIDE, NARROW = 1, 2
BOTH = WIDE | NARROW
GAUGES = {"broad": WIDE, "standard": WIDE, "narrow": NARROW, "dual": BOTH, "": BOTH}

# The lists of stops in a table, with the letter that paths use for them, in order of numbering.
_STOP_LISTS = (
    ("cities", "c", "city"),
    ("towns", "t", "town"),
    ("mines", "m", "mine"),
    ("harbours", "h", "harbour"),
    ("offboards", "o", "offboard"),
    ("passes", "p", "pass"),
    ("fields", "f", "field"),
)


class StopDef(Struct, frozen=True):
    """A revenue location as printed: its kind, its value by phase colour, its circles."""

    kind: str
    revenue: tuple[int, int, int, int]
    slots: int = 0
    run_through: bool = False
    treasury: bool = False
    """Whether its revenue goes to the treasury."""
    tags: tuple[str, ...] = ()
    area: str = ""
    """The area it belongs to; stops of one area count as one place."""

    def value(self, colour: str) -> int:
        """Return the revenue while `colour` is the newest tile colour."""
        return self.revenue[COLOURS.index(colour) - 1]


class Path(Struct, frozen=True):
    """A piece of track between two ends."""

    a: int
    b: int
    gauge: str = ""
    """One of `GAUGES`; "" where the title has only one."""


class Tile(Struct, frozen=True, cache_hash=True):
    """A tile face, or the print of a hex. It is a key of caches, so it caches its hash."""

    number: str
    colour: str
    stops: tuple[StopDef, ...] = ()
    paths: tuple[Path, ...] = ()
    label: str = ""
    count: int = 0
    back: str = ""
    """The other face of the same piece."""
    side: str = ""
    """The part of the board it belongs to; "" is any."""

    @property
    def cities(self) -> tuple[int, ...]:
        """The indices of the stops that have circles for tokens."""
        return tuple(i for i, stop in enumerate(self.stops) if stop.slots)

    @property
    def exits(self) -> frozenset[int]:
        """The edges that track reaches."""
        return _exits(self)

    @property
    def kind(self) -> str:
        """What a tile of this kind may replace: ``city``, ``town``, ... or ``plain``."""
        return self.stops[0].kind if self.stops else "plain"


@cache
def _exits(tile: Tile) -> frozenset[int]:
    return frozenset(end for path in tile.paths for end in (path.a, path.b) if end < JUNCTION)


def next_colour(colour: str) -> str | None:
    """Return the colour of an upgrade, or None after the last and for a printed hex."""
    if colour not in COLOURS[:-1]:
        return None
    return COLOURS[COLOURS.index(colour) + 1]


def _revenue(value: int | Mapping[str, int]) -> tuple[int, int, int, int]:
    if isinstance(value, int):
        return (value,) * 4
    return (value["yellow"], value["green"], value["brown"], value["grey"])


def _end(text: str, first: Mapping[str, int]) -> int:
    if text == "j":
        return JUNCTION
    if text[0].isdigit():
        return int(text)
    return STOP + first[text[0]] + int(text[1:])


def read_tile(number: str, row: Mapping[str, Any], default_colour: str = "white") -> Tile:
    """Read a tile, or the print of a hex, from a row of a table.

    >>> read_tile("8", {"colour": "yellow", "count": 15, "paths": ["0-2"]}).exits
    frozenset({0, 2})
    """
    stops: list[StopDef] = []
    first: dict[str, int] = {}
    for name, letter, kind in _STOP_LISTS:
        first[letter] = len(stops)
        for stop in row.get(name, ()):
            stops.append(
                StopDef(
                    kind,
                    _revenue(stop["revenue"]),
                    stop.get("slots", 0),
                    stop.get("run_through", False),
                    stop.get("treasury", False),
                    tuple(stop.get("tags", ())),
                    stop.get("area", ""),
                )
            )
    paths = []
    for text in row.get("paths", ()):
        ends, _, gauge = text.partition(":")
        a, b = ends.split("-")
        paths.append(Path(_end(a, first), _end(b, first), gauge))
    return Tile(
        number=number,
        colour=row.get("colour", default_colour),
        stops=tuple(stops),
        paths=tuple(paths),
        label=row.get("label", ""),
        count=row.get("count", 0),
        back=row.get("back", ""),
        side=row.get("side", ""),
    )


def _turn_end(end: int, turn: int) -> int:
    return (end + turn) % 6 if end < JUNCTION else end


@cache
def turned(tile: Tile, turn: int) -> Tile:
    """Return the tile rotated clockwise by `turn` sixths."""
    if turn == 0 or not tile.paths:
        return tile
    paths = tuple(Path(_turn_end(p.a, turn), _turn_end(p.b, turn), p.gauge) for p in tile.paths)
    return replace(tile, paths=paths)


def side_bits(edge: int, gauges: int) -> int:
    """Return the bits that stand for track of these gauges at an edge.

    Two tracks meet at an edge if they have a bit in common.
    """
    return gauges << 2 * edge


@cache
def sides_for(gauge: str) -> int:
    """Return the bits of all edges, for the track that trains of a gauge can use."""
    return sum(side_bits(edge, GAUGES[gauge]) for edge in EDGES)


ALL_SIDES = sides_for("")


def path_sides(path: Path) -> int:
    """Return the bits of the edges that a piece of track reaches."""
    gauges = GAUGES[path.gauge]
    return sum(side_bits(end, gauges) for end in (path.a, path.b) if end < JUNCTION)


def _sides(paths: Iterable[Path]) -> int:
    """Return the bits of all edges that these pieces of track reach."""
    return reduce(or_, map(path_sides, paths), 0)


@cache
def sides_of(tile: Tile) -> int:
    """Return the bits of all edges that the track of a tile reaches."""
    return _sides(tile.paths)


@cache
def _through(tile: Tile) -> Mapping[frozenset[int], int]:
    """Return the pairs of edges that are joined without a stop between them, with their gauges."""
    joined: dict[frozenset[int], int] = {}
    spokes = [(min(p.a, p.b), GAUGES[p.gauge]) for p in tile.paths if JUNCTION in (p.a, p.b)]
    pairs = [(frozenset((a, b)), one & two) for (a, one), (b, two) in combinations(spokes, 2)]
    pairs += [(frozenset((p.a, p.b)), GAUGES[p.gauge]) for p in tile.paths if p.a < JUNCTION > p.b]
    for pair, gauges in pairs:
        joined[pair] = joined.get(pair, 0) | gauges
    return joined


@cache
def _track_to(tile: Tile, stop: int) -> int:
    """Return the bits of the edges with track to a stop."""
    end = STOP + stop
    return _sides(path for path in tile.paths if end in (path.a, path.b))


@cache
def city_map(old: Tile, new: Tile) -> tuple[int, ...] | None:
    """Return for each stop of the old tile the stop of the new one that its track leads to.

    Both tiles are given as turned. None if the new tile does not keep every connection in its
    gauge: a track is gone, or stops that were apart have been joined although the new tile still
    has as many stops (so that tokens stay in the city they were in). A stop without circles may
    give way to plain track; it is mapped to -1.
    """
    through = _through(new)
    if any(gauges & ~through.get(pair, 0) for pair, gauges in _through(old).items()):
        return None
    targets = []
    for index in range(len(old.stops)):
        target = _stop_target(old, new, index, through)
        if target is None:
            return None
        targets.append(target)
    kept = [target for target in targets if target >= 0]
    if len(new.stops) >= len(kept) and len(set(kept)) < len(kept):
        return None
    return tuple(targets)


def _stop_target(
    old: Tile, new: Tile, index: int, through: Mapping[frozenset[int], int]
) -> int | None:
    """Return the new stop that all track of an old stop leads to; None if there is none."""
    track = _track_to(old, index)
    kind = old.stops[index].kind
    same = [i for i, stop in enumerate(new.stops) if stop.kind == kind]
    found = [i for i in same if not track & ~_track_to(new, i)]
    if not track and same:
        return same[min(index, len(same) - 1)]
    if found:
        return found[0]
    gone = not old.stops[index].slots and not same and (_plain(old, index, through) or new.stops)
    return -1 if gone and not track & ~sides_of(new) else None


def _plain(old: Tile, index: int, through: Mapping[frozenset[int], int]) -> bool:
    """Return whether plain track joins all edges that an old stop joined."""
    paths = (path for path in old.paths if STOP + index in (path.a, path.b))
    spokes = [(min(path.a, path.b), GAUGES[path.gauge]) for path in paths]
    return all(
        a == b or not one & two & ~through.get(frozenset((a, b)), 0)
        for (a, one), (b, two) in combinations(spokes, 2)
    )
