"""The product of diagrams, against exhaustive search."""

from __future__ import annotations

from carril.routes.bounds.lagrangian import Subgradient
from carril.routes.combine.product import Product
from tests.routes.brute import best_value
from tests.routes.small import boards, train, train_sets, triangle


def test_the_best_final_state_is_the_best_run() -> None:
    compared = 0
    for problem in boards(25):
        for payable in (False, True):
            best = best_value(problem, payable)
            sets = list(train_sets(problem, payable))
            if best is None or not sets:
                continue
            found = []
            for trains in sets:
                trains.evaluate(trains.zero_multipliers())
                product = Product(trains, 0, 0)
                assert product.finished
                value, state = product.final_states()[0]
                assert trains.value(product.best_paths(state)) == value
                found.append(value)
            assert max(found) == best
            compared += best > 0
    assert compared > 20


def test_a_threshold_drops_states_but_not_the_best_run() -> None:
    dropped = 0
    for problem in boards(20):
        best = best_value(problem, False)
        if not best:
            continue
        for trains in train_sets(problem):
            Subgradient(trains).run(grain=1)
            whole, bounded = Product(trains, 0, 0), Product(trains, best, 0)
            finals = [final for final in whole.final_states() if final[0] >= best]
            assert bounded.final_states()[: len(finals)] == finals
            dropped += sum(map(len, whole.values)) - sum(map(len, bounded.values))
    assert dropped > 100


def test_states_of_equal_trains_are_interchangeable() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    trains.evaluate(trains.zero_multipliers())
    product = Product(trains, 0, 0)
    assert trains.diagrams[0] is trains.diagrams[1]
    assert all(list(state) == sorted(state) for layer in product.values for state in layer)
    assert product.final_states()[0][0] == 110


def test_a_limit_stops_the_construction() -> None:
    (trains,) = train_sets(triangle(train(2), train(2)))
    trains.evaluate(trains.zero_multipliers())
    assert not Product(trains, 0, 1).finished
    assert Product(trains, 0, 1000).finished


def test_a_beam_finds_legal_runs() -> None:
    reached = compared = 0
    for problem in boards(20):
        best = best_value(problem, False)
        if not best:
            continue
        found = []
        for trains in train_sets(problem):
            trains.evaluate(trains.zero_multipliers())
            product = Product(trains, 0, 0, width=3)
            value, state = product.final_states()[0]
            assert trains.value(product.best_paths(state)) == value
            assert max(map(len, product.values)) <= 3
            found.append(value)
        assert max(found) <= best
        compared += 1
        reached += max(found) == best
    assert compared > 10
    assert reached > compared // 2


def test_equal_trains_choose_each_set_of_arcs_once() -> None:
    (trains,) = train_sets(triangle(train(2), train(2), train(2)))
    trains.evaluate(trains.zero_multipliers())
    product = Product(trains, 0, 0)
    for layer, states in enumerate(product.values[:-1]):
        for state, value in states.items():
            found = product.successors(layer, state, value)
            assert len(found) == len(set(found))
