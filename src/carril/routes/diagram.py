"""All routes of one train, as a layered diagram.

Each layer is one point of the network. A node stands for all partial routes with
the same openings and the same tally; a *spot* is a node with a load (node times
number of loads, plus load), and partial routes in one spot have the same future.
An arc is a move at the point, with what it earns, the segments it takes up and
the load it adds. Every path through the diagram is a legal route (or none: the
train stays idle), and every legal route is one path, so questions about routes
become questions about arcs.
"""

from __future__ import annotations

from carril.routes.moves import DONE, Crossing, open_ends
from carril.routes.network import Network
from carril.routes.tally import Step, Tally

NEVER = -(1 << 40)
"""Less than any value: no legal end can be reached."""


class BudgetSpent(Exception):
    """The number of nodes allowed is used up."""


class Meter:
    """Counts nodes, and stops the search when the budget is spent."""

    def __init__(self, budget: int) -> None:
        """Allow `budget` nodes; 0 = any number."""
        self.budget = budget
        self.nodes = 0

    def add(self, count: int) -> None:
        """Count some nodes more."""
        self.nodes += count
        if self.budget and self.nodes > self.budget:
            raise BudgetSpent


class Arcs:
    """The arcs of one layer, as columns."""

    def __init__(self) -> None:
        """No arcs yet."""
        self.source: list[int] = []
        self.target: list[int] = []
        self.gain: list[int] = []
        self.taken: list[int] = []
        self.touched: list[int] = []
        self.adds: list[int] = []
        self.first: list[int] = []


