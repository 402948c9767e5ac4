"""The least number of calls that completes a route, by frontier state."""

from __future__ import annotations

from carril.routes.budget import NodeBudget
from carril.routes.constants import UNREACHABLE
from carril.routes.diagram.frontier_graph import FrontierGraph
from carril.routes.graph.layers import LayeredGraph
from carril.routes.state.frontier import FrontierTransitions, pack
from carril.routes.state.resources import Resources
from tests.routes.small import train, triangle


def triangle_graph() -> FrontierGraph:
    problem = triangle(train(3))
    layered = LayeredGraph(problem)
    resources = Resources(problem, train(3), None)
    layers = [FrontierTransitions(layered, layer, resources) for layer in layered.layers]
    return FrontierGraph(layers, NodeBudget(0))


def calls_after_first(costs: list[int]) -> dict[int, int]:
    graph = triangle_graph()
    return {state: graph.min_calls(costs)[0][n] for state, n in graph.states[1].items()}


def test_calls_in_the_triangle() -> None:
    calls = calls_after_first([1, 1, 1])
    assert calls == {0: 0, pack([1, 0]): 1, pack([0, 1]): 1, pack([3, 2]): 2}


def test_a_barred_stop_cannot_be_called_at() -> None:
    graph = triangle_graph()
    calls = calls_after_first([1, 1, UNREACHABLE])
    assert calls[pack([3, 2])] >= UNREACHABLE, "both open paths would have to end somewhere"
    assert min(calls.values()) == 0
    assert graph.states[0] == {0: 0}
