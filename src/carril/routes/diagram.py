"""All routes of one train, as a layered diagram.

A diagram is a plan with the room of one train: a node stands for all partial routes that are at
the same node of the plan with the same load. They have the same future. Every path through the
diagram is a legal route (or none: the train stays idle), and every legal route is one path, so
questions about routes become questions about arcs. Where only good routes are asked for, the
others are left out as soon as they have no hope.
"""

from __future__ import annotations

from carril.routes.hopes import Hopes, View
from carril.routes.meter import Meter
from carril.routes.plan import NEVER, SCALE

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer: by node of the plan and load."""


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

    def __init__(self, view: View, meter: Meter) -> None:
        """An empty diagram; `build` makes it."""
        self.view = view
        self.train = view.train
        self.extra = view.extra
        self.tally = view.plan.tally
        self.network = view.plan.network
        self.meter = meter
        self.arcs: list[Arcs] = []
        self.sizes: list[int] = [1]
        self.settled: list[int] = []
        self.rest: list[list[int]] = []
        self.alone = 0

    def build(self, hopes: Hopes | None = None, need: int = NEVER, beam: int = 0) -> None:
        """Make every layer, then drop what leads to no legal end.

        With hopes only the idle train and routes are wanted that are worth `need` at their
        prices; with a `beam` only so many nodes of a layer are followed.
        """
        above = self._forward(hopes, need, beam)
        if hopes is None:
            self.price()
        else:
            self.price(hopes.prices, SCALE, hopes.payable)
        self._trim(above, need)

    def stay_idle(self) -> None:
        """Have no route but none."""
        for _ in self.network.layers:
            arcs = Arcs()
            arcs.source, arcs.target, arcs.gain, arcs.paid = [0], [0], [0], [0]
            arcs.taken, arcs.touched, arcs.first = [0], [0], [0, 1]
            self.arcs.append(arcs)
            self.sizes.append(1)
        self.rest = [[0] for _ in self.sizes]
        self.settled = [0]

    def _forward(self, hopes: Hopes | None, need: int, beam: int) -> list[list[int]]:
        """Make the layers; the most that a way to each node has earned, by layer."""
        nodes: Nodes = {0: {0: 0}}
        worth = [[0]]
        for index in range(len(self.view.plan.arcs)):
            layer = _Layer(self.view, index, hopes, need)
            layer.follow(nodes, worth[-1])
            self.arcs.append(layer.arcs)
            self.sizes.append(layer.count)
            self.meter.add(layer.count)
            nodes = layer.nodes if not beam else _followed(layer, beam)
            worth.append(layer.worth)
        self.settled = [0] * self.sizes[-1]
        for place, loads in nodes.items():
            for node in loads.values():
                self.settled[node] = self.view.plan.settled[place]
        return worth

    def valued(self, payable: bool, meter: Meter) -> Diagram:
        """A copy for one question: about the total, or about the payable part."""
        copy = self._copy(meter)
        if payable:
            copy.arcs = [arcs.for_dividend() for arcs in self.arcs]
        copy.alone = copy.price()
        return copy

    def _copy(self, meter: Meter) -> Diagram:
        copy = Diagram(self.view, meter)
        copy.arcs = list(self.arcs)
        copy.sizes = list(self.sizes)
        copy.rest = list(self.rest)
        copy.settled = self.settled
        copy.alone = self.alone
        return copy

    def price(
        self, prices: list[list[int]] | None = None, scale: int = 1, payable: bool = False
    ) -> int:
        """Reckon for every node the best that can still come; the best of all at the root.

        `prices`, by layer and bits taken up, are taken off; values are scaled.
        """
        below = [0] * self.sizes[-1]
        rest: list[list[int]] = [below]
        for index in range(len(self.arcs) - 1, -1, -1):
            table = prices[index] if prices is not None else []
            below = self._price_layer(index, below, table, scale, payable)
            rest.append(below)
        rest.reverse()
        self.rest = rest
        return rest[0][0]

    def _price_layer(
        self, index: int, below: list[int], table: list[int], scale: int, payable: bool
    ) -> list[int]:
        arcs = self.arcs[index]
        source, target, taken = arcs.source, arcs.target, arcs.taken
        gain = arcs.paid if payable else arcs.gain
        best = [NEVER] * self.sizes[index]
        for arc in range(len(source)):
            value = gain[arc] * scale + below[target[arc]]
            if table:
                value -= table[taken[arc]]
            if value > best[source[arc]]:
                best[source[arc]] = value
        return best

    def _trim(self, above: list[list[int]], need: int) -> None:
        """Keep the nodes of routes worth `need`, and of the idle train; sort arcs by source."""
        least = max(need, NEVER // 2)
        alive: list[list[bool]] = []
        for worth, rest in zip(above, self.rest, strict=True):
            alive.append([worth[node] + rest[node] >= least for node in range(len(rest))])
            alive[-1][0] = True
        self._keep(alive)

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


def _followed(layer: _Layer, beam: int) -> Nodes:
    """The most promising nodes, and the idle train."""
    if layer.count <= beam:
        return layer.nodes
    least = sorted(layer.hope, reverse=True)[beam]
    kept: Nodes = {}
    for place, loads in layer.nodes.items():
        some = {load: node for load, node in loads.items() if layer.hope[node] > least}
        if some or not place:
            kept[place] = some or loads
    return kept


class _Layer:
    """Makes one layer: the nodes below it and the arcs to them."""

    def __init__(self, view: View, index: int, hopes: Hopes | None, need: int) -> None:
        """Cross layer `index`, with hope for `need`."""
        self.view = view
        self.index = index
        self.need = need
        self.arcs = Arcs()
        self.nodes: Nodes = {}
        self.count = 0
        self.worth: list[int] = []
        """The most that a way to each node has earned."""
        self.hope: list[int] = []
        """The most that a route through each node can be worth."""
        self.payable = False
        self.scale = 1
        self.prices: list[int] = []
        self.most: list[int] = []
        self.nothing = [0] * view.load.size
        self.spare = self.nothing
        if hopes is not None:
            self.payable = hopes.payable
            self.scale = SCALE
            self.prices = hopes.prices[index] if hopes.prices is not None else []
            self.most = hopes.most[index + 1]
            self.spare = hopes.spare

    def follow(self, above: Nodes, worth: list[int]) -> None:
        """Every arc of the plan from every node, as far as there is room and hope."""
        plan, load = self.view.plan, self.view.load
        arcs, done = plan.arcs[self.index], plan.done[self.index + 1]
        stop = plan.stops[self.index]
        through, room = load.tables[0], load.tables[0]
        roomless = False
        if stop >= 0:
            room = load.tables[load.adds[stop]]
            roomless = load.roomless[stop]
        for arc in range(len(arcs.source)):
            loads = above.get(arcs.source[arc])
            if loads is None or (roomless and arcs.calls[arc]):
                continue
            target, gain, paid = arcs.target[arc], arcs.gain[arc], arcs.paid[arc]
            earned = (paid if self.payable else gain) * self.scale
            if self.prices:
                earned -= self.prices[arcs.taken[arc]]
            best = self.most[target] if self.most else 0
            if not target:
                best = -NEVER  # the idle train is always there
            self._arc(
                arc,
                loads,
                worth,
                room if arcs.calls[arc] else through,
                earned,
                best,
                done[target],
            )

    def _arc(
        self,
        arc: int,
        loads: dict[int, int],
        above: list[int],
        room: list[int],
        earned: int,
        best: int,
        done: bool,
    ) -> None:
        """One arc of the plan from all nodes at its source."""
        columns, arcs = self.view.plan.arcs[self.index], self.arcs
        target = columns.target[arc]
        same = self.view.same[self.index]
        spare = self.nothing if done else self.spare
        fits: list[bool] = []
        targets = self.nodes.get(target, {})
        need, worth = self.need, self.worth
        for load, node in loads.items():
            after = room[load]
            if after < 0:
                continue
            after = 0 if done else same[after]
            value = above[node] + earned
            hope = value + best + spare[after]
            if hope < need:
                continue
            if not fits:
                fits = self.view.fits(self.index + 1, target)
            if not fits[after]:
                continue
            found = targets.get(after, -1)
            if found < 0:
                found = self.count
                self.count += 1
                targets[after] = found
                worth.append(value)
                self.hope.append(hope)
            elif value > worth[found]:
                worth[found] = value
                self.hope[found] = hope
            arcs.source.append(node)
            arcs.target.append(found)
            arcs.gain.append(columns.gain[arc])
            arcs.paid.append(columns.paid[arc])
            arcs.taken.append(columns.taken[arc])
            arcs.touched.append(columns.touched[arc])
        if targets:
            self.nodes[target] = targets
