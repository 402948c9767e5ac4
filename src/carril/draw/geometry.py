"""Where things are: hexes on the sheet, edges and corners of a hex, and curves.

A hex is drawn around its own origin with a radius of `RADIUS`; x points east and y south, angles
are in degrees, clockwise from east. Every piece of track is one cubic Bézier curve.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin, sqrt, tan
from typing import NamedTuple

from carril.engine.hexes import EDGES, coordinates

from .svg import num

RADIUS = 100.0
INNER = RADIUS * sqrt(3) / 2

_FIRST_EDGE = {"flat": 90.0, "pointy": 120.0}


class Point(NamedTuple):
    """A place on the sheet or in a hex."""

    x: float
    y: float

    def plus(self, other: Point, times: float = 1.0) -> Point:
        """Return this point shifted by a multiple of another."""
        return Point(self.x + other.x * times, self.y + other.y * times)

    def distance(self, other: Point) -> float:
        """Return how far another point is."""
        return hypot(self.x - other.x, self.y - other.y)


ORIGIN = Point(0, 0)


class Curve(NamedTuple):
    """A cubic Bézier curve: its start, two control points and its end."""

    start: Point
    first: Point
    second: Point
    end: Point

    @property
    def back(self) -> Curve:
        """The same curve from its end to its start."""
        return Curve(self.end, self.second, self.first, self.start)

    def at(self, t: float) -> Point:
        """Return the point at `t` between 0 (start) and 1 (end)."""
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        p, q, r, s = self
        return Point(a * p.x + b * q.x + c * r.x + d * s.x, a * p.y + b * q.y + c * r.y + d * s.y)

    def halves(self) -> tuple[Curve, Curve]:
        """Return the two halves of the curve."""
        p, q, r, s = self
        pq, qr, rs = between(p, q), between(q, r), between(r, s)
        left, right = between(pq, qr), between(qr, rs)
        middle = between(left, right)
        return Curve(p, pq, left, middle), Curve(middle, right, rs, s)

    def points(self, steps: int = 8) -> tuple[Point, ...]:
        """Return points along the curve, both ends included."""
        return tuple(self.at(i / steps) for i in range(steps + 1))


def between(a: Point, b: Point, t: float = 0.5) -> Point:
    """Return the point at `t` on the way from a to b."""
    return Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)


def polar(angle: float, distance: float) -> Point:
    """Return the point in this direction from the origin."""
    return Point(distance * cos(radians(angle)), distance * sin(radians(angle)))


def direction(a: Point, b: Point) -> float:
    """Return the angle of the way from a to b."""
    return degrees(atan2(b.y - a.y, b.x - a.x))


def line(a: Point, b: Point) -> Curve:
    """Return a straight curve."""
    return Curve(a, between(a, b, 1 / 3), between(a, b, 2 / 3), b)


@lru_cache(maxsize=1024)
def centre(hex_id: str, orientation: str) -> Point:
    """Return the middle of a hex on a sheet whose origin is that of the hex ``A0``."""
    letter, number = coordinates(hex_id)
    if orientation == "flat":
        return Point(1.5 * RADIUS * letter, INNER * number)
    return Point(INNER * number, 1.5 * RADIUS * letter)


def edge_angle(edge: int, orientation: str) -> float:
    """Return the direction of an edge from the centre."""
    return _FIRST_EDGE[orientation] + 60 * edge


def edge_point(edge: int, orientation: str) -> Point:
    """Return the middle of an edge, where track crosses it."""
    return polar(edge_angle(edge, orientation), INNER)


def corners(orientation: str, radius: float = RADIUS) -> tuple[Point, ...]:
    """Return the corners of a hex; corner i is between the edges i and i + 1."""
    return tuple(polar(edge_angle(edge, orientation) + 30, radius) for edge in EDGES)


def edge_curve(a: int, b: int, orientation: str) -> Curve:
    """Return the track between two edges: an arc that crosses both at right angles."""
    start, end = edge_point(a, orientation), edge_point(b, orientation)
    apart = min((a - b) % 6, (b - a) % 6)
    if apart == 3:
        return line(start, end)
    radius, sweep = (RADIUS / 2, 120.0) if apart == 1 else (RADIUS * 1.5, 60.0)
    reach = radius * 4 / 3 * tan(radians(sweep / 4))
    inwards = -reach / INNER
    return Curve(start, start.plus(start, inwards), end.plus(end, inwards), end)


def spoke(edge: int, target: Point, orientation: str) -> Curve:
    """Return the track from an edge to a point inside, leaving the edge at a right angle."""
    start = edge_point(edge, orientation)
    if target == ORIGIN:
        return line(start, target)
    first = start.plus(start, -0.5 * start.distance(target) / INNER)
    return Curve(start, first, between(first, target), target)


def polygon_path(points: tuple[Point, ...]) -> str:
    """Return the path data of a closed polygon."""
    return "M" + "L".join(f"{num(p.x)} {num(p.y)}" for p in points) + "Z"


def curve_path(curve: Curve) -> str:
    """Return the path data of a curve, as a line where it is straight."""
    start, first, second, end = curve
    head = f"M{num(start.x)} {num(start.y)}"
    bend = abs(_side(start, end, first)) + abs(_side(start, end, second))
    if bend < 1:
        return f"{head}L{num(end.x)} {num(end.y)}"
    return f"{head}C" + " ".join(f"{num(p.x)} {num(p.y)}" for p in (first, second, end))


def _side(a: Point, b: Point, p: Point) -> float:
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)


def polyline_path(points: tuple[Point, ...]) -> str:
    """Return the path data of a line through points."""
    return "M" + "L".join(f"{num(p.x)} {num(p.y)}" for p in points)


def beside(points: tuple[Point, ...], distance: float) -> tuple[Point, ...]:
    """Return the line that runs parallel to a line through points, to its right if positive."""
    if not distance or len(points) < 2:
        return points
    shifted = []
    last = len(points) - 1
    for index, point in enumerate(points):
        a, b = points[max(index - 1, 0)], points[min(index + 1, last)]
        length = a.distance(b) or 1.0
        normal = Point(-(b.y - a.y) / length, (b.x - a.x) / length)
        shifted.append(point.plus(normal, distance))
    return tuple(shifted)


def without_repeats(points: tuple[Point, ...], least: float = 0.5) -> tuple[Point, ...]:
    """Return the points without repetitions of the previous one."""
    return points[:1] + tuple(b for a, b in pairwise(points) if a.distance(b) > least)
