"""Exact diagrams: every legal route, and with a threshold every route that is worth it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from carril.engine.runs import RunProblem
from carril.routes.assignments import EquippedTrain
from carril.routes.bounds.lagrangian import subset_sums
from carril.routes.budget import NodeBudget
from carril.routes.constants import SCALE
from carril.routes.diagram.completion import Objective
from carril.routes.diagram.exact import Diagram
from tests.routes.brute import options
from tests.routes.small import boards, exact, mask, objectives, paths, reward

Routes = set[tuple[int, int]]


def cases(count: int) -> Iterator[tuple[RunProblem, EquippedTrain, Objective]]:
    """Yield trains of random boards; a card with cubes is left out (see `brute.options`)."""
    for problem in boards(count):
        for one, objective in objectives(problem).items():
            if one[1] is None or not one[1].capacity:
                yield problem, one, objective


def routes(diagram: Diagram) -> Routes:
    return {(mask(diagram, path), reward(diagram, path)) for path in paths(diagram)}


def test_the_paths_are_the_legal_routes() -> None:
    seen = 0
    for problem, one, objective in cases(25):
        diagram = exact(objective)
        legal = {(o.mask, o.payable + o.treasury) for o in options(problem, *one)}
        assert routes(diagram) == legal | {(0, 0)}
        assert diagram.optimum == max([0, *(value for _, value in legal)])
        seen += len(legal)
    assert seen > 1000


def random_prices(diagram: Diagram, seed: int) -> list[list[int]]:
    draw = Random(seed)
    bits = [diagram.layered.layer_bits(layer) for layer in range(len(diagram.arcs))]
    return [subset_sums([draw.choice((0, 0, 5, 20)) * SCALE for _ in range(n)]) for n in bits]


def priced(diagram: Diagram, prices: list[list[int]], path: list[int]) -> int:
    return sum(
        arcs.reward[arc] * SCALE - prices[layer][arcs.segments[arc]]
        for layer, (arcs, arc) in enumerate(zip(diagram.arcs, path, strict=True))
    )


def worth(diagram: Diagram, prices: list[list[int]], threshold: int) -> Routes:
    """Return the routes worth a threshold at some prices."""
    return {
        (mask(diagram, path), reward(diagram, path))
        for path in paths(diagram)
        if priced(diagram, prices, path) >= threshold
    }


def test_a_threshold_leaves_out_no_route_that_is_worth_it() -> None:
    fewer = 0
    for number, (_, _, objective) in enumerate(cases(25)):
        whole = exact(objective)
        prices = random_prices(whole, number)
        best = max(priced(whole, prices, path) for path in paths(whole))
        for threshold in (best, best * 3 // 4):
            diagram = Diagram(objective, NodeBudget(0))
            assert diagram.build(objective.bounds(prices), threshold) == max(best, 0)
            kept = routes(diagram)
            assert worth(whole, prices, threshold) <= kept <= routes(whole)
            fewer += len(kept) < len(routes(whole))
    assert fewer > 20


def test_filtering_keeps_every_route_that_is_worth_the_threshold() -> None:
    fewer = 0
    for number, (_, _, objective) in enumerate(cases(25)):
        whole = exact(objective)
        prices = random_prices(whole, number)
        best = whole.evaluate(prices, SCALE)
        filtered = whole.filtered(prices, SCALE, best * 3 // 4)
        assert worth(whole, prices, best * 3 // 4) <= routes(filtered) <= routes(whole)
        fewer += len(routes(filtered)) < len(routes(whole))
        assert whole.filtered(prices, SCALE, best + 1).widths[0] == 0, "no route is worth more"
    assert fewer > 20


def test_evaluation_finds_the_best_route_at_the_prices() -> None:
    for number, (_, _, objective) in enumerate(cases(15)):
        diagram = exact(objective)
        prices = random_prices(diagram, number)
        best = max(priced(diagram, prices, path) for path in paths(diagram))
        assert diagram.evaluate(prices, SCALE) == best
        assert diagram.evaluate() == diagram.optimum


def test_a_beam_has_only_legal_routes_and_a_wide_one_the_best() -> None:
    for _, _, objective in cases(15):
        whole = exact(objective)
        for width in (1, 1000):
            beam = Diagram(objective, NodeBudget(0))
            beam.build_restricted(objective.unpriced_bounds, width)
            found = {r for r in complete_routes(beam) if r[1]}
            assert found <= routes(whole)
            if width == 1000:
                assert max([0, *(value for _, value in found)]) == whole.optimum


def complete_routes(diagram: Diagram) -> Routes:
    """Return the routes of a diagram whose arcs are not sorted and may lead nowhere."""
    found: dict[int, list[list[int]]] = {0: [[]]}
    for arcs in diagram.arcs:
        after: dict[int, list[list[int]]] = {}
        for arc, source in enumerate(arcs.source):
            for path in found.get(source, []):
                after.setdefault(arcs.target[arc], []).append([*path, arc])
        found = after
    every = [path for some in found.values() for path in some]
    return {(mask(diagram, path), reward(diagram, path)) for path in every}


def test_an_idle_diagram() -> None:
    for _, _, objective in cases(2):
        diagram = Diagram(objective, NodeBudget(0))
        diagram.build_idle()
        assert diagram.widths == [1] * (len(diagram.arcs) + 1)
        assert all(arcs.reward == [0] for arcs in diagram.arcs)
