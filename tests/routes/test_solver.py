"""The solver against exhaustive search, and the promises about its answers."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

import carril.routes.solver
from carril.cli.bench_boards import LADDER, ladder
from carril.engine import runs
from carril.engine.runs import BadProblem, Piece, RunProblem
from carril.routes import solve, solve_both
from tests.routes.full import compare
from tests.routes.kinds import TITLES, board


@pytest.mark.parametrize("block", range(10))
def test_equals_exhaustive_search(block: int) -> None:
    tried = sum(compare(number) for number in range(30 * block, 30 * block + 30))
    assert tried > 5


def test_subgradient_steps_and_filtering_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards never need them, so they are forced."""
    problems = [board(title, seed) for title in TITLES for seed in range(60)]
    problems += [ladder(step, seed) for step in (3, 5, 7) for seed in range(3)]
    plain = [solve(problem).value for problem in problems]
    monkeypatch.setattr(carril.routes.solver, "_FIRST_LIMIT", 1)
    assert [solve(problem).value for problem in problems] == plain
    monkeypatch.setattr(carril.routes.solver, "_SMALL", 0)
    assert [solve(problem).value for problem in problems] == plain


def test_a_known_run_is_given_unless_there_is_a_better_one() -> None:
    problem = ladder(5)
    best, *others = solve(problem, count=4).runs
    assert solve(problem, known=best).runs == (best,)
    for run in others:
        assert solve(problem, known=run).value == runs.value(problem, best).total
    with pytest.raises(ValueError, match="not legal: no-such-train"):
        solve(problem, known=runs.Run((runs.Route("no such train", ("A1.0", "B2.0")),)))


def test_both_objectives_in_one_call_give_the_answers_of_two() -> None:
    different = 0
    for problem in [board(title, seed) for title in TITLES for seed in range(40)]:
        total = solve(problem)
        payable = solve(problem, payable=True, known=total.runs[0]) if total.treasury else total
        assert solve_both(problem) == (total, payable)
        different += total != payable
    assert different > 5


def test_one_run_and_several_are_found_in_different_ways() -> None:
    """With filtered diagrams or with complete ones: the best value is the same."""
    for step in range(4, 9):
        problem = ladder(step)
        assert solve(problem).value == solve(problem, count=2).value


@pytest.mark.parametrize("title", TITLES)
def test_answers_are_certified_and_stable(title: str) -> None:
    for seed in range(25):
        problem = board(title, seed)
        answer = solve(problem)
        assert answer == solve(problem)
        assert runs.check(problem, answer.runs[0]) is None
        value = runs.value(problem, answer.runs[0])
        assert (value.payable, value.treasury) == (answer.payable, answer.treasury)
        assert value.total == answer.value == answer.bound


@pytest.mark.parametrize("title", TITLES)
def test_next_best_runs_come_in_order_and_differ(title: str) -> None:
    for seed in range(25):
        problem = board(title, seed)
        answer = solve(problem, count=4)
        values = [runs.value(problem, run).total for run in answer.runs]
        assert values == sorted(values, reverse=True)
        assert values[0] == answer.value == solve(problem).value
        assert len(set(answer.runs)) == len(answer.runs) <= 4
        for run in answer.runs:
            assert runs.check(problem, run) is None


def test_a_budget_stops_early_with_a_true_bound() -> None:
    for step in range(6, 9):
        problem = ladder(step)
        best = solve(problem)
        for budget in (1, 10, 100, 1000, 10_000):
            answer = solve(problem, budget=budget)
            assert answer.value <= best.value <= answer.bound
            assert answer.optimal == (answer.value == answer.bound)
            assert answer == solve(problem, budget=budget)


def test_bad_questions() -> None:
    problem = ladder(1)
    with pytest.raises(ValueError, match="1 or more, not 0"):
        solve(problem, budget=0)
    with pytest.raises(ValueError, match="1 or more, not -3"):
        solve(problem, count=-3)
    with pytest.raises(BadProblem, match="piece 0"):
        solve(RunProblem((), (), (Piece(0, 1, "A1"),), ()))
    with pytest.raises(ValueError, match="steps 0 to"):
        ladder(LADDER)


def test_nothing_to_run() -> None:
    empty = RunProblem((), (), (), ())
    answer = solve(empty)
    assert (answer.value, answer.optimal, answer.runs) == (0, True, (runs.Run(),))


def test_track_and_a_card_but_no_train() -> None:
    board = ladder(4)
    answer = solve(replace(board, trains=()), count=3)
    assert (answer.value, answer.optimal, answer.runs) == (0, True, (runs.Run(),))


def test_threads_get_the_same_answers() -> None:
    problems = [board(title, seed) for title in TITLES for seed in range(8)] + [ladder(5)]
    expected = [solve(problem) for problem in problems]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(2):
            assert list(pool.map(solve, problems)) == expected


def test_the_solver_leaves_garbage_collection_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("disable", "freeze", "set_threshold", "collect"):
        monkeypatch.setattr(gc, name, lambda *_: pytest.fail("the library tunes the collector"))
    assert solve(ladder(4)).optimal
