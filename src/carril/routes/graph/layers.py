"""The layers of a graph: its points in an order with a narrow frontier.

The *frontier* after a point is the set of segments that have one end at or before it in the order
and the other end after it. Its width, not the number of routes, decides what the search costs.
"""

from __future__ import annotations

from carril.engine.runs.types import RunProblem
from carril.routes.graph.contraction import SegmentGraph
from carril.routes.graph.ordering import narrow_order

Transitions = list[int]
"""Three numbers for each transition: the frontier state after the layer; the set of segments that
the route starts in it, as bits; and how many of its segments meet at the stop of the layer (0: it
is not visited, 1: the route ends there, 2: it passes). One flat list is cheaper than tuples."""


class Layer:
    """One point in the order, and how the frontier changes at it."""

    def __init__(
        self, point: int, closing: list[int], staying: list[int], starting: list[int]
    ) -> None:
        """`closing` and `staying` are positions in the frontier before the point.

        `starting` are numbers of segments; they are appended to those that stay.
        """
        self.point = point
        self.closing = closing
        self.staying = staying
        self.starting = starting
        self.next_points: list[int] = []
        """For each position in the frontier after this point, the far end of its segment."""
        self.transitions: dict[int, dict[int, Transitions]] = {}
        """Memo of `FrontierTransitions`, by the segments a train may start and frontier state."""


class LayeredGraph:
    """A graph and its layers.

    Invariant: every segment starts in exactly one layer, that of its first point, and closes in
    exactly one later layer. So two routes share track if and only if they start a common segment
    in some layer.
    """

    def __init__(self, problem: RunProblem) -> None:
        """Contract the track of `problem` and order its points."""
        self.problem = problem
        self.graph = SegmentGraph(problem)
        self.start_order: dict[int, int] = {}
        """For each segment, how many segments start before it."""
        self.layers: list[Layer] = self._layers(self._order())

    def layer_bits(self, layer: int) -> int:
        """Return how many bits a set of resources of one layer has.

        There is one bit for each segment that starts there, and a last one for the point itself
        if it is exclusive.
        """
        entry = self.layers[layer]
        return len(entry.starting) + self.problem.points[entry.point].exclusive

    def _order(self) -> list[int]:
        """Return all points with segments, one connected component after the other."""
        graph = self.graph
        left = {point for point, here in enumerate(graph.incident) if here}
        order: list[int] = []
        while left:
            component = self._component(min(left))
            left -= component
            adjacency = {point: graph.neighbours(point) for point in sorted(component)}
            order += self._requirements_first(narrow_order(adjacency))
        return order

    def _component(self, start: int) -> set[int]:
        component = {start}
        pending = [start]
        while pending:
            for neighbour in self.graph.neighbours(pending.pop()):
                if neighbour not in component:
                    component.add(neighbour)
                    pending.append(neighbour)
        return component

    def _requirements_first(self, order: list[int]) -> list[int]:
        """Return the order or its reverse, which is as narrow: required stops should come early.

        A partial route without a station or a required tag is pruned once the last stop that
        could provide it has been passed.
        """
        stops = [self.problem.points[point].stop for point in order]
        last = len(order) - 1
        lateness = 0
        for tag in dict.fromkeys(["", *[tag for t in self.problem.trains for tag in t.must]]):
            positions = [
                position
                for position, stop in enumerate(stops)
                if stop >= 0 and self._provides(stop, tag)
            ]
            if positions:
                lateness += positions[-1] - (last - positions[0])
        return order if lateness <= 0 else order[::-1]

    def _provides(self, stop: int, tag: str) -> bool:
        """Return whether a stop matches a tag, or for "" whether it has a station."""
        entry = self.problem.stops[stop]
        return entry.matches(tag) if tag else entry.token

    def _layers(self, order: list[int]) -> list[Layer]:
        frontier: list[int] = []
        layers: list[Layer] = []
        done: set[int] = set()
        for point in order:
            here = self.graph.incident[point]
            closing = [at for at, number in enumerate(frontier) if number in here]
            staying = [at for at, number in enumerate(frontier) if number not in here]
            starting = [number for number in here if number not in frontier]
            for number in starting:
                self.start_order[number] = len(self.start_order)
            frontier = [frontier[at] for at in staying] + starting
            done.add(point)
            layers.append(Layer(point, closing, staying, starting))
            layers[-1].next_points = [self._far_end(number, done) for number in frontier]
        assert not frontier
        return layers

    def _far_end(self, number: int, done: set[int]) -> int:
        """Return the end of a frontier segment that comes later in the order."""
        segment = self.graph.segments[number]
        return segment.b if segment.a in done else segment.a
