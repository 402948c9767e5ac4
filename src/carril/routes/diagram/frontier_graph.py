"""State-space relaxation to the frontier: every sequence of frontier states, without labels.

Most partial routes cannot be completed: their open paths cannot be connected, or only over too
many stops. This depends only on the frontier state, and there are far fewer of those than of
partial routes.
"""

from __future__ import annotations

from carril.routes.budget import NodeBudget
from carril.routes.constants import UNREACHABLE
from carril.routes.state.frontier import COMPLETE, FrontierTransitions


class FrontierGraph:
    """Frontier states before and after each layer, and the transitions between them."""

    def __init__(self, layers: list[FrontierTransitions], budget: NodeBudget) -> None:
        """Follow every transition from the empty frontier."""
        self.states: list[dict[int, int]] = [{0: 0}]
        """Before each layer and after the last: the frontier states, numbered."""
        self.source: list[list[int]] = []
        self.target: list[list[int]] = []
        self.degree: list[list[int]] = []
        for layer in layers:
            below = self._expand(layer)
            self.states.append(below)
            budget.charge(len(below))

    def _expand(self, layer: FrontierTransitions) -> dict[int, int]:
        below: dict[int, int] = {}
        sources: list[int] = []
        targets: list[int] = []
        degrees: list[int] = []
        for state, source in self.states[-1].items():
            if state == COMPLETE:
                continue
            transitions = layer.transitions(state)
            for index in range(0, len(transitions), 3):
                after = transitions[index]
                target = below.get(after, -1)
                if target < 0:
                    target = len(below)
                    below[after] = target
                sources.append(source)
                targets.append(target)
                degrees.append(transitions[index + 2])
        self.source.append(sources)
        self.target.append(targets)
        self.degree.append(degrees)
        return below

    def min_calls(self, costs: list[int]) -> list[list[int]]:
        """Return the least cost of completing a route, after each layer and by frontier state.

        `costs` has for each layer what a visit to its stop costs: 0 or 1, or UNREACHABLE if the
        stop is barred.
        """
        last = len(self.source)
        below = [0 if state <= 0 else UNREACHABLE for state in self.states[last]]
        found: list[list[int]] = []
        for layer in range(last - 1, -1, -1):
            found.append(below)
            above = [0 if state <= 0 else UNREACHABLE for state in self.states[layer]]
            columns = self.source[layer], self.target[layer], self.degree[layer]
            relax_min_cost(above, below, *columns, costs[layer])
            below = above
        found.reverse()
        return found


def relax_min_cost(
    above: list[int],
    below: list[int],
    source: list[int],
    target: list[int],
    calls: list[int],
    cost: int,
) -> None:
    """Lower the costs `above` a layer by its arcs, given those `below`; a call costs `cost`."""
    for arc in range(len(source)):
        value = below[target[arc]]
        if calls[arc]:
            value += cost
        if value < above[source[arc]]:
            above[source[arc]] = value
