"""The k best runs, by best-first search over the product of diagrams.

Runs that call at the same stops with the same cards are the same choice, whichever plain track they
use, and only one of them is returned.
"""

from __future__ import annotations

from contextlib import suppress
from heapq import heappop, heappush

from carril.engine.runs.types import Run, RunProblem
from carril.routes.budget import BudgetExhausted
from carril.routes.certificate import decode
from carril.routes.combine.product import Product, State
from carril.routes.combine.train_set import Path, TrainSet
from carril.routes.constants import INFEASIBLE

_STATE_LIMIT = 20_000
"""States of a product, at most, for alternatives."""
_TRIES = 200
"""Runs examined for each one wanted; most of them are the same choice."""

Choice = tuple[tuple[tuple[str, tuple[str, ...]], ...], tuple[tuple[str, str], ...]]
Entry = tuple[int, int, int, list[State], list[int]]
"""Of the heap: minus the bound, a serial number, the value so far, states, rewards."""


class KBest:
    """Collects distinct choices."""

    def __init__(self, problem: RunProblem, sets: list[TrainSet], first: Run, best: int) -> None:
        """Start from the best run `first`, worth `best`; the diagrams must be complete."""
        self.keys = {stop.key for stop in problem.stops}
        self.sets = sets
        self.best = best
        self.found: dict[Choice, tuple[int, Run]] = {self.choice(first): (best, first)}
        self._seen: set[tuple[int, tuple[tuple[int, ...], ...]]] = set()

    def choice(self, run: Run) -> Choice:
        """Return what distinguishes a run from others: stops and cards, without plain track."""
        routes = []
        for route in run.routes:
            stops = [place for place in route.path if place in self.keys]
            routes.append((route.train, tuple(min(stops, stops[::-1]))))
        return tuple(sorted(routes)), run.extras

    def runs(self, count: int, grain: int, ties: bool = False) -> tuple[Run, ...]:
        """Return up to `count` runs, best first; fewer if there are no more, or too many.

        With `ties` only runs that are worth as much as the best.
        """
        with suppress(BudgetExhausted):
            self._search(count, grain, ties)
        ranked = sorted(self.found.values(), key=lambda pair: -pair[0])
        return tuple(run for _, run in ranked[:count])

    def _search(self, count: int, grain: int, ties: bool) -> None:
        """Lower the threshold until there are enough runs."""
        gap = 0
        while len(self.found) < count and gap <= self.best:
            threshold = max(1, self.best - gap)
            for trains in self.sets:
                if trains.bound >= threshold and not self._collect(trains, threshold, count):
                    gap = self.best + 1
            if threshold == 1 or ties:
                break
            gap = max(grain, 2 * gap)

    def _collect(self, trains: TrainSet, threshold: int, count: int) -> bool:
        """Add the runs of one set worth the threshold; return False if there are too many."""
        trains.diagrams = trains.unfiltered
        trains.evaluate(trains.zero_multipliers())
        product = Product(trains, threshold, _STATE_LIMIT)
        if not product.finished:
            return False
        value_to_go = _value_to_go(product)
        heap: list[Entry] = []
        if value_to_go[0]:
            start = next(iter(value_to_go[0]))
            heappush(heap, (-value_to_go[0][start], 0, 0, [start], []))
        serial, tries = 1, 0
        while heap and tries < _TRIES * count:
            trains.budget.charge(1)
            bound, _, value, states, rewards = heappop(heap)
            layer = len(rewards)
            if -bound < threshold:
                break
            if layer == trains.depth:
                tries += 1
                self._add(trains, product.paths(states, rewards), -bound)
                if self._enough(count, -bound):
                    return True
                continue
            for after, reward in dict.fromkeys(product.successors(layer, states[-1], value)):
                upper = value + reward + value_to_go[layer + 1].get(after, INFEASIBLE)
                if upper >= threshold:
                    step = ([*states, after], [*rewards, reward])
                    heappush(heap, (-upper, serial, value + reward, *step))
                    serial += 1
        return tries < _TRIES * count

    def _add(self, trains: TrainSet, paths: list[Path], worth: int) -> None:
        """Add the run of some paths, unless a run with the same stops and cards is known."""
        key = (id(trains), tuple(map(tuple, paths)))
        if key not in self._seen:  # a lower threshold finds the same paths again
            self._seen.add(key)
            run = decode(trains.coupling, trains.diagrams, paths)
            self.found.setdefault(self.choice(run), (worth, run))

    def _enough(self, count: int, worth: int) -> bool:
        """Return whether no further run of this worth or less can be among the `count` best."""
        return sum(found >= worth for found, _ in self.found.values()) >= count


def _value_to_go(product: Product) -> list[dict[State, int]]:
    """Return for every state of a product the greatest value of a completion."""
    trains = product.trains
    below: dict[State, int] = {}
    for state in product.values[-1]:
        correction = trains.coupling.correction(trains.coupling_labels(state))
        if correction > INFEASIBLE:
            below[state] = correction
    found = [below]
    for layer in range(trains.depth - 1, -1, -1):
        here: dict[State, int] = {}
        for state, value in product.values[layer].items():
            for after, reward in product.successors(layer, state, value):
                if after in below:
                    here[state] = max(here.get(state, INFEASIBLE), reward + below[after])
        found.append(here)
        below = here
    found.reverse()
    return found
