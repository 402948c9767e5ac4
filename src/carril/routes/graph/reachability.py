"""Resource-bounded reachability: the points that a route can contain at all.

A route contains a station, and every stop on the way from it takes a place in the train. A point
is out of reach if even the cheapest way to it takes more places than the train has.
"""

from __future__ import annotations

from collections.abc import Callable

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunCard, RunProblem, Train

Neighbours = Callable[[int, Train], list[int]]
"""Returns the points next to a point, over track that a train may use."""


def reachable_points(problem: RunProblem, neighbours: Neighbours) -> set[int]:
    """Return the points that a route of some train may contain."""
    found: set[int] = set()
    for train in dict.fromkeys(problem.trains):
        cards: list[RunCard | None] = [
            card for card in problem.rules.extras if not card.trains or train.name in card.trains
        ]
        for card in dict.fromkeys(cards or [None]):  # no card takes room away
            found |= _within_all_caps(problem, neighbours, train, card)
    return found


def _within_all_caps(
    problem: RunProblem, neighbours: Neighbours, train: Train, card: RunCard | None
) -> set[int]:
    """Return the points that are within every capacity of the train."""
    kinds = sorted({stop.kind for stop in problem.stops})
    rooms = train.room + (card.room if card else ())
    found = set(range(len(problem.points)))
    for counted, cap in [(frozenset(""), 0), *room_caps(rooms, kinds)]:
        beyond = bool(card and card.beyond)  # one stop may be beyond the range
        found &= _within_cap(problem, neighbours, train, counted, cap + beyond)
    return found


def _within_cap(
    problem: RunProblem, neighbours: Neighbours, train: Train, counted: frozenset[str], cap: int
) -> set[int]:
    """Return the points on ways from a station over at most `cap` stops of the counted kinds."""
    stops = problem.stops
    costs: list[int] = []
    for point in problem.points:
        barred = point.stop >= 0 and any(stops[point.stop].matches(tag) for tag in train.bars)
        counts = point.stop >= 0 and stops[point.stop].kind in counted
        costs.append(cap + 1 if barred else int(counts))
    stations = [i for i, p in enumerate(problem.points) if p.stop >= 0 and stops[p.stop].token]
    distance = {point: costs[point] for point in stations if costs[point] <= cap}
    pending = list(distance)
    while pending:
        later: list[int] = []
        for here in pending:
            stop = problem.points[here].stop
            if stop >= 0 and not (stops[stop].through or stops[stop].token):
                continue
            for neighbour in neighbours(here, train):
                cost = distance[here] + costs[neighbour]
                if cost <= cap and cost < distance.get(neighbour, cap + 1):
                    distance[neighbour] = cost
                    later.append(neighbour)
        pending = later
    return set(distance)
