"""Finding room: marks are put where they cover neither track nor stops nor each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from carril.engine.hexes import EDGES

from .geometry import INNER, Point, edge_angle, polar

# What it costs, in each unit of length, to be outside the hex and to cover another mark.
_OUTSIDE = 4.0
_ON_MARK = 30.0
_RANK = 0.12
_MARGIN = 3.0
_GAP = 3.0
_ROUNDS = 4


class Box(NamedTuple):
    """A rectangle around its middle."""

    x: float
    y: float
    width: float
    height: float


class Disc(NamedTuple):
    """A round obstacle, and how bad it is to cover it."""

    x: float
    y: float
    radius: float
    weight: float


Discs = tuple[Disc, ...]


@lru_cache(maxsize=8)
def _normals(orientation: str) -> tuple[Point, ...]:
    """Return the directions of three sides; the others are opposite."""
    return tuple(polar(edge_angle(edge, orientation), 1) for edge in EDGES[:3])


class Size(NamedTuple):
    """A size in which a mark can be drawn, and how much it costs to have to use it."""

    width: float
    height: float
    cost: float = 0.0


class Mark(NamedTuple):
    """A mark to be placed: the sizes it comes in, its places by preference, and its drawing."""

    sizes: tuple[Size, ...]
    wishes: tuple[Point, ...]
    draw: Callable[[int, Point], str]
    """Return the drawing in the size of this number, around this point."""


class Placed(NamedTuple):
    """Where a mark is: the number of its size, its middle, and what that costs."""

    size: int
    spot: Point
    cost: float


class Space:
    """The room in a hex: its obstacles, and where marks fit best."""

    def __init__(self, orientation: str, discs: Sequence[Disc] = ()) -> None:
        """Begin with a hex that has only these obstacles in it."""
        self._normals = _normals(orientation)
        self._discs = discs
        self._boxes: dict[int, Box] = {}

    def drawn(self, marks: Sequence[Mark]) -> str:
        """Return the drawings of all marks, each where it covers as little as possible."""
        found = self._arrange(marks)
        return "".join(
            mark.draw(one.size, one.spot) for mark, one in zip(marks, found, strict=True)
        )

    def _arrange(self, marks: Sequence[Mark]) -> list[Placed]:
        """Place the marks one after another, then move each for the others until all stay."""
        found = [self._settle(number, mark) for number, mark in enumerate(marks)]
        for _ in range(_ROUNDS):
            before = list(found)
            for number, mark in enumerate(marks):
                found[number] = self._settle(number, mark)
            if found == before:
                break
        return found

    def _settle(self, number: int, mark: Mark) -> Placed:
        """Take up the best place for a mark among the others."""
        self._boxes.pop(number, None)
        best = Placed(0, mark.wishes[0], float("inf"))
        for index, size in enumerate(mark.sizes):
            spot, cost = self._best(size, mark.wishes, best.cost)
            if cost < best.cost:
                best = Placed(index, spot, cost)
        width, height, _ = mark.sizes[best.size]
        self._boxes[number] = Box(best.spot.x, best.spot.y, width, height)
        return best

    def _reaches(self, width: float, height: float) -> tuple[tuple[float, float, float], ...]:
        """Return for each pair of sides its direction, and how far out the middle of a box may be.

        The same for all places of one box, and there are hundreds to try.
        """
        return tuple(
            (n.x, n.y, INNER - _MARGIN - (abs(n.x) * width + abs(n.y) * height) / 2)
            for n in self._normals
        )

    def _covered(self, box: Box, total: float, limit: float) -> float:
        """Return a cost with that of what a box covers; anything above the limit if it is above."""
        x, y, width, height = box
        for other in self._boxes.values():
            over_x = (width + other.width) / 2 + _GAP - abs(x - other.x)
            if over_x <= 0:
                continue
            over_y = (height + other.height) / 2 + _GAP - abs(y - other.y)
            if over_y > 0:
                total += _ON_MARK * min(over_x, over_y)
        half_width, half_height = width / 2, height / 2
        for disc_x, disc_y, radius, weight in self._discs:
            dx = abs(disc_x - x) - half_width
            if dx >= radius:
                continue
            dy = abs(disc_y - y) - half_height
            if dy >= radius:
                continue
            total += weight * max(radius - hypot(max(dx, 0), max(dy, 0)), 0)
            if total > limit:
                break
        return total

    def _best(self, size: Size, wishes: Iterable[Point], limit: float) -> tuple[Point, float]:
        """Return the best place for a box, and what it costs there; none better than the limit."""
        best, least = Point(0, 0), limit
        width, height, extra = size
        reaches = self._reaches(width, height)
        for rank, wish in enumerate(wishes):
            bias = extra + rank * _RANK
            if bias >= least:
                break
            x, y = wish
            outside = max([abs(nx * x + ny * y) - reach for nx, ny, reach in reaches])
            cost = bias + _OUTSIDE * outside if outside > 0 else bias
            if cost < least:
                cost = self._covered(Box(x, y, width, height), cost, least)
            if cost < least:
                best, least = wish, cost
        return best, least
