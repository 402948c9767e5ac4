"""A set of trains with a relaxed diagram each: a bound and a first run before exact diagrams.

The Lagrangian bound on relaxed diagrams tells how much a route must be worth to be part of a run
better than the first one; only such routes go into the exact diagrams.
"""

from __future__ import annotations

from carril.routes.bounds.lagrangian import LagrangianSubproblems
from carril.routes.budget import NodeBudget
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.train_set import TrainSet, best_path
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.completion import Objective
from carril.routes.diagram.exact import Diagram
from carril.routes.graph.layers import LayeredGraph

_GAP = 6
"""A first run is good enough within 1/6 of the bound."""
_BEAM_WIDTH = 12
"""Nodes per layer in the restricted diagrams of a first run."""


class RelaxedTrainSet(LagrangianSubproblems):
    """One objective on a relaxed diagram for each train of an assignment."""

    def __init__(
        self,
        layered: LayeredGraph,
        objectives: list[Objective],
        coupling: CouplingTerms,
        budget: NodeBudget,
    ) -> None:
        """Combine objectives; equal ones must be next to each other."""
        super().__init__(layered)
        self.objectives = objectives
        self.coupling = coupling
        self.budget = budget
        self._bounds = [objective.unpriced_bounds for objective in objectives]
        total = sum([bounds.root_bound() for bounds in self._bounds])
        self.bound = total // SCALE + coupling.upper_bound
        self._tried: set[tuple[int, int]] = set()
        """The trains that chose first in earlier runs, each with the sum of multipliers then."""

    def solve_subproblems(self) -> int:
        """Return the sum of the trains' upper bounds at the prices, scaled."""
        total = self.coupling.upper_bound * SCALE
        self._bounds = []
        for index, objective in enumerate(self.objectives):
            if index and objective is self.objectives[index - 1]:
                self._bounds.append(self._bounds[-1])
            else:
                self._bounds.append(objective.bounds(self.prices))
            total += self._bounds[-1].root_bound()
        return total

    def usage(self) -> list[list[int]]:
        """Return the segments of the routes with the greatest bounds at the prices."""
        pairs = zip(self.objectives, self._bounds, strict=True)
        return [objective.usage(bounds) for objective, bounds in pairs]

    def greedy_run(self, tries: int) -> TrainSet:
        """Return a run in which trains in turn take their best routes at the prices.

        Up to `tries` trains are tried as the first to choose, those with the greatest bounds
        first, until the incumbent is close to the bound.
        """
        roots = [bounds.root_bound() for bounds in self._bounds]
        order = [index for index, root in enumerate(roots) if root]
        order.sort(key=lambda index: -roots[index])
        best = self._idle_set()
        multipliers = self.multiplier_sums[0]
        firsts = [index for index in order if (index, multipliers) not in self._tried]
        for first in firsts[:tries]:
            if self.incumbent >= self.bound - self.bound // _GAP:
                break
            self._tried.add((first, multipliers))
            found = self._idle_set()
            for index in [first, *(other for other in order if other != first), first]:
                if found.incumbent < self.bound:
                    self._respond(found, index)
            if found.incumbent > best.incumbent:
                best = found
                self.incumbent = max(self.incumbent, best.incumbent)
        return best

    def _respond(self, trains: TrainSet, index: int) -> None:
        """Let a train take the best route of a restricted diagram, given the others' routes."""
        used = trains.used_by_others(trains.incumbent_paths, index)
        bounds = self.objectives[index].bounds(self._prices_without(used))
        if bounds.root_bound():
            diagram = Diagram(self.objectives[index], self.budget)
            diagram.build_restricted(bounds, _BEAM_WIDTH)
            trains.offer_route(index, diagram, best_path(diagram, used))

    def _prices_without(self, used: list[int]) -> list[list[int]]:
        """Return the prices, with a prohibitive one for every set with a used segment."""
        prices: list[list[int]] = []
        for layer, bits in enumerate(used):
            count = 1 << self.layered.layer_bits(layer)
            price = self.prices[layer] if self.prices else [0] * count
            if bits:
                price = [-INFEASIBLE if s & bits else price[s] for s in range(count)]
            prices.append(price)
        return prices

    def _idle_set(self) -> TrainSet:
        diagrams: list[Diagram] = []
        for objective in self.objectives:
            diagrams.append(Diagram(objective, self.budget))
            diagrams[-1].build_idle()
        return TrainSet(diagrams, self.coupling, self.budget)
