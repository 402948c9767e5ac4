"""Relaxed sets: a first run and a bound before exact diagrams."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.runs import RunProblem
from carril.routes.assignments import assignments
from carril.routes.bounds.lagrangian import Subgradient
from carril.routes.budget import NodeBudget
from carril.routes.certificate import certify, decode
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.relaxed_set import RelaxedTrainSet
from tests.routes.brute import best_value
from tests.routes.small import boards, objectives, train, triangle


def relaxed_sets(problem: RunProblem) -> Iterator[RelaxedTrainSet]:
    found = objectives(problem)
    for way in assignments(problem) if found else ():
        chosen = [found[one] for one in way]
        resources = [objective.diagram.resources for objective in chosen]
        coupling = CouplingTerms(problem, resources, False)
        yield RelaxedTrainSet(chosen[0].diagram.layered, chosen, coupling, NodeBudget(0))


def test_the_bound_is_admissible_and_the_run_is_legal() -> None:
    compared = 0
    for problem in boards(20):
        best = best_value(problem, False)
        sets = list(relaxed_sets(problem))
        if best is None or not sets:
            continue
        assert max(one.bound for one in sets) >= best
        for one in sets:
            subgradient = Subgradient(one)
            subgradient.run(grain=1)
            trains = one.greedy_run(2)
            assert trains.incumbent <= best
            run = decode(trains.coupling, trains.diagrams, trains.incumbent_paths)
            assert certify(problem, run).total >= trains.incumbent
        assert max(one.bound for one in sets) >= best
        compared += best > 0
    assert compared > 10


def test_the_first_run_of_the_triangle_is_the_best() -> None:
    (one,) = relaxed_sets(triangle(train(2), train(2)))
    assert one.bound >= 140
    assert one.greedy_run(1).incumbent == 110


def test_the_same_first_train_is_not_tried_again_at_the_same_prices() -> None:
    (one,) = relaxed_sets(triangle(train(2), train(2)))
    assert [one.greedy_run(1).incumbent for _ in range(3)] == [110, 110, 0]
