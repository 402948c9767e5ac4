"""All routes of one train, as a layered diagram.

Each layer is one point of the network. A node stands for all partial routes with
the same openings, the same tally and the same load: they have the same future. An
arc is a move at the point, with what it earns and the segments it takes up. Every
path through the diagram is a legal route (or none: the train stays idle), and every
legal route is one path, so questions about routes become questions about arcs.
"""

from __future__ import annotations

from carril.routes.ahead import Ahead, Due, outlooks
from carril.routes.meter import Meter
from carril.routes.moves import DONE, Crossing, places_used
from carril.routes.network import Network
from carril.routes.tally import Step, Tally

NEVER = -(1 << 40)
"""Less than any value: no legal end can be reached."""


Nodes = dict[int, dict[int, dict[int, int]]]
"""The nodes of a layer: by openings, tally and load."""


class Arcs:
    """The arcs of one layer, as columns."""

    def __init__(self) -> None:
        """No arcs yet."""
        self.source: list[int] = []
        self.target: list[int] = []
        self.gain: list[int] = []
        self.paid: list[int] = []
        self.taken: list[int] = []
        self.touched: list[int] = []
        self.first: list[int] = []

    def for_dividend(self) -> Arcs:
        """The same arcs, worth what they add to the dividend."""
        after = Arcs()
        after.source, after.target, after.first = self.source, self.target, self.first
        after.gain, after.paid = self.paid, self.paid
        after.taken, after.touched = self.taken, self.touched
        return after


