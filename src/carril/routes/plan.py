"""All routes of one kind of train, as if it had room for any number of stops.

A plan is a layered graph. Each layer is one point of the network. A node stands for all partial
routes with the same openings and the same tally; an arc is a move at the point, with what it
earns and the segments it takes up. Trains that differ in nothing but their room, with or without
a card that gives more of it, have one plan in common.
"""

from __future__ import annotations

from carril.routes.ahead import Ahead, Due, ToCome
from carril.routes.ends import FAR, Ends
from carril.routes.load import Load
from carril.routes.meter import Meter
from carril.routes.moves import DONE, Crossing, places_used
from carril.routes.network import Network
from carril.routes.tally import Step, Tally

NEVER = -(1 << 40)
"""Less than any value: no legal end can be reached."""


class Arcs:
    """The arcs of one layer, as columns, by source; the idle one first."""

    def __init__(self) -> None:
        """No arcs yet."""
        self.source: list[int] = []
        self.target: list[int] = []
        self.gain: list[int] = []
        self.paid: list[int] = []
        self.taken: list[int] = []
        self.calls: list[int] = []
        """Whether a place in the train is taken: 0 or 1."""
        self.first: list[int] = []


class Plan:
    """The graph of one kind of train."""

    def __init__(self, network: Network, tally: Tally) -> None:
        """An empty plan; `draw` or `sketch` makes it."""
        self.network = network
        self.tally = tally
        self.crossings = [Crossing(network, layer, tally) for layer in network.layers]
        self.stops = [crossing.stop for crossing in self.crossings]
        self.arcs: list[Arcs] = []
        self.sizes: list[int] = [1]
        self.done: list[list[bool]] = [[False]]
        """By layer and node: whether the route is complete."""
        self.settled: list[int] = []

    def draw(self, ends: Ends, kinds: frozenset[str], room: int, meter: Meter) -> None:
        """Follow all routes that call at no more than `room` stops of these kinds."""
        counted = [stop >= 0 and self._kind(stop) in kinds for stop in self.stops]
        barred = [stop >= 0 and self.tally.barred[stop] for stop in self.stops]
        costs = [FAR if bar else int(count) for bar, count in zip(barred, counted, strict=True)]
        beyond = 1 if self.tally.beyond >= 0 else 0
        nodes: Nodes = {0: {0: 0}}
        least = [0]
        for index, ahead in enumerate(self._outlooks(ends.places, ends.calls(costs))):
            layer = _Layer(self, index, ahead, meter)
            layer.allow(least, room + beyond, int(counted[index]))
            nodes = layer.follow(nodes)
            least = layer.least
        self._close(nodes)

    def sketch(self, load: Load, width: int, meter: Meter) -> None:
        """Follow just the `width` most promising partial routes in each layer.

        Some routes are missing then, but those that are there are legal. Each node has the
        load of the best way to it, so that routes are not longer than the train.
        """
        nodes: Nodes = {0: {0: 0}}
        loads, worth = [0], [0]
        for index, ahead in enumerate(self._outlooks([], [])):
            layer = _Layer(self, index, ahead, meter)
            layer.fill(load, loads, worth)
            nodes = _followed(layer.follow(nodes), layer.worth, width)
            loads, worth = layer.loads, layer.worth
        self._close(nodes)

    def _kind(self, stop: int) -> str:
        return self.tally.problem.stops[stop].kind

    def _outlooks(self, places: list[dict[int, int]], calls: list[list[int]]) -> list[Ahead]:
        """What lies ahead after each layer; the ways of open ends may be unknown."""
        points = self.network.problem.points
        left = ToCome(self.tally)
        found: list[Ahead] = []
        for index in range(len(self.crossings) - 1, -1, -1):
            behind = [points[point].stop for point in self.network.layers[index].ahead]
            known = (places[index + 1], calls[index]) if places else ({}, [])
            found.append(Ahead(behind, left, known[0], known[1]))
            stop = self.stops[index]
            if stop >= 0 and not self.tally.barred[stop]:
                left.add_stop(stop)
            for words in self.crossings[index].words:
                left.add_track(words)
        found.reverse()
        return found

    def _close(self, nodes: Nodes) -> None:
        """Note what routes share with others, and drop what leads to no legal end."""
        self.settled = [0] * self.sizes[-1]
        for tallies in nodes.values():
            for tally, node in tallies.items():
                self.settled[node] = tally
        alive = [True] * self.sizes[-1]
        names = _numbered(alive)
        for index in range(len(self.arcs) - 1, -1, -1):
            arcs = self.arcs[index]
            above = [False] * self.sizes[index]
            above[0] = True
            for arc in range(len(arcs.source)):
                if alive[arcs.target[arc]]:
                    above[arcs.source[arc]] = True
            numbers = _numbered(above)
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
            arcs = self.arcs[index]
            source, target, calls = arcs.source, arcs.target, arcs.calls
            above = [FAR] * self.sizes[index]
            cost = costs[index]
            for arc in range(len(source)):
                value = below[target[arc]]
                if calls[arc]:
                    value += cost
                if value < above[source[arc]]:
                    above[source[arc]] = value
            below = above
            found.append(below)
        found.reverse()
        return found


