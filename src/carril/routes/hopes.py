"""What partial routes of one train can still earn at most.

It is reckoned on the plan, where a train has room for any number of stops, with a *rate* for
each place that a stop takes: what stops earn above the rate, and the rate for each place that
is free. Whatever the rates are, no route earns more; rates that promise little are used.
"""

from __future__ import annotations

from carril.engine.runs.types import RunCard, Train
from carril.routes.load import Load
from carril.routes.plan import NEVER, SCALE, Plan

_CLOSE = 8 * SCALE
"""How close to the best ones rates are: the time for better ones is better spent."""


class Hopes:
    """The most that can still be earned at some prices."""

    def __init__(self, prices: list[list[int]] | None, most: list[list[int]]) -> None:
        """`prices` by layer and bits taken up, `most` by layer and node of the plan; scaled."""
        self.prices = prices
        self.most = most

    def promise(self) -> int:
        """What the best route may be worth at most; 0 if the train had better stay idle."""
        return self.most[0][0]


class Fit:
    """A plan and the room of one train with one card."""

    def __init__(self, plan: Plan, train: Train, extra: RunCard | None, like: Fit | None) -> None:
        """Reckon what completing takes of the train's room.

        `like` is the fit of the same train with another card: much is the same.
        """
        self.plan = plan
        self.train = train
        self.extra = extra
        self.load = load = Load(plan.tally.problem, train, extra)
        self.needs: list[list[list[int]]] = []
        """How many places of each counter completing takes at least, by layer and node."""
        if like is not None and like.plan is plan and like.load.adds == load.adds:
            self.needs = like.needs
        else:
            for counter in range(load.counters):
                costs = [load.places(stop, counter) if stop >= 0 else 0 for stop in plan.stops]
                self.needs.append(plan.least(costs))
        self.same = self._same()
        """After each layer, for every load one that has the same future."""
        self._known: list[dict[int, list[bool]]] = [{} for _ in plan.sizes]
        self._like = like if like is not None and like.load.counters == load.counters else None
        self._rates: list[int] = []
        self._spare: list[int] = []

    @property
    def rates(self) -> list[int]:
        """A rate for each counter of room."""
        if not self._rates:
            self._rates = self._best_rates() if self._like is None else self._like.rates
        return self._rates

    @property
    def spare(self) -> list[int]:
        """For every load what its free places are worth at the rates."""
        if not self._spare:
            load, rates = self.load, self.rates
            self._spare = [load.worth(taken, rates) for taken in range(load.size)]
        return self._spare

    def _same(self) -> list[list[int]]:
        load, stops = self.load, self.plan.stops
        left = [0] * load.counters
        found: list[list[int]] = []
        for index in range(len(stops) - 1, -1, -1):
            found.append(load.same(left))
            stop = stops[index]
            if stop >= 0 and not self.plan.tally.barred[stop]:
                for counter in range(load.counters):
                    left[counter] += load.places(stop, counter)
        found.reverse()
        return found

    def fitting(self, layer: int, node: int) -> list[bool]:
        """For every load whether completing from a node of the plan finds room."""
        found = self._known[layer].get(node)
        if found is None:
            found = self.load.fits(tuple([need[layer][node] for need in self.needs]))
            self._known[layer][node] = found
        return found

    def _best_rates(self) -> list[int]:
        """Rates that promise little, one counter after the other; the promise is convex in each.

        Where the best route at a rate takes more places than there are, the rate is too low.
        """
        rates = [0] * self.load.counters
        stops = self.plan.tally.problem.stops
        top = max([0, *[stop.value + stop.treasury for stop in stops]])
        for counter, cap in enumerate(self.load.caps):
            low, high = 0, top * self.plan.tally.train.factor * SCALE
            while high - low > _CLOSE:
                rates[counter] = (low + high) // 2
                if self._places(rates, counter) > cap:
                    low = rates[counter]
                else:
                    high = rates[counter]
            rates[counter] = (low + high) // 2
        return rates

    def _places(self, rates: list[int], counter: int) -> int:
        """How many places of a counter the best route takes at some rates."""
        plan, start = self.plan, self.load.worth(0, rates)
        net = self.net(rates, False)
        taken = 0
        for layer, arc in enumerate(plan.best(net, start, None, plan.most(net, start, None))):
            if plan.arcs[layer].calls[arc]:
                taken += self.load.places(plan.stops[layer], counter)
        return taken

    def net(self, rates: list[int], payable: bool) -> list[list[int]]:
        """What arcs of the plan are worth above the rates; NEVER where there is no room at all."""
        found: list[list[int]] = []
        for index, stop in enumerate(self.plan.stops):
            arcs = self.plan.arcs[index]
            gains, calls = arcs.paid if payable else arcs.gain, arcs.calls
            rate = 0
            if stop >= 0:
                rate = -NEVER if self.load.roomless[stop] else 0
                for counter, price in enumerate(rates):
                    rate += price * self.load.places(stop, counter)
            found.append([gains[arc] * SCALE - calls[arc] * rate for arc in range(len(gains))])
        return found


class View:
    """What a train can hope for that is after the total, or after the dividend."""

    def __init__(self, fit: Fit, payable: bool) -> None:
        """Look at a plan for what is paid out, or for all that is earned."""
        self.fit = fit
        self.plan = fit.plan
        self.payable = payable
        self.gains = [arcs.paid if payable else arcs.gain for arcs in fit.plan.arcs]
        """What arcs of the plan are worth, by layer."""
        self._net: list[list[int]] = []
        self._free: Hopes | None = None

    @property
    def net(self) -> list[list[int]]:
        """What arcs are worth above the rates, scaled."""
        if not self._net:
            self._net = self.fit.net(self.fit.rates, self.payable)
        return self._net

    @property
    def free(self) -> Hopes:
        """What routes can hope for where segments cost nothing."""
        if self._free is None:
            self._free = Hopes(None, self.plan.most(self.net, self.fit.spare[0], None))
        return self._free

    def hopes(self, prices: list[list[int]]) -> Hopes:
        """What routes can hope for at these prices, by layer and bits taken up."""
        return Hopes(prices, self.plan.most(self.net, self.fit.spare[0], prices))

    def wanted(self, hopes: Hopes) -> list[int]:
        """The bits that the route with the most hope takes up, layer by layer."""
        path = self.plan.best(self.net, self.fit.spare[0], hopes.prices, hopes.most)
        return [self.plan.arcs[layer].taken[arc] for layer, arc in enumerate(path)]
