"""What a partial route is bound to meet: reasons to give it up early.

The open ends of a route must be brought together, and each way to do that calls at stops. How
many at least is reckoned first, by open ends alone: much fewer cases than whole tallies. A
route for which there is no room, which is bound to break a limit, or which needs what no stop
to come can give, is not followed.
"""

from __future__ import annotations

from carril.routes.meter import Meter
from carril.routes.moves import DONE, Crossing, places_used
from carril.routes.network import Network
from carril.routes.tally import Tally

Needs = dict[int, list[int]]
"""By openings: for each counter of the train's room, how many places completing takes at least.

Openings that can never be completed are missing.
"""


def needs_after(
    network: Network, tally: Tally, crossings: list[Crossing], meter: Meter
) -> list[Needs]:
    """What completing a route takes after each layer; trains that see the same stops share it."""
    stops = range(len(tally.problem.stops))
    seen = [(tally.unvisited(stop), tuple(tally.places(stop))) for stop in stops]
    key = (tally.train.gauges, tally.counters, tuple(seen))
    found = network.needs.get(key)
    if found is None:
        before = meter.nodes
        found = _needs_after(tally, crossings, meter), meter.nodes - before
        network.needs[key] = found
    else:
        meter.add(found[1])
    return found[0]


def _needs_after(tally: Tally, crossings: list[Crossing], meter: Meter) -> list[Needs]:
    layers: list[list[int]] = []
    openings: dict[int, None] = {0: None}
    for crossing in crossings:
        layers.append(list(openings))
        below: dict[int, None] = {}
        for before in openings:
            for after, _, _ in crossing.moves(before):
                if after != DONE:
                    below[after] = None
        openings = below
        meter.add(len(below))
    nothing = [0] * tally.counters
    needs: list[Needs] = [{DONE: nothing, 0: nothing}]
    for index in range(len(crossings) - 1, 0, -1):
        needs.append(_before(crossings[index], tally, layers[index], needs[-1]))
    needs.reverse()
    return needs


def _before(crossing: Crossing, tally: Tally, openings: list[int], below: Needs) -> Needs:
    """What completing takes before a layer, from what it takes after it."""
    nothing = [0] * tally.counters
    found: Needs = {DONE: nothing, 0: nothing}
    places = tally.places(crossing.stop) if crossing.stop >= 0 else nothing
    barred = crossing.stop >= 0 and tally.unvisited(crossing.stop)
    for before in openings:
        if before == 0:
            continue
        for after, _, touched in crossing.moves(before):
            rest = below.get(after)
            if rest is None or (touched and barred):
                continue
            whole = [a + b for a, b in zip(rest, places, strict=True)] if touched else rest
            best = found.get(before, whole)
            found[before] = [min(a, b) for a, b in zip(best, whole, strict=True)]
    return found


class Due:
    """What the open ends of a route ask of its tally and its load."""

    def __init__(self, forbidden: int, fits: list[bool]) -> None:
        """Bits that the tally may not have; for every load whether all that is due finds room."""
        self.forbidden = forbidden
        self.fits = fits


class ToCome:
    """How many stops are still to come: by field of the tally, tag of ends, counter of room."""

    def __init__(self, tally: Tally) -> None:
        """None yet."""
        self.fields = [0] * len(tally.fields)
        self.ends = [0] * len(tally.ends)
        self.rooms = [0] * tally.counters

    def add(self, tally: Tally, stop: int) -> None:
        """Count one stop more."""
        for number in tally.counted[stop]:
            self.fields[number] += 1
        for index, tag in enumerate(tally.ends):
            self.ends[index] += tally.problem.stops[stop].matches(tag)
        for counter in range(tally.counters):
            self.rooms[counter] += tally.adds[stop] >> counter & 1


class Ahead:
    """What lies ahead after one layer, as one train sees it."""

    def __init__(self, behind: list[int], tally: Tally, needs: Needs | None, left: ToCome) -> None:
        """`behind` has the stops (or -1) behind the open segments; needs may be unknown."""
        self.behind = behind
        self.tally = tally
        self.needs = needs
        self.keep, self.lacking = tally.without(left.fields)
        numbers = list(tally.ends.values())
        self.ends = [(n, left.ends[index]) for index, n in enumerate(numbers) if n >= 0]
        self.loads = tally.same_loads(left.rooms)
        self.none = [0] * tally.counters
        self.nothing = Due(0, tally.fits(tuple(self.none)))
        self.known: dict[int, Due | None] = {DONE: self.nothing, 0: self.nothing}

    def due(self, openings: int) -> Due | None:
        """What completing a route takes; None if that is not possible."""
        if openings not in self.known:
            self.known[openings] = self._due(openings)
        return self.known[openings]

    def _due(self, openings: int) -> Due | None:
        needs = self.needs.get(openings) if self.needs is not None else self.none
        if needs is None:
            return None
        stops = {self.behind[place] for place in places_used(openings)}
        forbidden = self.tally.forbidden([stop for stop in sorted(stops) if stop >= 0])
        return Due(forbidden, self.tally.fits(tuple(needs))) if forbidden >= 0 else None

    def lacks(self, openings: int, tally: int) -> bool:
        """Whether a route that has begun needs what no stop to come can give."""
        if openings > 0:
            for bits in self.lacking:
                if not tally & bits:
                    return True
        return False

    def simplify(self, tally: int) -> int:
        """The same future, told in one way: forget what can make no difference any more."""
        return self.tally.simplify(tally & self.keep, self.ends)


def outlooks(
    network: Network, tally: Tally, crossings: list[Crossing], meter: Meter | None
) -> list[Ahead]:
    """What lies ahead after each layer; without a meter the needs of open ends are not reckoned."""
    needs = needs_after(network, tally, crossings, meter) if meter is not None else None
    points = network.problem.points
    left = ToCome(tally)
    found: list[Ahead] = []
    for index in range(len(crossings) - 1, -1, -1):
        behind = [points[point].stop for point in network.layers[index].ahead]
        found.append(Ahead(behind, tally, needs[index] if needs else None, left))
        stop = crossings[index].stop
        if stop >= 0 and not tally.unvisited(stop):
            left.add(tally, stop)
    found.reverse()
    return found
