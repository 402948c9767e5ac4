"""The workspace of one call: relaxed diagrams by type of train, and budgets."""

from __future__ import annotations

import pytest

from carril.cli.bench_boards import ladder
from carril.engine.runs import Room, RunCard
from carril.routes import solve
from carril.routes.budget import BudgetExhausted, NodeBudget
from carril.routes.workspace import Workspace
from tests.routes.small import ANY, train, triangle


def test_trains_that_differ_in_name_and_capacity_share_a_diagram() -> None:
    longer = RunCard("longer", room=(Room(ANY, 1),))
    double = RunCard("double", doubles=("city",))
    space = Workspace(triangle(train(2), train(3)))
    plain = [(train(2), None), (train(3), None), (train(2), longer)]
    trains = [*plain, (train(2), double), (train(2, must=("town",)), None)]
    found = space.objectives(trains, False, NodeBudget(0))
    diagrams = [id(objective.diagram) for objective in found.values()]
    assert len(set(diagrams[:3])) == 1
    assert len(set(diagrams)) == 3


def test_two_calls_share_nothing() -> None:
    problem = ladder(3)
    one, two = (Workspace(problem) for _ in range(2))
    assert one.layered is not two.layered
    assert solve(problem) == solve(problem)


def test_a_budget_is_charged_and_stops_at_its_limit() -> None:
    budget = NodeBudget(10)
    budget.charge(7)
    with pytest.raises(BudgetExhausted):
        budget.charge(7)
    assert budget.nodes == 10
    unlimited = NodeBudget(0)
    unlimited.charge(10**9)
    assert unlimited.nodes == 10**9


def test_compiling_diagrams_is_charged() -> None:
    problem = ladder(3)
    budget = NodeBudget(0)
    Workspace(problem).objectives([(problem.trains[0], None)], False, budget)
    assert 0 < budget.nodes < solve(problem).nodes
    limited = NodeBudget(budget.nodes - 1)
    with pytest.raises(BudgetExhausted):
        Workspace(problem).objectives([(problem.trains[0], None)], False, limited)


def test_a_second_search_shares_the_diagrams_and_is_charged_for_them() -> None:
    problem = ladder(3)
    space, trains = Workspace(problem), [(problem.trains[0], None)]
    first, second = NodeBudget(0), NodeBudget(0)
    total = space.objectives(trains, False, first)[trains[0]]
    payable = space.objectives(trains, True, second)[trains[0]]
    assert total.diagram is payable.diagram
    assert first.nodes == second.nodes > 0
