"""Small problems, and the steps of the solver one at a time, for tests of single modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from carril.engine.runs import Piece, Point, Room, Rules, RunProblem, Stop, Train
from carril.routes.assignments import Assignment, EquippedTrain, assignments
from carril.routes.budget import NodeBudget
from carril.routes.combine.coupling import CouplingTerms
from carril.routes.combine.train_set import Path, TrainSet
from carril.routes.diagram.completion import Objective
from carril.routes.diagram.exact import Diagram
from carril.routes.diagram.relaxed import RelaxedDiagram
from carril.routes.workspace import Workspace
from tests.routes.kinds import TITLES, board

ANY = ("city", "town")


def stop(name: str, value: int, kind: str = "city", **more: object) -> Stop:
    return replace(Stop(f"{name}.0", name, kind, value), **more)


def train(size: int, **more: object) -> Train:
    return replace(Train(str(size), (Room(ANY, size),)), **more)


def network(
    stops: Sequence[Stop],
    tracks: Sequence[str],
    trains: Sequence[Train],
    rules: Rules | None = None,
) -> RunProblem:
    """Make a problem of stops A, B, C... and tracks such as "AB"; each track has two pieces."""
    points = [Point("stop", one.hex, index) for index, one in enumerate(stops)]
    numbers = {one.hex: index for index, one in enumerate(stops)}
    pieces: list[Piece] = []
    for track in tracks:
        a, b = track[0], track[1]
        side = len(points)
        points.append(Point("side", a))
        pieces += [Piece(numbers[a], side, a), Piece(side, numbers[b], b)]
    return RunProblem(tuple(stops), tuple(points), tuple(pieces), tuple(trains), rules or Rules())


def triangle(*trains: Train, rules: Rules | None = None) -> RunProblem:
    """The worked example of docs/routes.md: A (station), B and the town C, each joined to both."""
    stops = (stop("A", 30, token=True), stop("B", 40), stop("C", 10, "town"))
    return network(stops, ("AB", "AC", "CB"), trains, rules)


def boards(count: int, titles: Sequence[str] = TITLES) -> Iterator[RunProblem]:
    """Yield random boards of all titles."""
    for seed in range(count):
        for title in titles:
            yield board(title, seed)


def equipped(problem: RunProblem) -> list[EquippedTrain]:
    """Return every train with every card it may carry, each once."""
    return list(dict.fromkeys(one for way in assignments(problem) for one in way))


def objectives(problem: RunProblem, payable: bool = False) -> dict[EquippedTrain, Objective]:
    """Return the objective of every train with every card; none if there is no track."""
    space = Workspace(problem)
    if not space.layered.layers:
        return {}
    return space.objectives(equipped(problem), payable, NodeBudget(0))


def objective_of(name: str, problem: RunProblem) -> Objective:
    """Return the objective of the first train with this name."""
    return next(o for (one, _), o in objectives(problem).items() if one.name == name)


def exact(objective: Objective) -> Diagram:
    """Build the diagram of all routes."""
    diagram = Diagram(objective, NodeBudget(0))
    diagram.build()
    return diagram


def train_sets(problem: RunProblem, payable: bool = False) -> Iterator[TrainSet]:
    """Yield the set of trains of each assignment, with diagrams of all routes."""
    found = objectives(problem, payable)
    diagrams = {one: exact(objective) for one, objective in found.items()}
    for way in assignments(problem) if found else ():
        yield train_set(problem, way, diagrams, payable)


def train_set(
    problem: RunProblem,
    way: Assignment,
    diagrams: dict[EquippedTrain, Diagram],
    payable: bool = False,
) -> TrainSet:
    chosen = [diagrams[one] for one in way]
    resources = [diagram.objective.diagram.resources for diagram in chosen]
    return TrainSet(chosen, CouplingTerms(problem, resources, payable), NodeBudget(0))


def paths(diagram: Diagram | RelaxedDiagram, node: int = 0, layer: int = 0) -> Iterator[Path]:
    """Yield every path through a diagram, as an arc for each layer."""
    if layer == len(diagram.arcs):
        yield []
        return
    arcs = diagram.arcs[layer]
    for arc in range(arcs.offsets[node], arcs.offsets[node + 1]):
        for rest in paths(diagram, arcs.target[arc], layer + 1):
            yield [arc, *rest]


def mask(diagram: Diagram, path: Path) -> int:
    """Return the resources of a path as exhaustive search numbers them: pieces, then points."""
    layered = diagram.layered
    bits = 0
    for layer, arcs, arc in zip(layered.layers, diagram.arcs, path, strict=True):
        for index, number in enumerate(layer.starting):
            if arcs.segments[arc] >> index & 1:
                bits |= segment_mask(layered.problem, layered.graph.segments[number].pieces)
    return bits


def segment_mask(problem: RunProblem, pieces: Sequence[int]) -> int:
    """Return pieces and the exclusive points they touch, as bits."""
    bits = 0
    for number in pieces:
        piece = problem.pieces[number]
        bits |= 1 << number
        for point in (piece.a, piece.b):
            if problem.points[point].exclusive:
                bits |= 1 << (len(problem.pieces) + point)
    return bits


def reward(diagram: Diagram, path: Path) -> int:
    return sum(arcs.reward[arc] for arcs, arc in zip(diagram.arcs, path, strict=True))
