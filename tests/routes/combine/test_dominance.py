"""Dominance between states of a product."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.runs import RunProblem
from carril.routes.combine.dominance import Dominance, State
from carril.routes.combine.product import Product
from carril.routes.combine.train_set import TrainSet
from tests.routes.small import boards, train, train_sets, triangle


def many(problem: RunProblem) -> RunProblem:
    """Return the problem with three or four trains, of which some are equal."""
    count = 4 if len(problem.pieces) < 20 else 3
    return replace(problem, trains=(problem.trains * 4)[:count])


def best(trains: TrainSet, dominance: Dominance | None) -> tuple[int, int]:
    """Return the value of the best final state, and the number of states."""
    product = Product(trains, 0, 30_000, dominance=dominance)
    if not product.finished:
        return -1, 0
    return product.final_states()[0][0], sum(map(len, product.values))


def test_a_best_run_is_never_dominated() -> None:
    compared = fewer = 0
    for problem in boards(40):
        for trains in train_sets(many(problem)):
            trains.evaluate(trains.zero_multipliers())
            value, states = best(trains, None)
            if value < 0:
                continue
            kept = best(trains, Dominance(trains.diagrams))
            assert kept[0] == value
            compared += value > 0
            fewer += kept[1] < states
    assert compared > 40
    assert fewer > 20


def test_trains_are_compared_by_what_fits_in_them() -> None:
    (trains,) = train_sets(triangle(train(2), train(2), train(3)))
    assert Dominance(trains.diagrams).chains == [[2, 0]]
    (trains,) = train_sets(triangle(train(2), train(3, factor=2)))
    assert Dominance(trains.diagrams).chains == [[0], [1]]


def test_the_longer_train_had_better_stay_idle() -> None:
    """Both trains can make the same route; then the shorter one makes it."""
    (trains,) = train_sets(triangle(train(2), train(3)))
    trains.evaluate(trains.zero_multipliers())
    dominance = Dominance(trains.diagrams)
    layer = trains.depth - 1
    done = [settled[layer].index(True) for settled in dominance.settled]
    states: dict[State, int] = {(0, done[1]): 70, (done[0], 0): 70, (0, 0): 0}
    assert dominance.undominated(layer, states) == {(done[0], 0): 70, (0, 0): 0}
    cheaper: dict[State, int] = {(0, done[1]): 80, (done[0], 0): 70}
    assert dominance.undominated(layer, cheaper) == cheaper
