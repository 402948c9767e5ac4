"""What a partial route is bound to meet: reasons to give it up early.

Every open segment leads to a point that is still to come. If that point is a stop, the route
will call there, so its room and limits must allow it; and what the route still lacks must be
found at a stop that is still to come.
"""

from __future__ import annotations

from carril.routes.moves import DONE, places_used
from carril.routes.network import Layer, Network
from carril.routes.tally import Tally


class Due:
    """What the open segments of a route ask of its tally and its load."""

    def __init__(self, forbidden: int, fits: list[bool]) -> None:
        """Bits that the tally may not have; for every load whether all that is due finds room."""
        self.forbidden = forbidden
        self.fits = fits


class Ahead:
    """The stops behind the open segments after one layer, as one train sees them."""

    def __init__(self, network: Network, layer: Layer, tally: Tally, later: list[int]) -> None:
        """Note the stops of `layer`'s open segments; `later` are all stops still to come."""
        points = network.problem.points
        self.stops = [points[point].stop for point in layer.ahead]
        self.tally = tally
        self.lacking = tally.missing(later)
        self.nothing = Due(0, [True] * tally.size)
        self.known: dict[int, Due | None] = {DONE: self.nothing, 0: self.nothing}
        self.fits: dict[tuple[int, ...], list[bool]] = {}

    def due(self, openings: int) -> Due | None:
        """What lies behind the open segments; None if no route can call at all of that."""
        if openings not in self.known:
            self.known[openings] = self._due(openings)
        return self.known[openings]

    def lacks(self, openings: int, tally: int) -> bool:
        """Whether a route that has begun needs what no stop to come can give."""
        if openings > 0:
            for bits in self.lacking:
                if not tally & bits:
                    return True
        return False

    def _due(self, openings: int) -> Due | None:
        times: dict[int, int] = {}
        for place in places_used(openings):
            stop = self.stops[place]
            if stop >= 0:
                times[stop] = times.get(stop, 0) + 1
        stops = self.tally.problem.stops
        for stop, count in times.items():
            if count > 2 or (count > 1 and not stops[stop].through):
                return None
        forbidden = self.tally.forbidden(list(times))
        if forbidden < 0:
            return None
        return Due(forbidden, self._fits(self.tally.kinds(list(times))))

    def _fits(self, kinds: list[int]) -> list[bool]:
        """For every load whether stops of these kinds find room as well."""
        key = tuple(sorted(kinds))
        found = self.fits.get(key)
        if found is None:
            loads = list(range(self.tally.size))
            for kind in key:
                table = self.tally.loads[kind]
                loads = [table[load] if load >= 0 else -1 for load in loads]
            found = [load >= 0 for load in loads]
            self.fits[key] = found
        return found
