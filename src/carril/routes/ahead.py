"""What a partial route is bound to meet: reasons to give it up early.

A route whose open ends cannot be brought together, which is bound to break a limit, or which
needs what no stop to come can give, is not followed.
"""

from __future__ import annotations

from carril.routes.ends import FAR
from carril.routes.moves import DONE, places_used
from carril.routes.tally import Tally


class Due:
    """What the open ends of a route ask of it."""

    def __init__(self, forbidden: int, calls: int) -> None:
        """Bits that the tally may not have; how many calls at stops are to come at least."""
        self.forbidden = forbidden
        self.calls = calls


class ToCome:
    """How many stops are still to come: by field of the tally, and by tag of ends."""

    def __init__(self, tally: Tally) -> None:
        """None yet."""
        self.tally = tally
        self.fields = [0] * len(tally.fields)
        self.ends = [0] * len(tally.ends)

    def add_stop(self, stop: int) -> None:
        """Count one stop more."""
        for number in self.tally.counted[stop]:
            self.fields[number] += 1
        for index, tag in enumerate(self.tally.ends):
            self.ends[index] += self.tally.problem.stops[stop].matches(tag)

    def add_track(self, words: list[str]) -> None:
        """Count one segment more."""
        for word in words:
            if word in self.tally.words:
                self.fields[self.tally.words[word]] += 1


class Ahead:
    """What lies ahead after one layer, for one kind of train."""

    def __init__(
        self, behind: list[int], left: ToCome, places: dict[int, int], calls: list[int]
    ) -> None:
        """`behind` has the stops (or -1) behind the open segments; calls are by openings.

        Without calls nothing is known about them.
        """
        self.behind = behind
        self.tally = left.tally
        self.places = places
        self.calls = calls
        self.outlook = left.tally.outlook(left.fields, left.ends)
        self.lacking = self.outlook.lacking
        self.known: dict[int, Due | None] = {DONE: Due(0, 0), 0: Due(0, 0)}

    def due(self, openings: int) -> Due | None:
        """What completing a route takes; None if that is not possible."""
        if openings not in self.known:
            self.known[openings] = self._due(openings)
        return self.known[openings]

    def _due(self, openings: int) -> Due | None:
        calls = self.calls[self.places[openings]] if self.calls else 0
        if calls >= FAR:
            return None
        stops = [self.behind[place] for place in places_used(openings)]
        forbidden = self.tally.forbidden(stops)
        return Due(forbidden, calls) if forbidden >= 0 else None

    def lacks(self, openings: int, tally: int) -> bool:
        """Whether a route that has begun needs what no stop to come can give."""
        if openings > 0:
            for bits in self.lacking:
                if not tally & bits:
                    return True
        return False

    def simplify(self, tally: int) -> int:
        """The same future, told in one way: forget what can make no difference any more."""
        return self.tally.simplify(tally, self.outlook)
