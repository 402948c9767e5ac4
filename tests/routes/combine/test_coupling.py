"""Coupling terms: cubes by matching, tolls by covering, the premium."""

from __future__ import annotations

from itertools import product
from random import Random

from carril.engine.runs import Rules, RunCard, RunProblem
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.constants import INFEASIBLE
from carril.routes.state.resources import Resources
from tests.routes.small import stop, train

NAMES = "ABC"


def problem(rules: Rules, tolls: tuple[int, ...] = (0, 0, 0)) -> RunProblem:
    stops = tuple(
        stop(name, 10, tags=(f"source {name}",), toll=cost)
        for name, cost in zip(NAMES, tolls, strict=True)
    )
    return RunProblem(stops, (), (), (), rules)


def source_label(resources: Resources, sources: set[int]) -> int:
    return sum(
        1 << resources.counters[number].shift
        for number, source in resources.sources
        if source in sources
    )


def most_cubes(supply: list[int], wants: list[tuple[set[int], int]]) -> int | None:
    """Return the most cubes, at least one for each, by exhaustive search."""
    best: int | None = None
    choices = []
    for sources, capacity in wants:
        ranges = [range(supply[s] + 1 if s in sources else 1) for s in range(len(supply))]
        choices.append([load for load in product(*ranges) if 1 <= sum(load) <= capacity])
    for loads in product(*choices):
        used = [sum(load[s] for load in loads) for s in range(len(supply))]
        total = sum(used)
        if all(u <= s for u, s in zip(used, supply, strict=True)) and total > (best or -1):
            best = total
    return best


def test_cubes_are_matched_as_well_as_possible() -> None:
    draw = Random(5)
    impossible = 0
    for _ in range(150):
        supply = [draw.randrange(3) for _ in NAMES]
        cubes = tuple((f"source {name}", n) for name, n in zip(NAMES, supply, strict=True))
        case = problem(Rules(cubes=cubes, cube_value=10))
        wants = []
        for _ in range(draw.randint(1, 3)):
            usable = [source for source in range(3) if supply[source]]
            sources = {source for source in usable if draw.randrange(3)}
            wants.append((sources, draw.randint(1, 3)))
        wants = [want for want in wants if want[0]]
        resources = [Resources(case, train(3), RunCard("w", capacity=c)) for _, c in wants]
        labels = tuple(
            source_label(one, sources) for one, (sources, _) in zip(resources, wants, strict=True)
        )
        expected = most_cubes(supply, wants)
        coupling = CouplingTerms(case, resources, False)
        loads = coupling.cubes(labels)
        if expected is None:
            impossible += 1
            assert loads is None
            assert coupling.correction(labels) == INFEASIBLE
        else:
            assert loads is not None
            assert sum(sum(load.values()) for load in loads) == expected
    assert 0 < impossible < 140


def toll_label(resources: Resources, stops: set[int]) -> int:
    return sum(
        1 << resources.counters[number].shift for number, at in resources.tolls if at in stops
    )


def test_the_cheapest_tolls_are_paid_once_for_all_routes() -> None:
    case = problem(Rules(purse=60), (10, 20, 40))
    free, paying = train(3, free_tolls=1), train(3)
    resources = [Resources(case, free, None), Resources(case, paying, None)]
    coupling = CouplingTerms(case, resources, False)

    def paid(one: set[int], two: set[int]) -> tuple[int, ...] | None:
        return coupling.tolls((toll_label(resources[0], one), toll_label(resources[1], two)))

    assert paid(set(), set()) == ()
    assert paid({2}, set()) == (), "one toll is free for the first train"
    assert paid({0, 2}, set()) == (0,), "it pays the cheaper one"
    assert paid({0, 2}, {2}) == (2,), "what the other pays for need not be paid again"
    assert paid({0}, {0, 2}) == (0, 2)
    assert paid({0, 1}, {1, 2}) == (1, 2)
    labels = (toll_label(resources[0], {0}), toll_label(resources[1], {1, 2}))
    assert coupling.correction(labels) == -60
    assert CouplingTerms(case, resources, True).correction(labels) == 0, "no part of the dividend"


def test_a_purse_that_is_too_small() -> None:
    case = problem(Rules(purse=30), (10, 20, 40))
    resources = [Resources(case, train(3), None)]
    coupling = CouplingTerms(case, resources, False)
    assert coupling.correction((toll_label(resources[0], {0, 1}),)) == -30
    assert coupling.correction((toll_label(resources[0], {2}),)) == INFEASIBLE


def test_the_premium_is_earned_once() -> None:
    case = problem(Rules(premium=40))
    resources = [Resources(case, train(3), None)] * 2
    coupling = CouplingTerms(case, resources, False)
    pays = 1 << resources[0].counters[resources[0].pays].shift
    assert coupling.upper_bound == 40
    assert [coupling.correction(labels) for labels in ((0, 0), (pays, 0), (pays, pays))] == [
        0,
        40,
        40,
    ]


def test_nothing_is_coupled_without_cubes_tolls_and_premium() -> None:
    case = problem(Rules())
    coupling = CouplingTerms(case, [Resources(case, train(3), None)], False)
    assert (coupling.correction((0,)), coupling.upper_bound) == (0, 0)
