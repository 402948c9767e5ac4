"""Bounds that do not look at track, and the grain of all values."""

from __future__ import annotations

from math import gcd

from carril.engine.runs.revenue import room_caps
from carril.engine.runs.types import RunProblem, Train


def value_grain(problem: RunProblem) -> int:
    """Return what all values are multiples of: a better run is better by at least this."""
    rules = problem.rules
    grain = gcd(rules.premium, rules.cube_value)
    for stop in problem.stops:
        grain = gcd(grain, gcd(stop.value, gcd(stop.treasury, stop.toll)))
    for bonus in rules.bonuses:
        grain = gcd(grain, gcd(bonus.amount, bonus.per_token))
    return max(1, grain)


def trivial_bound(problem: RunProblem, payable: bool) -> int:
    """Return an upper bound on the value of any run, as if all stops were connected."""
    rules = problem.rules
    total = rules.premium + rules.cube_value * sum(count for _, count in rules.cubes)
    for train in problem.trains:
        total += _route_bound(problem, train, payable)
    factor = max([1, *(train.factor for train in problem.trains)])
    greatest = max([0, *(stop.value * factor + stop.treasury for stop in problem.stops)])
    for card in rules.extras:
        places = sum(max(0, room.count) for room in card.room)
        total += greatest * (places + bool(card.doubles) + bool(card.beyond))
    return total


def _route_bound(problem: RunProblem, train: Train, payable: bool) -> int:
    """Return the value of the best stops that fit in the train, and of every bonus."""
    values = [
        (stop.kind, stop.value * train.factor + (0 if payable else stop.treasury))
        for stop in problem.stops
    ]
    bound = sum(value for _, value in values)
    for counted, cap in room_caps(train.room, sorted({kind for kind, _ in values})):
        inside = sorted((value for kind, value in values if kind in counted), reverse=True)[:cap]
        bound = min(bound, sum(inside) + sum(v for kind, v in values if kind not in counted))
    for bonus in problem.rules.bonuses:
        bound += max(0, bonus.amount) + max(0, bonus.per_token * bonus.cap)
    return bound
