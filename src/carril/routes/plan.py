"""All routes of one kind of train, as if it had room for any number of stops.

A plan is a layered graph. Each layer is one point of the network. A node stands for all partial
routes with the same openings and the same tally; an arc is a move at the point, with what it
earns and the segments it takes up. Trains that differ in nothing but their room, with or without
a card that gives more of it, have one plan in common.
"""

from __future__ import annotations

from carril.routes.ends import FAR, reckon_least
from carril.routes.network import Network
from carril.routes.tally import Tally

NEVER = -(1 << 40)
"""Less than any value: no legal end can be reached."""
SCALE = 64
"""Prices and rates are whole numbers of 1/64, so that every machine finds the same."""


class Arcs:
    """The arcs of one layer, as columns; the idle one first."""

    def __init__(self) -> None:
        """No arcs yet."""
        self.source: list[int] = []
        self.target: list[int] = []
        self.gain: list[int] = []
        self.taken: list[int] = []
        self.first: list[int] = []
        """The first arc of each node, once arcs are sorted by source."""


class PlanArcs(Arcs):
    """Arcs for any train and either question."""

    def __init__(self) -> None:
        """No arcs yet."""
        super().__init__()
        self.paid: list[int] = []
        """What they add to the dividend; the gain is what they earn in all."""
        self.calls: list[int] = []
        """Whether a place in the train is taken: 0 or 1."""


class Plan:
    """The graph of one kind of train."""

    def __init__(self, network: Network, tally: Tally) -> None:
        """An empty plan; see `drafting`."""
        self.network = network
        self.tally = tally
        points = network.problem.points
        self.stops = [points[layer.point].stop for layer in network.layers]
        """The stop of each layer, or -1."""
        self.arcs: list[PlanArcs] = []
        self.sizes: list[int] = [1]
        self.done: list[list[bool]] = [[False]]
        """By layer and node: whether the route is complete."""
        self.settled: list[int] = []

    def add(self, arcs: PlanArcs, done: list[bool]) -> None:
        """Add a layer and the nodes below it."""
        self.arcs.append(arcs)
        self.done.append(done)
        self.sizes.append(len(done))

    def close(self, settled: list[int]) -> None:
        """Note what complete routes share with others, and drop what leads to no legal end."""
        self.settled = settled
        alive = [True] * self.sizes[-1]
        names = numbered(alive)
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs = self.arcs[index]
            above = [False] * self.sizes[index]
            above[0] = True
            for arc in range(len(arcs.source)):
                if alive[arcs.target[arc]]:
                    above[arcs.source[arc]] = True
            numbers = numbered(above)
            self.arcs[index] = _living(arcs, numbers, names)
            self.done[index] = [d for d, a in zip(self.done[index], above, strict=True) if a]
            self.sizes[index] = len(self.done[index])
            alive, names = above, numbers

    def most(
        self, net: list[list[int]], start: int, prices: list[list[int]] | None
    ) -> list[list[int]]:
        """The most that can still be earned from each node, before each layer and after the last.

        `net` has what each arc is worth, by layer; a route that begins has `start`. Prices (by
        layer and bits taken up) are taken off; all are scaled.
        """
        below = [0] * self.sizes[-1]
        found = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs = self.arcs[index]
            source, target, taken, worth = arcs.source, arcs.target, arcs.taken, net[index]
            best = [NEVER] * self.sizes[index]
            if prices is None:
                for arc in range(1, len(source)):
                    value = below[target[arc]] + worth[arc]
                    if value > best[source[arc]]:
                        best[source[arc]] = value
            else:
                table = prices[index]
                for arc in range(1, len(source)):
                    value = below[target[arc]] + worth[arc] - table[taken[arc]]
                    if value > best[source[arc]]:
                        best[source[arc]] = value
            best[0] = max(best[0] + start, below[0])
            below = best
            found.append(below)
        found.reverse()
        return found

    def best(
        self,
        net: list[list[int]],
        start: int,
        prices: list[list[int]] | None,
        most: list[list[int]],
    ) -> list[int]:
        """The route that `most` promises, as an arc for each layer."""
        path: list[int] = []
        node = 0
        for index, arcs in enumerate(self.arcs):
            table = prices[index] if prices is not None else []
            below = most[index + 1]
            want = most[index][node]
            for arc in range(arcs.first[node], arcs.first[node + 1]):
                value = below[arcs.target[arc]] + net[index][arc]
                if table:
                    value -= table[arcs.taken[arc]]
                if not node and arcs.target[arc]:
                    value += start
                if value == want:
                    path.append(arc)
                    node = arcs.target[arc]
                    break
        return path

    def least(self, costs: list[int]) -> list[list[int]]:
        """The least that completing costs from each node; `costs` are those of a call, by layer."""
        below = [0] * self.sizes[-1]
        found = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs, above = self.arcs[index], [FAR] * self.sizes[index]
            reckon_least(above, below, arcs.source, arcs.target, arcs.calls, costs[index])
            below = above
            found.append(below)
        found.reverse()
        return found


def numbered(alive: list[bool]) -> list[int]:
    """New numbers for the living, -1 for others."""
    names: list[int] = []
    count = 0
    for living in alive:
        names.append(count if living else -1)
        count += int(living)
    return names


def by_source(arcs: Arcs, above: list[int], below: list[int]) -> tuple[list[int], list[int]]:
    """The arcs between living nodes in the order of their sources, and the first of each node.

    The nodes above and below have new numbers, -1 if they do not live.
    """
    first = [0] * (max(above) + 2)
    for arc, source in enumerate(arcs.source):
        if above[source] >= 0 and below[arcs.target[arc]] >= 0:
            first[above[source] + 1] += 1
    for node in range(len(first) - 1):
        first[node + 1] += first[node]
    free = list(first)
    alive = [0] * first[-1]
    for arc, source in enumerate(arcs.source):
        node = above[source]
        if node >= 0 and below[arcs.target[arc]] >= 0:
            alive[free[node]] = arc
            free[node] += 1
    return alive, first


def _living(arcs: PlanArcs, above: list[int], below: list[int]) -> PlanArcs:
    """The arcs between living nodes, by their new numbers and in the order of their sources."""
    alive, first = by_source(arcs, above, below)
    after = PlanArcs()
    after.source = [above[arcs.source[arc]] for arc in alive]
    after.target = [below[arcs.target[arc]] for arc in alive]
    after.gain = [arcs.gain[arc] for arc in alive]
    after.paid = [arcs.paid[arc] for arc in alive]
    after.taken = [arcs.taken[arc] for arc in alive]
    after.calls = [arcs.calls[arc] for arc in alive]
    after.first = first
    return after
