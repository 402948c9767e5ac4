"""Bounds that do not look at track."""

from __future__ import annotations

from carril.engine.runs import Bonus, Rules
from carril.routes.bounds.trivial import trivial_bound, value_grain
from tests.routes.brute import best_value
from tests.routes.small import boards, train, triangle


def test_no_run_exceeds_the_bound() -> None:
    compared = 0
    for problem in boards(25):
        for payable in (False, True):
            best = best_value(problem, payable)
            if best is not None:
                compared += best > 0
                assert best <= trivial_bound(problem, payable)
    assert compared > 20


def test_the_bound_of_the_triangle() -> None:
    assert trivial_bound(triangle(train(2)), False) == 70
    assert trivial_bound(triangle(train(3), train(3)), False) == 160


def test_all_values_are_multiples_of_the_grain() -> None:
    assert value_grain(triangle(train(2))) == 10
    assert value_grain(triangle(train(2), rules=Rules(bonuses=(Bonus("b", amount=25),)))) == 5
    for problem in boards(15):
        best = best_value(problem, False)
        assert best is None or best % value_grain(problem) == 0
