"""Capacity counters against the engine's own rule, and canonical loads."""

from __future__ import annotations

from itertools import product

import pytest

from carril.engine.runs import Room, RunCard, RunProblem, Train
from carril.engine.runs.revenue import fits
from carril.routes.state.capacity import Capacity
from tests.routes.small import stop

KINDS = ("city", "town", "mine", "pass")
STOPS = tuple(stop(f"{kind[0].upper()}{n}", 10, kind) for kind in KINDS for n in range(4))
TRAINS = (
    Train("plain", (Room(("city", "town", "mine", "pass"), 3),)),
    Train("free towns", (Room(("city", "pass"), 2), Room(("town", "mine"), -1))),
    Train("n+m", (Room(("city", "town", "mine"), 2), Room(("town", "mine"), 1))),
    Train("no mines", (Room(("city", "town"), 2), Room(("pass",), 1))),
)
PROBLEM = RunProblem(STOPS, (), (), TRAINS)


def load_of(capacity: Capacity, numbers: tuple[int, ...]) -> int:
    """Return the load of some stops; -1 if they do not fit."""
    load = 0
    for number in numbers:
        if load >= 0 and capacity.excluded[number]:
            return -1
        if load >= 0:
            load = capacity.successors[capacity.counter_sets[number]][load]
    return load


def selections() -> list[tuple[int, ...]]:
    """Return selections with each number of stops of each kind up to three."""
    return [
        tuple(4 * kind + n for kind, count in enumerate(counts) for n in range(count))
        for counts in product(range(4), repeat=len(KINDS))
    ]


@pytest.mark.parametrize("one", TRAINS, ids=lambda one: one.name)
@pytest.mark.parametrize("card", [None, RunCard("more", room=(Room(("town",), 1),))])
def test_stops_fit_as_the_engine_says(one: Train, card: RunCard | None) -> None:
    capacity = Capacity(PROBLEM, one, card)
    rooms = one.room + (card.room if card else ())
    for chosen in selections():
        expected = fits(rooms, [STOPS[number] for number in chosen])
        assert (load_of(capacity, chosen) >= 0) == expected, chosen


@pytest.mark.parametrize("one", TRAINS, ids=lambda one: one.name)
def test_a_canonical_load_has_the_same_future(one: Train) -> None:
    capacity = Capacity(PROBLEM, one, None)
    merged = 0
    for later in selections()[::7]:
        counts = [
            sum(capacity.consumption(number, counter) for number in later)
            for counter in range(capacity.counters)
        ]
        canonical = capacity.canonical(counts)
        for load in range(capacity.size):
            merged += canonical[load] != load
            assert canonical[canonical[load]] == canonical[load]
            for end in range(len(later) + 1):
                ways = [
                    load_from(capacity, start, later[:end]) for start in (load, canonical[load])
                ]
                assert (ways[0] >= 0) == (ways[1] >= 0)
    assert merged > 0


def load_from(capacity: Capacity, load: int, numbers: tuple[int, ...]) -> int:
    for number in numbers:
        if load >= 0:
            after = capacity.successors[capacity.counter_sets[number]][load]
            load = -1 if capacity.excluded[number] else after
    return load


def test_slack() -> None:
    capacity = Capacity(PROBLEM, TRAINS[0], None)
    assert capacity.loads_with_slack((2,)) == [True, True, False, False]
    assert [capacity.slack_value(load, [5]) for load in range(4)] == [15, 10, 5, 0]
