"""Coupling terms: what the routes of one run earn or cost together, besides their track.

Cubes come from sources that all cards share (a bipartite matching), a toll is paid once for all
routes (a minimum-cost cover), and the premium is earned once.
"""

from __future__ import annotations

from carril.engine.runs.tolls import cheapest_payment
from carril.engine.runs.types import RunProblem
from carril.routes.constants import INFEASIBLE
from carril.routes.state.resources import Resources


class CouplingTerms:
    """Corrects the sum of the values that routes have on their own."""

    def __init__(self, problem: RunProblem, resources: list[Resources], payable: bool) -> None:
        """Couple one route for each of `resources`."""
        self.problem = problem
        self.resources = resources
        self.payable = payable
        rules = problem.rules
        self._needed = bool(rules.premium or any(one.tolls or one.sources for one in resources))
        self.upper_bound = rules.premium
        """No correction is greater: only the premium adds to the sum."""
        self._corrections: dict[tuple[int, ...], int] = {}

    def correction(self, labels: tuple[int, ...]) -> int:
        """Return what to add to the sum of the routes' values, by their coupling labels.

        It is INFEASIBLE if the routes may not run together.
        """
        if not self._needed:
            return 0
        found = self._corrections.get(labels)
        if found is None:
            found = self._compute(labels)
            self._corrections[labels] = found
        return found

    def _compute(self, labels: tuple[int, ...]) -> int:
        tolls = self.tolls(labels)
        loads = self.cubes(labels)
        if tolls is None or loads is None:
            return INFEASIBLE
        rules = self.problem.rules
        counted = 0
        pays = False
        for resources, label in zip(self.resources, labels, strict=True):
            sources = _sources(resources, label)
            if sources and resources.card:
                available = sum(rules.cubes[source][1] for source in sources)
                counted += min(available, resources.card.capacity)
            earns = resources.pays >= 0 and resources.get(label, resources.pays) > 0
            pays = pays or earns or bool(sources)
        loaded = sum(sum(load.values()) for load in loads)
        cost = 0 if self.payable else sum(self.problem.stops[stop].toll for stop in tolls)
        premium = rules.premium if pays else 0
        return (loaded - counted) * rules.cube_value - cost + premium

    def tolls(self, labels: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the cheapest set of stops to pay for; None if the purse is not enough."""
        passed = self.passed(labels)
        costs = {stop: self.problem.stops[stop].toll for due, _ in passed for stop in due}
        return cheapest_payment(passed, costs, self.problem.rules.purse)

    def passed(self, labels: tuple[int, ...]) -> list[tuple[set[int], int]]:
        """Return for each route the tolled stops it passes, and how many of them are free."""
        found: list[tuple[set[int], int]] = []
        for resources, label in zip(self.resources, labels, strict=True):
            due = {stop for number, stop in resources.tolls if resources.get(label, number)}
            found.append((due, resources.train.free_tolls))
        return found

    def cubes(self, labels: tuple[int, ...]) -> list[dict[int, int]] | None:
        """Return the greatest loads, for each route by source; None if a card gets no cube."""
        left = [count for _, count in self.problem.rules.cubes]
        loads: list[dict[int, int]] = [{} for _ in self.resources]
        carrying: list[tuple[int, list[int], int]] = []
        for route, (resources, label) in enumerate(zip(self.resources, labels, strict=True)):
            sources = _sources(resources, label)
            if sources and resources.card:
                carrying.append((route, sources, resources.card.capacity))
        reach = {route: sources for route, sources, _ in carrying}
        for route, _, _ in carrying:
            if not _augment(route, reach, loads, left, set()):
                return None
        for route, _, capacity in carrying:
            while sum(loads[route].values()) < capacity:
                if not _augment(route, reach, loads, left, set()):
                    break
        return loads


def _sources(resources: Resources, label: int) -> list[int]:
    """Return the sources that a route with this coupling label visits."""
    return [source for number, source in resources.sources if resources.get(label, number)]


def _augment(
    route: int,
    reach: dict[int, list[int]],
    loads: list[dict[int, int]],
    left: list[int],
    seen: set[int],
) -> bool:
    """Load one more cube along an augmenting path: other routes may change their sources."""
    for source in reach[route]:
        if source in seen:
            continue
        seen.add(source)
        if left[source] > 0:
            left[source] -= 1
            loads[route][source] = loads[route].get(source, 0) + 1
            return True
        for other, load in enumerate(loads):
            if other != route and load.get(source, 0) and _augment(other, reach, loads, left, seen):
                load[source] -= 1
                loads[route][source] = loads[route].get(source, 0) + 1
                return True
    return False
