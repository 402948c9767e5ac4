"""The track of a tile: the places of its stops and the curve of each piece of track."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from carril.engine.tile import JUNCTION, STOP, Path, Tile

from .geometry import (
    ORIGIN,
    RADIUS,
    Curve,
    Point,
    curve_path,
    direction,
    edge_angle,
    edge_curve,
    edge_point,
    line,
    polar,
    polygon_path,
    spoke,
)
from .svg import tag

# Track that runs into an off-board place and ends there is drawn as an arrow, not as a line.
_ARROW_KINDS = ("offboard",)
_APART = 76.0
# Where the head of an arrow into a harbour begins, and half its width.
_HARBOUR = 25.0
_HEAD = 15.0


class Place(NamedTuple):
    """The place of a stop in its hex, and the direction along which it spreads."""

    point: Point
    axis: float = 0.0
    exits: tuple[int, ...] = ()


def _exits(tile: Tile, stop: int) -> tuple[int, ...]:
    found = []
    for path in tile.paths:
        for end, other in ((path.a, path.b), (path.b, path.a)):
            if end == STOP + stop and other < JUNCTION:
                found.append(other)
    return tuple(sorted(found))


def _on_arc(exits: tuple[int, ...], orientation: str) -> Place:
    """Return the place in the middle of the track between two edges, across it."""
    a, b = exits
    curve = edge_curve(a, b, orientation)
    return Place(curve.at(0.5), direction(curve.at(0.49), curve.at(0.51)) + 90, exits)


def _near_exits(exits: tuple[int, ...], orientation: str, crowded: bool) -> Place:
    """Return the place of one of several cities: near its exits, spreading along the border."""
    towards = ORIGIN
    for edge in exits:
        towards = towards.plus(polar(edge_angle(edge, orientation), 1 / len(exits)))
    if towards.distance(ORIGIN) < 0.1:
        return Place(ORIGIN, 0, exits)
    angle = direction(ORIGIN, towards)
    far = 0.56 if crowded else 0.53 if towards.distance(ORIGIN) > 0.6 else 0.36
    return Place(polar(angle, RADIUS * far), angle + 90, exits)


def _crowded(exits: Sequence[tuple[int, ...]]) -> bool:
    """Return whether stops must move outwards: two side by side, or one on a track right across."""
    if any(len(edges) == 2 and edges[1] - edges[0] == 3 for edges in exits):
        return True
    single = [edges[0] for edges in exits if len(edges) == 1]
    return any((a - b) % 6 == 1 for a in single for b in single)


@lru_cache(maxsize=4096)
def places(tile: Tile, orientation: str) -> tuple[Place, ...]:
    """Return the places of the stops of a tile."""
    exits = [_exits(tile, stop) for stop in range(len(tile.stops))]
    loose = [stop for stop, edges in enumerate(exits) if not edges]
    found = []
    for stop, edges in enumerate(exits):
        if tile.stops[stop].kind == "town" and len(edges) == 2:
            found.append(_on_arc(edges, orientation))
        elif len(tile.stops) == 1:
            found.append(Place(ORIGIN, 0, edges))
        elif edges:
            found.append(_near_exits(edges, orientation, _crowded(exits)))
        else:
            x = (loose.index(stop) - (len(loose) - 1) / 2) * _APART
            found.append(Place(Point(x, 0)))
    return tuple(found)


@lru_cache(maxsize=4096)
def curves(tile: Tile, orientation: str) -> tuple[Curve, ...]:
    """Return the curve of each path of a tile, from its end `a` to its end `b`."""
    where = places(tile, orientation)
    return tuple(_curve(tile, path, where, orientation) for path in tile.paths)


def _curve(tile: Tile, path: Path, where: tuple[Place, ...], orientation: str) -> Curve:
    if path.a < JUNCTION and path.b < JUNCTION:
        return edge_curve(path.a, path.b, orientation)
    if path.a < JUNCTION:
        return _inwards(tile, path.a, path.b, where, orientation)
    if path.b < JUNCTION:
        return _inwards(tile, path.b, path.a, where, orientation).back
    return line(_inner_point(path.a, where), _inner_point(path.b, where))


def _inner_point(end: int, where: tuple[Place, ...]) -> Point:
    return ORIGIN if end == JUNCTION else where[end - STOP].point


def _inwards(tile: Tile, edge: int, end: int, where: tuple[Place, ...], orientation: str) -> Curve:
    if end >= STOP and tile.stops[end - STOP].kind == "town":
        exits = where[end - STOP].exits
        if len(exits) == 2:
            other = exits[1] if exits[0] == edge else exits[0]
            return edge_curve(edge, other, orientation).halves()[0]
    return spoke(edge, _inner_point(end, where), orientation)


def _paths_at(tile: Tile, end: int) -> Iterator[tuple[int, bool, int]]:
    """Yield each path at an end of a tile: its index, whether backwards, and its other end."""
    for index, path in enumerate(tile.paths):
        if path.a == end:
            yield index, False, path.b
        if path.b == end:
            yield index, True, path.a


@lru_cache(maxsize=4096)
def way(tile: Tile, start: int, goal: int) -> tuple[tuple[int, bool], ...] | None:
    """Return the track between two ends of a tile: index of each path, and whether backwards.

    The way with the fewest pieces is taken; None if there is none.
    """
    queue: deque[tuple[int, tuple[tuple[int, bool], ...]]] = deque([(start, ())])
    seen = {start}
    while queue:
        end, used = queue.popleft()
        if end == goal:
            return used
        for index, backwards, other in _paths_at(tile, end):
            if other not in seen and (other == goal or other >= JUNCTION):
                seen.add(other)
                queue.append((other, (*used, (index, backwards))))
    return None


def is_arrow(tile: Tile, path: Path) -> bool:
    """Return whether a piece of track ends in an off-board place, and is drawn as an arrow."""
    stop = max(path.a, path.b) - STOP
    if stop < 0 or tile.stops[stop].kind not in _ARROW_KINDS:
        return False
    return not tile.stops[stop].run_through


def _arrow(edge: int, orientation: str) -> str:
    foot, angle = edge_point(edge, orientation), edge_angle(edge, orientation)
    side = polar(angle + 90, 11)
    tip = polar(angle, RADIUS * 0.42)
    return polygon_path((foot.plus(side), foot.plus(side, -1), tip))


def _heads(tile: Tile, orientation: str) -> str:
    """Return the heads of the arrows that lead into harbours."""
    where, found = places(tile, orientation), []
    for path, curve in zip(tile.paths, curves(tile, orientation), strict=True):
        stop = max(path.a, path.b) - STOP
        if stop < 0 or tile.stops[stop].kind != "harbour":
            continue
        foot, middle = (curve.start if path.a < path.b else curve.end), where[stop].point
        angle = direction(middle, foot)
        side, tip = polar(angle + 90, _HEAD), middle.plus(polar(angle, _HARBOUR))
        back = middle.plus(polar(angle, _HARBOUR + 1.5 * _HEAD))
        found.append(polygon_path((back.plus(side), back.plus(side, -1), tip)))
    return "".join(found)


def _lines(tile: Tile, orientation: str, gauges: Iterable[str]) -> str:
    wanted = frozenset(gauges)
    found = []
    for path, curve in zip(tile.paths, curves(tile, orientation), strict=True):
        if path.gauge in wanted and not is_arrow(tile, path):
            found.append(curve_path(curve))
    return "".join(found)


def draw_track(tile: Tile, orientation: str) -> str:
    """Return the track of a tile: dark lines with a light casing, arrows to off-board places.

    Track of another gauge than the usual has a broken light line in it (narrow) or a full one.
    """
    gauges = {path.gauge for path in tile.paths}
    if not gauges:
        return ""
    arrows = "".join(
        _arrow(min(path.a, path.b), orientation) for path in tile.paths if is_arrow(tile, path)
    )
    parts = [tag("path", class_="arrow", d=arrows)] if arrows else []
    if everything := _lines(tile, orientation, gauges):
        parts.append(tag("path", class_="casing", d=everything))
        parts.append(tag("path", class_="track", d=everything))
    for gauge in sorted(gauges & {"narrow", "dual"}):
        if d := _lines(tile, orientation, (gauge,)):
            parts.append(tag("path", class_=f"gap {gauge}", d=d))
    if heads := _heads(tile, orientation):
        parts.append(tag("path", class_="arrow head", d=heads))
    return "".join(parts)
