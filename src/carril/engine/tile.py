"""Tiles: what is printed on them, and what they become when they are turned.

An end of a piece of track is a small number: 0 to 5 is an edge, `JUNCTION` the meeting point in
the middle of a plain tile, `STOP` + i the i-th stop of the tile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

JUNCTION = 6
STOP = 10

COLOURS = ("white", "yellow", "green", "brown", "grey")

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

    def value(self, colour: str) -> int:
        """Return the revenue while `colour` is the newest tile colour."""
        return self.revenue[COLOURS.index(colour) - 1]


class Path(Struct, frozen=True):
    """A piece of track between two ends."""

    a: int
    b: int
    gauge: str = ""


class Tile(Struct, frozen=True):
    """A tile face, or the print of a hex."""

    number: str
    colour: str
    stops: tuple[StopDef, ...] = ()
    paths: tuple[Path, ...] = ()
    label: str = ""
    count: int = 0

    @property
    def cities(self) -> tuple[int, ...]:
        """The indices of the stops that have circles for tokens."""
        return tuple(i for i, stop in enumerate(self.stops) if stop.slots)

    @property
    def exits(self) -> frozenset[int]:
        """The edges that track reaches."""
        return frozenset(end for path in self.paths for end in (path.a, path.b) if end < JUNCTION)

    @property
    def kind(self) -> str:
        """What a tile of this kind may replace: ``city``, ``town``, ... or ``plain``."""
        return self.stops[0].kind if self.stops else "plain"


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
    )


def _turn_end(end: int, turn: int) -> int:
    return (end + turn) % 6 if end < JUNCTION else end


@cache
def turned(tile: Tile, turn: int) -> Tile:
    """Return the tile turned clockwise by so many sixths."""
    if turn == 0 or not tile.paths:
        return tile
    paths = tuple(Path(_turn_end(p.a, turn), _turn_end(p.b, turn), p.gauge) for p in tile.paths)
    return Tile(tile.number, tile.colour, tile.stops, paths, tile.label, tile.count)


def _groups(tile: Tile) -> dict[int, int]:
    """Return for each edge the meeting point its track leads to, or the edge it runs to.

    A plain path edge to edge is given as the pair's own junction, numbered below zero.
    """
    group: dict[int, int] = {}
    for number, path in enumerate(tile.paths):
        for edge, other in ((path.a, path.b), (path.b, path.a)):
            if edge < JUNCTION:
                group[edge] = other if other >= JUNCTION else -1 - number
    return group


@cache
def city_map(old: Tile, new: Tile) -> tuple[int, ...] | None:
    """Return for each stop of the old tile the stop of the new one that its track leads to.

    Both tiles are given as turned. None if the new tile does not keep every connection: a track
    is gone, or stops that were apart have been joined although the new tile still has as many
    stops (so that tokens stay in the city they were in).
    """
    before, after = _groups(old), _groups(new)
    if any(edge not in after for edge in before):
        return None
    target: dict[int, int] = {}
    for edge, meeting in before.items():
        if target.setdefault(meeting, after[edge]) != after[edge]:
            return None
    stops = _stop_targets(old, new, target)
    if stops is None or (len(new.stops) >= len(old.stops) and len(set(stops)) < len(stops)):
        return None
    return stops


def _stop_targets(old: Tile, new: Tile, target: Mapping[int, int]) -> tuple[int, ...] | None:
    """Return the new stop of each old stop; a stop without track takes the first of its kind."""
    result = []
    for index in range(len(old.stops)):
        end = target.get(STOP + index)
        if end is None:
            if not new.stops:
                return None
            end = STOP + min(index, len(new.stops) - 1)
        if end < STOP:
            return None
        result.append(end - STOP)
    return tuple(result)
