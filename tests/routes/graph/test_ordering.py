"""Vertex orders: complete, and cheap compared with the best ones."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from carril.routes.graph import ordering
from carril.routes.graph.ordering import Adjacency, narrow_order, order_cost


def random_graph(seed: int, size: int, extra: int) -> Adjacency:
    """Make a connected graph: a random tree and some more edges, parallel ones included."""
    draw = Random(seed)
    adjacency: Adjacency = {point: [] for point in range(size)}
    pairs = [(point, draw.randrange(point)) for point in range(1, size)]
    pairs += [tuple(draw.sample(range(size), 2)) for _ in range(extra)]  # type: ignore[misc]
    for a, b in pairs:
        adjacency[a].append(b)
        adjacency[b].append(a)
    return adjacency


@pytest.mark.parametrize("size", [5, 20, 60])
def test_every_point_comes_once(size: int) -> None:
    for seed in range(10):
        graph = random_graph(seed, size, size)
        assert sorted(narrow_order(graph)) == list(range(size))


def test_a_sweep_reports_its_cost() -> None:
    for seed in range(10):
        graph = random_graph(seed, 15, 6)
        for rule in range(4):
            cost, order = ordering._sweep(graph, 0, rule, -1)
            assert cost == order_cost(graph, order)
            assert ordering._sweep(graph, 0, rule, cost) == (cost, [])


def test_small_graphs_are_ordered_nearly_as_well_as_possible() -> None:
    for seed in range(25):
        graph = random_graph(seed, 6, 3)
        best = min(order_cost(graph, list(order)) for order in permutations(graph))
        assert order_cost(graph, narrow_order(graph)) <= 2 * best


def test_a_long_line_has_a_frontier_of_one() -> None:
    line = {n: [m for m in (n - 1, n + 1) if 0 <= m < 40] for n in range(40)}
    assert order_cost(line, narrow_order(line)) == 39 * 3 + 1


def test_the_cost_of_every_position_is_right() -> None:
    graph = random_graph(3, 9, 5)
    rest = list(range(8))
    found = ordering._best_position(graph, rest, 8, 0, 8)
    costs = [(order_cost(graph, [*rest[:at], 8, *rest[at:]]), at) for at in range(9)]
    assert found == min(costs)


def test_the_local_search_never_makes_an_order_worse() -> None:
    for seed in range(5):
        graph = random_graph(seed, 25, 30)
        start = list(range(25))
        cost = order_cost(graph, start)
        assert order_cost(graph, ordering._local_search(graph, start, cost)) < cost
