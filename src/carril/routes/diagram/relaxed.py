"""The relaxed decision diagram of one type of train, without a limit on stops.

Each layer belongs to one point of the graph. A node stands for all partial routes with the same
frontier state and the same label; an arc is a transition at the point, with what it earns and the
segments it starts. The load is not part of the state: the diagram relaxes the train's capacity.
So trains that differ only in capacity, with or without a card that adds to it, share one diagram.
"""

from __future__ import annotations

from carril.routes.constants import INFEASIBLE, UNREACHABLE
from carril.routes.diagram.arcs import RelaxedArcs, kept_relaxed_arcs, renumber
from carril.routes.diagram.frontier_graph import relax_min_cost
from carril.routes.graph.layers import LayeredGraph
from carril.routes.state.resources import Resources


class RelaxedDiagram:
    """The diagram of one type of train; see `compilation` for how it is filled."""

    def __init__(self, layered: LayeredGraph, resources: Resources) -> None:
        """Start without layers."""
        self.layered = layered
        self.resources = resources
        points = layered.problem.points
        self.stops = [points[layer.point].stop for layer in layered.layers]
        """The stop of each layer, or -1."""
        self.arcs: list[RelaxedArcs] = []
        self.widths: list[int] = [1]
        """The number of nodes before each layer and after the last."""
        self.complete: list[list[bool]] = [[False]]
        """By layer and node: whether the route is complete."""
        self.coupling_labels: list[int] = []
        """For each node after the last layer, what its routes share with other routes."""

    def add_layer(self, arcs: RelaxedArcs, complete: list[bool]) -> None:
        """Add a layer and the nodes below it."""
        self.arcs.append(arcs)
        self.complete.append(complete)
        self.widths.append(len(complete))

    def finish(self, coupling_labels: list[int]) -> None:
        """Set the labels of the last nodes, and remove the nodes without a complete route."""
        self.coupling_labels = coupling_labels
        alive = [True] * self.widths[-1]
        numbers = renumber(alive)
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs = self.arcs[index]
            above = [False] * self.widths[index]
            above[0] = True
            for arc in range(len(arcs.source)):
                if alive[arcs.target[arc]]:
                    above[arcs.source[arc]] = True
            numbers_above = renumber(above)
            self.arcs[index] = kept_relaxed_arcs(arcs, numbers_above, numbers)
            pairs = zip(self.complete[index], above, strict=True)
            self.complete[index] = [complete for complete, living in pairs if living]
            self.widths[index] = len(self.complete[index])
            alive, numbers = above, numbers_above

    def value_to_go(
        self, rewards: list[list[int]], start: int, prices: list[list[int]] | None
    ) -> list[list[int]]:
        """Return the greatest value of a completion, before each layer and after the last.

        `rewards` has the value of each arc, by layer; a route that starts earns `start` as well.
        Prices (by layer and set of segments) are deducted. All are scaled.
        """
        below = [0] * self.widths[-1]
        found = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs = self.arcs[index]
            source, target, segments, reward = (
                arcs.source,
                arcs.target,
                arcs.segments,
                rewards[index],
            )
            best = [INFEASIBLE] * self.widths[index]
            if prices is None:
                for arc in range(1, len(source)):
                    value = below[target[arc]] + reward[arc]
                    if value > best[source[arc]]:
                        best[source[arc]] = value
            else:
                price = prices[index]
                for arc in range(1, len(source)):
                    value = below[target[arc]] + reward[arc] - price[segments[arc]]
                    if value > best[source[arc]]:
                        best[source[arc]] = value
            best[0] = max(best[0] + start, below[0])
            below = best
            found.append(below)
        found.reverse()
        return found

    def argmax_path(
        self,
        rewards: list[list[int]],
        start: int,
        prices: list[list[int]] | None,
        value_to_go: list[list[int]],
    ) -> list[int]:
        """Return a route whose value is the root's `value_to_go`, as an arc for each layer."""
        path: list[int] = []
        node = 0
        for index, arcs in enumerate(self.arcs):
            price = prices[index] if prices is not None else []
            below = value_to_go[index + 1]
            wanted = value_to_go[index][node]
            for arc in range(arcs.offsets[node], arcs.offsets[node + 1]):
                value = below[arcs.target[arc]] + rewards[index][arc]
                if price:
                    value -= price[arcs.segments[arc]]
                if not node and arcs.target[arc]:
                    value += start
                if value == wanted:
                    path.append(arc)
                    node = arcs.target[arc]
                    break
        return path

    def min_calls_to_go(self, costs: list[int]) -> list[list[int]]:
        """Return the least cost of a completion; `costs` has the cost of a call, by layer."""
        below = [0] * self.widths[-1]
        found = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs, above = self.arcs[index], [UNREACHABLE] * self.widths[index]
            relax_min_cost(above, below, arcs.source, arcs.target, arcs.calls, costs[index])
            below = above
            found.append(below)
        found.reverse()
        return found
