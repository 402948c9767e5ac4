"""The next best runs, for choosing between equal or nearly equal ones.

Runs that call at the same stops with the same cards are the same choice, whatever
plain track they use, and are given once.
"""

from __future__ import annotations

from heapq import heappop, heappush

from carril.engine.runs.types import Run, RunProblem
from carril.routes.certificate import run_of
from carril.routes.combine import Team
from carril.routes.plan import NEVER
from carril.routes.product import Product, State

_STATES = 20_000
"""States of a product that alternatives are worth."""
_TRIES = 200
"""Runs looked at for each one wanted, most of them the same choice."""

Choice = tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, str], ...]]


class Alternatives:
    """Collects different choices, best first."""

    def __init__(self, problem: RunProblem, teams: list[Team], first: Run, best: int) -> None:
        """Start from the best run `first`, worth `best`."""
        self.keys = {stop.key for stop in problem.stops}
        self.teams = teams
        self.best = best
        self.found: dict[Choice, tuple[int, Run]] = {self.choice(first): (best, first)}

    def choice(self, run: Run) -> Choice:
        """What makes a run a choice of its own."""
        routes = []
        for route in run.routes:
            stops = [place for place in route.path if place in self.keys]
            routes.append((route.train, tuple(min(stops, stops[::-1]))))
        return tuple(sorted(routes)), run.extras

    def runs(self, count: int, grain: int) -> tuple[Run, ...]:
        """Up to `count` runs; fewer where the board has no more or too many to look at."""
        gap = 0
        while len(self.found) < count and gap <= self.best:
            least = max(1, self.best - gap)
            for team in self.teams:
                if team.bound >= least and not self._collect(team, least, count):
                    gap = self.best + 1
            if least == 1:
                break
            gap = max(grain, 2 * gap)
        ranked = sorted(self.found.values(), key=lambda pair: -pair[0])
        return tuple(run for _, run in ranked[:count])

    def _collect(self, team: Team, least: int, count: int) -> bool:
        """Note the runs of one team worth `least` or more; False if there are too many."""
        team.diagrams = team.whole
        team.reprice(team.free())
        product = Product(team, least, _STATES)
        if not product.whole:
            return False
        rest = _rest(product)
        heap: list[tuple[int, int, int, list[State], list[int]]] = []
        if rest[0]:
            start = next(iter(rest[0]))
            heappush(heap, (-rest[0][start], 0, 0, [start], []))
        made, tries = 1, 0
        while heap and tries < _TRIES * count:
            worth, _, earned, chain, gains = heappop(heap)
            layer = len(gains)
            if -worth < least:
                break
            if layer == team.layers:
                tries += 1
                run = run_of(team.settlement, team.diagrams, product.team_paths(chain, gains))
                self.found.setdefault(self.choice(run), (-worth, run))
                continue
            for after, gain in dict.fromkeys(product.children(layer, chain[-1], earned)):
                value = earned + gain + rest[layer + 1].get(after, NEVER)
                if value >= least:
                    entry = (-value, made, earned + gain, [*chain, after], [*gains, gain])
                    heappush(heap, entry)
                    made += 1
        return tries < _TRIES * count


def _rest(product: Product) -> list[dict[State, int]]:
    """For every state of a product what the best run through it still earns below it."""
    team = product.team
    below: dict[State, int] = {}
    for state in product.layers[-1]:
        extra = team.settlement.correction(team.shared(state))
        if extra > NEVER:
            below[state] = extra
    rest = [below]
    for layer in range(team.layers - 1, -1, -1):
        here: dict[State, int] = {}
        for state, value in product.layers[layer].items():
            for after, gain in product.children(layer, state, value):
                if after in below:
                    here[state] = max(here.get(state, NEVER), gain + below[after])
        rest.append(here)
        below = here
    rest.reverse()
    return rest
