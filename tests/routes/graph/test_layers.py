"""Layers: how the frontier changes from point to point."""

from __future__ import annotations

from carril.engine.runs import RunProblem
from carril.routes.graph.layers import LayeredGraph
from tests.routes.small import boards, network, stop, train, triangle


def frontiers(layered: LayeredGraph) -> list[list[int]]:
    """Return the frontier after each layer."""
    frontier: list[int] = []
    found = []
    for layer in layered.layers:
        frontier = [frontier[at] for at in layer.staying] + layer.starting
        found.append(frontier)
    return found


def test_each_segment_starts_in_one_layer_and_closes_in_a_later_one() -> None:
    for problem in boards(10):
        layered = LayeredGraph(problem)
        started = [number for layer in layered.layers for number in layer.starting]
        assert len(started) == len(set(started))
        assert set(started) == {n for here in layered.graph.incident for n in here}
        closed = []
        before: list[int] = []
        for layer, after in zip(layered.layers, frontiers(layered), strict=True):
            closed += [before[at] for at in layer.closing]
            assert sorted(layer.closing + layer.staying) == list(range(len(before)))
            before = after
        assert sorted(closed) == sorted(started)


def test_frontier_segments_lead_to_later_points() -> None:
    for problem in boards(10):
        layered = LayeredGraph(problem)
        order = [layer.point for layer in layered.layers]
        for index, frontier in enumerate(frontiers(layered)):
            ends = layered.layers[index].next_points
            for number, end in zip(frontier, ends, strict=True):
                segment = layered.graph.segments[number]
                other = segment.a if end == segment.b else segment.b
                assert order.index(other) <= index < order.index(end)


def test_the_triangle() -> None:
    layered = LayeredGraph(triangle(train(3)))
    assert len(layered.layers) == 3
    assert [len(frontier) for frontier in frontiers(layered)] == [2, 2, 0]


def stops_in_order(problem: RunProblem) -> str:
    points = [problem.points[layer.point] for layer in LayeredGraph(problem).layers]
    return "".join(point.hex for point in points)


def test_what_routes_require_comes_early() -> None:
    for station in "AE":
        stops = [stop(name, 10, token=name == station) for name in "ABCDE"]
        problem = network(stops, ("AB", "BC", "CD", "DE"), [train(5)])
        assert stops_in_order(problem)[0] == station
