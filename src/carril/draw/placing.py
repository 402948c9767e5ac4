"""Finding room: marks are put where they cover neither track nor stops nor each other."""

from __future__ import annotations

from collections.abc import Iterable
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
    return tuple(polar(edge_angle(edge, orientation), 1) for edge in EDGES)


class Space:
    """The room in a hex: what is taken, and where a mark fits best."""

    def __init__(self, orientation: str) -> None:
        """Begin with an empty hex."""
        self._normals = _normals(orientation)
        self._discs: list[Disc] = []
        self._boxes: list[Box] = []

    def add_disc(self, point: Point, radius: float, weight: float) -> None:
        """Take up a round piece of room."""
        self._discs.append(Disc(point.x, point.y, radius, weight))

    def add_box(self, box: Box) -> None:
        """Take up a rectangle."""
        self._boxes.append(box)

    @property
    def taken(self) -> bool:
        """Whether anything is in the hex."""
        return bool(self._discs or self._boxes)

    def _outside(self, box: Box) -> float:
        """Return how far a box sticks out of the hex."""
        most = 0.0
        for normal in self._normals:
            far = normal.x * box.x + normal.y * box.y
            far += (abs(normal.x) * box.width + abs(normal.y) * box.height) / 2
            most = max(most, far - INNER + _MARGIN)
        return most

    def cost(self, box: Box, limit: float) -> float:
        """Return how bad a place is; anything above the limit once it is known to be above."""
        total = _OUTSIDE * self._outside(box)
        for other in self._boxes:
            over_x = (box.width + other.width) / 2 + 2 - abs(box.x - other.x)
            over_y = (box.height + other.height) / 2 + 2 - abs(box.y - other.y)
            if over_x > 0 and over_y > 0:
                total += 6 * min(over_x, over_y)
        for disc in self._discs:
            if total > limit:
                break
            dx = max(abs(disc.x - box.x) - box.width / 2, 0)
            dy = max(abs(disc.y - box.y) - box.height / 2, 0)
            if dx < disc.radius and dy < disc.radius:
                total += disc.weight * max(disc.radius - hypot(dx, dy), 0)
        return total

    def place(self, width: float, height: float, wishes: Iterable[Point]) -> Point:
        """Take up the best place for a box: the earliest wish that covers (almost) nothing."""
        best, least = Point(0, 0), float("inf")
        for rank, wish in enumerate(wishes):
            bias = rank * 0.12
            if bias >= least:
                break
            cost = bias + self.cost(Box(wish.x, wish.y, width, height), least - bias)
            if cost < least:
                best, least = wish, cost
        self.add_box(Box(best.x, best.y, width, height))
        return best
