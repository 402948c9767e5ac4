"""Value to go, best paths and least loads on relaxed diagrams, against all their paths."""

from __future__ import annotations

from carril.routes.diagram.relaxed import RelaxedDiagram
from tests.routes.small import boards, objectives, paths, train, triangle

LIMIT = 300


def small_diagrams() -> list[tuple[RelaxedDiagram, list[list[int]]]]:
    """Return relaxed diagrams of random boards with all their paths."""
    found = []
    for problem in boards(25):
        diagrams = {id(o.diagram): o.diagram for o in objectives(problem).values()}
        for diagram in diagrams.values():
            every = list(paths(diagram))
            if 1 < len(every) <= LIMIT:
                found.append((diagram, every))
    assert len(found) > 15
    return found


def worth(diagram: RelaxedDiagram, path: list[int], rewards: list[list[int]], start: int) -> int:
    starts = any(diagram.arcs[layer].target[arc] for layer, arc in enumerate(path))
    return sum(rewards[layer][arc] for layer, arc in enumerate(path)) + start * starts


def test_the_value_to_go_is_that_of_the_best_path() -> None:
    for diagram, every in small_diagrams():
        rewards = [arcs.reward for arcs in diagram.arcs]
        for start in (0, -30):
            values = diagram.value_to_go(rewards, start, None)
            best = max(worth(diagram, path, rewards, start) for path in every)
            assert values[0][0] == best
            path = diagram.argmax_path(rewards, start, None, values)
            assert worth(diagram, path, rewards, start) == best


def test_prices_are_deducted() -> None:
    for diagram, every in small_diagrams():
        rewards = [arcs.reward for arcs in diagram.arcs]
        bits = [1 << diagram.layered.layer_bits(n) for n in range(len(diagram.arcs))]
        prices = [[7 * chosen.bit_count() for chosen in range(count)] for count in bits]
        priced = [
            [arcs.reward[arc] - price[arcs.segments[arc]] for arc in range(len(arcs.source))]
            for arcs, price in zip(diagram.arcs, prices, strict=True)
        ]
        best = max(worth(diagram, path, priced, 0) for path in every)
        assert diagram.value_to_go(rewards, 0, prices)[0][0] == best


def test_the_least_number_of_calls_of_a_route() -> None:
    (objective,) = objectives(triangle(train(3))).values()
    least = objective.diagram.min_calls_to_go([1, 1, 1])
    assert least[0] == [0]
    started = [calls for calls in least[1] if calls]
    assert sorted(started) == [1, 1, 2]


def test_trains_that_differ_in_capacity_share_a_diagram() -> None:
    two, three = objectives(triangle(train(2), train(3))).values()
    assert two.diagram is three.diagram
