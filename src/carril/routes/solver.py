"""The solver: finds the best runs of a problem and proves that they are optimal."""

from __future__ import annotations

from carril.engine.runs.legality import check, validate
from carril.engine.runs.revenue import value
from carril.engine.runs.types import Answer, Run, RunProblem, Value
from carril.routes.assignments import Assignment, EquippedTrain, assignments
from carril.routes.bounds.lagrangian import Multipliers, Subgradient
from carril.routes.bounds.trivial import trivial_bound, value_grain
from carril.routes.budget import BudgetExhausted, NodeBudget
from carril.routes.certificate import certify, decode
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.dominance import Dominance
from carril.routes.combine.product import Product
from carril.routes.combine.relaxed_set import RelaxedTrainSet
from carril.routes.combine.train_set import Path, TrainSet
from carril.routes.constants import SCALE
from carril.routes.diagram.completion import Objective
from carril.routes.diagram.exact import Diagram
from carril.routes.k_best import KBest
from carril.routes.state.resources import Resources
from carril.routes.workspace import Workspace

_SMALL = 600
"""Below this many arcs of relaxed diagrams, exact diagrams are built without a threshold."""
_TRIES = 2
"""How many trains may choose first in a greedy run at Lagrangian prices."""
_STEPS = 6
"""Subgradient steps on relaxed diagrams between two checks of the gap."""
_MIN_STEPS = 12
"""Subgradient steps on exact diagrams, at least, between two products."""
_PROGRESS = 16
"""Subgradient steps go on while they close at least 1/16 of the gap."""
_FIRST_LIMIT = 3000
"""States of the product that are tried before any subgradient step on exact diagrams."""

_ALTERNATIVES = 50_000
"""Nodes, at most, that are spent on other runs than the best."""
_BEAM_WIDTH = 20
"""States of each layer, at least, in a beam search for a better run."""
_ARCS_PER_NODE = 12
"""Arcs of a diagram that are evaluated in the time of one node of one train in a product."""

Incumbent = tuple[CouplingTerms, list[Diagram], list[Path]]


def solve(
    problem: RunProblem,
    budget: int | None = None,
    count: int = 1,
    payable: bool = False,
    known: Run | None = None,
    ties: bool = False,
) -> Answer:
    """Return the best `count` runs of `problem`; with `ties` only those worth as much as the best.

    The total is maximised, or with `payable` the payable part. With a `budget` (in nodes, not
    seconds, so that the answer is the same everywhere) the search may stop early; `bound` is then
    an upper bound on any run, and a good run is found with a quarter of the budget more. A legal
    run that is `known` replaces the search for a first one, and is returned if none is better.

    Of several best runs the one found first is returned; the order is fixed.
    """
    if count < 1:
        raise ValueError(f"the number of runs asked for is 1 or more, not {count}")
    workspace = made_workspace(problem, budget)
    known = known or Run()
    if known.routes and (fault := check(problem, known)):
        raise ValueError(f"the run that is known is not legal: {fault.code}")
    return Search(workspace, budget or 0, count, payable, known).answer(ties)


def solve_both(problem: RunProblem, budget: int | None = None) -> tuple[Answer, Answer]:
    """Return the run with the greatest total, and the one with the greatest payable part.

    Both are as `solve` returns them, the first being known to the search for the second; the graph
    and the relaxed diagrams are built once. A run that pays the treasury nothing is taken for both.
    They share one `budget`.
    """
    workspace = made_workspace(problem, budget)
    total = Search(workspace, budget or 0, 1, False, Run()).answer()
    if not total.treasury:
        return total, total
    left = max(1, budget - total.nodes) if budget else 0
    return total, Search(workspace, left, 1, True, total.runs[0]).answer()


def made_workspace(problem: RunProblem, budget: int | None) -> Workspace:
    """Return the workspace of a search, after the problem and the budget have been checked."""
    if budget is not None and budget < 1:
        raise ValueError(f"a budget is a number of nodes, 1 or more, not {budget}")
    validate(problem)
    return Workspace(problem)


