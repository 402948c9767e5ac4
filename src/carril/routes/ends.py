"""Every way in which the open ends of a route can go, whatever the route has collected.

Most partial routes cannot be completed: their ends lead nowhere, or too far apart. That is
told by the openings alone, of which there are far fewer than of routes.
"""

from __future__ import annotations

from carril.routes.meter import Meter
from carril.routes.moves import DONE, Crossing

FAR = 1 << 40
"""More stops than any route has: the ends cannot be brought together."""


class Ends:
    """Openings before and after each layer, and the ways between them."""

    def __init__(self, crossings: list[Crossing], meter: Meter) -> None:
        """Follow every move from a route that has not begun."""
        self.places: list[dict[int, int]] = [{0: 0}]
        """Before each layer and after the last: the openings, numbered."""
        self.source: list[list[int]] = []
        self.target: list[list[int]] = []
        self.touched: list[list[int]] = []
        for crossing in crossings:
            below = self._follow(crossing)
            self.places.append(below)
            meter.add(len(below))

    def _follow(self, crossing: Crossing) -> dict[int, int]:
        below: dict[int, int] = {}
        sources: list[int] = []
        targets: list[int] = []
        touches: list[int] = []
        for openings, source in self.places[-1].items():
            if openings == DONE:
                continue
            for after, _, touched in crossing.moves(openings):
                target = below.get(after, -1)
                if target < 0:
                    target = len(below)
                    below[after] = target
                sources.append(source)
                targets.append(target)
                touches.append(touched)
        self.source.append(sources)
        self.target.append(targets)
        self.touched.append(touches)
        return below

    def calls(self, costs: list[int]) -> list[list[int]]:
        """How many calls it takes at least to bring open ends together, after each layer.

        `costs` has for each layer what a call there counts: 0 or 1, FAR if it is not allowed.
        """
        last = len(self.source)
        below = [0 if openings <= 0 else FAR for openings in self.places[last]]
        found: list[list[int]] = []
        for layer in range(last - 1, -1, -1):
            found.append(below)
            above = [0 if openings <= 0 else FAR for openings in self.places[layer]]
            ways = self.source[layer], self.target[layer], self.touched[layer]
            reckon_least(above, below, *ways, costs[layer])
            below = above
        found.reverse()
        return found


def reckon_least(
    above: list[int],
    below: list[int],
    source: list[int],
    target: list[int],
    calls: list[int],
    cost: int,
) -> None:
    """Lower what completing takes above a layer to what it takes below it, and for calls in it."""
    for way in range(len(source)):
        value = below[target[way]]
        if calls[way]:
            value += cost
        if value < above[source[way]]:
            above[source[way]] = value
