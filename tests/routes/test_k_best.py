"""The k best runs, against a list of all runs."""

from __future__ import annotations

import pytest

from carril.cli.bench_boards import ladder
from carril.engine import runs
from carril.engine.runs import Rules, Run, RunCard, RunProblem
from carril.routes import solve, solver
from carril.routes.budget import NodeBudget
from carril.routes.k_best import KBest
from tests.routes.brute import options
from tests.routes.kinds import board
from tests.routes.small import train, triangle


def choices(problem: RunProblem) -> list[int]:
    """Return the values of all choices of stops of the only train, best first."""
    best: dict[tuple[str, ...], int] = {}
    for option in options(problem, problem.trains[0], None):
        keys = [stop.key for stop in option.stops]
        choice = tuple(min(keys, keys[::-1]))
        best[choice] = max(best.get(choice, 0), option.payable + option.treasury)
    return sorted((value for value in best.values() if value), reverse=True)


def values(problem: RunProblem, count: int) -> list[int]:
    return [runs.value(problem, run).total for run in solve(problem, count=count).runs]


def test_the_runs_are_the_best_choices() -> None:
    problems = [ladder(step, seed) for step in (0, 2) for seed in range(3)]
    problems += [board(title, seed) for title in ("18EU", "18ESP") for seed in range(60)]
    compared = 0
    for problem in problems:
        if len(problem.trains) == 1 and not problem.rules.extras:
            expected = choices(problem)[:5]
            compared += len(expected) == 5
            assert values(problem, 5) == (expected or [0])
    assert compared >= 10


@pytest.mark.parametrize("count", [1, 2, 3, 9])
def test_two_trains(count: int) -> None:
    """A-B with A-C (also the other way round of trains: the same), then A-B or A-C alone."""
    assert values(triangle(train(2), train(2)), count) == [110, 70, 40][:count]


def test_ties_are_the_runs_worth_as_much_as_the_best() -> None:
    """They are those that a search for more runs begins with, in the same order."""
    tied = 0
    for problem in [board(title, seed) for title in ("18EU", "18ESP") for seed in range(40)]:
        every = solve(problem, count=4)
        wanted = [run for run in every.runs if runs.value(problem, run).total == every.value]
        assert list(solve(problem, count=4, ties=True).runs) == wanted
        tied += len(wanted) > 1
    assert tied >= 3


def test_plain_track_makes_no_choice() -> None:
    problem = triangle(train(2))
    found = KBest(problem, [], Run(), 0)
    one = Run((runs.Route("2", ("A.0", "X", "B.0")),))
    two = Run((runs.Route("2", ("B.0", "Y", "A.0")),))
    assert found.choice(one) == found.choice(two)
    assert found.choice(one) != found.choice(Run((runs.Route("2", ("A.0", "C.0")),)))


def test_the_search_for_other_runs_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a large board more runs differ in plain track alone than can be searched."""
    budgets: list[NodeBudget] = []

    def noted(limit: int) -> NodeBudget:
        budgets.append(NodeBudget(limit))
        return budgets[-1]

    monkeypatch.setattr(solver, "NodeBudget", noted)
    problem = ladder(8, 5)
    answer = solve(problem, count=3)
    assert budgets[0].nodes - answer.nodes == solver._ALTERNATIVES
    assert answer.optimal
    assert runs.value(problem, answer.runs[0]).total == answer.value


def test_cards_make_a_choice() -> None:
    """The stop that a card doubles distinguishes runs; the order of their routes does not."""
    card = RunCard("double", doubles=("city",))
    problem = triangle(train(2), rules=Rules(extras=(card,)))
    found = KBest(problem, [], Run(), 0)
    route = (runs.Route("2", ("A.0", "B.0")),)
    one, two = Run(route, (("double", "A.0"),)), Run(route, (("double", "B.0"),))
    assert len({found.choice(run) for run in (one, two, Run(route))}) == 3
    routes = (runs.Route("2", ("A.0", "B.0")), runs.Route("2", ("A.0", "C.0")))
    assert found.choice(Run(routes)) == found.choice(Run(routes[::-1]))
