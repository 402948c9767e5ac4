"""Compiled diagrams contain the right routes."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.runs import Room, RunProblem
from carril.routes.budget import NodeBudget
from carril.routes.workspace import Workspace
from tests.routes.brute import options
from tests.routes.small import boards, equipped, exact, mask, objectives, paths, reward


def roomy(problem: RunProblem) -> RunProblem:
    """Return the problem with trains that have room for everything."""
    kinds = tuple(sorted({one.kind for one in problem.stops}))
    trains = tuple(replace(t, room=(Room(kinds, -1),)) for t in problem.trains)
    return replace(problem, trains=trains, rules=replace(problem.rules, extras=()))


def test_a_relaxed_diagram_without_capacity_has_all_routes() -> None:
    seen = 0
    for board in boards(10):
        problem = roomy(board)
        for (one, card), objective in objectives(problem).items():
            routes = options(problem, one, card)
            diagram = exact(objective)
            found = {(mask(diagram, path), reward(diagram, path)) for path in paths(diagram)}
            assert found - {(0, 0)} == {(o.mask, o.payable + o.treasury) for o in routes}
            seen += len(routes)
    assert seen > 300


def test_a_restricted_diagram_has_only_legal_routes() -> None:
    seen = fewer = 0
    for problem in boards(12):
        space = Workspace(problem)
        for one, card in equipped(problem) if space.layered.layers else ():
            if card is not None and card.capacity:
                continue  # exhaustive search counts cubes for a whole run only
            legal = {(o.mask, o.payable + o.treasury) for o in options(problem, one, card)}
            for width in (1, 3, 50):
                diagram = space.restricted_diagram((one, card), width, False, NodeBudget(0))
                found = {(mask(diagram, path), reward(diagram, path)) for path in paths(diagram)}
                assert found - {(0, 0)} <= legal
                seen += len(found)
                fewer += len(found) - 1 < len(legal)
    assert seen > 500
    assert fewer > 20
