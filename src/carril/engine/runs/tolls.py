"""Tolls: what a run owes for the stops it passes, and which payments it needs.

A train passes some tolled stops free of charge (`Train.free_tolls`); a payment serves all trains.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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


def least_payments(
    due: Sequence[tuple[Collection[Key], int]], costs: Collection[Key]
) -> list[frozenset[Key]]:
    """Return every set of stops to pay for from which none can be left out.

    Stops without a cost cannot be paid for; without any such set the list is empty.

    >>> [sorted(paid) for paid in least_payments([("ab", 1), ("a", 0)], "ab")]
    [['a']]
    """
    if not any(free for _, free in due):
        passed = frozenset(stop for stops, _ in due for stop in stops)
        return [passed] if all(stop in costs for stop in passed) else []
    found = {frozenset[Key]()}
    for stops, free in due:
        payable = sorted(stop for stop in stops if stop in costs)
        spare = free - (len(stops) - len(payable))
        if spare < 0:
            return []
        found = {more for paid in found for more in _enough(paid, payable, spare)}
    ordered = sorted(found, key=lambda paid: (len(paid), sorted(paid)))
    return [paid for paid in ordered if not any(fewer < paid for fewer in ordered)]


def _enough(paid: frozenset[Key], stops: Sequence[Key], free: int) -> Iterator[frozenset[Key]]:
    """Yield a payment with just enough of these stops added that no more than `free` are left."""
    unpaid = [stop for stop in stops if stop not in paid]
    for more in combinations(unpaid, max(0, len(unpaid) - free)):
        yield paid.union(more)


def cheapest_payment(
    due: Sequence[tuple[Collection[Key], int]], costs: Mapping[Key, int], purse: int
) -> tuple[Key, ...] | None:
    """Return the cheapest stops to pay for, None if `purse` (-1: any sum) is not enough.

    Stops without a cost cannot be paid for.

    >>> cheapest_payment([("ab", 1), ("a", 0)], {"a": 20, "b": 20}, 40)
    ('a',)
    """
    sums = [(sum(costs[stop] for stop in paid), paid) for paid in least_payments(due, costs)]
    if not sums:
        return None
    cost, paid = min(sums, key=lambda one: one[0])
    return None if 0 <= purse < cost else tuple(sorted(paid))


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


def can_pay(problem: RunProblem) -> bool:
    """Return whether a problem has a toll that its purse can pay."""
    purse = problem.rules.purse
    return any(stop.toll and (purse < 0 or stop.toll <= purse) for stop in problem.stops)


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
    return paying(run, paid)


def paying(run: Run, paid: Collection[str]) -> Run:
    """Return a run that pays for these stops, and for no others.

    >>> paying(Run(extras=(("toll", "A1.0"), ("car", "2"))), ["C14.0"]).extras
    (('car', '2'), ('toll', 'C14.0'))
    """
    others = [extra for extra in run.extras if extra[0] != TOLL]
    return replace(run, extras=tuple(sorted([*others, *((TOLL, key) for key in paid)])))