class Diagram:
    """The diagram of one train with one extra card."""

    def __init__(self, network: Network, tally: Tally, meter: Meter) -> None:
        """An empty diagram; `build` makes it."""
        self.tally = tally
        self.size = tally.size
        self.loads = tally.loads
        self.meter = meter
        self.network = network
        self.arcs: list[Arcs] = []
        self.sizes: list[int] = [1]
        self.settled: list[int] = []
        self.rest: list[list[int]] = []
        self.alone = 0

    def build(self, beam: int = 0) -> None:
        """Make every layer, then drop what leads to no legal end.

        With a `beam` only so many nodes of a layer are followed: some routes are
        missing then, but those that are there are legal.
        """
        self._forward(beam)
        self.alone = self.price()
        self._trim()

    def _later(self, index: int) -> list[int]:
        """Stops of the layers after one."""
        points = self.network.problem.points
        stops = [points[layer.point].stop for layer in self.network.layers[index + 1 :]]
        return [stop for stop in stops if stop >= 0]

    def _forward(self, beam: int) -> None:
        nodes: dict[int, dict[int, int]] = {0: {0: 0}}
        worth = [(0, 0)]
        for index, layer in enumerate(self.network.layers):
            crossing = Crossing(self.network, layer, self.tally)
            step = _Step(self.tally, crossing.stop, self._later(index))
            for openings, tallies in nodes.items():
                if openings == DONE:
                    step.carry(tallies)
                else:
                    step.expand(crossing, openings, tallies)
            self.arcs.append(step.arcs)
            self.sizes.append(step.count)
            self.meter.add(step.count)
            nodes = step.nodes
            if beam:
                worth = step.worths(worth)
                nodes = _followed(nodes, worth, beam)
        self.settled = [0] * self.sizes[-1]
        for tallies in nodes.values():
            for tally, node in tallies.items():
                self.settled[node] = tally

    def price(self, prices: list[list[int]] | None = None, scale: int = 1) -> int:
        """Reckon for every spot the best that can still come; the best of all at the root.

        `prices`, by layer and bits taken up, are taken off; values are scaled.
        """
        below = [0] * (self.sizes[-1] * self.size)
        rest: list[list[int]] = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            table = prices[index] if prices is not None else []
            below = self._price_layer(index, below, table, scale)
            rest.append(below)
        rest.reverse()
        self.rest = rest
        return rest[0][0]

    def follow(self, layer: int, spot: int, arc: int) -> int:
        """The spot to which an arc leads; -1 if the train has no room for it."""
        arcs = self.arcs[layer]
        load = self.loads[arcs.adds[arc]][spot % self.size]
        return arcs.target[arc] * self.size + load if load >= 0 else -1

    def _price_layer(self, index: int, below: list[int], table: list[int], scale: int) -> list[int]:
        arcs = self.arcs[index]
        source, target, gain, taken, adds = (
            arcs.source,
            arcs.target,
            arcs.gain,
            arcs.taken,
            arcs.adds,
        )
        size = self.size
        best = [NEVER] * (self.sizes[index] * size)
        for arc in range(len(source)):
            value = gain[arc] * scale
            if table:
                value -= table[taken[arc]]
            here = source[arc] * size
            there = target[arc] * size
            for load in self.loads[adds[arc]]:
                if load >= 0:
                    whole = value + below[there + load]
                    if whole > best[here]:
                        best[here] = whole
                here += 1
        return best

    def _trim(self) -> None:
        """Keep the nodes from which a legal end can be reached, and sort arcs by source."""
        alive = [_alive(best, self.size) for best in self.rest]
        self._keep(alive)

    def _keep(self, alive: list[list[bool]]) -> None:
        """Keep some nodes of each layer and the arcs between them."""
        names: list[list[int]] = []
        size = self.size
        for layer, best in enumerate(self.rest):
            name: list[int] = []
            count = 0
            kept: list[int] = []
            for node, living in enumerate(alive[layer]):
                name.append(count if living else -1)
                if living:
                    count += 1
                    kept += best[node * size : (node + 1) * size]
            names.append(name)
            self.rest[layer] = kept
            self.sizes[layer] = count
        for index, arcs in enumerate(self.arcs):
            self.arcs[index] = _sorted(arcs, names[index], names[index + 1])
        self.settled = [s for s, name in zip(self.settled, names[-1], strict=True) if name >= 0]

    def shrunk(self, prices: list[list[int]], scale: int, need: int) -> Diagram:
        """A copy with just the nodes through which some route is worth `need` at these prices.

        The diagram must have been reckoned with the same prices.
        """
        copy = Diagram(self.network, self.tally, self.meter)
        copy.arcs = list(self.arcs)
        copy.sizes = list(self.sizes)
        copy.rest = list(self.rest)
        copy.settled = self.settled
        copy.alone = self.alone
        alive: list[list[bool]] = []
        above = [NEVER] * self.size
        above[0] = 0
        for layer in range(len(self.rest)):
            alive.append(
                _alive(
                    [a + b for a, b in zip(above, self.rest[layer], strict=True)], self.size, need
                )
            )
            if layer < len(self.arcs):
                above = self._reach_layer(layer, above, prices[layer], scale)
        copy._keep(alive)
        return copy

    def _reach_layer(self, index: int, above: list[int], table: list[int], scale: int) -> list[int]:
        """The most that a way to each spot below a layer has earned."""
        arcs = self.arcs[index]
        size = self.size
        best = [NEVER] * (self.sizes[index + 1] * size)
        for arc in range(len(arcs.source)):
            value = arcs.gain[arc] * scale - table[arcs.taken[arc]]
            here = arcs.source[arc] * size
            there = arcs.target[arc] * size
            for load in self.loads[arcs.adds[arc]]:
                if load >= 0:
                    whole = value + above[here]
                    if whole > best[there + load]:
                        best[there + load] = whole
                here += 1
        return best


