"""Late positions on the map of 18Cuba: equal to an integer programme, and quick."""

from __future__ import annotations

import pytest

from carril.engine import runs
from carril.routes import solve
from tests.routes import programme
from tests.routes.cuba_map import late_problem

POSITIONS = 60


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_equals_the_integer_programme(stage: int) -> None:
    """All markers of the state railway are on the map; total and dividend are compared."""
    for seed in range(POSITIONS // 3):
        problem = late_problem(seed, stage)
        for payable in (False, True):
            answer = solve(problem, payable=payable)
            assert answer.optimal
            assert answer.value == programme.best_value(problem, payable=payable), (seed, payable)
            assert runs.check(problem, answer.runs[0]) is None


def test_the_positions_have_what_the_rules_speak_of() -> None:
    """Wagons with cubes, equal ones, tolls, plus trains, four trains, 4D, both ends in harbours."""
    problems = [late_problem(seed, stage) for seed in range(POSITIONS // 3) for stage in (1, 2, 3)]
    names = [train.name for problem in problems for train in problem.trains]
    assert any(len(problem.trains) == 4 for problem in problems)
    assert {"4D", "8", "6+"} <= set(names)
    cards = [problem.rules.extras for problem in problems]
    assert any(len(set(wagons)) < len(wagons) for wagons in cards)
    assert any(0 < problem.rules.purse < 60 for problem in problems)
    answers = [solve(problem) for problem in problems]
    extras = [extra for answer in answers for extra in answer.runs[0].extras]
    assert any(name == "toll" for name, _ in extras)
    assert any(detail.count("=") > 1 for _, detail in extras), "cubes of two mills"
