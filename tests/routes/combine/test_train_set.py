"""Sets of trains: values, heuristics and reduced-cost filtering."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from carril.routes.bounds.lagrangian import Subgradient
from carril.routes.combine.train_set import Path, best_path, priced_path
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.exact import Diagram
from tests.routes.brute import best_value
from tests.routes.small import boards, paths, reward, train, train_sets, triangle


def test_routes_that_share_track_may_not_run_together() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    diagram = trains.diagrams[0]
    best = best_path(diagram, [0] * trains.depth)
    idle = [0] * trains.depth
    assert reward(diagram, best) == 70
    assert trains.value([best, idle]) == 70
    assert trains.value([best, best]) == INFEASIBLE


def test_the_best_path_avoids_used_segments() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    diagram = trains.diagrams[0]
    best = best_path(diagram, [0] * trains.depth)
    others = trains.used_by_others([best, best], 0)
    assert reward(diagram, best_path(diagram, others)) == 40


def test_greedy_runs_are_legal_and_never_above_the_optimum() -> None:
    compared = reached = 0
    for problem in boards(20):
        best = best_value(problem, False)
        sets = list(train_sets(problem))
        if best is None or not sets:
            continue
        for trains in sets:
            trains.greedy()
            assert trains.value(trains.incumbent_paths) == trains.incumbent
            assert trains.incumbent <= min(best, trains.bound)
        compared += 1
        reached += max(trains.incumbent for trains in sets) == best
    assert compared > 15
    assert reached > compared // 2


def test_an_offer_replaces_only_a_worse_incumbent() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    diagram = trains.diagrams[0]
    routes = sorted(paths(diagram), key=lambda path: reward(diagram, path))
    idle = [0] * trains.depth
    assert trains.offer([routes[-1], idle])
    assert not trains.offer([idle, routes[-1]])
    assert (trains.incumbent, trains.incumbent_paths) == (70, [routes[-1], idle])


def test_filtering_keeps_a_better_run() -> None:
    """With the incumbent one grain below the optimum, the optimum must survive."""
    kept = smaller = 0
    for problem in boards(20):
        best = best_value(problem, False)
        if not best:
            continue
        for trains in train_sets(problem):
            optimum = max(
                trains.value(list(chosen)) for chosen in combinations_of_paths(trains.diagrams)
            )
            if optimum != best:
                continue
            trains.incumbent = best - 1
            Subgradient(trains)
            before = trains.arc_count()
            assert trains.filter_by_reduced_cost(1)
            values = [trains.value(list(c)) for c in combinations_of_paths(trains.diagrams)]
            assert max(values) == best
            kept += 1
            smaller += trains.arc_count() < before
    assert kept > 10
    assert smaller > 5


def combinations_of_paths(diagrams: list[Diagram]) -> Iterator[tuple[Path, ...]]:
    return product(*(list(paths(diagram)) for diagram in diagrams))


def test_priced_paths_have_the_value_of_the_evaluation() -> None:
    for problem in boards(8):
        for trains in train_sets(problem):
            multipliers = [[5 * SCALE] * len(layer) for layer in trains.zero_multipliers()]
            trains.evaluate(multipliers)
            for diagram in trains.diagrams:
                path = priced_path(diagram, trains.prices)
                value = sum(
                    arcs.reward[arc] * SCALE - price[arcs.segments[arc]]
                    for arcs, price, arc in zip(diagram.arcs, trains.prices, path, strict=True)
                )
                assert value == diagram.value_to_go[0][0]