SCALE = 64
"""Prices and rates are whole numbers of 1/64, so that every machine finds the same."""

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer: by openings and tally."""


def _numbered(alive: list[bool]) -> list[int]:
    """New numbers for the living, -1 for others."""
    names: list[int] = []
    count = 0
    for living in alive:
        names.append(count if living else -1)
        count += int(living)
    return names


def _living(arcs: Arcs, above: list[int], below: list[int]) -> Arcs:
    """The arcs between living nodes, by their new numbers and in the order of their sources."""
    count = max(above) + 1
    by_source: list[list[int]] = [[] for _ in range(count)]
    for arc, source in enumerate(arcs.source):
        if above[source] >= 0 and below[arcs.target[arc]] >= 0:
            by_source[above[source]].append(arc)
    after = Arcs()
    for source, chosen in enumerate(by_source):
        after.first.append(len(after.source))
        for arc in chosen:
            after.source.append(source)
            after.target.append(below[arcs.target[arc]])
            after.gain.append(arcs.gain[arc])
            after.paid.append(arcs.paid[arc])
            after.taken.append(arcs.taken[arc])
            after.calls.append(arcs.calls[arc])
    after.first.append(len(after.source))
    return after


def _followed(nodes: Nodes, worth: list[int], width: int) -> Nodes:
    """The most promising nodes, complete routes and the idle train."""
    ranked: list[tuple[int, int]] = []
    fair = max(worth) // 4
    for openings, tallies in nodes.items():
        # Every loose stretch has yet to be joined.
        loose = fair * max(0, len(places_used(openings)) - 1)
        ranked += [(loose - worth[node], node) for node in tallies.values()]
    chosen = {node for _, node in sorted(ranked)[:width]}
    kept: Nodes = {}
    for openings, tallies in nodes.items():
        some = {tally: n for tally, n in tallies.items() if openings <= 0 or n in chosen}
        if some:
            kept[openings] = some
    return kept


class _Layer:
    """Makes one layer: the nodes below it and the arcs to them."""

    def __init__(self, plan: Plan, index: int, ahead: Ahead, meter: Meter) -> None:
        """Cross the point of layer `index`."""
        self.plan = plan
        self.tally = plan.tally
        self.crossing: Crossing = plan.crossings[index]
        self.ahead = ahead
        self.meter = meter
        self.arcs = Arcs()
        self.nodes: Nodes = {}
        self.done: list[bool] = []
        self.known: dict[int, list[Step]] = {}
        self.before: list[int] = []
        self.least: list[int] = []
        """The fewest calls of any way to a node."""
        self.room = FAR
        self.counts = 0
        self.load: Load | None = None
        self.loads_before: list[int] = []
        self.worth_before: list[int] = []
        self.loads: list[int] = []
        self.worth: list[int] = []

    def allow(self, before: list[int], room: int, counts: int) -> None:
        """Leave out routes with more calls than `room`; a call here counts 0 or 1."""
        self.before = before
        self.room = room
        self.counts = counts

    def fill(self, load: Load, loads: list[int], worth: list[int]) -> None:
        """Give each node one load, that of the way to it which has earned most."""
        self.load = load
        self.before = loads
        self.loads_before = loads
        self.worth_before = worth

    def follow(self, nodes: Nodes) -> Nodes:
        """Take every move from every node, and hand the layer to the plan."""
        for openings, tallies in nodes.items():
            if openings == DONE:
                below = self._below(DONE)
                for tally, node in tallies.items():
                    self._arc(node, below, (tally, 0, 0, 0), 0, 0)
                continue
            for after, taken, touched in self.crossing.moves(openings):
                due = self.ahead.due(after)
                if due is not None:
                    self._move(tallies, after, taken, touched, due)
        plan = self.plan
        plan.arcs.append(self.arcs)
        plan.sizes.append(len(self.done))
        plan.done.append(self.done)
        self.meter.add(len(self.done))
        return self.nodes

    def _move(
        self, tallies: dict[int, int], after: int, taken: int, touched: int, due: Due
    ) -> None:
        """One move of all nodes with the same openings."""
        below = self._below(after)
        kind = touched if after != DONE else touched + 3
        words = bool(taken) and bool(self.tally.words)
        for before, node in tallies.items():
            tally = self.crossing.take(before, taken) if words else before
            if tally < 0:
                continue
            for step in self._steps(tally, kind):
                if step[0] & due.forbidden or self.ahead.lacks(after, step[0]):
                    continue
                self._arc(node, below, step, taken, due.calls)

    def _below(self, openings: int) -> dict[int, int]:
        found = self.nodes.get(openings)
        if found is None:
            found = {}
            self.nodes[openings] = found
        return found

    def _arc(self, node: int, below: dict[int, int], step: Step, taken: int, due: int) -> None:
        tally, gain, paid, calls = step
        if self.load is not None:
            load = self._loaded(node, calls)
            if load < 0:
                return
            number, worth = load, self.worth_before[node] + gain
        else:
            number, worth = self.before[node] + calls * self.counts, 0
            if number + due > self.room:
                return
        target = below.get(tally, -1)
        if target < 0:
            target = len(self.done)
            below[tally] = target
            self.done.append(below is self.nodes.get(DONE))
            self.least.append(number)
            self.loads.append(number)
            self.worth.append(worth)
        elif self.load is not None:
            if worth > self.worth[target]:
                self.worth[target] = worth
                self.loads[target] = number
        elif number < self.least[target]:
            self.least[target] = number
        arcs = self.arcs
        arcs.source.append(node)
        arcs.target.append(target)
        arcs.gain.append(gain)
        arcs.paid.append(paid)
        arcs.taken.append(taken)
        arcs.calls.append(calls)

    def _loaded(self, node: int, calls: int) -> int:
        """The load after a step, -1 if there is no room for it."""
        load = self.load
        before = self.loads_before[node]
        if load is None or not calls:
            return before
        stop = self.crossing.stop
        return -1 if load.roomless[stop] else load.tables[load.adds[stop]][before]

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
        steps: list[Step] = [(tally, 0, 0, 0)]
        if touched:
            steps = self.tally.visit(tally, self.crossing.stop, touched == 1)
        found: list[Step] = []
        for new, gain, paid, calls in steps:
            if kind < 3:
                found.append((self.ahead.simplify(new), gain, paid, calls))
                continue
            last = self.tally.finish(new)
            if last is not None:
                found.append((last[0], gain + last[1], paid + last[1], calls))
        return found
