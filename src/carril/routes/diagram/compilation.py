"""Top-down compilation of diagrams without capacity: relaxed, or restricted to a beam."""

from __future__ import annotations

from carril.routes.budget import NodeBudget
from carril.routes.constants import UNREACHABLE
from carril.routes.diagram.arcs import RelaxedArcs
from carril.routes.diagram.frontier_graph import FrontierGraph
from carril.routes.diagram.relaxed import RelaxedDiagram
from carril.routes.state.capacity import Capacity
from carril.routes.state.frontier import COMPLETE, FrontierTransitions, used_positions
from carril.routes.state.lookahead import Lookahead, Remaining, Required
from carril.routes.state.resources import Extension, Resources

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer, by frontier state and label."""


class Compiler:
    """Fills an empty diagram by `compile_relaxed` or `compile_restricted`."""

    def __init__(self, diagram: RelaxedDiagram, budget: NodeBudget) -> None:
        """Prepare the transitions of every layer."""
        self.diagram = diagram
        self.resources = diagram.resources
        self.budget = budget
        layered = diagram.layered
        self.layers = [FrontierTransitions(layered, e, self.resources) for e in layered.layers]

    def compile_relaxed(self, frontier: FrontierGraph, kinds: frozenset[str], cap: int) -> None:
        """Add all routes that call at no more than `cap` stops of these kinds."""
        counted = [stop >= 0 and self._kind(stop) in kinds for stop in self.diagram.stops]
        barred = [stop >= 0 and self.resources.barred[stop] for stop in self.diagram.stops]
        costs = [UNREACHABLE if b else int(c) for b, c in zip(barred, counted, strict=True)]
        beyond = 1 if self.resources.beyond >= 0 else 0
        nodes: Nodes = {0: {0: 0}}
        min_calls = [0]
        lookaheads = self._lookaheads(frontier.states, frontier.min_calls(costs))
        for index, lookahead in enumerate(lookaheads):
            layer = _Layer(self.resources, self.layers[index], lookahead, min_calls)
            layer.set_cap(cap + beyond, int(counted[index]))
            nodes = layer.expand(nodes)
            self.diagram.add_layer(layer.arcs, layer.complete)
            min_calls = layer.used
            self.budget.charge(len(min_calls))
        self._finish(nodes)

    def compile_restricted(self, capacity: Capacity, width: int) -> None:
        """Add only the routes through the `width` most promising nodes of each layer (a beam).

        All routes that are added are legal: each node has the load of the most valuable partial
        route that reaches it, so no route exceeds the train's capacity.
        """
        nodes: Nodes = {0: {0: 0}}
        loads, values = [0], [0]
        for index, lookahead in enumerate(self._lookaheads([], [])):
            layer = _BeamLayer(self.resources, self.layers[index], lookahead, loads)
            layer.set_capacity(capacity, values)
            nodes = _beam(layer.expand(nodes), layer.values, width)
            self.diagram.add_layer(layer.arcs, layer.complete)
            loads, values = layer.used, layer.values
            self.budget.charge(len(loads))
        self._finish(nodes)

    def _kind(self, stop: int) -> str:
        return self.resources.problem.stops[stop].kind

    def _lookaheads(
        self, states: list[dict[int, int]], min_calls: list[list[int]]
    ) -> list[Lookahead]:
        """Return the look-ahead after each layer; both arguments may be empty."""
        points = self.diagram.layered.problem.points
        remaining = Remaining(self.resources)
        found: list[Lookahead] = []
        for index in range(len(self.layers) - 1, -1, -1):
            next_points = self.diagram.layered.layers[index].next_points
            next_stops = [points[point].stop for point in next_points]
            known = (states[index + 1], min_calls[index]) if states else ({}, [])
            found.append(Lookahead(next_stops, remaining, known[0], known[1]))
            stop = self.diagram.stops[index]
            if stop >= 0 and not self.resources.barred[stop]:
                remaining.add_stop(stop)
            for groups in self.layers[index].groups:
                remaining.add_segment(groups)
        found.reverse()
        return found

    def _finish(self, nodes: Nodes) -> None:
        coupling_labels = [0] * self.diagram.widths[-1]
        for labels in nodes.values():
            for label, node in labels.items():
                coupling_labels[node] = label
        self.diagram.finish(coupling_labels)


def _beam(nodes: Nodes, values: list[int], width: int) -> Nodes:
    """Return the most promising nodes, and those of complete routes and of the idle train."""
    ranked: list[tuple[int, int]] = []
    penalty = max(values) // 4
    for state, labels in nodes.items():
        # Every open path beyond the first has yet to be connected.
        unconnected = penalty * max(0, len(used_positions(state)) - 1)
        ranked += [(unconnected - values[node], node) for node in labels.values()]
    chosen = {node for _, node in sorted(ranked)[:width]}
    kept: Nodes = {}
    for state, labels in nodes.items():
        some = {label: n for label, n in labels.items() if state <= 0 or n in chosen}
        if some:
            kept[state] = some
    return kept


class _Layer:
    """Compiles one layer: the nodes below it and the arcs to them."""

    def __init__(
        self,
        resources: Resources,
        transitions: FrontierTransitions,
        lookahead: Lookahead,
        used_above: list[int],
    ) -> None:
        """Start the layer; `used_above` is `used` of the layer above."""
        self.resources = resources
        self.transitions = transitions
        self.lookahead = lookahead
        self.used_above = used_above
        self.used: list[int] = []
        """For each node below the least number of calls of a partial route that reaches it."""
        self.cap = UNREACHABLE
        self.counts = 0
        self.arcs = RelaxedArcs()
        self.nodes: Nodes = {}
        self.complete: list[bool] = []
        self._extensions: dict[int, list[Extension]] = {}

    def set_cap(self, cap: int, counts: int) -> None:
        """Prune routes with more than `cap` calls; a call in this layer counts 0 or 1."""
        self.cap = cap
        self.counts = counts

    def expand(self, nodes: Nodes) -> Nodes:
        """Follow every transition from every node, and return the nodes below."""
        for state, labels in nodes.items():
            if state == COMPLETE:
                below = self._below(COMPLETE)
                for label, node in labels.items():
                    self._add_arc(node, below, (label, 0, 0, 0), 0, 0)
                continue
            transitions = self.transitions.transitions(state)
            for index in range(0, len(transitions), 3):
                after = transitions[index]
                required = self.lookahead.required(after)
                if required is not None:
                    started, degree = transitions[index + 1], transitions[index + 2]
                    self._follow(labels, after, started, degree, required)
        self.complete = [False] * len(self.used)
        for node in self._below(COMPLETE).values():
            self.complete[node] = True
        return self.nodes

    def _follow(
        self, labels: dict[int, int], after: int, started: int, degree: int, required: Required
    ) -> None:
        """Follow one transition from all nodes with the same frontier state."""
        below = self._below(after)
        kind = degree if after != COMPLETE else degree + 3
        grouped = bool(started) and bool(self.resources.piece_groups)
        for before, node in labels.items():
            label = self.transitions.count_groups(before, started) if grouped else before
            if label < 0:
                continue
            for extension in self._extend(label, kind):
                if extension[0] & required.excluded or self.lookahead.lacks(after, extension[0]):
                    continue
                self._add_arc(node, below, extension, started, required.calls)

    def _below(self, state: int) -> dict[int, int]:
        found = self.nodes.get(state)
        if found is None:
            found = {}
            self.nodes[state] = found
        return found

    def _add_arc(
        self, node: int, below: dict[int, int], extension: Extension, started: int, required: int
    ) -> None:
        """Add one arc unless the route would exceed the capacity with the calls it requires."""
        label, reward, payable, calls = extension
        used = self._use(node, calls, required)
        if used < 0:
            return
        target = below.get(label, -1)
        if target < 0:
            target = len(self.used)
            below[label] = target
            self.used.append(used)
        self._update(node, target, used, reward)
        arcs = self.arcs
        arcs.source.append(node)
        arcs.target.append(target)
        arcs.reward.append(reward)
        arcs.payable.append(payable)
        arcs.segments.append(started)
        arcs.calls.append(calls)

    def _use(self, node: int, calls: int, required: int) -> int:
        """Return the least number of calls of a route over a node; -1 if it is too great."""
        used = self.used_above[node] + calls * self.counts
        return used if used + required <= self.cap else -1

    def _update(self, node: int, target: int, used: int, reward: int) -> None:
        """Update what is known about a node below, after one more arc to it."""
        if used < self.used[target]:
            self.used[target] = used

    def _extend(self, label: int, kind: int) -> list[Extension]:
        """Return the extensions of a label; `kind` is the degree, plus 3 for a complete route."""
        key = label * 6 + kind
        found = self._extensions.get(key)
        if found is None:
            found = self._compute_extensions(label, kind)
            self._extensions[key] = found
        return found

    def _compute_extensions(self, label: int, kind: int) -> list[Extension]:
        degree = kind % 3
        extensions: list[Extension] = [(label, 0, 0, 0)]
        if degree:
            extensions = self.resources.extend(label, self.transitions.stop, degree == 1)
        found: list[Extension] = []
        for new, reward, payable, calls in extensions:
            if kind < 3:
                found.append((self.lookahead.canonical(new), reward, payable, calls))
                continue
            last = self.resources.complete(new)
            if last is not None:
                found.append((last[0], reward + last[1], payable + last[1], calls))
        return found


class _BeamLayer(_Layer):
    """A layer in which each node has one load: that of the most valuable route that reaches it."""

    def __init__(
        self,
        resources: Resources,
        transitions: FrontierTransitions,
        lookahead: Lookahead,
        used_above: list[int],
    ) -> None:
        """Start the layer; `used_above` has the loads of the nodes above."""
        super().__init__(resources, transitions, lookahead, used_above)
        self.capacity: Capacity | None = None
        self.values_above: list[int] = []
        self.values: list[int] = []
        """For each node below the value of the most valuable partial route that reaches it."""

    def set_capacity(self, capacity: Capacity, values_above: list[int]) -> None:
        """Prune by a train's capacity; `values_above` has the values of the nodes above."""
        self.capacity = capacity
        self.values_above = values_above

    def _use(self, node: int, calls: int, required: int) -> int:
        """Return the load after an extension; -1 if there is no room for it."""
        capacity, before = self.capacity, self.used_above[node]
        if capacity is None or not calls:
            return before
        stop = self.transitions.stop
        if capacity.excluded[stop]:
            return -1
        return capacity.successors[capacity.counter_sets[stop]][before]

    def _update(self, node: int, target: int, used: int, reward: int) -> None:
        value = self.values_above[node] + reward
        if target == len(self.values):
            self.values.append(value)
        elif value > self.values[target]:
            self.values[target] = value
            self.used[target] = used
