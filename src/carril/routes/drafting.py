"""Draws up plans, layer by layer: whole ones, or narrow ones for a run in a moment."""

from __future__ import annotations

from carril.routes.ahead import Ahead, Due, ToCome
from carril.routes.ends import FAR, Ends
from carril.routes.load import Load
from carril.routes.meter import Meter
from carril.routes.moves import DONE, Crossing, places_used
from carril.routes.plan import Plan, PlanArcs
from carril.routes.tally import Step, Tally

Nodes = dict[int, dict[int, int]]
"""The nodes of a layer: by openings and tally."""


class Draft:
    """A plan in the making."""

    def __init__(self, plan: Plan, meter: Meter) -> None:
        """Fill an empty plan by `draw` or `sketch`."""
        self.plan = plan
        self.tally = plan.tally
        self.meter = meter
        self.crossings = [Crossing(plan.network, e, plan.tally) for e in plan.network.layers]

    def draw(self, ends: Ends, kinds: frozenset[str], room: int) -> None:
        """Follow all routes that call at no more than `room` stops of these kinds."""
        counted = [stop >= 0 and self._kind(stop) in kinds for stop in self.plan.stops]
        barred = [stop >= 0 and self.tally.barred[stop] for stop in self.plan.stops]
        costs = [FAR if bar else int(count) for bar, count in zip(barred, counted, strict=True)]
        beyond = 1 if self.tally.beyond >= 0 else 0
        nodes: Nodes = {0: {0: 0}}
        before = [0]
        for index, ahead in enumerate(self._aheads(ends.places, ends.calls(costs))):
            layer = _Layer(self.tally, self.crossings[index], ahead, before)
            layer.allow(room + beyond, int(counted[index]))
            nodes = layer.follow(nodes)
            self.plan.add(layer.arcs, layer.done)
            before = layer.taken
            self.meter.add(len(before))
        self._close(nodes)

    def sketch(self, load: Load, width: int) -> None:
        """Follow just the `width` most promising partial routes in each layer.

        Some routes are missing then, but those that are there are legal. Each node has the
        load of the best way to it, so that routes are not longer than the train.
        """
        nodes: Nodes = {0: {0: 0}}
        before, worth = [0], [0]
        for index, ahead in enumerate(self._aheads([], [])):
            layer = _NarrowLayer(self.tally, self.crossings[index], ahead, before)
            layer.fill(load, worth)
            nodes = _followed(layer.follow(nodes), layer.worth, width)
            self.plan.add(layer.arcs, layer.done)
            before, worth = layer.taken, layer.worth
            self.meter.add(len(before))
        self._close(nodes)

    def _kind(self, stop: int) -> str:
        return self.tally.problem.stops[stop].kind

    def _aheads(self, places: list[dict[int, int]], calls: list[list[int]]) -> list[Ahead]:
        """What lies ahead after each layer; the ways of open ends may be unknown."""
        points = self.plan.network.problem.points
        left = ToCome(self.tally)
        found: list[Ahead] = []
        for index in range(len(self.crossings) - 1, -1, -1):
            behind = [points[point].stop for point in self.plan.network.layers[index].ahead]
            known = (places[index + 1], calls[index]) if places else ({}, [])
            found.append(Ahead(behind, left, known[0], known[1]))
            stop = self.plan.stops[index]
            if stop >= 0 and not self.tally.barred[stop]:
                left.add_stop(stop)
            for words in self.crossings[index].words:
                left.add_track(words)
        found.reverse()
        return found

    def _close(self, nodes: Nodes) -> None:
        settled = [0] * self.plan.sizes[-1]
        for tallies in nodes.values():
            for tally, node in tallies.items():
                settled[node] = tally
        self.plan.close(settled)


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

    def __init__(self, tally: Tally, crossing: Crossing, ahead: Ahead, before: list[int]) -> None:
        """Cross the point of a layer; `before` is `taken` of the layer above."""
        self.tally = tally
        self.crossing = crossing
        self.ahead = ahead
        self.before = before
        self.taken: list[int] = []
        """For each node how many calls a way to it takes at least."""
        self.room = FAR
        self.counts = 0
        self.arcs = PlanArcs()
        self.nodes: Nodes = {}
        self.done: list[bool] = []
        self.known: dict[int, list[Step]] = {}

    def allow(self, room: int, counts: int) -> None:
        """Leave out routes with more calls than `room`; a call here counts 0 or 1."""
        self.room = room
        self.counts = counts

    def follow(self, nodes: Nodes) -> Nodes:
        """Take every move from every node; the nodes below."""
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
        self.done = [False] * len(self.taken)
        for node in self._below(DONE).values():
            self.done[node] = True
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
        """One step from a node, if there is room for it and for the calls that are due."""
        tally, gain, paid, calls = step
        count = self._count(node, calls, due)
        if count < 0:
            return
        target = below.get(tally, -1)
        if target < 0:
            target = len(self.taken)
            below[tally] = target
            self.taken.append(count)
        self._reach(node, target, count, gain)
        arcs = self.arcs
        arcs.source.append(node)
        arcs.target.append(target)
        arcs.gain.append(gain)
        arcs.paid.append(paid)
        arcs.taken.append(taken)
        arcs.calls.append(calls)

    def _count(self, node: int, calls: int, due: int) -> int:
        """How many calls a way over a node takes at least; -1 if they are too many."""
        count = self.before[node] + calls * self.counts
        return count if count + due <= self.room else -1

    def _reach(self, node: int, target: int, count: int, gain: int) -> None:
        """Note one more way to a node below."""
        if count < self.taken[target]:
            self.taken[target] = count

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


class _NarrowLayer(_Layer):
    """A layer in which each node has one load: that of the way to it that earned most."""

    def __init__(self, tally: Tally, crossing: Crossing, ahead: Ahead, before: list[int]) -> None:
        """Cross the point of a layer; `before` has the loads of the layer above."""
        super().__init__(tally, crossing, ahead, before)
        self.load: Load | None = None
        self.above: list[int] = []
        self.worth: list[int] = []

    def fill(self, load: Load, above: list[int]) -> None:
        """Let a train's room decide; `above` has what ways to nodes have earned."""
        self.load = load
        self.above = above

    def _count(self, node: int, calls: int, due: int) -> int:
        """The load after a step; -1 if there is no room for it."""
        load, before = self.load, self.before[node]
        if load is None or not calls:
            return before
        stop = self.crossing.stop
        return -1 if load.roomless[stop] else load.tables[load.adds[stop]][before]

    def _reach(self, node: int, target: int, count: int, gain: int) -> None:
        worth = self.above[node] + gain
        if target == len(self.worth):
            self.worth.append(worth)
        elif worth > self.worth[target]:
            self.worth[target] = worth
            self.taken[target] = count
