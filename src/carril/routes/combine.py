"""One route for each train, no track in common, greatest sum.

The diagrams of all trains have the same layers, and a segment is taken up in one
layer, so routes share no track exactly when their arcs share no segment layer by
layer. The product of the diagrams is searched layer by layer; a state whose bound
does not beat the best known run is dropped. The bound is what each train could
still earn alone, less *prices* for segments that several trains want.
"""

from __future__ import annotations

from carril.routes.diagram import Diagram
from carril.routes.meter import Meter
from carril.routes.plan import NEVER, SCALE
from carril.routes.prices import Bidders
from carril.routes.settle import Settlement

Path = list[int]
"""The arc taken in each layer."""


class Team(Bidders):
    """Diagrams of trains that run together, and the best run known."""

    def __init__(self, diagrams: list[Diagram], settlement: Settlement, meter: Meter) -> None:
        """Let one route of each diagram run; equal diagrams must stand side by side."""
        super().__init__(diagrams[0].network)
        self.diagrams = diagrams
        self.whole = diagrams
        self.settlement = settlement
        self.meter = meter
        self.paths: list[Path] = [_idle(diagram) for diagram in diagrams]
        self.wishes: list[Path] = []
        """The best routes at the prices, each on its own."""
        self.bound = sum(diagram.alone for diagram in diagrams) + settlement.most

    def worth(self, paths: list[Path]) -> int:
        """What routes earn together; NEVER if they may not run together."""
        total = 0
        shared: list[int] = []
        used = [0] * self.layers
        for diagram, path in zip(self.diagrams, paths, strict=True):
            node = 0
            for layer, arc in enumerate(path):
                arcs = diagram.arcs[layer]
                if used[layer] & arcs.taken[arc]:
                    return NEVER
                used[layer] |= arcs.taken[arc]
                total += arcs.gain[arc]
                node = arcs.target[arc]
            shared.append(diagram.settled[node])
        extra = self.settlement.correction(tuple(shared))
        return total + extra if extra > NEVER else NEVER

    def shared(self, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """What routes that end in these nodes of the last layer share with each other."""
        return tuple([d.settled[node] for d, node in zip(self.diagrams, nodes, strict=True)])

    def offer(self, paths: list[Path]) -> bool:
        """Take the routes as the best run if they are better."""
        value = self.worth(paths)
        if value <= self.best:
            return False
        self.best = value
        self.paths = paths
        return True

    def exchange(self, index: int, diagram: Diagram, path: Path) -> None:
        """Let a train take a route of another diagram if the run is better with it."""
        before = self.diagrams[index]
        self.diagrams[index] = diagram
        paths = list(self.paths)
        paths[index] = path
        if not self.offer(paths):
            self.diagrams[index] = before

    def taken(self, paths: list[Path], skip: int) -> list[int]:
        """Segments taken up by all routes but one, layer by layer."""
        used = [0] * self.layers
        for index, path in enumerate(paths):
            if index == skip:
                continue
            for layer in range(self.layers):
                used[layer] |= self.diagrams[index].arcs[layer].taken[path[layer]]
        return used

    def improve(self, paths: list[Path]) -> None:
        """Let each train in turn take its best route beside the others, until none gains."""
        for _ in range(6):
            before = self.best
            for index, diagram in enumerate(self.diagrams):
                if self.best >= self.bound:
                    return
                paths = list(paths)
                paths[index] = best_path(diagram, self.taken(paths, index))
                if not paths[index]:
                    return
                self.offer(paths)
            if self.best == before:
                return

    def greedy(self) -> None:
        """First runs: best route first, for every choice of the first train."""
        idle = [_idle(diagram) for diagram in self.diagrams]
        for first in range(len(self.diagrams)):
            if first and self.diagrams[first] is self.diagrams[first - 1]:
                continue
            paths = list(idle)
            paths[first] = best_path(self.diagrams[first], [0] * self.layers)
            self.offer(paths)
            self.improve(paths)

    def arcs(self) -> int:
        """How many arcs a round of prices goes through: as many states cost about the same."""
        kinds = {id(diagram): diagram for diagram in self.diagrams}
        return sum(len(arcs.source) for diagram in kinds.values() for arcs in diagram.arcs)

    def bid(self) -> int:
        """The most that all diagrams are worth at the prices."""
        total = self.settlement.most * SCALE
        done: dict[int, int] = {}
        for diagram in self.diagrams:
            if id(diagram) not in done:
                done[id(diagram)] = diagram.price(self.prices, SCALE)
            total += done[id(diagram)]
        return total

    def wanted(self) -> list[list[int]]:
        """The bits that the best routes at the prices take up."""
        self.wishes = [priced_path(diagram, self.prices) for diagram in self.diagrams]
        return [
            [diagram.arcs[layer].taken[arc] for layer, arc in enumerate(path)]
            for diagram, path in zip(self.diagrams, self.wishes, strict=True)
        ]

    def compromise(self) -> None:
        """Start from the best routes at the prices, and let each make way for the others."""
        self.improve(self.wishes)

    def shrink(self, grain: int) -> bool:
        """Drop what cannot be part of a better run; False if nothing is left.

        A route has a chance if, with the best priced routes of all other trains and
        all prices added, the sum beats the best known run.
        """
        total = self.later[0] + sum(diagram.rest[0][0] for diagram in self.diagrams)
        missing = (self.best + grain - self.settlement.most) * SCALE - total
        smaller: list[Diagram] = []
        for index, diagram in enumerate(self.diagrams):
            if index and diagram is self.diagrams[index - 1]:
                smaller.append(smaller[-1])
                continue
            need = diagram.rest[0][0] + missing
            smaller.append(diagram.shrunk(self.prices, SCALE, need))
            if not smaller[-1].sizes[0]:
                return False
        self.diagrams = smaller
        return True


def _idle(diagram: Diagram) -> Path:
    """The path of a train that does not run: always the first arc."""
    return [0] * len(diagram.arcs)


def best_path(diagram: Diagram, used: list[int]) -> Path:
    """The best route of one train that leaves the segments `used` alone; none in a shrunk one."""
    below = [0] * diagram.sizes[-1]
    choices: list[list[int]] = []
    for layer in range(len(diagram.arcs) - 1, -1, -1):
        below, choice = _best_layer(diagram, layer, below, used[layer])
        choices.append(choice)
    choices.reverse()
    path: Path = []
    node = 0
    if below[0] <= NEVER // 2:
        return path
    for layer, choice in enumerate(choices):
        path.append(choice[node])
        node = diagram.arcs[layer].target[choice[node]]
    return path


def _best_layer(
    diagram: Diagram, layer: int, below: list[int], used: int
) -> tuple[list[int], list[int]]:
    arcs = diagram.arcs[layer]
    best = [NEVER] * diagram.sizes[layer]
    choice = [-1] * diagram.sizes[layer]
    source, target, gain, taken = arcs.source, arcs.target, arcs.gain, arcs.taken
    for arc in range(len(source)):
        if taken[arc] & used:
            continue
        value = gain[arc] + below[target[arc]]
        if value > best[source[arc]]:
            best[source[arc]] = value
            choice[source[arc]] = arc
    return best, choice


def priced_path(diagram: Diagram, prices: list[list[int]]) -> Path:
    """The best route of one train after `Team.reprice`."""
    path: Path = []
    node = 0
    for layer, arcs in enumerate(diagram.arcs):
        rest, below = diagram.rest[layer][node], diagram.rest[layer + 1]
        for arc in range(arcs.first[node], arcs.first[node + 1]):
            after = arcs.target[arc]
            value = arcs.gain[arc] * SCALE - prices[layer][arcs.taken[arc]]
            if value + below[after] == rest:
                path.append(arc)
                node = after
                break
    return path
