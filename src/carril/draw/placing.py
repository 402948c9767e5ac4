"""Finding room: marks are put where they cover neither track nor stops nor each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


@lru_cache(maxsize=256)
def _distances(orientation: str, spots: tuple[Point, ...]) -> list[tuple[float, ...]]:
    """Return for each place how far it is out towards each pair of opposite sides."""
    normals = _normals(orientation)
    return [tuple([abs(n.x * x + n.y * y) for n in normals]) for x, y in spots]


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


class _Known:
    """What the first places of a mark in one size cost apart from other marks.

    Other marks move, obstacles do not: a place is compared with those once.
    """

    __slots__ = ("base", "bounds", "exact")

    def __init__(self) -> None:
        """Begin with nothing."""
        self.base: list[float] = []
        """The cost without obstacles."""
        self.bounds: list[float] = []
        """At most the cost with obstacles."""
        self.exact: list[bool] = []
        """Whether the bound is this cost."""


class Space:
    """The room in a hex: its obstacles, and where marks fit best."""

    def __init__(self, orientation: str, discs: Sequence[Disc] = ()) -> None:
        """Begin with a hex that has only these obstacles in it."""
        self._orientation = orientation
        self._discs = discs
        self._boxes: dict[int, Box] = {}
        self._known: dict[tuple[int, int], _Known] = {}

    def drawn(self, marks: Sequence[Mark]) -> str:
        """Return the drawings of all marks, each where it covers as little as possible."""
        found = self._arrange(marks)
        return "".join(
            mark.draw(one.size, one.spot) for mark, one in zip(marks, found, strict=True)
        )

    def _arrange(self, marks: Sequence[Mark]) -> list[Placed]:
        """Place the marks one after another, then move each for the others until all stay."""
        found = [self._settle(number, mark) for number, mark in enumerate(marks)]
        last = len(marks) - 1  # the mark that moved last: nothing has changed for it since
        for number in list(range(len(marks))) * _ROUNDS:
            if number == last:
                break
            before, found[number] = found[number], self._settle(number, marks[number])
            if found[number][:2] != before[:2]:
                last = number
        return found

    def _settle(self, number: int, mark: Mark) -> Placed:
        """Take up the best place for a mark among the others."""
        self._boxes.pop(number, None)
        best = Placed(0, mark.wishes[0], float("inf"))
        for index, size in enumerate(mark.sizes):
            known = self._known.setdefault((number, index), _Known())
            spot, cost = self._best(size, mark.wishes, known, best.cost)
            if cost < best.cost:
                best = Placed(index, spot, cost)
        width, height, _ = mark.sizes[best.size]
        self._boxes[number] = Box(best.spot.x, best.spot.y, width, height)
        return best

    def _best(
        self, size: Size, wishes: tuple[Point, ...], known: _Known, limit: float
    ) -> tuple[Point, float]:
        """Return the best place for a box, and what it costs there; none better than the limit."""
        best, least = Point(0, 0), limit
        width, height, extra = size
        base, bounds, exact = known.base, known.bounds, known.exact
        far, (one, two, three) = _distances(self._orientation, wishes), self._reaches(size)
        for rank, wish in enumerate(wishes):
            bias = extra + rank * _RANK
            if bias >= least:
                break
            if rank == len(base):
                a, b, c = far[rank]
                base.append(bias + _OUTSIDE * max(a - one, b - two, c - three, 0))
                bounds.append(base[rank])
                exact.append(False)
            if bounds[rank] >= least:
                continue
            on_marks = self._on_marks(*wish, width, height)
            room = least - on_marks
            if not exact[rank] and bounds[rank] < room:
                bounds[rank] = self._on_discs(*wish, width, height, base[rank], room)
                exact[rank] = bounds[rank] < room
            if bounds[rank] < room:
                best, least = wish, bounds[rank] + on_marks
        return best, least

    def _reaches(self, size: Size) -> list[float]:
        """Return how far out the middle of a box may be, towards each pair of sides."""
        return [
            INNER - _MARGIN - (abs(n.x) * size.width + abs(n.y) * size.height) / 2
            for n in _normals(self._orientation)
        ]

    def _on_marks(self, x: float, y: float, width: float, height: float) -> float:
        """Return what it costs to cover other marks with a box."""
        total = 0.0
        for other_x, other_y, other_width, other_height in self._boxes.values():
            over_x = (width + other_width) / 2 + _GAP - abs(x - other_x)
            if over_x <= 0:
                continue
            over_y = (height + other_height) / 2 + _GAP - abs(y - other_y)
            if over_y > 0:
                total += _ON_MARK * min(over_x, over_y)
        return total

    def _on_discs(
        self, x: float, y: float, width: float, height: float, total: float, limit: float
    ) -> float:
        """Return a cost with that of the obstacles that a box covers, as far as the limit."""
        half_width, half_height = width / 2, height / 2
        for disc_x, disc_y, radius, weight in self._discs:
            dx = abs(disc_x - x) - half_width
            if dx >= radius:
                continue
            dy = abs(disc_y - y) - half_height
            if dy >= radius:
                continue
            total += weight * max(radius - hypot(max(dx, 0), max(dy, 0)), 0)
            if total >= limit:
                break
        return total
