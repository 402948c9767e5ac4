"""Lagrangian completion bounds: what partial routes of one train can still earn at most.

The relaxed diagram ignores capacity. Its capacity constraints are dualised: with a multiplier
u[c] >= 0 for each capacity counter c, a visit earns its reward less the multipliers of the places
it takes, and each free place earns its multiplier. For every u >= 0 the greatest such value of a
completion is an upper bound on what a completion can earn.
"""

from __future__ import annotations

from carril.engine.runs.types import RunCard, Train
from carril.routes.constants import INFEASIBLE, SCALE
from carril.routes.diagram.relaxed import RelaxedDiagram
from carril.routes.state.capacity import Capacity

_TOLERANCE = 8 * SCALE
"""How close multipliers are to the best ones: closer ones are not worth the time."""


class CompletionBounds:
    """Upper bounds on the value of completions at some prices of segments, scaled."""

    def __init__(self, prices: list[list[int]] | None, upper: list[list[int]]) -> None:
        """`prices` are by layer and set of segments, `upper` by layer and node.

        The value of free capacity is not included in `upper` for routes that have started.
        """
        self.prices = prices
        self.upper = upper

    def root_bound(self) -> int:
        """Return an upper bound on the value of any route; 0 if the train had better not run."""
        return self.upper[0][0]


class CapacityRelaxation:
    """A relaxed diagram with the capacity of one train, dualised."""

    def __init__(
        self,
        diagram: RelaxedDiagram,
        train: Train,
        card: RunCard | None,
        similar: CapacityRelaxation | None,
    ) -> None:
        """Compute the least load that completions add.

        `similar` is the relaxation of the same train with another card; what is equal is reused.
        """
        self.diagram = diagram
        self.train = train
        self.card = card
        self.capacity = capacity = Capacity(diagram.resources.problem, train, card)
        self._min_load: list[list[list[int]]] = []
        """By counter, layer and node: how much a completion adds to the counter at least."""
        if (
            similar is not None
            and similar.diagram is diagram
            and similar.capacity.counter_sets == capacity.counter_sets
        ):
            self._min_load = similar._min_load
        else:
            for counter in range(capacity.counters):
                costs = [capacity.consumption(s, counter) if s >= 0 else 0 for s in diagram.stops]
                self._min_load.append(diagram.min_calls_to_go(costs))
        self.canonical_loads = self._canonical_loads()
        """After each layer, for every load one that has the same future."""
        self._feasible: list[dict[int, list[bool]]] = [{} for _ in diagram.widths]
        same = similar is not None and similar.capacity.counters == capacity.counters
        self._similar = similar if same else None
        self._multipliers: list[int] = []
        self._slack_values: list[int] = []

    @property
    def multipliers(self) -> list[int]:
        """A multiplier for each capacity counter, scaled."""
        if not self._multipliers:
            similar = self._similar
            self._multipliers = self._bisect() if similar is None else similar.multipliers
        return self._multipliers

    @property
    def slack_values(self) -> list[int]:
        """For every load the value of its free places at the multipliers."""
        if not self._slack_values:
            capacity, multipliers = self.capacity, self.multipliers
            loads = range(capacity.size)
            self._slack_values = [capacity.slack_value(load, multipliers) for load in loads]
        return self._slack_values

    def _canonical_loads(self) -> list[list[int]]:
        capacity, stops = self.capacity, self.diagram.stops
        remaining = [0] * capacity.counters
        found: list[list[int]] = []
        for index in range(len(stops) - 1, -1, -1):
            found.append(capacity.canonical(remaining))
            stop = stops[index]
            if stop >= 0 and not self.diagram.resources.barred[stop]:
                for counter in range(capacity.counters):
                    remaining[counter] += capacity.consumption(stop, counter)
        found.reverse()
        return found

    def feasible_loads(self, layer: int, node: int) -> list[bool]:
        """Return for every load whether some completion from a node has room for its stops."""
        found = self._feasible[layer].get(node)
        if found is None:
            needs = tuple([least[layer][node] for least in self._min_load])
            found = self.capacity.loads_with_slack(needs)
            self._feasible[layer][node] = found
        return found

    def _bisect(self) -> list[int]:
        """Return multipliers near the minimum of the bound, found one after the other.

        If the best route at a multiplier uses more than the capacity, the multiplier is too low.
        """
        multipliers = [0] * self.capacity.counters
        stops = self.diagram.resources.problem.stops
        top = max([0, *[stop.value + stop.treasury for stop in stops]])
        for counter, cap in enumerate(self.capacity.caps):
            low, high = 0, top * self.diagram.resources.train.factor * SCALE
            while high - low > _TOLERANCE:
                multipliers[counter] = (low + high) // 2
                if self._usage(multipliers, counter) > cap:
                    low = multipliers[counter]
                else:
                    high = multipliers[counter]
            multipliers[counter] = (low + high) // 2
        return multipliers

    def _usage(self, multipliers: list[int], counter: int) -> int:
        """Return how much of a counter the best route at some multipliers uses."""
        diagram, start = self.diagram, self.capacity.slack_value(0, multipliers)
        rewards = self.reduced_rewards(multipliers, False)
        value_to_go = diagram.value_to_go(rewards, start, None)
        used = 0
        for layer, arc in enumerate(diagram.argmax_path(rewards, start, None, value_to_go)):
            if diagram.arcs[layer].calls[arc]:
                used += self.capacity.consumption(diagram.stops[layer], counter)
        return used

    def reduced_rewards(self, multipliers: list[int], payable: bool) -> list[list[int]]:
        """Return the rewards of arcs less the multipliers of the places they take, scaled.

        It is INFEASIBLE where the train has no room at all for a kind of stop.
        """
        found: list[list[int]] = []
        for index, stop in enumerate(self.diagram.stops):
            arcs = self.diagram.arcs[index]
            rewards, calls = arcs.payable if payable else arcs.reward, arcs.calls
            cost = 0
            if stop >= 0:
                cost = -INFEASIBLE if self.capacity.excluded[stop] else 0
                for counter, multiplier in enumerate(multipliers):
                    cost += multiplier * self.capacity.consumption(stop, counter)
            found.append([rewards[arc] * SCALE - calls[arc] * cost for arc in range(len(rewards))])
        return found


