"""Finding room: marks are put where they cover neither track nor stops nor each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import hypot
from typing import NamedTuple

from carril.engine.hexes import EDGES

from .geometry import INNER, Point, edge_angle, polar

_OUTSIDE = 1.5
_MARGIN = 3.0


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


@lru_cache(maxsize=8)
def _normals(orientation: str) -> tuple[Point, ...]:
    """Return the directions of three sides; the others are opposite."""
    return tuple(polar(edge_angle(edge, orientation), 1) for edge in EDGES[:3])


class Space:
    """The room in a hex: what is taken, and where a mark fits best."""

    def __init__(self, orientation: str, discs: Sequence[Disc] = ()) -> None:
        """Begin with a hex that has only these obstacles in it."""
        self._normals = _normals(orientation)
        self._discs = discs
        self._boxes: list[Box] = []

    def add_box(self, box: Box) -> None:
        """Take up a rectangle."""
        self._boxes.append(box)

    @property
    def taken(self) -> bool:
        """Whether anything is in the hex."""
        return bool(self._discs or self._boxes)

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
        for other in self._boxes:
            over_x = (width + other.width) / 2 + 2 - abs(x - other.x)
            if over_x <= 0:
                continue
            over_y = (height + other.height) / 2 + 2 - abs(y - other.y)
            if over_y > 0:
                total += 6 * min(over_x, over_y)
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

    def place(self, width: float, height: float, wishes: Iterable[Point]) -> Point:
        """Take up the best place for a box: the earliest wish that covers (almost) nothing."""
        best, _ = self._best(width, height, wishes)
        self.add_box(Box(best.x, best.y, width, height))
        return best

    def place_one(
        self, sizes: Sequence[tuple[float, float]], wishes: Sequence[Point]
    ) -> tuple[int, Point]:
        """Take up a place for a box of one of these sizes; return which size, and where."""
        found = [self._best(width, height, wishes) for width, height in sizes]
        index = min(range(len(found)), key=lambda i: (found[i][1], i))
        best = found[index][0]
        self.add_box(Box(best.x, best.y, *sizes[index]))
        return index, best

    def _best(self, width: float, height: float, wishes: Iterable[Point]) -> tuple[Point, float]:
        """Return the best place for a box, and what it costs there."""
        best, least = Point(0, 0), float("inf")
        reaches = self._reaches(width, height)
        for rank, wish in enumerate(wishes):
            bias = rank * 0.12
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
