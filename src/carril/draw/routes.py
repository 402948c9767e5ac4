"""Routes on the map: coloured lines that follow the track, side by side where they share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from carril.engine.board import Board, tile_at
from carril.engine.tables import Tables
from carril.engine.tile import STOP, Tile

from .geometry import Point, beside, centre, polyline_path, without_repeats
from .links import link_curve
from .stops import outline
from .svg import group, moved, tag, title
from .track import curves, places, way

_WIDTH = 13.0
_LANE = 11.0
DASHES = "20 12"
"""The dashes of a route that is drawn for comparison."""


class RouteLine(NamedTuple):
    """A route to draw: its colour, its hexes in order, and what the legend calls it.

    An element of the path is the id of a hex where only its track is used, and the id with the
    number of a stop (``ID.0``) where that stop is visited.
    """

    colour: str
    path: tuple[str, ...]
    label: str = ""
    dashed: bool = False


class Visit(NamedTuple):
    """A hex of a route, and the stop visited in it, if any."""

    hex: str
    stop: int | None


def read_visit(tables: Tables, board: Board, text: str) -> Visit:
    """Return an element of a path; ValueError if the map has no such place."""
    hex_id, dot, index = text.partition(".")
    if hex_id not in tables.hexes:
        raise ValueError(f"route goes through {text!r}, but the map has no hex {hex_id!r}")
    if not dot:
        return Visit(hex_id, None)
    stops = len(tile_at(tables, board, hex_id).stops)
    if not index.isdecimal() or int(index) >= stops:
        raise ValueError(f"route stops at {text!r}, but {hex_id} has {stops} stop(s)")
    return Visit(hex_id, int(index))


def read_path(tables: Tables, board: Board, path: Sequence[str]) -> tuple[Visit, ...]:
    """Return the visits of a path; ValueError if two hexes in a row are not neighbours."""
    visits = tuple(read_visit(tables, board, text) for text in path)
    for a, b in pairwise(visits):
        if a.hex != b.hex and b.hex not in tables.hexes[a.hex].neighbours:
            raise ValueError(f"route jumps from {a.hex} to {b.hex}, which are not neighbours")
    return visits


def _ends(tables: Tables, visits: Sequence[Visit]) -> Iterator[tuple[str, int, int]]:
    """Yield hex, first end and last end of each stretch of track in a hex."""
    here: int | None = None
    for index, visit in enumerate(visits):
        if visit.stop is not None:
            if here is not None and here != STOP + visit.stop:
                yield visit.hex, here, STOP + visit.stop
            here = STOP + visit.stop
        if index + 1 < len(visits) and visits[index + 1].hex != visit.hex:
            following = visits[index + 1].hex
            edge = tables.hexes[visit.hex].neighbours.index(following)
            if here is not None:
                yield visit.hex, here, edge
            here = tables.hexes[following].neighbours.index(visit.hex)


def _stretch(tile: Tile, hex_id: str, a: int, b: int, orientation: str) -> tuple[Point, ...]:
    used = way(tile, a, b)
    if used is None:
        raise ValueError(f"no track in {hex_id} joins {_end_name(a)} and {_end_name(b)}")
    pieces = curves(tile, orientation)
    points: tuple[Point, ...] = ()
    for index, backwards in used:
        curve = pieces[index].back if backwards else pieces[index]
        points += curve.points(10)
    return points


def _end_name(end: int) -> str:
    return f"stop {end - STOP}" if end >= STOP else f"edge {end}"


def route_points(tables: Tables, board: Board, path: Sequence[str]) -> tuple[Point, ...]:
    """Return the line that a route follows on the sheet; ValueError if there is no such route."""
    visits = read_path(tables, board, path)
    points: list[Point] = []
    last = ""
    for hex_id, a, b in _ends(tables, visits):
        if last and last != hex_id and (link := link_curve(tables, last, hex_id)):
            points += link.points(10)
        last = hex_id
        middle = centre(hex_id, tables.orientation)
        tile = tile_at(tables, board, hex_id)
        points += [p.plus(middle) for p in _stretch(tile, hex_id, a, b, tables.orientation)]
    return without_repeats(tuple(points))


def _hexes(path: Sequence[str]) -> list[str]:
    return [text.partition(".")[0] for text in path]


def _aligned(routes: Sequence[RouteLine]) -> list[tuple[str, ...]]:
    """Return the paths, turned round where that lets them run the way of the others."""
    steps: Counter[tuple[str, str]] = Counter()
    found = []
    for route in routes:
        path = tuple(route.path)
        onwards = list(pairwise(_hexes(path)))
        if sum(steps[b, a] - steps[a, b] for a, b in onwards) > 0:
            path = path[::-1]
        steps.update(pairwise(_hexes(path)))
        found.append(path)
    return found


def _lanes(paths: Sequence[Sequence[str]]) -> list[int]:
    """Return a lane for each path, so that no two in one hex have the same."""
    lanes: list[int] = []
    for index, path in enumerate(paths):
        here = set(_hexes(path))
        taken = {lanes[i] for i in range(index) if here & set(_hexes(paths[i]))}
        lanes.append(next(lane for lane in range(len(paths)) if lane not in taken))
    return lanes


def _beside_track(lane: int) -> float:
    """Return the distance of a lane from the track: 0, then to the right and left in turn."""
    return (lane + 1) // 2 * _LANE * (1 if lane % 2 else -1)


def _halo(tables: Tables, board: Board, visit: Visit, colour: str, rank: int) -> str:
    tile = tile_at(tables, board, visit.hex)
    assert visit.stop is not None
    place = places(tile, tables.orientation)[visit.stop]
    d, width = outline(tile.stops[visit.stop], place)
    return tag(
        "path",
        class_="route",
        d=d,
        stroke=colour,
        stroke_width=width + 18 + 12 * rank,
        transform=moved(*centre(visit.hex, tables.orientation)),
        data_visit=f"{visit.hex}.{visit.stop}",
    )


def draw_routes(tables: Tables, board: Board, routes: Sequence[RouteLine]) -> str:
    """Return the lines of the routes, and rings around the stops they visit."""
    paths = _aligned(routes)
    lanes = _lanes(paths)
    lines, halos = [], []
    visited: Counter[Visit] = Counter()
    for index, (route, path, lane) in enumerate(zip(routes, paths, lanes, strict=True)):
        points = beside(route_points(tables, board, path), _beside_track(lane))
        line = tag(
            "path",
            title(route.label or f"Route {index + 1}"),
            class_="route",
            d=polyline_path(points),
            stroke=route.colour,
            stroke_width=_WIDTH,
            stroke_opacity=".86",
            stroke_dasharray=DASHES if route.dashed else None,
            data_route=str(index),
        )
        lines.append(line if points else "")
        for visit in read_path(tables, board, path):
            if visit.stop is not None:
                rank = visited[visit]
                visited[visit] += 1
                halos.append((rank, _halo(tables, board, visit, route.colour, rank)))
    halos.sort(key=lambda halo: -halo[0])
    return group(*lines, class_="routes") + group(*(drawn for _, drawn in halos), class_="visits")
