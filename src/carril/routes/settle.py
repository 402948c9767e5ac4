"""What routes of one run owe each other: cubes from shared boxes, tolls paid once, the premium."""

from __future__ import annotations

from itertools import combinations

from carril.engine.runs.types import RunProblem
from carril.routes.plan import NEVER
from carril.routes.tally import Tally


class Settlement:
    """Corrects the sum of what routes are worth alone."""

    def __init__(self, problem: RunProblem, tallies: list[Tally], payable: bool) -> None:
        """Settle between one route of each of `tallies`."""
        self.problem = problem
        self.tallies = tallies
        self.payable = payable
        rules = problem.rules
        self.needed = bool(
            rules.premium
            or any(stop.toll for stop in problem.stops)
            or any(tally.mills for tally in tallies)
        )
        self.most = rules.premium
        self._known: dict[tuple[int, ...], int] = {}

    def correction(self, shared: tuple[int, ...]) -> int:
        """What to add to the sum of the routes; NEVER if they cannot run together."""
        if not self.needed:
            return 0
        found = self._known.get(shared)
        if found is None:
            found = self._reckon(shared)
            self._known[shared] = found
        return found

    def _reckon(self, shared: tuple[int, ...]) -> int:
        tolls = self.tolls(shared)
        loads = self.loads(shared)
        if tolls is None or loads is None:
            return NEVER
        rules = self.problem.rules
        sum_alone = 0
        paid = False
        for tally, bits in zip(self.tallies, shared, strict=True):
            boxes = [box for field, box in tally.mills if tally.get(bits, field)]
            if boxes and tally.extra:
                most = sum(rules.cubes[box][1] for box in boxes)
                sum_alone += min(most, tally.extra.capacity)
            paid = paid or (tally.paid >= 0 and tally.get(bits, tally.paid) > 0) or bool(boxes)
        loaded = sum(sum(load.values()) for load in loads)
        cost = 0 if self.payable else sum(self.problem.stops[stop].toll for stop in tolls)
        premium = rules.premium if paid else 0
        return (loaded - sum_alone) * rules.cube_value - cost + premium

    def tolls(self, shared: tuple[int, ...]) -> tuple[int, ...] | None:
        """The cheapest set of stops to pay for; None if the purse cannot."""
        passed: list[tuple[set[int], int]] = []
        for tally, bits in zip(self.tallies, shared, strict=True):
            due = {stop for field, stop in tally.tolls if tally.get(bits, field)}
            passed.append((due, tally.train.free_tolls))
        every = sorted(set().union(*(due for due, _ in passed)))
        best: tuple[int, ...] | None = None
        least = self.problem.rules.purse
        for size in range(len(every) + 1):
            for paid in combinations(every, size):
                if any(len(due - set(paid)) > free for due, free in passed):
                    continue
                cost = sum(self.problem.stops[stop].toll for stop in paid)
                if least < 0 or cost < least or (best is None and cost == least):
                    best, least = paid, cost
        return best

    def loads(self, shared: tuple[int, ...]) -> list[dict[int, int]] | None:
        """Cubes by box for each route, as many as can be; None if a wagon gets none."""
        left = [count for _, count in self.problem.rules.cubes]
        loads: list[dict[int, int]] = [{} for _ in self.tallies]
        wagons: list[tuple[int, list[int], int]] = []
        for route, (tally, bits) in enumerate(zip(self.tallies, shared, strict=True)):
            boxes = [box for field, box in tally.mills if tally.get(bits, field)]
            if boxes and tally.extra:
                wagons.append((route, boxes, tally.extra.capacity))
        reach = {route: boxes for route, boxes, _ in wagons}
        for route, _, _ in wagons:
            if not _load_one(route, reach, loads, left, set()):
                return None
        for route, _, capacity in wagons:
            while sum(loads[route].values()) < capacity:
                if not _load_one(route, reach, loads, left, set()):
                    break
        return loads


def _load_one(
    route: int,
    reach: dict[int, list[int]],
    loads: list[dict[int, int]],
    left: list[int],
    seen: set[int],
) -> bool:
    """Load one more cube, if need be by letting another wagon load elsewhere."""
    for box in reach[route]:
        if box in seen:
            continue
        seen.add(box)
        if left[box] > 0:
            left[box] -= 1
            loads[route][box] = loads[route].get(box, 0) + 1
            return True
        for other, load in enumerate(loads):
            if other != route and load.get(box, 0) and _load_one(other, reach, loads, left, seen):
                load[box] -= 1
                loads[route][box] = loads[route].get(box, 0) + 1
                return True
    return False
