"""The capacity of a train: how many stops it has room for.

The *load* of a partial route counts the places it takes in the train. There is one counter for
each set of kinds that share a capacity (Hall's condition, see `room_caps`); all counters are packed
into one small integer in a mixed radix, so that transitions are table look-ups.
"""

from __future__ import annotations

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem, Train


class Capacity:
    """The capacity counters of one train with one card, or without."""

    def __init__(self, problem: RunProblem, train: Train, card: RunCard | None) -> None:
        """Set up the counters of `train` carrying `card`."""
        self.excluded = [False] * len(problem.stops)
        """For each stop whether the train has no room for its kind at all."""
        self.counter_sets = [0] * len(problem.stops)
        """For each stop the set of counters that count it, as bits: a row of `successors`."""
        self.caps: list[int] = []
        self._with_slack: dict[tuple[int, ...], list[bool]] = {}
        self._canonical: dict[tuple[int, ...], list[int]] = {}
        rooms = train.room + (card.room if card else ())
        kinds = sorted({stop.kind for stop in problem.stops})
        for counted, cap in room_caps(rooms, kinds):
            stops = [stop.kind in counted for stop in problem.stops]
            if cap == 0:
                self.excluded = [a or b for a, b in zip(self.excluded, stops, strict=True)]
            elif sum(stops) > cap:
                for index, counts in enumerate(stops):
                    self.counter_sets[index] |= int(counts) << len(self.caps)
                self.caps.append(cap)
        self.counters = len(self.caps)
        self.size = 1
        """The number of loads."""
        for cap in self.caps:
            self.size *= cap + 1
        self.successors = [self._successors(counters) for counters in range(1 << self.counters)]
        """By set of counters and load: the load after a stop; -1 if there is no room for it."""

    def _successors(self, counters: int) -> list[int]:
        table: list[int] = []
        for load in range(self.size):
            after, unit, rest = load, 1, load
            for index, cap in enumerate(self.caps):
                if counters >> index & 1:
                    after = after + unit if rest % (cap + 1) < cap and after >= 0 else -1
                rest //= cap + 1
                unit *= cap + 1
            table.append(after)
        return table

    def consumption(self, stop: int, counter: int) -> int:
        """Return how much a visit to a stop adds to a counter: 0 or 1."""
        return self.counter_sets[stop] >> counter & 1

    def loads_with_slack(self, needs: tuple[int, ...]) -> list[bool]:
        """Return for every load whether each counter has at least `needs` places free."""
        found = self._with_slack.get(needs)
        if found is None:
            found = []
            for load in range(self.size):
                rest, free = load, True
                for index, cap in enumerate(self.caps):
                    free = free and rest % (cap + 1) + needs[index] <= cap
                    rest //= cap + 1
                found.append(free)
            self._with_slack[needs] = found
        return found

    def canonical(self, remaining: list[int]) -> list[int]:
        """Return for every load a load with the same future.

        `remaining` has for each counter the stops that may still add to it. Free places in excess
        of that number can never be used, so they count as taken.
        """
        floor = tuple([max(0, cap - n) for cap, n in zip(self.caps, remaining, strict=True)])
        found = self._canonical.get(floor)
        if found is None:
            found = []
            for load in range(self.size):
                same, unit, rest = 0, 1, load
                for index, cap in enumerate(self.caps):
                    same += unit * max(rest % (cap + 1), floor[index])
                    rest //= cap + 1
                    unit *= cap + 1
                found.append(same)
            self._canonical[floor] = found
        return found

    def slack_value(self, load: int, multipliers: list[int]) -> int:
        """Return the sum over all counters of free places times multiplier."""
        value, rest = 0, load
        for multiplier, cap in zip(multipliers, self.caps, strict=True):
            value += multiplier * (cap - rest % (cap + 1))
            rest //= cap + 1
        return value
