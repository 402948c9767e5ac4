"""Trains that run together, before their routes are drawn up.

Plans tell what each train can hope for at prices for segments. That gives a first good run, a
bound for all runs, and so what a route must be worth to be part of a better one.
"""

from __future__ import annotations

from carril.routes.combine import Team, best_path
from carril.routes.diagram import Diagram
from carril.routes.hopes import View
from carril.routes.meter import Meter
from carril.routes.network import Network
from carril.routes.plan import NEVER, SCALE
from carril.routes.prices import Bidders
from carril.routes.settle import Settlement

_CLOSE = 6
"""A first run is good enough if it lacks no more than one part in so many."""
_WIDTH = 12
"""Nodes of a layer that are followed for a first good run."""


class Outline(Bidders):
    """One view for each train of a crew."""

    def __init__(
        self, network: Network, views: list[View], settlement: Settlement, meter: Meter
    ) -> None:
        """Let one route of each view run; equal views must stand side by side."""
        super().__init__(network)
        self.views = views
        self.settlement = settlement
        self.meter = meter
        self.hopes = [view.free for view in views]
        total = sum([hopes.promise() for hopes in self.hopes])
        self.bound = total // SCALE + settlement.most
        self._tried: set[tuple[int, int]] = set()
        """Who was the first to choose, and what all segments together cost then."""

    def bid(self) -> int:
        """The most that all views promise at the prices."""
        total = self.settlement.most * SCALE
        self.hopes = []
        for index, view in enumerate(self.views):
            if index and view is self.views[index - 1]:
                self.hopes.append(self.hopes[-1])
            else:
                self.hopes.append(view.hopes(self.prices))
            total += self.hopes[-1].promise()
        return total

    def wanted(self) -> list[list[int]]:
        """The bits that the most promising routes at the prices take up."""
        return [view.wanted(hopes) for view, hopes in zip(self.views, self.hopes, strict=True)]

    def good_run(self, tries: int) -> Team:
        """A run in which trains in turn take their best routes at the prices beside the others.

        Some trains are tried as the first one, the most promising before others, until the run
        is close to what can be hoped for.
        """
        order = [index for index, hopes in enumerate(self.hopes) if hopes.promise()]
        order.sort(key=lambda index: -self.hopes[index].promise())
        best = self._idle_team()
        firsts = [index for index in order if (index, self.later[0]) not in self._tried]
        for first in firsts[:tries]:
            if self.best >= self.bound - self.bound // _CLOSE:
                break
            self._tried.add((first, self.later[0]))
            team = self._idle_team()
            for index in [first, *(other for other in order if other != first), first]:
                if team.best < self.bound:
                    self._respond(team, index)
            if team.best > best.best:
                best = team
                self.best = max(self.best, best.best)
        return best

    def _respond(self, team: Team, index: int) -> None:
        """Let a train take its best route beside the others."""
        used = team.taken(team.paths, index)
        hopes = self.views[index].hopes(self._beside(used))
        if hopes.promise():
            diagram = Diagram(self.views[index], self.meter)
            diagram.glimpse(hopes, _WIDTH)
            team.exchange(index, diagram, best_path(diagram, used))

    def _beside(self, used: list[int]) -> list[list[int]]:
        """The prices, but so high for segments that are taken that they cannot be had."""
        points = self.network.problem.points
        tables: list[list[int]] = []
        for index, layer in enumerate(self.network.layers):
            count = 1 << (len(layer.new) + points[layer.point].exclusive)
            table = self.prices[index] if self.prices else [0] * count
            bits = used[index]
            if bits:
                table = [-NEVER if taken & bits else table[taken] for taken in range(count)]
            tables.append(table)
        return tables

    def _idle_team(self) -> Team:
        diagrams: list[Diagram] = []
        for view in self.views:
            diagrams.append(Diagram(view, self.meter))
            diagrams[-1].stay_idle()
        return Team(diagrams, self.settlement, self.meter)
