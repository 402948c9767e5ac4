"""The best run for every payment of tolls, from one construction.

Which tolled stops a route passes is part of its coupling label. So the diagrams of a problem, and
their products, contain the best runs for all payments at once: those of a payment are the final
states whose labels it covers. Only the threshold differs from a search for one run: it stays at
what can be had without paying, since a payment may be worth less than another and yet be a choice.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from carril.engine.runs.tolls import least_payments, paid_tolls, paying
from carril.engine.runs.types import Answer, Run, RunProblem
from carril.routes.bounds.lagrangian import Multipliers, Subgradient
from carril.routes.budget import BudgetExhausted
from carril.routes.certificate import certify, decode
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.dominance import Dominance
from carril.routes.combine.product import Product, State
from carril.routes.combine.relaxed_set import RelaxedTrainSet
from carril.routes.combine.train_set import TrainSet
from carril.routes.solver import Search, made_workspace, solve
from carril.routes.state.resources import Resources
from carril.routes.workspace import Workspace

Payment = frozenset[int]
"""The stops that are paid for."""


def solve_payments(
    problem: RunProblem, budget: int | None = None, least: int = 0
) -> tuple[Answer, ...]:
    """Return the best run for each payment that is worth it, the greatest values first.

    A payment is worth it if its best run earns more than `least`, which can be earned without
    paying, and more than the best run of any part of the payment. Values are gross of tolls. If
    the search needs more nodes than the `budget`, one answer is returned that is not proven.
    """
    try:
        return PaymentSearch(made_workspace(problem, budget), budget or 0, least).answers()
    except BudgetExhausted:
        return (replace(solve(problem, budget, payable=True), optimal=False),)


class _Found(NamedTuple):
    """The best run found for a payment: its value, and the final state of a product."""

    value: int
    product: Product
    state: State


class PaymentSearch(Search):
    """A search that keeps the best run of every payment."""

    def __init__(self, workspace: Workspace, limit: int, least: int) -> None:
        """Look for runs that are worth more than `least` before tolls."""
        super().__init__(workspace, limit, 1, False, Run())
        self.best = least
        self._found: dict[Payment, _Found] = {}

    def answers(self) -> tuple[Answer, ...]:
        """Search, and return the best run of each payment that is worth it."""
        if self.workspace.layered.layers and self.problem.trains:
            self._search()
        worth_it = [
            self._answer(paid, found)
            for paid, found in self._found.items()
            if all(less.value < found.value for part, less in self._found.items() if part < paid)
        ]
        return tuple(sorted(worth_it, key=lambda one: (-one.value, paid_tolls(one.runs[0]))))

    def _answer(self, paid: Payment, found: _Found) -> Answer:
        trains, paths = found.product.trains, found.product.best_paths(found.state)
        run = decode(trains.coupling, trains.diagrams, paths)
        run = paying(run, [self.problem.stops[stop].key for stop in paid])
        worth = certify(self.problem, run)
        assert worth.total + worth.tolls == found.value
        parts = (worth.payable, worth.treasury)
        return Answer((run,), found.value, found.value, True, self.budget.nodes, *parts)

    def _find_run(self, relaxed: RelaxedTrainSet, tries: int) -> None:
        """A better run would not raise the threshold."""

    def _coupling(self, resources: list[Resources]) -> CouplingTerms:
        """Values are gross of tolls, as those of dividends are."""
        return CouplingTerms(self.problem, resources, True)

    def _search_set(
        self, trains: TrainSet, later: int, multipliers: Multipliers | None
    ) -> Multipliers | None:
        """Note the best runs of one set for all payments."""
        trains.incumbent, count = self.best, len(trains.diagrams)
        subgradient = Subgradient(trains, multipliers)
        if count == 1 or trains.filter_by_reduced_cost(self.grain):
            dominance = Dominance(trains.diagrams) if count > 2 else None
            self._note(Product(trains, self.best + self.grain, 0, 0, dominance))
        return subgradient.best_multipliers

    def _note(self, product: Product) -> None:
        """Keep the best run of each payment among the final states of a product."""
        trains = product.trains
        for value, state in product.final_states():
            if value <= self.best:
                break
            for paid in self._payments(trains.coupling, trains.coupling_labels(state)):
                before = self._found.get(paid)
                if before is None or before.value < value:
                    self._found[paid] = _Found(value, product, state)

    def _payments(self, coupling: CouplingTerms, labels: tuple[int, ...]) -> list[Payment]:
        """Return the payments within the purse that allow routes with these labels."""
        stops, purse = self.problem.stops, self.problem.rules.purse
        due = coupling.passed(labels)
        costs = {stop for passed, _ in due for stop in passed}
        return [
            paid
            for paid in least_payments(due, costs)
            if purse < 0 or sum(stops[stop].toll for stop in paid) <= purse
        ]
