"""Contracts the track of a problem: segments between the points where a route has a choice.

Chains of pieces become one segment, dead ends disappear, and so does whatever no train can reach
from a station. What remains is the graph on which decision diagrams are compiled.
"""

from __future__ import annotations

from carril.engine.runs.types import RunProblem, Train
from carril.routes.graph.reachability import reachable_points


class Segment:
    """Track between two points, without a choice in between."""

    def __init__(self, a: int, b: int, pieces: list[int], gauges: frozenset[str]) -> None:
        """Join point `a` to point `b` by `pieces`, in this order."""
        self.a = a
        self.b = b
        self.pieces = pieces
        self.gauges = gauges


class SegmentGraph:
    """Points (vertices) and segments (edges) of one problem."""

    def __init__(self, problem: RunProblem) -> None:
        """Contract the track of `problem`."""
        self.problem = problem
        self.segments: list[Segment] = []
        self.incident: list[list[int]] = [[] for _ in problem.points]
        """The segments at each point; removed ones are no longer listed."""
        self._removed: set[int] = set()
        for number, piece in enumerate(problem.pieces):
            self._add(Segment(piece.a, piece.b, [number], frozenset((piece.gauge,))))
        self._contract()
        self._remove_unreachable()

    def _add(self, segment: Segment) -> None:
        number = len(self.segments)
        self.segments.append(segment)
        self.incident[segment.a].append(number)
        self.incident[segment.b].append(number)

    def _remove(self, number: int) -> None:
        segment = self.segments[number]
        self._removed.add(number)
        self.incident[segment.a].remove(number)
        self.incident[segment.b].remove(number)

    def other_end(self, number: int, point: int) -> int:
        """Return the end of a segment that is not `point`."""
        segment = self.segments[number]
        return segment.b if segment.a == point else segment.a

    def neighbours(self, point: int) -> list[int]:
        """Return the other ends of all segments at a point; parallel segments repeat one."""
        return [self.other_end(number, point) for number in self.incident[point]]

    def end_hex(self, number: int, point: int) -> str:
        """Return the hex through which a segment reaches `point`."""
        segment = self.segments[number]
        piece = segment.pieces[0] if segment.a == point else segment.pieces[-1]
        return self.problem.pieces[piece].hex

    def _contract(self) -> None:
        """Merge or remove segments at points without a choice until none is left."""
        pending = list(range(len(self.incident)))
        while pending:
            point = pending.pop()
            if self.problem.points[point].kind == "stop":
                continue
            pending.extend(self._contract_point(point))

    def _contract_point(self, point: int) -> list[int]:
        """Contract one point and return the points to examine again."""
        here = list(self.incident[point])
        if not here:
            return []
        side = self.problem.points[point].kind == "side"
        dead = len(here) < 2 or (side and len({self.end_hex(n, point) for n in here}) < 2)
        if not dead and len(here) > 2:
            return []
        ends = [self.other_end(number, point) for number in here]
        if not dead and ends[0] != ends[1]:
            self._merge(point, here[0], here[1])
        for number in here:
            if number not in self._removed:
                self._remove(number)  # a dead end, or a loop that leads nowhere else
        return [end for end in ends if end != point]

    def _merge(self, point: int, one: int, two: int) -> None:
        first, second = self.segments[one], self.segments[two]
        before = first.pieces if first.b == point else first.pieces[::-1]
        after = second.pieces if second.a == point else second.pieces[::-1]
        a, b = self.other_end(one, point), self.other_end(two, point)
        self._remove(one)
        self._remove(two)
        self._add(Segment(a, b, before + after, first.gauges | second.gauges))

    def _remove_unreachable(self) -> None:
        """Remove the segments that no train can reach from a station, and contract again."""
        reachable = reachable_points(self.problem, self._usable_neighbours)
        for number, segment in enumerate(list(self.segments)):
            ends = {segment.a, segment.b}
            if number not in self._removed and not ends <= reachable:
                self._remove(number)
        self._contract()

    def _usable_neighbours(self, point: int, train: Train) -> list[int]:
        """Return the other ends of the segments that a train may use."""
        gauges = set(train.gauges)
        return [
            self.other_end(number, point)
            for number in self.incident[point]
            if not gauges or self.segments[number].gauges <= gauges
        ]
