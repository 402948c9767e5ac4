"""How many stops a train has room for.

The *load* of a partial route counts the places it has taken in the train, all counters packed
into one number; small tables tell how a load grows.
"""

from __future__ import annotations

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem, Train


class Load:
    """The counters of one train with one extra card."""

    def __init__(self, problem: RunProblem, train: Train, extra: RunCard | None) -> None:
        """Count for `train` carrying `extra`."""
        self.roomless = [False] * len(problem.stops)
        """For each stop whether the train has no room for its kind at all."""
        self.adds = [0] * len(problem.stops)
        """For each stop the set of counters that count it: its kind, a row of `tables`."""
        self.caps: list[int] = []
        self._fits: dict[tuple[int, ...], list[bool]] = {}
        self._same: dict[tuple[int, ...], list[int]] = {}
        rooms = train.room + (extra.room if extra else ())
        kinds = sorted({stop.kind for stop in problem.stops})
        for bound, cap in room_caps(rooms, kinds):
            stops = [stop.kind in bound for stop in problem.stops]
            if cap == 0:
                self.roomless = [a or b for a, b in zip(self.roomless, stops, strict=True)]
            elif sum(stops) > cap:
                for index, fits in enumerate(stops):
                    self.adds[index] |= int(fits) << len(self.caps)
                self.caps.append(cap)
        self.counters = len(self.caps)
        self.size = 1
        for cap in self.caps:
            self.size *= cap + 1
        self.tables = [self._table(kind) for kind in range(1 << self.counters)]

    def _table(self, kind: int) -> list[int]:
        """The load after a stop of one kind, by the load before; -1: no room."""
        table: list[int] = []
        for load in range(self.size):
            after, unit, rest = load, 1, load
            for index, cap in enumerate(self.caps):
                if kind >> index & 1:
                    after = after + unit if rest % (cap + 1) < cap and after >= 0 else -1
                rest //= cap + 1
                unit *= cap + 1
            table.append(after)
        return table

    def places(self, stop: int, counter: int) -> int:
        """How many places of a counter a call at a stop takes: none or one."""
        return self.adds[stop] >> counter & 1

    def fits(self, needs: tuple[int, ...]) -> list[bool]:
        """For every load whether so many places of each counter are free."""
        found = self._fits.get(needs)
        if found is None:
            found = []
            for load in range(self.size):
                rest, free = load, True
                for index, cap in enumerate(self.caps):
                    free = free and rest % (cap + 1) + needs[index] <= cap
                    rest //= cap + 1
                found.append(free)
            self._fits[needs] = found
        return found

    def same(self, left: list[int]) -> list[int]:
        """For every load one that has the same future, if so many stops are still to come.

        Places that cannot all be asked for any more are as good as taken.
        """
        spare = tuple([max(0, cap - count) for cap, count in zip(self.caps, left, strict=True)])
        found = self._same.get(spare)
        if found is None:
            found = []
            for load in range(self.size):
                same, unit, rest = 0, 1, load
                for index, cap in enumerate(self.caps):
                    same += unit * max(rest % (cap + 1), spare[index])
                    rest //= cap + 1
                    unit *= cap + 1
                found.append(same)
            self._same[spare] = found
        return found

    def worth(self, load: int, rates: list[int]) -> int:
        """What the free places of a load are worth at a rate for each counter."""
        worth, rest = 0, load
        for rate, cap in zip(rates, self.caps, strict=True):
            worth += rate * (cap - rest % (cap + 1))
            rest //= cap + 1
        return worth
