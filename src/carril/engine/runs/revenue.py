"""Computes what routes and runs earn, and which stops fit in which trains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from carril.engine.runs.types import (
    Bonus,
    Room,
    Route,
    RouteValue,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
    Value,
)


def room_caps(rooms: Sequence[Room], kinds: Sequence[str]) -> list[tuple[frozenset[str], int]]:
    """Return the sets of kinds that share a capacity; stops fit if none is exceeded.

    By Hall's theorem stops can be spread over the rooms when, for each set of
    rooms, no more stops depend on just these rooms than they hold.

    >>> [(sorted(kinds), cap) for kinds, cap in room_caps(
    ...     [Room(("city", "town"), 1), Room(("town",), 2)], ["city", "town"])]
    [(['city'], 1), (['city', 'town'], 3)]
    """
    return list(_room_caps(tuple(rooms), tuple(kinds)))


@lru_cache(maxsize=1024)
def _room_caps(
    rooms: tuple[Room, ...], kinds: tuple[str, ...]
) -> tuple[tuple[frozenset[str], int], ...]:
    """Cached: there are few trains and few sets of kinds, and every route needs them."""
    best: dict[frozenset[str], int] = {}
    for size in range(len(rooms) + 1):
        for numbers in combinations(range(len(rooms)), size):
            chosen = [rooms[number] for number in numbers]
            if any(room.count < 0 for room in chosen):
                continue
            others = [room for number, room in enumerate(rooms) if number not in numbers]
            bound = frozenset(k for k in kinds if not any(k in room.kinds for room in others))
            cap = sum(room.count for room in chosen)
            if bound and cap < best.get(bound, cap + 1):
                best[bound] = cap
    return tuple(
        (bound, cap)
        for bound, cap in best.items()
        if not any(bound < more and best[more] <= cap for more in best)
    )


def fits(rooms: Sequence[Room], stops: Sequence[Stop]) -> bool:
    """Return whether all stops find a place in the rooms."""
    kinds = [stop.kind for stop in stops]
    return all(
        sum(kind in bound for kind in kinds) <= cap
        for bound, cap in room_caps(rooms, sorted(set(kinds)))
    )


def beyond_stop(train: Train, card: RunCard | None, stops: Sequence[Stop]) -> int | None:
    """Return the index of the stop beyond the range, -1 for none, None if the stops do not fit."""
    rooms = train.room + (card.room if card else ())
    if fits(rooms, stops):
        return -1
    best: int | None = None
    for index, stop in enumerate(stops):
        if card is None or stop.kind not in card.beyond:
            continue
        if fits(rooms, [*stops[:index], *stops[index + 1 :]]) and (
            best is None or stop.value < stops[best].value
        ):
            best = index
    return best


def bonus_amount(bonus: Bonus, stops: Sequence[Stop]) -> int:
    """Return what one bonus pays on a route with these stops; 0 if it is not earned."""
    if not all(any(stop.matches(tag) for stop in stops) for tag in bonus.has):
        return 0
    if bonus.ends and not (
        stops[0].matches(bonus.ends)
        and stops[-1].matches(bonus.ends)
        and stops[0].hex != stops[-1].hex
    ):
        return 0
    stations = min(sum(stop.token for stop in stops), bonus.cap)
    return bonus.amount + bonus.per_token * stations


def route_value(
    problem: RunProblem,
    train: Train,
    stops: Sequence[Stop],
    card: RunCard | None = None,
    doubled: str = "",
    cubes: int = 0,
) -> RouteValue:
    """Return what one legal route earns with the card it carries."""
    beyond = beyond_stop(train, card, stops)
    lines: list[tuple[str, int, int]] = []
    bonuses: list[tuple[str, int]] = []
    for index, stop in enumerate(stops):
        value = 0 if index == beyond else stop.value * train.factor
        lines.append((stop.key, value, stop.treasury))
        if doubled == stop.key and card is not None:
            bonuses.append((card.name, value))
    if cubes and card is not None:
        bonuses.append((card.name, cubes * problem.rules.cube_value))
    for bonus in problem.rules.bonuses:
        amount = bonus_amount(bonus, stops)
        if amount:
            bonuses.append((bonus.name, amount))
    payable = sum(value for _, value, _ in lines) + sum(amount for _, amount in bonuses)
    treasury = sum(treasury for _, _, treasury in lines)
    return RouteValue(train.name, tuple(lines), tuple(bonuses), payable, treasury)


def route_stops(problem: RunProblem, route: Route) -> list[Stop]:
    """Return the stops of a route, in order."""
    keys = {stop.key: stop for stop in problem.stops}
    return [keys[text] for text in route.path if text in keys]


class CardUse(NamedTuple):
    """How one card is used in a run."""

    card: RunCard
    route: int
    """Number of the route that carries it; -1 if it names no route of the run."""
    doubled: str
    """Key of the stop that counts twice, or ""."""
    cubes: dict[str, int]
    """Cubes loaded, by source."""


def route_names(run: Run) -> list[str]:
    """Return the names of the routes in `Run.extras`: "8", then "8/2" for the second 8.

    >>> route_names(Run((Route("8", ("A", "B")), Route("8", ("C", "D")))))
    ['8', '8/2']
    """
    seen: dict[str, int] = {}
    names = []
    for route in run.routes:
        seen[route.train] = seen.get(route.train, 0) + 1
        count = seen[route.train]
        names.append(route.train if count == 1 else f"{route.train}/{count}")
    return names


def cards_used(problem: RunProblem, run: Run) -> list[CardUse]:
    """Return the cards in use, each with its route (-1 if it names none of the run)."""
    cards = list(problem.rules.extras)
    names = route_names(run)
    taken: set[int] = set()
    found: list[CardUse] = []
    for name, detail in run.extras:
        card = next((card for card in cards if card.name == name), None)
        if card is None:
            continue
        cards.remove(card)
        if card.doubles:
            on = [i for i, route in enumerate(run.routes) if detail in route.path]
            route = next((i for i in on if i not in taken), on[0] if on else -1)
            found.append(CardUse(card, route, detail, {}))
        else:
            train, *boxes = detail.split(" ")
            route = names.index(train) if train in names else -1
            found.append(CardUse(card, route, "", _cubes(boxes)))
        taken.add(route)
    return found


def _cubes(boxes: list[str]) -> dict[str, int]:
    """Parse pairs such as "source=2"; malformed text counts as no cubes."""
    cubes: dict[str, int] = {}
    for box in boxes:
        source, _, count = box.rpartition("=")
        cubes[source or box] = int(count) if count.isdigit() else 0
    return cubes


def value(problem: RunProblem, run: Run) -> Value:
    """Return what a run earns, stop by stop. The run must be legal (see `check`)."""
    trains = {train.name: train for train in problem.trains}
    carried = {use.route: use for use in cards_used(problem, run)}
    lines = []
    for index, route in enumerate(run.routes):
        use = carried.get(index)
        lines.append(
            route_value(
                problem,
                trains[route.train],
                route_stops(problem, route),
                use.card if use else None,
                use.doubled if use else "",
                sum(use.cubes.values()) if use else 0,
            )
        )
    costs = {stop.key: stop.toll for stop in problem.stops}
    tolls = sum(costs.get(detail, 0) for name, detail in run.extras if name == "toll")
    payable = sum(line.payable for line in lines)
    premium = problem.rules.premium if payable > 0 else 0
    treasury = sum(line.treasury for line in lines) - tolls
    payable += premium
    return Value(payable + treasury, payable, treasury, tuple(lines), tolls, premium)
