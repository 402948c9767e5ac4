"""Look-ahead: what a partial route is bound to need, and pruning if it cannot get it.

A partial route is pruned if its open paths cannot be connected, if they lead to stops that its
limits exclude, or if it lacks something that no remaining stop can provide.
"""

from __future__ import annotations

from carril.routes.constants import UNREACHABLE
from carril.routes.state.frontier import COMPLETE, used_positions
from carril.routes.state.resources import Resources


class Required:
    """What completing a route from a frontier state requires."""

    def __init__(self, excluded: int, calls: int) -> None:
        """`excluded` are bits the label may not have; at least `calls` stops must follow."""
        self.excluded = excluded
        self.calls = calls


class Remaining:
    """Counts the stops and segments after a layer, by what they add to a label."""

    def __init__(self, resources: Resources) -> None:
        """Start after the last layer, with nothing remaining."""
        self.resources = resources
        self.counters = [0] * len(resources.counters)
        self.ends = [0] * len(resources.ends)

    def add_stop(self, stop: int) -> None:
        """Count one more stop."""
        for number in self.resources.counted_by[stop]:
            self.counters[number] += 1
        for index, tag in enumerate(self.resources.ends):
            self.ends[index] += self.resources.problem.stops[stop].matches(tag)

    def add_segment(self, groups: list[str]) -> None:
        """Count one more segment whose pieces belong to these exclusive groups."""
        for group in groups:
            if group in self.resources.piece_groups:
                self.counters[self.resources.piece_groups[group]] += 1


class Lookahead:
    """Pruning and canonical labels after one layer, for one type of train."""

    def __init__(
        self,
        next_stops: list[int],
        remaining: Remaining,
        numbers: dict[int, int],
        min_calls: list[int],
    ) -> None:
        """`next_stops` has for each frontier position the stop its segment leads to, or -1.

        `numbers` numbers the frontier states and `min_calls` has by number how many stops it takes
        to complete a route. Both are empty if that has not been computed.
        """
        self._next_stops = next_stops
        self._resources = remaining.resources
        self._numbers = numbers
        self._min_calls = min_calls
        self._limits = remaining.resources.limits(remaining.counters, remaining.ends)
        self._required: dict[int, Required | None] = {COMPLETE: Required(0, 0), 0: Required(0, 0)}

    def required(self, state: int) -> Required | None:
        """Return what completing requires; None if it is impossible."""
        if state not in self._required:
            self._required[state] = self._compute(state)
        return self._required[state]

    def _compute(self, state: int) -> Required | None:
        calls = self._min_calls[self._numbers[state]] if self._min_calls else 0
        if calls >= UNREACHABLE:
            return None
        stops = [self._next_stops[position] for position in used_positions(state)]
        excluded = self._resources.excluded_by(stops)
        return Required(excluded, calls) if excluded >= 0 else None

    def lacks(self, state: int, label: int) -> bool:
        """Return whether a route in progress needs what no remaining stop can provide."""
        if state > 0:
            for bits in self._limits.required:
                if not label & bits:
                    return True
        return False

    def canonical(self, label: int) -> int:
        """Return the representative of all labels with the same future."""
        return self._resources.canonical(label, self._limits)
