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
from carril.routes.plan import NEVER, SCALE, Arcs, by_source, numbered

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer: by node of the plan and load."""


class Diagram:
    """The diagram of one train with one extra card."""

    def __init__(self, view: View, meter: Meter) -> None:
        """An empty diagram: `build` makes it whole, `glimpse` a part of it."""
        self.view = view
        self.network = view.plan.network
        self.meter = meter
        self.arcs: list[Arcs] = []
        self.sizes: list[int] = [1]
        self.settled: list[int] = []
        self.rest: list[list[int]] = []
        self.alone = 0

    def build(self, hopes: Hopes | None = None, need: int = NEVER) -> int:
        """Make every layer, then drop what leads to no legal end; what the best route is worth.

        With hopes only the idle train and routes are wanted that are worth `need` at their
        prices (scaled, as what is given then).
        """
        above = self._forward(hopes, need, 0)
        prices = hopes.prices if hopes is not None else None
        best = self.price(prices, 1 if hopes is None else SCALE)
        self._trim(above, need)
        self.alone = self.price()
        return best

    def glimpse(self, hopes: Hopes, width: int) -> None:
        """Follow just the `width` most hopeful nodes of each layer; others lead nowhere."""
        self._forward(hopes, 0, width)

    def stay_idle(self) -> None:
        """Have no route but none."""
        for _ in self.network.layers:
            arcs = Arcs()
            arcs.source, arcs.target, arcs.gain, arcs.taken = [0], [0], [0], [0]
            self.arcs.append(arcs)
            self.sizes.append(1)
        self.settled = [0]

    def _forward(self, hopes: Hopes | None, need: int, width: int) -> list[list[int]]:
        """Make the layers; the most that a way to each node has earned, by layer."""
        nodes: Nodes = {0: {0: 0}}
        worth = [[0]]
        for index in range(len(self.view.plan.arcs)):
            layer = _Layer(self.view, index, hopes, need)
            layer.follow(nodes, worth[-1])
            self.arcs.append(layer.arcs)
            self.sizes.append(layer.count)
            self.meter.add(layer.count)
            nodes = layer.most_hopeful(width) if width else layer.nodes
            worth.append(layer.worth)
        self.settled = [0] * self.sizes[-1]
        for place, loads in nodes.items():
            for node in loads.values():
                self.settled[node] = self.view.plan.settled[place]
        return worth

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
        names = [numbered(living) for living in alive]
        for layer, best in enumerate(self.rest):
            name = names[layer]
            self.rest[layer] = [best[node] for node in range(len(best)) if name[node] >= 0]
            self.sizes[layer] = len(self.rest[layer])
        for index, arcs in enumerate(self.arcs):
            self.arcs[index] = _sorted(arcs, names[index], names[index + 1])
        self.settled = [s for s, name in zip(self.settled, names[-1], strict=True) if name >= 0]

    def shrunk(self, prices: list[list[int]], scale: int, need: int) -> Diagram:
        """A copy with just the nodes through which some route is worth `need` at these prices.

        The diagram must have been reckoned with the same prices.
        """
        copy = Diagram(self.view, self.meter)
        copy.arcs = list(self.arcs)
        copy.sizes = list(self.sizes)
        copy.rest = list(self.rest)
        copy.settled = self.settled
        copy.alone = self.alone
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
    """The living arcs, by source."""
    alive, first = by_source(arcs, above, below)
    after = Arcs()
    after.source = [above[arcs.source[arc]] for arc in alive]
    after.target = [below[arcs.target[arc]] for arc in alive]
    after.gain = [arcs.gain[arc] for arc in alive]
    after.taken = [arcs.taken[arc] for arc in alive]
    after.first = first
    return after


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
        self.nothing = [0] * view.fit.load.size
        self.scale = 1
        self.prices: list[int] = []
        self.most: list[int] = []
        self.spare = self.nothing
        if hopes is not None:
            self.scale = SCALE
            self.prices = hopes.prices[index] if hopes.prices is not None else []
            self.most = hopes.most[index + 1]
            self.spare = view.fit.spare

    def follow(self, above: Nodes, worth: list[int]) -> None:
        """Every arc of the plan from every node, as far as there is room and hope."""
        plan, load = self.view.plan, self.view.fit.load
        arcs, stop = plan.arcs[self.index], plan.stops[self.index]
        passing = load.tables[0]
        room = load.tables[load.adds[stop]] if stop >= 0 else passing
        roomless = stop >= 0 and load.roomless[stop]
        for place, loads in above.items():
            for arc in range(arcs.first[place], arcs.first[place + 1]):
                if not arcs.calls[arc]:
                    self._follow(arc, loads, worth, passing)
                elif not roomless:
                    self._follow(arc, loads, worth, room)

    def _follow(self, way: int, loads: dict[int, int], above: list[int], room: list[int]) -> None:
        """One arc of the plan from all nodes at its source."""
        view, columns, arcs = self.view, self.view.plan.arcs[self.index], self.arcs
        target, taken, gain = columns.target[way], columns.taken[way], view.gains[self.index][way]
        earned = gain * self.scale
        if self.prices:
            earned -= self.prices[taken]
        best = self.most[target] if self.most else 0
        if not target:
            best = -NEVER  # the idle train is always there
        done = view.plan.done[self.index + 1][target]
        same = self.nothing if done else view.fit.same[self.index]
        spare = self.nothing if done else self.spare
        fits: list[bool] = []
        for load, node in loads.items():
            after = room[load]
            if after < 0:
                continue
            after = same[after]
            value = above[node] + earned
            hope = value + best + spare[after]
            if hope < self.need:
                continue
            if not fits:
                fits = view.fit.fitting(self.index + 1, target)
            if not fits[after]:
                continue
            arcs.source.append(node)
            arcs.target.append(self._node(target, after, value, hope))
            arcs.gain.append(gain)
            arcs.taken.append(taken)

    def _node(self, place: int, load: int, worth: int, hope: int) -> int:
        """The node at a place of the plan with some load, after one more way to it."""
        loads = self.nodes.get(place)
        if loads is None:
            loads = {}
            self.nodes[place] = loads
        node = loads.get(load, -1)
        if node < 0:
            node = self.count
            self.count += 1
            loads[load] = node
            self.worth.append(worth)
            self.hope.append(hope)
        elif worth > self.worth[node]:
            self.worth[node] = worth
            self.hope[node] = hope
        return node

    def most_hopeful(self, width: int) -> Nodes:
        """So many of the nodes, and the idle train."""
        if self.count <= width:
            return self.nodes
        least = sorted(self.hope, reverse=True)[width]
        kept: Nodes = {}
        for place, loads in self.nodes.items():
            some = {load: node for load, node in loads.items() if self.hope[node] > least}
            if some:
                kept[place] = some
        return kept