class Diagram:
    """The diagram of one train with one extra card."""

    def __init__(self, network: Network, tally: Tally, meter: Meter) -> None:
        """An empty diagram; `build` makes it."""
        self.tally = tally
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
        self.price()
        self._trim()

    def valued(self, payable: bool, meter: Meter) -> Diagram:
        """A copy for one question: about the total, or about the payable part."""
        copy = self._copy(meter)
        if payable:
            copy.arcs = [arcs.for_dividend() for arcs in self.arcs]
        copy.alone = copy.price()
        return copy

    def _copy(self, meter: Meter) -> Diagram:
        copy = Diagram(self.network, self.tally, meter)
        copy.arcs = list(self.arcs)
        copy.sizes = list(self.sizes)
        copy.rest = list(self.rest)
        copy.settled = self.settled
        copy.alone = self.alone
        return copy

    def _forward(self, beam: int) -> None:
        nodes: Nodes = {0: {0: {0: 0}}}
        worth = [0]
        crossings = [Crossing(self.network, layer, self.tally) for layer in self.network.layers]
        aheads = outlooks(self.network, self.tally, crossings, None if beam else self.meter)
        for crossing, ahead in zip(crossings, aheads, strict=True):
            step = _Step(self.tally, ahead, crossing.stop)
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
            for tally, loads in tallies.items():
                for node in loads.values():
                    self.settled[node] = tally

    def price(self, prices: list[list[int]] | None = None, scale: int = 1) -> int:
        """Reckon for every node the best that can still come; the best of all at the root.

        `prices`, by layer and bits taken up, are taken off; values are scaled.
        """
        below = [0] * self.sizes[-1]
        rest: list[list[int]] = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            table = prices[index] if prices is not None else []
            below = self._price_layer(index, below, table, scale)
            rest.append(below)
        rest.reverse()
        self.rest = rest
        return rest[0][0]

    def _price_layer(self, index: int, below: list[int], table: list[int], scale: int) -> list[int]:
        arcs = self.arcs[index]
        source, target, gain, taken = arcs.source, arcs.target, arcs.gain, arcs.taken
        best = [NEVER] * self.sizes[index]
        for arc in range(len(source)):
            value = gain[arc] * scale + below[target[arc]]
            if table:
                value -= table[taken[arc]]
            if value > best[source[arc]]:
                best[source[arc]] = value
        return best

    def _trim(self) -> None:
        """Keep the nodes from which a legal end can be reached, and sort arcs by source."""
        self._keep([[value > NEVER // 2 for value in best] for best in self.rest])

    def _keep(self, alive: list[list[bool]]) -> None:
        """Keep some nodes of each layer and the arcs between them."""
        names: list[list[int]] = []
        for layer, best in enumerate(self.rest):
            name: list[int] = []
            count = 0
            kept: list[int] = []
            for node, living in enumerate(alive[layer]):
                name.append(count if living else -1)
                if living:
                    count += 1
                    kept.append(best[node])
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
        copy = self._copy(self.meter)
        alive: list[list[bool]] = []
        above = [0]
        for layer in range(len(self.rest)):
            rest = self.rest[layer]
            alive.append([above[node] + rest[node] >= need for node in range(len(rest))])
            if layer < len(self.arcs):
                above = self._reach_layer(layer, above, prices[layer], scale)
        copy._keep(alive)
        return copy

    def _reach_layer(self, index: int, above: list[int], table: list[int], scale: int) -> list[int]:
        """The most that a way to each node below a layer has earned."""
        arcs = self.arcs[index]
        source, target, gain, taken = arcs.source, arcs.target, arcs.gain, arcs.taken
        best = [NEVER] * self.sizes[index + 1]
        for arc in range(len(source)):
            value = gain[arc] * scale - table[taken[arc]] + above[source[arc]]
            if value > best[target[arc]]:
                best[target[arc]] = value
        return best


def _followed(nodes: Nodes, worth: list[int], beam: int) -> Nodes:
    """The most promising nodes, complete routes and the idle train."""
    ranked: list[tuple[int, int]] = []
    fair = max(worth) // 4
    for openings, tallies in nodes.items():
        loose = fair * max(
            0, len(places_used(openings)) - 1
        )  # every loose stretch has yet to be joined
        for loads in tallies.values():
            ranked += [(loose - worth[node], node) for node in loads.values()]
    chosen = {node for _, node in sorted(ranked)[:beam]}
    kept: Nodes = {}
    for openings, tallies in nodes.items():
        for tally, loads in tallies.items():
            some = {load: n for load, n in loads.items() if openings <= 0 or n in chosen}
            if some:
                kept.setdefault(openings, {})[tally] = some
    return kept


def _sorted(arcs: Arcs, above: list[int], below: list[int]) -> Arcs:
    """The living arcs, by source, with the first arc of each node."""
    count = sum(name >= 0 for name in above)
    first = [0] * (count + 1)
    for arc, source in enumerate(arcs.source):
        if above[source] >= 0 and below[arcs.target[arc]] >= 0:
            first[above[source] + 1] += 1
    for node in range(count):
        first[node + 1] += first[node]
    free = list(first)
    alive = [0] * first[count]
    for arc, source in enumerate(arcs.source):
        node = above[source]
        if node >= 0 and below[arcs.target[arc]] >= 0:
            alive[free[node]] = arc
            free[node] += 1
    after = Arcs()
    after.source = [above[arcs.source[arc]] for arc in alive]
    after.target = [below[arcs.target[arc]] for arc in alive]
    after.gain = [arcs.gain[arc] for arc in alive]
    after.paid = [arcs.paid[arc] for arc in alive]
    after.taken = [arcs.taken[arc] for arc in alive]
    after.touched = [arcs.touched[arc] for arc in alive]
    after.first = first
    return after


class _Step:
    """Makes one layer: the nodes below it and the arcs to them."""

    def __init__(self, tally: Tally, ahead: Ahead, stop: int) -> None:
        """Visit `stop` (-1: none)."""
        self.tally = tally
        self.ahead = ahead
        self.stop = stop
        self.arcs = Arcs()
        self.nodes: Nodes = {}
        self.count = 0
        self.known: dict[int, list[Step]] = {}
        self.kinds = len(tally.loads) // 2

    def worths(self, above: list[int]) -> list[int]:
        """The most that a way to each node has earned, from that of the layer above."""
        found = [NEVER] * self.count
        arcs = self.arcs
        for arc, source in enumerate(arcs.source):
            value = above[source] + arcs.gain[arc]
            if value > found[arcs.target[arc]]:
                found[arcs.target[arc]] = value
        return found

    def carry(self, tallies: dict[int, dict[int, int]]) -> None:
        """Complete routes stay as they are."""
        below = self._below(DONE)
        for tally, loads in tallies.items():
            self._arcs(loads, below, (tally, 0, 0, 0), self.ahead.nothing, 0, 0)

    def expand(self, crossing: Crossing, openings: int, tallies: dict[int, dict[int, int]]) -> None:
        """All moves of all nodes with the same openings."""
        for after, taken, touched in crossing.moves(openings):
            due = self.ahead.due(after)
            if due is None:
                continue
            below = self._below(after)
            kind = touched if after != DONE else touched + 3
            for before, loads in tallies.items():
                tally = crossing.take(before, taken) if self.tally.words else before
                if tally < 0:
                    continue
                for step in self._steps(tally, kind):
                    if not (step[0] & due.forbidden or self.ahead.lacks(after, step[0])):
                        self._arcs(loads, below, step, due, taken, touched)

    def _below(self, openings: int) -> dict[int, dict[int, int]]:
        found = self.nodes.get(openings)
        if found is None:
            found = {}
            self.nodes[openings] = found
        return found

    def _arcs(
        self,
        loads: dict[int, int],
        below: dict[int, dict[int, int]],
        step: Step,
        due: Due,
        taken: int,
        touched: int,
    ) -> None:
        """One step from each node, as far as the train has room."""
        tally, gain, paid, adds = step
        room = self.tally.loads[adds]
        same = self.ahead.loads
        targets = below.get(tally, {})
        arcs = self.arcs
        for load, node in loads.items():
            after = room[load]
            if after < 0 or not due.fits[after]:
                continue
            after = same[after]
            target = targets.get(after, -1)
            if target < 0:
                target = self.count
                self.count += 1
                targets[after] = target
            arcs.source.append(node)
            arcs.target.append(target)
            arcs.gain.append(gain)
            arcs.paid.append(paid)
            arcs.taken.append(taken)
            arcs.touched.append(touched)
        if targets:
            below[tally] = targets

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
        steps = [(tally, 0, 0, 0)]
        if touched:
            steps = self.tally.visit(tally, self.stop, touched == 1)
        if kind < 3:
            simplify = self.ahead.simplify
            return [(simplify(new), gain, paid, adds) for new, gain, paid, adds in steps]
        ended: list[Step] = []
        for new, gain, paid, adds in steps:
            last = self.tally.finish(new)
            if last is not None:
                ended.append((last[0], gain + last[1], paid + last[1], adds + self.kinds))
        return ended
