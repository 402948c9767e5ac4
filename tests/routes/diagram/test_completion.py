"""Completion bounds are admissible: no completion is worth more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from carril.engine.runs import Room
from carril.routes.bounds.lagrangian import subset_sums
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.completion import CompletionBounds, Objective
from tests.routes.small import boards, exact, objective_of, objectives, train, triangle

Prefix = tuple[int, int, int]
"""Value so far (scaled, less prices), node of the relaxed diagram, load."""


def routes(
    objective: Objective, prices: list[list[int]] | None, prefixes: list[Prefix]
) -> Iterator[list[Prefix]]:
    """Yield the prefixes of every legal route that extends some prefixes, its value last."""
    diagram, capacity = objective.diagram, objective.relaxation.capacity
    layer = len(prefixes) - 1
    value, node, load = prefixes[-1]
    if layer == len(diagram.arcs):
        yield prefixes
        return
    arcs, stop = diagram.arcs[layer], diagram.stops[layer]
    for arc in range(arcs.offsets[node], arcs.offsets[node + 1]):
        after = load
        if arcs.calls[arc]:
            after = capacity.successors[capacity.counter_sets[stop]][load]
            after = -1 if capacity.excluded[stop] else after
        if after >= 0:
            price = prices[layer][arcs.segments[arc]] if prices else 0
            earned = value + objective.rewards[layer][arc] * SCALE - price
            step = (earned, arcs.target[arc], after)
            yield from routes(objective, prices, [*prefixes, step])


def check_admissible(objective: Objective, bounds: CompletionBounds) -> int:
    """Compare the bound of every prefix of every route with its value; return how many."""
    checked = 0
    slack, complete = objective.relaxation.slack_values, objective.diagram.complete
    for route in routes(objective, bounds.prices, [(0, 0, 0)]):
        for layer, (value, node, load) in enumerate(route):
            open_ = node and not complete[layer][node]
            bound = value + bounds.upper[layer][node] + (slack[load] if open_ else 0)
            assert bound >= route[-1][0]
            checked += 1
    return checked


def random_prices(objective: Objective, seed: int) -> list[list[int]]:
    draw, layered = Random(seed), objective.diagram.layered
    bits = [layered.layer_bits(layer) for layer in range(len(layered.layers))]
    return [subset_sums([draw.choice((0, 0, 5, 20)) * SCALE for _ in range(n)]) for n in bits]


def test_bounds_are_admissible() -> None:
    checked = 0
    for seed, problem in enumerate(boards(12)):
        for payable in (False, True):
            for objective in objectives(problem, payable).values():
                checked += check_admissible(objective, objective.unpriced_bounds)
                prices = random_prices(objective, seed)
                checked += check_admissible(objective, objective.bounds(prices))
    assert checked > 5000


def test_bounds_are_admissible_for_any_multipliers() -> None:
    """The bound at the root, with multipliers that are far too small or too great."""
    for problem in boards(8):
        for objective in objectives(problem).values():
            relaxation, best = objective.relaxation, exact(objective).optimum
            for multiplier in (0, 10, 1000):
                multipliers = [multiplier * SCALE] * relaxation.capacity.counters
                rewards = relaxation.reduced_rewards(multipliers, False)
                start = relaxation.capacity.slack_value(0, multipliers)
                values = objective.diagram.value_to_go(rewards, start, None)
                assert values[0][0] >= best * SCALE


def test_the_multiplier_makes_the_bound_tight() -> None:
    """Without it a train for two stops would be promised the value of all three."""
    objective = objective_of("2", triangle(train(2), train(3)))
    relaxation = objective.relaxation
    rewards = relaxation.reduced_rewards([0], False)
    assert objective.diagram.value_to_go(rewards, 0, None)[0][0] == 80 * SCALE
    assert 70 * SCALE <= objective.unpriced_bounds.root_bound() < 80 * SCALE


def test_loads_from_which_a_route_cannot_be_completed() -> None:
    """Two open paths need two more stops: a train for two stops that has one has no room."""
    objective = objective_of("2", triangle(train(2), train(3)))
    relaxation = objective.relaxation
    needs = [relaxation.feasible_loads(1, node) for node in range(objective.diagram.widths[1])]
    assert [True, True, True] in needs
    assert [True, False, False] in needs


def test_a_kind_without_room_is_infeasible() -> None:
    problem = triangle(train(2, room=(Room(("city",), 2), Room(("town",), 0))), train(3))
    objective = objective_of("2", problem)
    layer = objective.diagram.stops.index(2)
    calls = objective.diagram.arcs[layer].calls
    rewards = objective.reduced_rewards[layer]
    assert sum(calls) > 0
    assert all(rewards[arc] < INFEASIBLE // 2 for arc, call in enumerate(calls) if call)
    assert exact(objective).optimum == 70