class Objective:
    """A relaxation with one objective, total or payable value, and its completion bounds."""

    def __init__(self, relaxation: CapacityRelaxation, payable: bool) -> None:
        """Maximise the payable part, or the total."""
        self.relaxation = relaxation
        self.diagram = relaxation.diagram
        self.payable = payable
        columns = self.diagram.arcs
        self.rewards = [arcs.payable if payable else arcs.reward for arcs in columns]
        """What arcs of the relaxed diagram earn, by layer."""
        self._reduced: list[list[int]] = []
        self._unpriced: CompletionBounds | None = None

    @property
    def reduced_rewards(self) -> list[list[int]]:
        """What arcs earn less the multipliers of the places they take, scaled."""
        if not self._reduced:
            relaxation = self.relaxation
            self._reduced = relaxation.reduced_rewards(relaxation.multipliers, self.payable)
        return self._reduced

    @property
    def unpriced_bounds(self) -> CompletionBounds:
        """The bounds if segments cost nothing."""
        if self._unpriced is None:
            self._unpriced = CompletionBounds(None, self._upper(None))
        return self._unpriced

    def bounds(self, prices: list[list[int]]) -> CompletionBounds:
        """Return the bounds at these prices, by layer and set of segments."""
        return CompletionBounds(prices, self._upper(prices))

    def _upper(self, prices: list[list[int]] | None) -> list[list[int]]:
        start = self.relaxation.slack_values[0]
        return self.diagram.value_to_go(self.reduced_rewards, start, prices)

    def usage(self, bounds: CompletionBounds) -> list[int]:
        """Return the segments that the route with the greatest bound starts, layer by layer."""
        start = self.relaxation.slack_values[0]
        path = self.diagram.argmax_path(self.reduced_rewards, start, bounds.prices, bounds.upper)
        return [self.diagram.arcs[layer].segments[arc] for layer, arc in enumerate(path)]
