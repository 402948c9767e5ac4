"""All payments of tolls from one construction, against one search for each payment."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

import carril.routes.solver
from carril.cli.bench_boards import LADDER, ladder
from carril.engine import runs
from carril.engine.runs import RunProblem, check, paid_tolls, settled, value
from carril.engine.runs.tolls import least_payments
from carril.routes import solve, solve_payments
from tests.routes.kinds import board

TOLLED = [step for step in range(LADDER) if any(stop.toll for stop in ladder(step).stops)]


def one_by_one(problem: RunProblem) -> dict[frozenset[str], int]:
    """The payments that are worth it, and what their best runs earn: a search for every set."""
    tolls = {stop.key: stop.toll for stop in problem.stops if stop.toll}
    best: dict[frozenset[str], int] = {}
    for size in range(len(tolls) + 1):
        for keys in combinations(sorted(tolls), size):
            if not 0 <= problem.rules.purse < sum(tolls[key] for key in keys):
                best[frozenset(keys)] = solve(settled(problem, keys)).value
    return {
        paid: most
        for paid, most in best.items()
        if paid and all(best[paid - {key}] < most for key in paid)
    }


def at_once(problem: RunProblem) -> dict[frozenset[str], int]:
    """The same from one construction; each run is legal, and worth what it is said to be."""
    found: dict[frozenset[str], int] = {}
    for answer in solve_payments(problem, least=solve(settled(problem, ())).value):
        (run,) = answer.runs
        worth = value(problem, run)
        assert answer.optimal
        assert check(problem, run) is None
        assert answer.value == answer.bound == worth.total + worth.tolls
        assert (answer.payable, answer.treasury) == (worth.payable, worth.treasury)
        found[frozenset(paid_tolls(run))] = answer.value
    return found


@pytest.mark.parametrize("small", [600, 0])
@pytest.mark.parametrize("kind", ["18Cuba", "18Cuba map"])
def test_one_construction_finds_what_a_search_for_each_payment_finds(
    kind: str, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Diagrams of small boards are complete unless they are forced to be filtered."""
    monkeypatch.setattr(carril.routes.solver, "_SMALL", small)
    paying = several = 0
    for seed in range(150):
        problem = board(kind, seed)
        expected = one_by_one(problem)
        assert at_once(problem) == expected, (kind, seed)
        paying += bool(expected)
        several += len(expected) > 1
    assert paying > 5
    assert several > 0


@pytest.mark.parametrize("free", [0, 1, 2])
def test_trains_that_pass_free_of_charge_and_any_number_of_trains(free: int) -> None:
    paying = 0
    for seed in range(60):
        problem = board("18Cuba", seed)
        trains = tuple(
            replace(train, name=f"{train.name}F", free_tolls=free) if number % 2 else train
            for number, train in enumerate((problem.trains * 3)[:3])
        )
        problem = replace(problem, trains=trains, rules=replace(problem.rules, purse=-1))
        expected = one_by_one(problem)
        assert at_once(problem) == expected, seed
        paying += bool(expected)
    assert paying > 0


def test_late_boards_with_eight_tolls() -> None:
    problem = ladder(TOLLED[2], 2)
    assert at_once(problem) == one_by_one(problem)


def test_an_exhausted_budget_gives_one_run_that_is_not_proven() -> None:
    problem = ladder(TOLLED[2], 2)
    least = solve(settled(problem, ())).value
    (answer,) = solve_payments(problem, 200, least)
    assert not answer.optimal
    assert check(problem, answer.runs[0]) is None
    assert answer.bound >= max(one.value for one in solve_payments(problem, least=least))


def test_answers_are_kept_for_the_judge_of_a_run_with_these_payments() -> None:
    problem = next(
        made for seed in range(99) if len(at_once(made := board("18Cuba map", seed))) > 1
    )
    runs.forget()
    unpaid, *paying = runs.payments_within_budget(problem)
    assert unpaid == solve(settled(problem, ()), runs.BUDGET)
    for answer in paying:
        same = settled(problem, paid_tolls(answer.runs[0]))
        kept = runs.best_within_budget(same)
        fresh = solve(same)
        assert check(same, kept.runs[0]) is None
        assert (kept.value, kept.payable, kept.treasury) == (
            fresh.value,
            fresh.payable,
            fresh.treasury,
        )


def test_nothing_is_searched_for_a_purse_that_pays_no_toll() -> None:
    problem = ladder(TOLLED[0])
    poor = replace(problem, rules=replace(problem.rules, purse=0))
    assert [paid_tolls(answer.runs[0]) for answer in runs.payments_within_budget(poor)] == [()]


def test_least_payments_are_those_from_which_no_stop_can_be_left_out() -> None:
    due = [("ab", 1), ("bc", 1)]
    assert least_payments(due, "abc") == [frozenset("b"), frozenset("ac")]
    assert least_payments([("ab", 0)], "a") == [], "b cannot be paid for"
    assert least_payments([("abc", 1)], "a") == []
    assert least_payments([("ab", 1)], "a") == [frozenset("a")]
    assert least_payments([], "a") == [frozenset()]
