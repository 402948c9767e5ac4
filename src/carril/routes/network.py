"""A problem's track, compressed: segments between the points where a choice is made.

Chains of pieces become one segment, track that no route can use is left out, and
the points are put in an order in which few segments are open at any time (the
*frontier*). The width of that frontier, not the number of routes, is what the
search costs.
"""

from __future__ import annotations

from carril.engine.runs.types import RunProblem, Train
from carril.routes.distance import within_reach
from carril.routes.order import narrow_order


class Segment:
    """Track between two points, without a choice on its way."""

    def __init__(self, a: int, b: int, pieces: list[int], gauges: frozenset[str]) -> None:
        """Join point `a` to point `b` by `pieces`, in this order."""
        self.a = a
        self.b = b
        self.pieces = pieces
        self.gauges = gauges


class Layer:
    """One point of the order: which open segments end here and which begin."""

    def __init__(
        self, point: int, old: list[int], keep: list[int], new: list[int], ahead: list[int]
    ) -> None:
        """`old` and `keep` are places in the frontier before this point.

        `ahead` are the points to which the frontier after it leads, place by place.
        """
        self.point = point
        self.old = old
        self.keep = keep
        self.new = new
        self.ahead = ahead
        self.moves: dict[int, dict[int, list[tuple[int, int, int]]]] = {}
        """By the segments that a train may take up, and by openings: see `moves`."""


class Network:
    """Segments and layers of one problem."""

    def __init__(self, problem: RunProblem) -> None:
        """Compress the track of `problem` and choose the order of its points."""
        self.problem = problem
        self.segments: list[Segment] = []
        self.at: list[list[int]] = [[] for _ in problem.points]
        self.gone: set[int] = set()
        for number, piece in enumerate(problem.pieces):
            self._add(Segment(piece.a, piece.b, [number], frozenset((piece.gauge,))))
        self._compress()
        self._keep_reached()
        self.layers: list[Layer] = self._layers(self._order())

    def _add(self, segment: Segment) -> None:
        number = len(self.segments)
        self.segments.append(segment)
        self.at[segment.a].append(number)
        self.at[segment.b].append(number)

    def _drop(self, number: int) -> None:
        segment = self.segments[number]
        self.gone.add(number)
        self.at[segment.a].remove(number)
        self.at[segment.b].remove(number)

    def far(self, number: int, point: int) -> int:
        """The other end of a segment."""
        segment = self.segments[number]
        return segment.b if segment.a == point else segment.a

    def end_hex(self, number: int, point: int) -> str:
        """The hex in which a segment reaches `point`."""
        segment = self.segments[number]
        piece = segment.pieces[0] if segment.a == point else segment.pieces[-1]
        return self.problem.pieces[piece].hex

    def _compress(self) -> None:
        """Join or drop segments at points without a choice until none is left."""
        todo = list(range(len(self.at)))
        while todo:
            point = todo.pop()
            if self.problem.points[point].kind == "stop":
                continue
            todo.extend(self._simplify(point))

    def _simplify(self, point: int) -> list[int]:
        """Simplify one point; the points to look at again."""
        near = list(self.at[point])
        if not near:
            return []
        side = self.problem.points[point].kind == "side"
        dead = len(near) < 2 or (side and len({self.end_hex(n, point) for n in near}) < 2)
        if not dead and len(near) > 2:
            return []
        ends = [self.far(number, point) for number in near]
        if not dead and ends[0] != ends[1]:
            self._join(point, near[0], near[1])
        for number in near:
            if number not in self.gone:
                self._drop(number)  # a dead end, or a loop that leads nowhere else
        return [end for end in ends if end != point]

    def _join(self, point: int, one: int, two: int) -> None:
        first, second = self.segments[one], self.segments[two]
        before = first.pieces if first.b == point else first.pieces[::-1]
        after = second.pieces if second.a == point else second.pieces[::-1]
        a, b = self.far(one, point), self.far(two, point)
        self._drop(one)
        self._drop(two)
        self._add(Segment(a, b, before + after, first.gauges | second.gauges))

    def _keep_reached(self) -> None:
        """Leave out what no train of the company can reach from a station."""
        reached = within_reach(self.problem, self._near)
        for number, segment in enumerate(list(self.segments)):
            ends = {segment.a, segment.b}
            if number not in self.gone and not ends <= reached:
                self._drop(number)
        self._compress()

    def _near(self, point: int, train: Train) -> list[int]:
        """The far ends of a point's segments that a train may use."""
        gauges = set(train.gauges)
        return [
            self.far(number, point)
            for number in self.at[point]
            if not gauges or self.segments[number].gauges <= gauges
        ]

    def _order(self) -> list[int]:
        """An order of the points with a narrow frontier, part by part."""
        left = {point for point, here in enumerate(self.at) if here}
        order: list[int] = []
        while left:
            part = self._part(min(left))
            left -= part
            near = {p: [self.far(n, p) for n in self.at[p]] for p in sorted(part)}
            order += self._needed_first(narrow_order(near))
        return order

    def _needed_first(self, order: list[int]) -> list[int]:
        """The same order or its reverse, which is as narrow: what routes need comes early.

        Partial routes that lack it are given up once it is behind them.
        """
        stops = [self.problem.points[point].stop for point in order]
        last = len(order) - 1
        ahead = 0
        for tag in dict.fromkeys(["", *[tag for t in self.problem.trains for tag in t.must]]):
            places = [
                place for place, stop in enumerate(stops) if stop >= 0 and self._gives(stop, tag)
            ]
            if places:
                ahead += places[-1] - (last - places[0])
        return order if ahead <= 0 else order[::-1]

    def _gives(self, stop: int, tag: str) -> bool:
        """Whether a stop has what routes need: a tag, or without one a station."""
        entry = self.problem.stops[stop]
        return entry.matches(tag) if tag else entry.token

    def _part(self, start: int) -> set[int]:
        part = {start}
        todo = [start]
        while todo:
            point = todo.pop()
            for number in self.at[point]:
                far = self.far(number, point)
                if far not in part:
                    part.add(far)
                    todo.append(far)
        return part

    def _layers(self, order: list[int]) -> list[Layer]:
        frontier: list[int] = []
        layers: list[Layer] = []
        self.opened: dict[int, int] = {}
        done: set[int] = set()
        for point in order:
            here = self.at[point]
            old = [place for place, number in enumerate(frontier) if number in here]
            keep = [place for place, number in enumerate(frontier) if number not in here]
            new = [number for number in here if number not in frontier]
            for number in new:
                self.opened[number] = len(self.opened)
            frontier = [frontier[place] for place in keep] + new
            done.add(point)
            ahead = [self._ahead(number, done) for number in frontier]
            layers.append(Layer(point, old, keep, new, ahead))
        assert not frontier
        return layers

    def _ahead(self, number: int, done: set[int]) -> int:
        """The end of an open segment that is still to come."""
        segment = self.segments[number]
        return segment.b if segment.a in done else segment.a
