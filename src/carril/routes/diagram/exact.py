"""The exact decision diagram of one train.

It refines the relaxed diagram by the load: a node stands for all partial routes at the same node of
the relaxed diagram with the same load, which have the same future. Every path through the diagram
is a legal route (or the train stays idle), and every legal route is one path. With a threshold,
routes that cannot be worth it are left out while the diagram is built.
"""

from __future__ import annotations

from carril.routes.budget import NodeBudget
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.arcs import Arcs, kept_arcs, renumber
from carril.routes.diagram.completion import CompletionBounds, Objective

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer, by node of the relaxed diagram and load."""


class Diagram:
    """The routes of one train with one card, or without."""

    def __init__(self, objective: Objective, budget: NodeBudget) -> None:
        """Start empty; one of the `build` methods fills it."""
        self.objective = objective
        self.layered = objective.diagram.layered
        self.budget = budget
        self.arcs: list[Arcs] = []
        self.widths: list[int] = [1]
        """The number of nodes before each layer and after the last."""
        self.coupling_labels: list[int] = []
        """For each node after the last layer, what its routes share with other routes."""
        self.value_to_go: list[list[int]] = []
        """By layer and node: the greatest value of a completion when last evaluated."""
        self.optimum = 0
        """The value of the best route."""

    def build(self, bounds: CompletionBounds | None = None, threshold: int = INFEASIBLE) -> int:
        """Build the diagram and return the value of the best route.

        With `bounds`, only the idle train and routes that are worth `threshold` at their prices
        are kept; the threshold and the value returned are then scaled.
        """
        value_so_far = self._build_layers(bounds, threshold, 0)
        prices = bounds.prices if bounds is not None else None
        best = self.evaluate(prices, 1 if bounds is None else SCALE)
        self._prune(value_so_far, threshold)
        self.optimum = self.evaluate()
        return best

    def build_restricted(self, bounds: CompletionBounds, width: int) -> None:
        """Build only the `width` nodes with the greatest bounds in each layer (a beam)."""
        self._build_layers(bounds, 0, width)

    def build_idle(self) -> None:
        """Build the diagram of a train that does not run."""
        for _ in self.layered.layers:
            arcs = Arcs()
            arcs.source, arcs.target, arcs.reward, arcs.segments = [0], [0], [0], [0]
            self.arcs.append(arcs)
            self.widths.append(1)
        self.coupling_labels = [0]

    def _build_layers(
        self, bounds: CompletionBounds | None, threshold: int, width: int
    ) -> list[list[int]]:
        """Build all layers; return the greatest value with which each node is reached."""
        nodes: Nodes = {0: {0: 0}}
        values = [[0]]
        relaxed = self.objective.diagram
        for index in range(len(relaxed.arcs)):
            layer = _Layer(self.objective, index, bounds, threshold)
            layer.expand(nodes, values[-1])
            self.arcs.append(layer.arcs)
            self.widths.append(layer.count)
            self.budget.charge(layer.count)
            nodes = layer.beam(width) if width else layer.nodes
            values.append(layer.values)
        self.coupling_labels = [0] * self.widths[-1]
        for relaxed_node, loads in nodes.items():
            for node in loads.values():
                self.coupling_labels[node] = relaxed.coupling_labels[relaxed_node]
        return values

    def evaluate(self, prices: list[list[int]] | None = None, scale: int = 1) -> int:
        """Compute `value_to_go` and return its value at the root.

        Prices, by layer and set of segments, are deducted; values are multiplied by `scale`.
        """
        below = [0] * self.widths[-1]
        value_to_go: list[list[int]] = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            price = prices[index] if prices is not None else []
            below = self._values_above(index, below, price, scale)
            value_to_go.append(below)
        value_to_go.reverse()
        self.value_to_go = value_to_go
        return value_to_go[0][0]

    def _values_above(
        self, index: int, below: list[int], price: list[int], scale: int
    ) -> list[int]:
        arcs = self.arcs[index]
        source, target, reward, segments = arcs.source, arcs.target, arcs.reward, arcs.segments
        best = [INFEASIBLE] * self.widths[index]
        for arc in range(len(source)):
            value = reward[arc] * scale + below[target[arc]]
            if price:
                value -= price[segments[arc]]
            if value > best[source[arc]]:
                best[source[arc]] = value
        return best

    def _prune(self, value_so_far: list[list[int]], threshold: int) -> None:
        """Keep the nodes of routes worth the threshold, and of the idle train."""
        least = max(threshold, INFEASIBLE // 2)
        alive: list[list[bool]] = []
        for so_far, to_go in zip(value_so_far, self.value_to_go, strict=True):
            alive.append([so_far[node] + to_go[node] >= least for node in range(len(to_go))])
            alive[-1][0] = True
        self._keep(alive)

    def _keep(self, alive: list[list[bool]]) -> None:
        """Keep some nodes of each layer and the arcs between them, sorted by source."""
        numbers = [renumber(living) for living in alive]
        for layer, values in enumerate(self.value_to_go):
            number = numbers[layer]
            self.value_to_go[layer] = [values[n] for n in range(len(values)) if number[n] >= 0]
            self.widths[layer] = len(self.value_to_go[layer])
        for index, arcs in enumerate(self.arcs):
            self.arcs[index] = kept_arcs(arcs, numbers[index], numbers[index + 1])
        pairs = zip(self.coupling_labels, numbers[-1], strict=True)
        self.coupling_labels = [label for label, number in pairs if number >= 0]

    def filtered(self, prices: list[list[int]], scale: int, threshold: int) -> Diagram:
        """Return a copy with only the nodes on some route worth `threshold` at these prices.

        The diagram must have been evaluated with the same prices.
        """
        copy = Diagram(self.objective, self.budget)
        copy.arcs = list(self.arcs)
        copy.widths = list(self.widths)
        copy.value_to_go = list(self.value_to_go)
        copy.coupling_labels = self.coupling_labels
        copy.optimum = self.optimum
        alive: list[list[bool]] = []
        so_far = [0]
        for layer in range(len(self.value_to_go)):
            to_go = self.value_to_go[layer]
            alive.append([so_far[node] + to_go[node] >= threshold for node in range(len(to_go))])
            if layer < len(self.arcs):
                so_far = self._values_below(layer, so_far, prices[layer], scale)
        copy._keep(alive)
        return copy

    def _values_below(
        self, index: int, above: list[int], price: list[int], scale: int
    ) -> list[int]:
        """Return the greatest value with which each node below a layer is reached."""
        arcs = self.arcs[index]
        source, target, reward, segments = arcs.source, arcs.target, arcs.reward, arcs.segments
        best = [INFEASIBLE] * self.widths[index + 1]
        for arc in range(len(source)):
            value = reward[arc] * scale - price[segments[arc]] + above[source[arc]]
            if value > best[target[arc]]:
                best[target[arc]] = value
        return best


class _Layer:
    """Builds one layer: the nodes below it and the arcs to them."""

    def __init__(
        self, objective: Objective, index: int, bounds: CompletionBounds | None, threshold: int
    ) -> None:
        """Start layer `index`; partial routes with a bound below `threshold` are left out."""
        self.objective = objective
        self.index = index
        self.threshold = threshold
        self.arcs = Arcs()
        self.nodes: Nodes = {}
        self.count = 0
        self.values: list[int] = []
        """For each node the greatest value of a partial route that reaches it."""
        self.upper: list[int] = []
        """For each node an upper bound on the value of a route through it."""
        self._zero = [0] * objective.relaxation.capacity.size
        self._scale = 1
        self._prices: list[int] = []
        self._bounds: list[int] = []
        self._slack_values = self._zero
        if bounds is not None:
            self._scale = SCALE
            self._prices = bounds.prices[index] if bounds.prices is not None else []
            self._bounds = bounds.upper[index + 1]
            self._slack_values = objective.relaxation.slack_values

    def expand(self, above: Nodes, values: list[int]) -> None:
        """Follow every arc of the relaxed diagram from every node, if capacity and bound allow."""
        relaxed, capacity = self.objective.diagram, self.objective.relaxation.capacity
        arcs, stop = relaxed.arcs[self.index], relaxed.stops[self.index]
        passing = capacity.successors[0]
        visiting = capacity.successors[capacity.counter_sets[stop]] if stop >= 0 else passing
        excluded = stop >= 0 and capacity.excluded[stop]
        for relaxed_node, loads in above.items():
            for arc in range(arcs.offsets[relaxed_node], arcs.offsets[relaxed_node + 1]):
                if not arcs.calls[arc]:
                    self._follow(arc, loads, values, passing)
                elif not excluded:
                    self._follow(arc, loads, values, visiting)

    def _follow(
        self, relaxed_arc: int, loads: dict[int, int], values: list[int], successors: list[int]
    ) -> None:
        """Follow one arc of the relaxed diagram from all nodes at its source."""
        objective, index, arcs = self.objective, self.index, self.arcs
        columns, relaxation = objective.diagram.arcs[index], objective.relaxation
        target, segments = columns.target[relaxed_arc], columns.segments[relaxed_arc]
        reward = objective.rewards[index][relaxed_arc]
        earned = reward * self._scale
        if self._prices:
            earned -= self._prices[segments]
        bound = self._bounds[target] if self._bounds else 0
        if not target:
            bound = -INFEASIBLE  # the idle train is always kept
        complete = objective.diagram.complete[index + 1][target]
        canonical = self._zero if complete else relaxation.canonical_loads[index]
        slack_values = self._zero if complete else self._slack_values
        feasible: list[bool] = []
        for load, node in loads.items():
            after = successors[load]
            if after < 0:
                continue
            after = canonical[after]
            value = values[node] + earned
            upper = value + bound + slack_values[after]
            if upper < self.threshold:
                continue
            if not feasible:
                feasible = relaxation.feasible_loads(index + 1, target)
            if not feasible[after]:
                continue
            arcs.source.append(node)
            arcs.target.append(self._node(target, after, value, upper))
            arcs.reward.append(reward)
            arcs.segments.append(segments)

    def _node(self, relaxed_node: int, load: int, value: int, upper: int) -> int:
        """Return the node with a load, after one more partial route that reaches it."""
        loads = self.nodes.get(relaxed_node)
        if loads is None:
            loads = {}
            self.nodes[relaxed_node] = loads
        node = loads.get(load, -1)
        if node < 0:
            node = self.count
            self.count += 1
            loads[load] = node
            self.values.append(value)
            self.upper.append(upper)
        elif value > self.values[node]:
            self.values[node] = value
            self.upper[node] = upper
        return node

    def beam(self, width: int) -> Nodes:
        """Return the `width` nodes with the greatest bounds, and the idle one."""
        if self.count <= width:
            return self.nodes
        least = sorted(self.upper, reverse=True)[width]
        kept: Nodes = {}
        for relaxed_node, loads in self.nodes.items():
            some = {load: node for load, node in loads.items() if self.upper[node] > least}
            if some:
                kept[relaxed_node] = some
        return kept
