"""Which points a train can have on a route at all, counted from the stations.

A route has a station, and every stop on the way from it takes a place in the train. Where
even the shortest way takes more places than there are, no route of that train goes.
"""

from __future__ import annotations

from collections.abc import Callable

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem, Train

Near = Callable[[int, Train], list[int]]
"""The points next to a point, over track that a train may use."""


def within_reach(problem: RunProblem, near: Near) -> set[int]:
    """The points that a route of some train may have."""
    found: set[int] = set()
    for train in dict.fromkeys(problem.trains):
        cards: list[RunCard | None] = [
            card for card in problem.rules.extras if not card.trains or train.name in card.trains
        ]
        for card in dict.fromkeys(cards or [None]):  # no card takes room away
            found |= _reach(problem, near, train, card)
    return found


def _reach(problem: RunProblem, near: Near, train: Train, card: RunCard | None) -> set[int]:
    """The points for which no room of the train is too small."""
    kinds = sorted({stop.kind for stop in problem.stops})
    rooms = train.room + (card.room if card else ())
    found = set(range(len(problem.points)))
    for bound, cap in [(frozenset(""), 0), *room_caps(rooms, kinds)]:
        further = bool(card and card.beyond)  # one stop may stand beyond the range
        found &= _closer_than(problem, near, train, bound, cap + further)
    return found


def _closer_than(
    problem: RunProblem, near: Near, train: Train, kinds: frozenset[str], cap: int
) -> set[int]:
    """Points on ways from a station with at most `cap` stops of these kinds, ends included."""
    stops = problem.stops
    costs: list[int] = []
    for place in problem.points:
        barred = place.stop >= 0 and any(stops[place.stop].matches(tag) for tag in train.bars)
        counts = place.stop >= 0 and stops[place.stop].kind in kinds
        costs.append(cap + 1 if barred else int(counts))
    stations = [i for i, p in enumerate(problem.points) if p.stop >= 0 and stops[p.stop].token]
    least = {point: costs[point] for point in stations if costs[point] <= cap}
    todo = list(least)
    while todo:
        later: list[int] = []
        for point in todo:
            stop = problem.points[point].stop
            if stop >= 0 and not (stops[stop].through or stops[stop].token):
                continue
            for far in near(point, train):
                cost = least[point] + costs[far]
                if cost <= cap and cost < least.get(far, cap + 1):
                    least[far] = cost
                    later.append(far)
        todo = later
    return set(least)
