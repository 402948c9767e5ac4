"""The Lagrangian dual: a bound for any multipliers, lowered by subgradient steps."""

from __future__ import annotations

from random import Random

from carril.routes.bounds.lagrangian import Subgradient, subset_sums
from carril.routes.constants import SCALE
from tests.routes.brute import best_value
from tests.routes.kinds import board
from tests.routes.small import boards, train, train_sets, triangle


def test_subset_sums() -> None:
    assert subset_sums([]) == [0]
    assert subset_sums([1, 5, 7]) == [0, 1, 5, 6, 7, 8, 12, 13]


def test_the_dual_function_is_a_bound_for_any_multipliers() -> None:
    compared = 0
    for seed, problem in enumerate(boards(12)):
        best = best_value(problem, False)
        sets = list(train_sets(problem))
        if best is None or not sets:
            continue
        draw = Random(seed)
        multipliers = [
            [draw.choice((0, 0, 10, 40)) * SCALE for _ in layer]
            for layer in sets[0].zero_multipliers()
        ]
        assert max(one.evaluate(multipliers) for one in sets) >= best * SCALE
        compared += best > 0
    assert compared > 10


def test_the_worked_example() -> None:
    """Two trains want A-B: 140 without multipliers; 30 for its segment makes it 110."""
    problem = triangle(train(2), train(2))
    (trains,) = train_sets(problem)
    multipliers = trains.zero_multipliers()
    assert trains.evaluate(multipliers) == 140 * SCALE
    layer, bit = next(
        (n, layer.starting.index(number))
        for n, layer in enumerate(trains.layered.layers)
        for number in layer.starting
        if {trains.layered.graph.segments[number].a, trains.layered.graph.segments[number].b}
        == {0, 1}
    )
    multipliers[layer][bit] = 30 * SCALE
    assert trains.evaluate(multipliers) == 110 * SCALE
    assert trains.multiplier_sums[0] == 30 * SCALE


def test_subgradient_steps_prove_the_worked_example() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    trains.greedy()
    assert trains.incumbent == 110
    subgradient = Subgradient(trains)
    subgradient.run(grain=10)
    assert subgradient.finished
    assert trains.bound // 10 * 10 == 110
    assert trains.evaluate(subgradient.best_multipliers) == subgradient.best_bound


def test_steps_never_raise_the_best_bound_nor_cross_the_optimum() -> None:
    lowered = 0
    for seed in range(60):
        problem = board("18EU", seed)
        best = best_value(problem, False)
        sets = list(train_sets(problem))
        if best is None or not sets:
            continue
        for trains in sets:
            subgradient = Subgradient(trains)
            before = subgradient.best_bound
            while not subgradient.finished:
                subgradient.run(grain=10)
            assert subgradient.best_bound <= before
            assert all(value >= 0 for layer in subgradient.best_multipliers for value in layer)
            lowered += subgradient.best_bound < before
        assert max(trains.bound for trains in sets) >= best
    assert lowered > 5
