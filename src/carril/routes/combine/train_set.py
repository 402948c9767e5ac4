"""A set of trains with a diagram each: incumbent, primal heuristics, reduced-cost filtering.

All diagrams have the same layers, and a segment starts in exactly one layer, so routes share no
track if and only if their arcs share no segment layer by layer.
"""

from __future__ import annotations

from carril.routes.bounds.lagrangian import LagrangianSubproblems
from carril.routes.budget import NodeBudget
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.exact import Diagram

Path = list[int]
"""The route of one train: an arc for each layer."""


class TrainSet(LagrangianSubproblems):
    """Trains that run together, one route of each diagram, and the best run known."""

    def __init__(
        self, diagrams: list[Diagram], coupling: CouplingTerms, budget: NodeBudget
    ) -> None:
        """Combine diagrams; equal ones must be next to each other."""
        super().__init__(diagrams[0].layered)
        self.diagrams = diagrams
        self.unfiltered = diagrams
        self.coupling = coupling
        self.budget = budget
        self.incumbent_paths: list[Path] = [_idle(diagram) for diagram in diagrams]
        self._priced_paths: list[Path] = []
        """The best routes at the prices, each on its own."""
        self.bound = sum(diagram.optimum for diagram in diagrams) + coupling.upper_bound

    # --- the incumbent -----------------------------------------------------------------------

    def value(self, paths: list[Path]) -> int:
        """Return what routes earn together; INFEASIBLE if they may not run together."""
        total = 0
        labels: list[int] = []
        used = [0] * self.depth
        for diagram, path in zip(self.diagrams, paths, strict=True):
            node = 0
            for layer, arc in enumerate(path):
                arcs = diagram.arcs[layer]
                if used[layer] & arcs.segments[arc]:
                    return INFEASIBLE
                used[layer] |= arcs.segments[arc]
                total += arcs.reward[arc]
                node = arcs.target[arc]
            labels.append(diagram.coupling_labels[node])
        correction = self.coupling.correction(tuple(labels))
        return total + correction if correction > INFEASIBLE else INFEASIBLE

    def coupling_labels(self, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the coupling labels of routes that end in these nodes of the last layer."""
        pairs = zip(self.diagrams, nodes, strict=True)
        return tuple([diagram.coupling_labels[node] for diagram, node in pairs])

    def offer(self, paths: list[Path]) -> bool:
        """Make the routes the incumbent if they are better; return whether they are."""
        value = self.value(paths)
        if value <= self.incumbent:
            return False
        self.incumbent = value
        self.incumbent_paths = paths
        return True

    def offer_route(self, index: int, diagram: Diagram, path: Path) -> None:
        """Let a train take a route of another diagram if the run is better with it."""
        before = self.diagrams[index]
        self.diagrams[index] = diagram
        paths = list(self.incumbent_paths)
        paths[index] = path
        if not self.offer(paths):
            self.diagrams[index] = before

    # --- primal heuristics -------------------------------------------------------------------

    def used_by_others(self, paths: list[Path], index: int) -> list[int]:
        """Return the segments of all routes but that of train `index`, layer by layer."""
        used = [0] * self.depth
        for other, path in enumerate(paths):
            if other == index:
                continue
            for layer in range(self.depth):
                used[layer] |= self.diagrams[other].arcs[layer].segments[path[layer]]
        return used

    def local_search(self, paths: list[Path]) -> None:
        """Reoptimise one train at a time, given the others' routes, until none gains."""
        for _ in range(6):
            before = self.incumbent
            for index, diagram in enumerate(self.diagrams):
                if self.incumbent >= self.bound:
                    return
                paths = list(paths)
                paths[index] = best_path(diagram, self.used_by_others(paths, index))
                if not paths[index]:
                    return
                self.offer(paths)
            if self.incumbent == before:
                return

    def greedy(self) -> None:
        """Offer runs in which each train in turn is the first to choose its best route."""
        idle = [_idle(diagram) for diagram in self.diagrams]
        for first in range(len(self.diagrams)):
            if first and self.diagrams[first] is self.diagrams[first - 1]:
                continue
            paths = list(idle)
            paths[first] = best_path(self.diagrams[first], [0] * self.depth)
            self.offer(paths)
            self.local_search(paths)

    # --- Lagrangian subproblems --------------------------------------------------------------

    def arc_count(self) -> int:
        """Return the number of arcs that one evaluation visits."""
        distinct = {id(diagram): diagram for diagram in self.diagrams}
        return sum(len(arcs.source) for diagram in distinct.values() for arcs in diagram.arcs)

    def solve_subproblems(self) -> int:
        """Return the sum of the diagrams' greatest values at the prices, scaled."""
        total = self.coupling.upper_bound * SCALE
        values: dict[int, int] = {}
        for diagram in self.diagrams:
            if id(diagram) not in values:
                values[id(diagram)] = diagram.evaluate(self.prices, SCALE)
            total += values[id(diagram)]
        return total

    def usage(self) -> list[list[int]]:
        """Return the segments of the best routes at the prices."""
        self._priced_paths = [priced_path(diagram, self.prices) for diagram in self.diagrams]
        return [
            [diagram.arcs[layer].segments[arc] for layer, arc in enumerate(path)]
            for diagram, path in zip(self.diagrams, self._priced_paths, strict=True)
        ]

    def primal_heuristic(self) -> None:
        """Start a local search from the best routes at the prices."""
        self.local_search(self._priced_paths)

    def filter_by_reduced_cost(self, grain: int) -> bool:
        """Remove the nodes that cannot be part of a better run; False if nothing is left.

        A route is kept if its value at the prices, with the best values of all other trains and
        the sum of all multipliers, is at least the incumbent plus `grain`.
        """
        values = [diagram.value_to_go[0][0] for diagram in self.diagrams]
        bound = self.multiplier_sums[0] + sum(values)
        missing = (self.incumbent + grain - self.coupling.upper_bound) * SCALE - bound
        filtered: list[Diagram] = []
        for index, diagram in enumerate(self.diagrams):
            if index and diagram is self.diagrams[index - 1]:
                filtered.append(filtered[-1])
                continue
            filtered.append(diagram.filtered(self.prices, SCALE, values[index] + missing))
            if not filtered[-1].widths[0]:
                return False
        self.diagrams = filtered
        return True


def _idle(diagram: Diagram) -> Path:
    """Return the path of a train that does not run: always the first arc."""
    return [0] * len(diagram.arcs)


def best_path(diagram: Diagram, used: list[int]) -> Path:
    """Return the best route without the segments `used`; empty if a filtered diagram has none."""
    below = [0] * diagram.widths[-1]
    choices: list[list[int]] = []
    for layer in range(len(diagram.arcs) - 1, -1, -1):
        below, choice = _best_arcs(diagram, layer, below, used[layer])
        choices.append(choice)
    choices.reverse()
    path: Path = []
    node = 0
    if below[0] <= INFEASIBLE // 2:
        return path
    for layer, choice in enumerate(choices):
        path.append(choice[node])
        node = diagram.arcs[layer].target[choice[node]]
    return path


def _best_arcs(
    diagram: Diagram, layer: int, below: list[int], used: int
) -> tuple[list[int], list[int]]:
    """Return the values of nodes above a layer, and the arc that gives each its value."""
    arcs = diagram.arcs[layer]
    best = [INFEASIBLE] * diagram.widths[layer]
    choice = [-1] * diagram.widths[layer]
    source, target, reward, segments = arcs.source, arcs.target, arcs.reward, arcs.segments
    for arc in range(len(source)):
        if segments[arc] & used:
            continue
        value = reward[arc] + below[target[arc]]
        if value > best[source[arc]]:
            best[source[arc]] = value
            choice[source[arc]] = arc
    return best, choice


def priced_path(diagram: Diagram, prices: list[list[int]]) -> Path:
    """Return the best route at the prices with which the diagram was last evaluated."""
    path: Path = []
    node = 0
    for layer, arcs in enumerate(diagram.arcs):
        wanted, below = diagram.value_to_go[layer][node], diagram.value_to_go[layer + 1]
        for arc in range(arcs.offsets[node], arcs.offsets[node + 1]):
            after = arcs.target[arc]
            value = arcs.reward[arc] * SCALE - prices[layer][arcs.segments[arc]]
            if value + below[after] == wanted:
                path.append(arc)
                node = after
                break
    return path
