"""The solver of a web process: short searches at once, long ones left to workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from carril import routes
from carril.cli.bench_boards import ladder
from carril.engine.runs import BUDGET, settled
from carril.service.asking import Asking, asked_by
from carril.service.jobs import Limits, Pool
from carril.service.jobs.searches import PoolSolver, SearchPending
from tests.service.table import until
from tests.service.test_jobs import pause, worker_of

EASY, HARD, TOLLED = ladder(1), ladder(13), ladder(17, 2)


@pytest.fixture
def pool() -> Iterator[Pool]:
    made = Pool(1, Limits())
    yield made
    made.close()


def test_a_short_search_has_the_answer_of_a_long_one(pool: Pool) -> None:
    assert PoolSolver(pool).solve(EASY, BUDGET, 3) == routes.solve(EASY, BUDGET, 3)
    assert PoolSolver(pool).solve_both(EASY, BUDGET) == routes.solve_both(EASY, BUDGET)
    assert PoolSolver(pool).solve_payments(EASY, BUDGET) == routes.solve_payments(EASY, BUDGET)
    assert pool.counts["asked"] == 0


def test_a_worker_gives_the_same_answer(pool: Pool) -> None:
    solver = PoolSolver(pool)
    with pytest.raises(SearchPending) as pending:
        solver.solve(HARD, BUDGET)
    assert 0 < pending.value.facts["value"] < pending.value.facts["bound"]
    until(pending.value.job.finished.is_set, 60)
    assert solver.solve(HARD, BUDGET) == routes.solve(HARD, BUDGET)


def test_a_worker_finds_the_best_run_for_each_payment(pool: Pool) -> None:
    solver, least = PoolSolver(pool), routes.solve(settled(TOLLED, ())).value
    with pytest.raises(SearchPending) as pending:
        solver.solve_payments(TOLLED, BUDGET, least)
    until(pending.value.job.finished.is_set, 60)
    found = solver.solve_payments(TOLLED, BUDGET, least)
    assert found == routes.solve_payments(TOLLED, BUDGET, least)
    assert len(found) > 1


def test_nothing_is_searched_at_once_for_somebody_whose_searches_wait(
    pool: Pool, tmp_path: Path
) -> None:
    busy = pool.submit(pause, str(tmp_path / "who"))
    worker_of(tmp_path / "who")
    solver = PoolSolver(pool)
    with asked_by(Asking("ana")):
        with pytest.raises(SearchPending):
            solver.solve(HARD, BUDGET)
        with pytest.raises(SearchPending) as pending:
            solver.solve(EASY, BUDGET)
    assert pending.value.facts["value"] == 0
    assert pending.value.facts["bound"] >= routes.solve(EASY).value
    with asked_by(Asking("ben")):
        assert solver.solve(ladder(0), BUDGET).optimal
    busy.close()
