"""What one call of the solver builds once for all its trains and for both objectives."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem
from carril.routes.assignments import EquippedTrain
from carril.routes.budget import NodeBudget
from carril.routes.diagram.compilation import Compiler
from carril.routes.diagram.completion import CapacityRelaxation, Objective
from carril.routes.diagram.exact import Diagram
from carril.routes.diagram.frontier_graph import FrontierGraph
from carril.routes.diagram.relaxed import RelaxedDiagram
from carril.routes.graph.layers import LayeredGraph
from carril.routes.state.capacity import Capacity
from carril.routes.state.resources import Resources


class Workspace:
    """The layered graph of a problem, and the relaxed diagrams of its trains."""

    def __init__(self, problem: RunProblem) -> None:
        """Contract the track and order it; diagrams are compiled when they are asked for."""
        self.problem = problem
        self.layered = LayeredGraph(problem)
        self._relaxations: dict[EquippedTrain, CapacityRelaxation] = {}
        self._nodes = 0
        """The nodes that the relaxed diagrams have cost."""

    def objectives(
        self, trains: Iterable[EquippedTrain], payable: bool, budget: NodeBudget
    ) -> dict[EquippedTrain, Objective]:
        """Return the objective of each train, on a relaxed diagram of its type.

        A second search with the same trains uses the same diagrams. Their nodes are charged all
        the same, so that an answer does not depend on the question before it.
        """
        if self._relaxations:
            budget.charge(self._nodes)
        else:
            before = budget.nodes
            self._relaxations = self._relax(trains, budget)
            self._nodes = budget.nodes - before
        return {train: Objective(self._relaxations[train], payable) for train in trains}

    def _relax(
        self, trains: Iterable[EquippedTrain], budget: NodeBudget
    ) -> dict[EquippedTrain, CapacityRelaxation]:
        types = {train: _diagram_type(train) for train in trains}
        diagrams = self._relaxed_diagrams(types.values(), budget)
        relaxations: dict[EquippedTrain, CapacityRelaxation] = {}
        for train, type_ in types.items():
            similar = next((r for r in relaxations.values() if r.train == train[0]), None)
            relaxations[train] = CapacityRelaxation(diagrams[type_], *train, similar)
        return relaxations

    def _relaxed_diagrams(
        self, types: Iterable[EquippedTrain], budget: NodeBudget
    ) -> dict[EquippedTrain, RelaxedDiagram]:
        """Compile a diagram for each type; types with the same gauges share frontier states."""
        kinds, cap = _common_cap(self.problem)
        frontiers: dict[tuple[str, ...], tuple[FrontierGraph, int]] = {}
        diagrams: dict[EquippedTrain, RelaxedDiagram] = {}
        for type_ in dict.fromkeys(types):
            diagram = RelaxedDiagram(self.layered, Resources(self.problem, *type_))
            compiler = Compiler(diagram, budget)
            gauges = type_[0].gauges
            if gauges in frontiers:
                budget.charge(frontiers[gauges][1])
            else:
                before = budget.nodes
                frontier = FrontierGraph(compiler.layers, budget)
                frontiers[gauges] = frontier, budget.nodes - before
            compiler.compile_relaxed(frontiers[gauges][0], kinds, cap)
            diagrams[type_] = diagram
        for layer in self.layered.layers:
            layer.transitions.clear()  # not needed again, and large
        return diagrams

    def restricted_diagram(
        self, train: EquippedTrain, width: int, payable: bool, budget: NodeBudget
    ) -> Diagram:
        """Return a diagram of some good routes, from a beam of `width` nodes per layer."""
        relaxed = RelaxedDiagram(self.layered, Resources(self.problem, *train))
        capacity = Capacity(self.problem, *train)
        Compiler(relaxed, budget).compile_restricted(capacity, width)
        relaxation = CapacityRelaxation(relaxed, *train, None)
        diagram = Diagram(Objective(relaxation, payable), budget)
        diagram.build()
        return diagram


def _diagram_type(equipped: EquippedTrain) -> EquippedTrain:
    """Return what distinguishes relaxed diagrams: everything except names and capacity."""
    train, card = equipped
    if card is not None:
        card = replace(card, name="", room=(), trains=())
    return replace(train, name="", room=()), None if card == RunCard("") else card


def _common_cap(problem: RunProblem) -> tuple[frozenset[str], int]:
    """Return kinds of stops that every train counts together, and the greatest cap on them."""
    kinds = sorted({stop.kind for stop in problem.stops})
    caps = []
    for train in problem.trains:
        for card in (None, *problem.rules.extras):
            rooms = train.room + (card.room if card else ())
            caps.append(max(room_caps(rooms, kinds), key=lambda c: len(c[0]), default=None))
    if not caps or None in caps:
        return frozenset(), 0
    found = [cap for cap in caps if cap is not None]
    return frozenset.intersection(*(counted for counted, _ in found)), max(c for _, c in found)
