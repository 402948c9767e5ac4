"""Frontier states and transitions."""

from __future__ import annotations

import pytest

from carril.engine.runs import Room, RunProblem
from carril.routes import solve
from carril.routes.budget import NodeBudget
from carril.routes.diagram.frontier_graph import FrontierGraph
from carril.routes.graph.layers import Layer, LayeredGraph
from carril.routes.state.frontier import (
    COMPLETE,
    MAX_WIDTH,
    FrontierTooWide,
    FrontierTransitions,
    check_width,
    pack,
    used_positions,
)
from carril.routes.state.resources import Resources
from tests.routes.brute import paths
from tests.routes.small import boards, network, stop, train, triangle


def layers(problem: RunProblem) -> list[FrontierTransitions]:
    layered = LayeredGraph(problem)
    resources = Resources(problem, problem.trains[0], None)
    return [FrontierTransitions(layered, layer, resources) for layer in layered.layers]


def triples(transitions: list[int]) -> list[tuple[int, int, int]]:
    return [
        (transitions[i], transitions[i + 1], transitions[i + 2])
        for i in range(0, len(transitions), 3)
    ]


def test_the_first_point_of_the_triangle_starts_two_segments() -> None:
    """Use none, the first, the second (the route ends here), or both (it passes)."""
    first = layers(triangle(train(3)))[0]
    assert triples(first.transitions(0)) == [
        (pack([0, 0]), 0b00, 0),
        (pack([1, 0]), 0b01, 1),
        (pack([0, 1]), 0b10, 1),
        (pack([3, 2]), 0b11, 2),
    ]


def test_two_open_paths_meet_at_the_last_point() -> None:
    """Joining the ends of one path would close a cycle; joining two paths completes the route."""
    last = layers(triangle(train(3)))[2]
    assert triples(last.transitions(pack([3, 2]))) == []
    assert triples(last.transitions(pack([1, 1]))) == [(COMPLETE, 0, 2)]
    assert triples(last.transitions(pack([1, 0]))) == [(COMPLETE, 0, 1)]
    assert triples(last.transitions(0)) == [(0, 0, 0)]


def count_routes(problem: RunProblem) -> int:
    """Count the ways through all layers that complete a route."""
    counts = {0: 1}
    for layer in layers(problem):
        after: dict[int, int] = {}
        for state, count in counts.items():
            following = [(COMPLETE, 0, 0)]
            if state != COMPLETE:
                following = triples(layer.transitions(state))
            for target, _, _ in following:
                after[target] = after.get(target, 0) + count
        counts = after
    return counts.get(COMPLETE, 0)


def test_there_is_one_way_for_each_simple_path_between_stops() -> None:
    """With room for everything and a station everywhere, nothing is removed or pruned."""
    seen = 0
    for seed_problem in boards(15):
        problem = anything_goes(seed_problem)
        expected = sum(1 for _ in paths(problem, problem.trains[0]))
        assert count_routes(problem) == expected
        seen += expected
    assert seen > 2000


def anything_goes(problem: RunProblem) -> RunProblem:
    kinds = tuple(sorted({one.kind for one in problem.stops}))
    stops = tuple(stop(s.hex, 10, s.kind, key=s.key, token=True) for s in problem.stops)
    free = train(2, room=(Room(kinds, -1),))
    return RunProblem(stops, problem.points, problem.pieces, (free,))


def test_positions_of_a_packed_state() -> None:
    mates = [0] * MAX_WIDTH
    mates[3], mates[-1] = MAX_WIDTH + 1, 5
    assert used_positions(pack(mates)) == [3, MAX_WIDTH - 1]


def test_the_widest_frontier_keeps_its_mates() -> None:
    """All positions stay; the last two segments are joined by the point that starts them."""
    problem = triangle(train(3))
    layered = LayeredGraph(problem)
    staying = list(range(MAX_WIDTH - 2))
    wide = Layer(layered.layers[0].point, [], staying, layered.layers[0].starting)
    transitions = FrontierTransitions(layered, wide, Resources(problem, train(3), None))
    passing = triples(transitions.transitions(0))[-1]
    expected = [0] * (MAX_WIDTH - 2) + [MAX_WIDTH + 1, MAX_WIDTH]
    assert passing == (pack(expected), 0b11, 2)
    too_wide = Layer(wide.point, [], list(range(MAX_WIDTH - 1)), wide.starting)
    with pytest.raises(FrontierTooWide, match="63 segments wide; at most 62"):
        FrontierTransitions(layered, too_wide, Resources(problem, train(3), None))


def test_a_problem_with_a_wider_frontier_is_refused() -> None:
    check_width(MAX_WIDTH)
    with pytest.raises(FrontierTooWide):
        check_width(MAX_WIDTH + 1)
    stops = (stop("A", 10, token=True), stop("B", 10))
    problem = network(stops, ["AB"] * (MAX_WIDTH + 1), [train(2)])
    with pytest.raises(FrontierTooWide, match="63"):
        solve(problem)


def test_trains_that_may_start_the_same_segments_share_transitions() -> None:
    problem = triangle(train(2), train(3))
    layered = LayeredGraph(problem)
    one, two = (
        FrontierTransitions(layered, layered.layers[0], Resources(problem, t, None))
        for t in problem.trains
    )
    assert one.transitions(0) is two.transitions(0)


def test_a_gauge_limits_what_a_train_may_start() -> None:
    problem = triangle(train(3, gauges=("narrow",)))
    assert LayeredGraph(problem).layers == []
    wide = triangle(train(3))
    layered = LayeredGraph(wide)
    resources = Resources(wide, train(3, gauges=("narrow",)), None)
    first = FrontierTransitions(layered, layered.layers[0], resources)
    assert triples(first.transitions(0)) == [(0, 0, 0)]


def test_frontier_states_are_counted_against_the_budget() -> None:
    budget = NodeBudget(0)
    graph = FrontierGraph(layers(triangle(train(3))), budget)
    assert budget.nodes == sum(len(states) for states in graph.states[1:])
