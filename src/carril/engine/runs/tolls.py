"""Tolls: what a run owes for the stops it passes, and which payments it needs.

A train passes some tolled stops free of charge (`Train.free_tolls`); a payment serves all trains.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from carril.engine.runs.revenue import route_stops
from carril.engine.runs.types import Run, RunProblem, Stop

TOLL = "toll"
"""The name of a payment in `Run.extras`."""

Key = TypeVar("Key", str, int)


class Due(NamedTuple):
    """The tolled stops that one train passes, and how many of them are free."""

    stops: frozenset[str]
    free: int


def tolls_due(problem: RunProblem, run: Run) -> list[Due]:
    """Return what each route of a run owes; a route owes nothing where it ends."""
    free = {train.name: train.free_tolls for train in problem.trains}
    return [
        Due(
            frozenset(stop.key for stop in route_stops(problem, route)[1:-1] if stop.toll),
            free[route.train],
        )
        for route in run.routes
    ]


def paid_tolls(run: Run) -> tuple[str, ...]:
    """Return the stops that a run pays for.

    >>> paid_tolls(Run(extras=(("toll", "C14.0"), ("car", "2"))))
    ('C14.0',)
    """
    return tuple(detail for name, detail in run.extras if name == TOLL)


def cheapest_payment(
    due: Sequence[tuple[Collection[Key], int]], costs: Mapping[Key, int], purse: int
) -> tuple[Key, ...] | None:
    """Return the cheapest stops to pay for, None if `purse` (-1: any sum) is not enough.

    Stops without a cost cannot be paid for.

    >>> cheapest_payment([("ab", 1), ("a", 0)], {"a": 20, "b": 20}, 40)
    ('a',)
    """
    passed = sorted({stop for stops, _ in due for stop in stops if stop in costs})
    best: tuple[Key, ...] | None = None
    least = purse
    for size in range(len(passed) + 1):
        for paid in combinations(passed, size):
            if any(sum(stop not in paid for stop in stops) > free for stops, free in due):
                continue
            cost = sum(costs[stop] for stop in paid)
            if least < 0 or cost < least or (best is None and cost == least):
                best, least = paid, cost
    return best


def unneeded_payment(due: Sequence[Due], paid: Sequence[str]) -> str | None:
    """Return a payment that no train needs, None if all are needed.

    A train that passes more tolled stops than it may free of charge needs one payment for each of
    the others, and it is free to choose which.

    >>> unneeded_payment([Due(frozenset("ab"), 1)], ["a", "b"])
    'b'
    """
    needs = [len(stops) - free for stops, free in due]
    for count, key in enumerate(paid, 1):
        if not _all_needed(due, needs, paid[:count]):
            return key
    return None


def _all_needed(due: Sequence[Due], needs: Sequence[int], paid: Sequence[str]) -> bool:
    """Return whether each payment can be assigned to a train that needs one more."""
    if not paid:
        return True
    for index, one in enumerate(due):
        if needs[index] > 0 and paid[0] in one.stops:
            rest = [need - (number == index) for number, need in enumerate(needs)]
            if _all_needed(due, rest, paid[1:]):
                return True
    return False


def settled(problem: RunProblem, paid: Collection[str]) -> RunProblem:
    """Return the problem in which these tolls are settled and no others can be paid.

    Its best run has the greatest dividend that can be had for the price of these tolls.
    """
    if not any(stop.toll for stop in problem.stops):
        return problem
    free = any(train.free_tolls for train in problem.trains)
    stops = tuple(_settled_stop(stop, stop.key in paid, free) for stop in problem.stops)
    return replace(problem, stops=stops, rules=replace(problem.rules, purse=0))


def _settled_stop(stop: Stop, paid: bool, free: bool) -> Stop:
    """Return a tolled stop as an open one if it is paid for; otherwise as closed, unless `free`."""
    if not stop.toll or (free and not paid):
        return stop
    return replace(stop, toll=0, through=paid)


def with_payment(problem: RunProblem, run: Run, allowed: Collection[str]) -> Run:
    """Add the cheapest payment to a run for which it is enough to pay `allowed` tolls."""
    costs = {stop.key: stop.toll for stop in problem.stops if stop.key in allowed}
    paid = cheapest_payment(tolls_due(problem, run), costs, -1)
    assert paid is not None, f"other tolls than {sorted(allowed)} are due"
    return replace(run, extras=tuple(sorted([*run.extras, *((TOLL, key) for key in paid)])))
