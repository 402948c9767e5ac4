"""Runs to choose from: payments of tolls that are worth it, and equal runs with other cubes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from msgspec.structs import replace

from carril.engine.runs import (
    Room,
    Rules,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
    check,
    paid_tolls,
    runs_to_choose,
    settled,
    value,
)
from carril.engine.runs.revenue import cards_used
from carril.engine.runs.tolls import Due, cheapest_payment, unneeded_payment
from carril.routes import solve, solve_payments
from tests.routes.brute import best_value
from tests.routes.kinds import board
from tests.routes.small import network, stop


def subsets(keys: list[str]) -> Iterator[frozenset[str]]:
    """Every set of some keys, the smaller ones first."""
    for size in range(len(keys) + 1):
        for chosen in combinations(keys, size):
            yield frozenset(chosen)


def worthwhile(problem: RunProblem) -> dict[frozenset[str], int] | None:
    """No toll and every payment that raises the value, by exhaustive search; None if too many."""
    keys = [one.key for one in problem.stops if one.toll]
    best: dict[frozenset[str], int] = {}
    for paid in subsets(keys):
        found = best_value(settled(problem, paid), payable=True, limit=4000)
        if found is None:
            return None
        best[paid] = found
    costs = {one.key: one.toll for one in problem.stops}
    purse = problem.rules.purse
    return {
        paid: most
        for paid, most in best.items()
        if all(best[paid - {key}] < most for key in paid)
        and (purse < 0 or sum(costs[key] for key in paid) <= purse)
    }


def choices(problem: RunProblem) -> list[Run]:
    """The runs to choose from, without a cache."""
    unpaid = solve(settled(problem, ()))
    answers = (unpaid, *solve_payments(problem, least=unpaid.value))
    return list(runs_to_choose(problem, solve, lambda _: answers))


@pytest.mark.parametrize("kind", ["18Cuba", "18Cuba map"])
def test_payments_are_those_of_exhaustive_search(kind: str) -> None:
    paying = 0
    for seed in range(250):
        problem = board(kind, seed)
        if not any(one.toll for one in problem.stops):
            continue
        expected = worthwhile(problem)
        if expected is None:
            continue
        found: dict[frozenset[str], int] = {}
        for run in choices(problem):
            assert check(problem, run) is None, (kind, seed)
            found[frozenset(paid_tolls(run))] = value(problem, run).payable
        assert found == expected, (kind, seed)
        paying += len(expected) > 1
    assert paying > 5


def taken(problem: RunProblem, run: Run) -> dict[str, int]:
    """How many cubes a run takes from each source."""
    found = {source: 0 for source, _ in problem.rules.cubes}
    for use in cards_used(problem, run):
        for source, count in use.cubes.items():
            found[source] += count
    return found


def test_equal_runs_take_as_few_cubes_from_each_source_as_they_can() -> None:
    several = 0
    for seed in range(300):
        problem = board("18Cuba", seed)
        problem = replace(problem, rules=replace(problem.rules, purse=0))
        found = choices(problem)
        values = {value(problem, run).payable for run in found}
        assert values == {solve(settled(problem, ())).value}, seed
        loads = [tuple(taken(problem, run).values()) for run in found]
        assert len(set(loads)) == len(loads), seed
        several += len(loads) > 1
    assert several > 5


WAGON = RunCard("wagon", capacity=2, beyond=("harbour",), must=("harbour",))


def forked(*cubes: int) -> RunProblem:
    """A station S with two ways to the harbour H, over the mills M and N, worth the same."""
    stops = (
        stop("S", 20, token=True),
        stop("M", 20, tags=("M",)),
        stop("N", 20, tags=("N",)),
        Stop("H.0", "H", "harbour", 10, through=False),
    )
    train = Train("2", (Room(("city", "harbour"), 2),))
    sources = tuple(zip(("M", "N"), cubes, strict=True))
    rules = Rules(extras=(WAGON,), cubes=sources, cube_value=30)
    return network(stops, ("SM", "SN", "MH", "NH"), (train,), rules)


def test_the_same_value_by_another_mill() -> None:
    loads = [run.extras for run in choices(forked(2, 2))]
    assert sorted(loads) == [(("wagon", "2 M=2"),), (("wagon", "2 N=2"),)]
    loads = [run.extras for run in choices(forked(2, 1))]
    assert loads == [(("wagon", "2 M=2"),)], "one cube fewer is no equal run"


def test_a_payment_serves_all_trains_and_a_free_pass_one() -> None:
    costs = {"a": 20, "b": 20, "c": 50}
    assert cheapest_payment([("ab", 0), ("a", 0)], costs, -1) == ("a", "b")
    assert cheapest_payment([("ab", 1), ("bc", 1)], costs, -1) == ("b",)
    assert cheapest_payment([("c", 0)], costs, 49) is None
    assert cheapest_payment([("d", 0)], costs, -1) is None, "it cannot be paid for"


def test_a_payment_is_needed_by_a_train_that_does_not_pass_free() -> None:
    plus, plain = Due(frozenset("ab"), 1), Due(frozenset("a"), 0)
    assert unneeded_payment([plus], ["a"]) is None
    assert unneeded_payment([plus], ["a", "b"]) == "b"
    assert unneeded_payment([plus, plain], ["a", "b"]) is None
    assert unneeded_payment([plain], ["b"]) == "b"
    assert unneeded_payment([Due(frozenset("a"), 1)], ["a"]) == "a"
