"""What partial routes of one train can still earn at most.

It is reckoned on the plan, where a train has room for any number of stops, with a *rate* for
each place that a stop takes: what stops earn above the rate, and the rate for each place that
is free. Whatever the rates are, no route earns more; those that promise least are used.
"""

from __future__ import annotations

from carril.engine.runs_types import Extra, Train
from carril.routes.load import Load
from carril.routes.plan import NEVER, SCALE, Plan

_CLOSE = 4 * SCALE
"""How close to the best ones rates are: the time for better ones is better spent."""


class Hopes:
    """The most that can still be earned at some prices, and the room that is still needed."""

    def __init__(
        self, payable: bool, prices: list[list[int]] | None, most: list[list[int]], spare: list[int]
    ) -> None:
        """`most` by layer and node of the plan, `spare` by load, all scaled."""
        self.payable = payable
        self.prices = prices
        self.most = most
        self.spare = spare

    def promise(self) -> int:
        """What the best route may be worth at most; 0 if the train had better stay idle."""
        return self.most[0][0]


class View:
    """A plan as one train with one card sees it."""

    def __init__(
        self, plan: Plan, train: Train, extra: Extra | None, like: View | None = None
    ) -> None:
        """Reckon what completing takes of the train's room.

        `like` is the view of the same train with another card: its rates will do.
        """
        self.plan = plan
        self.train = train
        self.extra = extra
        self.load = load = Load(plan.tally.problem, train, extra)
        self.roomless = [stop >= 0 and load.roomless[stop] for stop in plan.stops]
        self.needs: list[list[list[int]]] = []
        for counter in range(load.counters):
            costs = [load.places(stop, counter) if stop >= 0 else 0 for stop in plan.stops]
            self.needs.append(plan.least(costs))
        self.same = self._same()
        self._like = like if like is not None and like.load.counters == load.counters else None
        self._rates: dict[bool, Rates] = {}

    def _same(self) -> list[list[int]]:
        """After each layer, for every load one that has the same future."""
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

    def fits(self, layer: int, node: int) -> list[bool]:
        """For every load whether completing from a node of the plan finds room."""
        return self.load.fits(tuple([need[layer][node] for need in self.needs]))

    def hopes(self, payable: bool, prices: list[list[int]] | None = None) -> Hopes:
        """What routes can hope for at these prices, by layer and bits taken up."""
        rates = self.rates(payable)
        most = self.plan.most(payable, rates.spare[0], rates.by_layer, prices)
        return Hopes(payable, prices, most, rates.spare)

    def taken(self, hopes: Hopes) -> list[int]:
        """The bits that the route with the most hope takes up, layer by layer."""
        by_layer = self.rates(hopes.payable).by_layer
        found = self.plan.best(hopes.payable, hopes.spare[0], by_layer, hopes.prices, hopes.most)
        return found[1]

    def rates(self, payable: bool) -> Rates:
        """Rates that promise little, one counter after the other; the promise is convex in each.

        Where the best route at a rate takes more places than there are, the rate is too low.
        """
        found = self._rates.get(payable)
        if found is None:
            each = self._like.rates(payable).each if self._like is not None else []
            found = Rates(self, each or self._best_rates(payable))
            self._rates[payable] = found
        return found

    def _best_rates(self, payable: bool) -> list[int]:
        rates = [0] * self.load.counters
        stops = self.plan.tally.problem.stops
        top = max([0, *[stop.value + stop.treasury for stop in stops]])
        for counter, cap in enumerate(self.load.caps):
            low, high = 0, top * self.plan.tally.train.factor * SCALE
            while high - low > _CLOSE:
                rates[counter] = (low + high) // 2
                if self._places(rates, counter, payable) > cap:
                    low = rates[counter]
                else:
                    high = rates[counter]
            rates[counter] = (low + high) // 2
        return rates

    def _places(self, each: list[int], counter: int, payable: bool) -> int:
        """How many places of a counter the best route takes at some rates."""
        rates = Rates(self, each)
        start = self.load.worth(0, each)
        most = self.plan.most(payable, start, rates.by_layer, None)
        taken = 0
        for index in self.plan.best(payable, start, rates.by_layer, None, most)[0]:
            taken += self.load.places(self.plan.stops[index], counter)
        return taken


class Rates:
    """A rate for each counter of a train's room, scaled, and what follows from them."""

    def __init__(self, view: View, each: list[int]) -> None:
        """Reckon what places cost in each layer: too much where there is no room at all."""
        self.each = list(each)
        self.load = view.load
        self.by_layer: list[int] = []
        for stop, roomless in zip(view.plan.stops, view.roomless, strict=True):
            rate = -NEVER if roomless else 0
            if stop >= 0:
                for counter, price in enumerate(each):
                    rate += price * view.load.places(stop, counter)
            self.by_layer.append(rate)
        self._spare: list[int] = []

    @property
    def spare(self) -> list[int]:
        """For every load what its free places are worth."""
        if not self._spare:
            self._spare = [self.load.worth(load, self.each) for load in range(self.load.size)]
        return self._spare