class Search:
    """The state of one search for the best run."""

    def __init__(
        self, workspace: Workspace, limit: int, count: int, payable: bool, known: Run
    ) -> None:
        """Start from a `known` run; `limit` is the number of nodes (0: no limit)."""
        self.workspace = workspace
        self.problem = problem = workspace.problem
        self.count = count
        self.payable = payable
        self.budget = NodeBudget(limit)
        self.diagrams: dict[EquippedTrain, Diagram] = {}
        self.grain = value_grain(problem)
        self.sets: list[TrainSet] = []
        self.run = known
        self.value = value(problem, known)
        self.best = self._objective(self.value)
        self.incumbent: Incumbent | None = None
        self.bound = -1

    def answer(self, ties: bool = False) -> Answer:
        """Search, and return what is proven."""
        self.bound = trivial_bound(self.problem, self.payable)
        fallback_nodes = self.budget.limit // 4
        try:
            if self.workspace.layered.layers and self.problem.trains:
                self._search()
            self.bound = self.best
        except BudgetExhausted:
            self.bound = max(self.bound, self.best)
            self._fallback(fallback_nodes)
        self._certify()
        proven = self.bound == self.best
        nodes = self.budget.nodes
        runs = self._k_best(ties) if proven and self.count > 1 else (self.run,)
        parts = (self.value.payable, self.value.treasury)
        return Answer(runs, self.best, self.bound, proven, nodes, *parts)

    def _fallback(self, nodes: int) -> None:
        """After the budget is exhausted, find a good run with restricted diagrams."""
        assignment = assignments(self.problem)[-1]
        depth = len(self.workspace.layered.layers)
        if nodes < depth:
            return
        self.budget.limit = 0
        width = max(1, nodes // (4 * depth * len(set(assignment))))
        self.diagrams = {}
        for train in assignment:
            self.diagrams[train] = self.workspace.restricted_diagram(
                train, width, self.payable, self.budget
            )
        trains = self._train_set(assignment)
        trains.greedy()
        self._update_incumbent(trains)

    def _k_best(self, ties: bool) -> tuple[Run, ...]:
        self.budget.limit = self.budget.nodes + _ALTERNATIVES
        found = KBest(self.problem, self.sets, self.run, self.best)
        return found.runs(self.count, self.grain, ties)

    def _search(self) -> None:
        """Find the best run, assignment by assignment, those with the greatest bounds first."""
        found = assignments(self.problem)
        trains = dict.fromkeys(train for assignment in found for train in assignment)
        objectives = self.workspace.objectives(trains, self.payable, self.budget)
        diagrams = [objective.diagram for objective in objectives.values()]
        size = sum(len(arcs.source) for diagram in diagrams for arcs in diagram.arcs)
        multipliers: Multipliers | None = None
        if self.count > 1 or size < _SMALL:
            self.diagrams = {train: self._complete(o) for train, o in objectives.items()}
            sets = [self._train_set(assignment) for assignment in found]
        else:
            sets, multipliers = self._filtered_sets(found, objectives)
        self.sets = sets
        sets.sort(key=lambda one: -one.bound)
        self.bound = min(self.bound, max([self.best, *(one.bound for one in sets)]))
        for index, one in enumerate(sets):
            later = max([self.best, *(other.bound for other in sets[index + 1 :])])
            if one.bound >= self.best + self.grain:
                multipliers = self._search_set(one, later, multipliers)
            self.bound = min(self.bound, max(later, self.best))

    def _complete(self, objective: Objective) -> Diagram:
        """Return the diagram of all routes of one train."""
        diagram = Diagram(objective, self.budget)
        diagram.build()
        return diagram

    def _filtered_sets(
        self, found: list[Assignment], objectives: dict[EquippedTrain, Objective]
    ) -> tuple[list[TrainSet], Multipliers | None]:
        """Return the sets that may beat the incumbent, and multipliers to start from.

        Their diagrams contain only routes that can be part of a run better than the incumbent.
        """
        roots = {train: o.unpriced_bounds.root_bound() for train, o in objectives.items()}
        first = max(found, key=lambda assignment: sum(roots[train] for train in assignment))
        relaxed = self._relaxed_set([objectives[train] for train in first])
        if not self.best:
            self._find_run(relaxed, 1)
        relaxed.incumbent = self.best
        multipliers = self._lower_bound(relaxed) if len(first) > 1 else None
        bounds = self._build_filtered(found, objectives, relaxed)
        sets = [self._train_set(assignment) for assignment in bounds]
        for one, bound in zip(sets, bounds.values(), strict=True):
            one.bound = min(one.bound, bound)
        return sets, multipliers

    def _lower_bound(self, relaxed: RelaxedTrainSet) -> Multipliers:
        """Lower the bound by subgradient steps, improve the incumbent; return the multipliers."""
        subgradient = Subgradient(relaxed)
        progress, gap = 1, 0
        while not subgradient.finished and progress > gap // _PROGRESS:
            before = subgradient.best_bound
            subgradient.run(self.grain, _STEPS)
            progress = before - subgradient.best_bound
            gap = subgradient.best_bound - self.best * SCALE
        if relaxed.bound >= self.best + self.grain:
            self._find_run(relaxed, _TRIES)
        return subgradient.best_multipliers

    def _find_run(self, relaxed: RelaxedTrainSet, tries: int) -> None:
        """Look for a run that raises the threshold of exact diagrams."""
        self._update_incumbent(relaxed.greedy_run(tries))

    def _build_filtered(
        self,
        found: list[Assignment],
        objectives: dict[EquippedTrain, Objective],
        relaxed: RelaxedTrainSet,
    ) -> dict[Assignment, int]:
        """Build diagrams of the routes worth enough at the prices of the relaxed set.

        After each diagram the train's upper bound becomes the value of its best route, which
        raises the threshold for the remaining trains. Return the assignments that may beat the
        incumbent, each with its bound.
        """
        least = (self.best + self.grain) * SCALE
        common = relaxed.multiplier_sums[0] + relaxed.coupling.upper_bound * SCALE
        prices = relaxed.prices
        bounds = {
            t: o.bounds(prices) if prices else o.unpriced_bounds for t, o in objectives.items()
        }
        upper = {train: bounds[train].root_bound() for train in objectives}
        for train in sorted(objectives, key=lambda train: upper[train]):
            best = max(common + sum(upper[t] for t in one) for one in found if train in one)
            if best >= least:
                diagram = self.diagrams[train] = Diagram(objectives[train], self.budget)
                upper[train] = diagram.build(bounds[train], upper[train] + least - best)
        sums = {assignment: common + sum(upper[t] for t in assignment) for assignment in found}
        return {one: bound // SCALE for one, bound in sums.items() if bound >= least}

    def _relaxed_set(self, objectives: list[Objective]) -> RelaxedTrainSet:
        coupling = self._coupling([objective.diagram.resources for objective in objectives])
        return RelaxedTrainSet(self.workspace.layered, objectives, coupling, self.budget)

    def _train_set(self, assignment: Assignment) -> TrainSet:
        diagrams = [self.diagrams[train] for train in assignment]
        coupling = self._coupling([diagram.objective.diagram.resources for diagram in diagrams])
        return TrainSet(diagrams, coupling, self.budget)

    def _coupling(self, resources: list[Resources]) -> CouplingTerms:
        return CouplingTerms(self.problem, resources, self.payable)

    def _search_set(
        self, trains: TrainSet, later: int, multipliers: Multipliers | None
    ) -> Multipliers | None:
        """Find the best run of one set if it beats the incumbent.

        `later` is the bound of the sets that follow. Return multipliers for the next set.
        """
        if multipliers is None:
            trains.greedy()
            self._update_incumbent(trains)
        trains.incumbent = max(trains.incumbent, self.best)
        if trains.bound < trains.incumbent + self.grain:
            return multipliers
        subgradient = Subgradient(trains, multipliers)
        if not trains.filter_by_reduced_cost(self.grain):
            return subgradient.best_multipliers
        limit = _FIRST_LIMIT
        product = Product(trains, trains.incumbent + self.grain, limit)
        while not product.finished:
            subgradient.run(self.grain, _steps(trains, limit))
            self._update_incumbent(trains)
            self.bound = min(self.bound, max(later, trains.bound))
            if not self._narrow(trains, limit):
                return subgradient.best_multipliers
            limit = 0 if subgradient.finished else max(2 * limit, trains.arc_count())
            product = self._product(trains, limit)
        self._take_best(product)
        return subgradient.best_multipliers

    def _product(self, trains: TrainSet, limit: int, width: int = 0) -> Product:
        """Return the product of the runs that are better than the incumbent."""
        dominance = Dominance(trains.diagrams) if len(trains.diagrams) > 2 else None
        return Product(trains, trains.incumbent + self.grain, limit, width, dominance)

    def _narrow(self, trains: TrainSet, limit: int) -> bool:
        """Filter diagrams, before and after a beam search; False if no better run is left."""
        if not self._may_improve(trains):
            return False
        before = trains.incumbent
        width = max(_BEAM_WIDTH, limit * len(trains.diagrams) // (8 * trains.depth))
        self._take_best(self._product(trains, 0, width))
        return trains.incumbent == before or self._may_improve(trains)

    def _may_improve(self, trains: TrainSet) -> bool:
        """Filter diagrams; return whether a run better than the incumbent may be left."""
        beaten = trains.bound < trains.incumbent + self.grain
        return not beaten and trains.filter_by_reduced_cost(self.grain)

    def _take_best(self, product: Product) -> None:
        """Make the best run of a product the incumbent if it is better."""
        trains, final = product.trains, product.final_states()
        if final and final[0][0] > trains.incumbent:
            trains.offer(product.best_paths(final[0][1]))
            assert trains.incumbent == final[0][0]
            self._update_incumbent(trains)

    def _update_incumbent(self, trains: TrainSet) -> None:
        """Take over a better run, with its diagrams: those of the set may be filtered later."""
        if trains.incumbent > self.best:
            self.best = trains.incumbent
            paths = list(trains.incumbent_paths)
            self.incumbent = trains.coupling, list(trains.diagrams), paths

    def _certify(self) -> None:
        """Decode the incumbent and have it checked and valued by the engine.

        A restricted diagram may miss the best stop for a card, so the run may be worth more than
        the diagrams say; without a budget it may not. The known run has been checked already.
        """
        if self.incumbent is None:
            return
        self.run = decode(*self.incumbent)
        self.value = certify(self.problem, self.run)
        worth = self._objective(self.value)
        assert worth == self.best or (worth > self.best and self.bound > self.best)
        self.best = worth

    def _objective(self, value: Value) -> int:
        return value.payable if self.payable else value.total


def _steps(trains: TrainSet, limit: int) -> int:
    """Return how many subgradient steps take about as long as a product of `limit` states."""
    return max(_MIN_STEPS, limit * len(trains.diagrams) * _ARCS_PER_NODE // trains.arc_count())