def _alive(best: list[int], size: int, need: int = NEVER // 2) -> list[bool]:
    """Which nodes have a spot worth `need`."""
    return [max(best[spot : spot + size]) >= need for spot in range(0, len(best), size)]


def _followed(
    nodes: dict[int, dict[int, int]], worth: list[tuple[int, int]], beam: int
) -> dict[int, dict[int, int]]:
    """The most promising nodes, complete routes and the idle train."""
    ranked: list[tuple[int, int]] = []
    fair = max(value for value, _ in worth) // 4
    for openings, tallies in nodes.items():
        loose = fair * max(0, open_ends(openings) - 1)  # every loose stretch has yet to be joined
        ranked += [(loose - worth[node][0], node) for node in tallies.values()]
    chosen = {node for _, node in sorted(ranked)[:beam]}
    kept: dict[int, dict[int, int]] = {}
    for openings, tallies in nodes.items():
        some = {t: n for t, n in tallies.items() if openings <= 0 or n in chosen}
        if some:
            kept[openings] = some
    return kept


def _sorted(arcs: Arcs, above: list[int], below: list[int]) -> Arcs:
    """The living arcs, by source, with the first arc of each node."""
    alive = [
        arc
        for arc in range(len(arcs.source))
        if above[arcs.source[arc]] >= 0 and below[arcs.target[arc]] >= 0
    ]
    alive.sort(key=lambda arc: above[arcs.source[arc]])
    after = Arcs()
    after.source = [above[arcs.source[arc]] for arc in alive]
    after.target = [below[arcs.target[arc]] for arc in alive]
    after.gain = [arcs.gain[arc] for arc in alive]
    after.taken = [arcs.taken[arc] for arc in alive]
    after.touched = [arcs.touched[arc] for arc in alive]
    after.adds = [arcs.adds[arc] for arc in alive]
    count = sum(name >= 0 for name in above)
    first = [0] * (count + 1)
    for source in after.source:
        first[source + 1] += 1
    for node in range(count):
        first[node + 1] += first[node]
    after.first = first
    return after


class _Step:
    """Makes one layer: the nodes below it and the arcs to them."""

    def __init__(self, tally: Tally, stop: int, later: list[int]) -> None:
        """Visit `stop` (-1: none); the stops `later` are still to come."""
        self.tally = tally
        self.stop = stop
        self.keep, self.ends = tally.forgetting(later)
        self.arcs = Arcs()
        self.nodes: dict[int, dict[int, int]] = {}
        self.count = 0
        self.known: dict[int, list[Step]] = {}
        self.kinds = len(tally.loads) // 2

    def worths(self, above: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """What a good way to each node has earned, and its load, from those of the layer above."""
        found = [(NEVER, 0)] * self.count
        arcs = self.arcs
        for arc, source in enumerate(arcs.source):
            value, load = above[source]
            after = self.tally.loads[arcs.adds[arc]][load]
            if after >= 0 and value + arcs.gain[arc] > found[arcs.target[arc]][0]:
                found[arcs.target[arc]] = (value + arcs.gain[arc], after)
        return found

    def carry(self, tallies: dict[int, int]) -> None:
        """Complete routes stay as they are."""
        below = self._below(DONE)
        for tally, node in tallies.items():
            self._arc(node, below, tally, 0, 0, 0, 0)

    def expand(self, crossing: Crossing, openings: int, tallies: dict[int, int]) -> None:
        """All moves of all nodes with the same openings."""
        for after, taken, touched in crossing.moves(openings):
            below = self._below(after)
            kind = touched if after != DONE else touched + 3
            for before, node in tallies.items():
                tally = crossing.take(before, taken) if self.tally.words else before
                if tally < 0:
                    continue
                for new, gain, adds in self._steps(tally, kind):
                    self._arc(node, below, new, gain, taken, touched, adds)

    def _below(self, openings: int) -> dict[int, int]:
        found = self.nodes.get(openings)
        if found is None:
            found = {}
            self.nodes[openings] = found
        return found

    def _arc(
        self,
        node: int,
        below: dict[int, int],
        tally: int,
        gain: int,
        taken: int,
        touched: int,
        adds: int,
    ) -> None:
        target = below.get(tally, -1)
        if target < 0:
            target = self.count
            self.count += 1
            below[tally] = target
        arcs = self.arcs
        arcs.source.append(node)
        arcs.target.append(target)
        arcs.gain.append(gain)
        arcs.taken.append(taken)
        arcs.touched.append(touched)
        arcs.adds.append(adds)

    def _steps(self, tally: int, kind: int) -> list[Step]:
        """What visiting the stop, completing the route, or both, makes of a tally."""
        key = tally * 6 + kind
        found = self.known.get(key)
        if found is None:
            found = self._reckon(tally, kind)
            self.known[key] = found
        return found

    def _reckon(self, tally: int, kind: int) -> list[Step]:
        touched = kind % 3
        steps = [(tally, 0, 0)]
        if touched:
            steps = self.tally.visit(tally, self.stop, touched == 1)
        if kind < 3:
            simplify = self.tally.simplify
            return [(simplify(new, self.keep, self.ends), gain, adds) for new, gain, adds in steps]
        ended: list[Step] = []
        for new, gain, adds in steps:
            last = self.tally.finish(new)
            if last is not None:
                ended.append((last[0], gain + last[1], adds + self.kinds))
        return ended
