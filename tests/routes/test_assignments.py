"""Assignments of cards to trains: all that matter, each once."""

from __future__ import annotations

from itertools import permutations, product
from math import comb, prod

import pytest
from msgspec.structs import replace

from carril.engine.runs import Room, Rules, RunCard, RunProblem, Stop, Train
from carril.routes.assignments import Assignment, assignments
from tests.routes.small import boards, train

DOUBLE = RunCard("double", doubles=("city",))
MORE = RunCard("more", room=(Room(("town",), 1),))
WAGONS = tuple(RunCard(f"{size}w", capacity=size) for size in (1, 2, 3))


def problem(trains: tuple[Train, ...], cards: tuple[RunCard, ...]) -> RunProblem:
    """A board with one stop, where there are cubes."""
    stops = (Stop("A1.0", "A1", "city", 20, tags=("mill",)),)
    return RunProblem(stops, (), (), trains, Rules(extras=cards, cubes=(("mill", 9),)))


def by_permutations(case: RunProblem) -> set[Assignment]:
    """Every assignment, equal ones merged, without cards left over that could only help."""
    count = len(case.trains)
    cards = [card for card in case.rules.extras if usable(case, card)]
    found = set()
    for chosen in set(permutations([*range(len(cards)), *[-1] * count], count)):
        given = [cards[number] if number >= 0 else None for number in chosen]
        left = [card for number, card in enumerate(cards) if number not in chosen]
        pairs = list(zip(case.trains, given, strict=True))
        if any(c and c.trains and t.name not in c.trains for t, c in pairs):
            continue
        idle = [t for t, c in pairs if c is None]
        if any(
            not (card.must or card.capacity) and (not card.trains or t.name in card.trains)
            for card in left
            for t in idle
        ):
            continue
        ranks = {card: cards.index(card) for card in cards}
        pairs.sort(key=lambda p: (case.trains.index(p[0]), ranks[p[1]] if p[1] else -1))
        found.add(tuple(pairs))
    return found


def usable(case: RunProblem, card: RunCard) -> bool:
    """Whether some route could carry a card at all."""
    tags = {tag for stop in case.stops for tag in (stop.kind, *stop.tags)}
    boxes = {tag for tag, cubes in case.rules.cubes if cubes}
    return tags >= set(card.must) and (not card.capacity or bool(tags & boxes))


def test_cards_that_no_route_can_use_are_left_out() -> None:
    case = problem((train(2), train(3)), (*WAGONS, RunCard("ship", must=("harbour",))))
    assert len(assignments(replace(case, rules=replace(case.rules, cubes=())))) == 1
    assert len(assignments(replace(case, rules=replace(case.rules, cubes=(("north", 2),))))) == 1
    assert len(assignments(case)) == 13


@pytest.mark.parametrize(
    ("trains", "cards"),
    [
        ((train(2),), ()),
        ((train(2), train(3)), (DOUBLE,)),
        ((train(2), train(2), train(3)), (DOUBLE, DOUBLE, MORE)),
        ((train(3), train(2), train(3)), (WAGONS[0], WAGONS[1], WAGONS[0])),
        ((train(2), train(3)), (RunCard("only", doubles=("city",), trains=("3",)), WAGONS[2])),
    ],
)
def test_the_same_as_by_permutations(trains: tuple[Train, ...], cards: tuple[RunCard, ...]) -> None:
    case = problem(trains, cards)
    found = assignments(case)
    assert len(found) == len(set(found))
    assert set(found) == by_permutations(case)


def test_random_boards() -> None:
    for case in boards(40):
        found = assignments(case)
        assert len(found) == len(set(found))
        assert set(found) == by_permutations(case)


def test_equal_trains_and_cards_are_interchangeable() -> None:
    """Five equal trains and eight equal wagons: only the number of wagons matters."""
    assert len(assignments(problem((train(3),) * 5, (WAGONS[0],) * 8))) == 6


def test_five_trains_and_eight_wagons() -> None:
    """Trains 3+2 and wagons 3+3+2: far below the 154,440 permutations."""
    cards = (*(WAGONS[0],) * 3, *(WAGONS[1],) * 3, *(WAGONS[2],) * 2)
    case = problem((*(train(3),) * 3, *(train(4),) * 2), cards)
    found = assignments(case)
    assert len(found) == len(set(found)) == len(distributions((3, 2), (3, 3, 2)))
    assert len(found) == 158


def distributions(trains: tuple[int, ...], cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return how many cards of each type each type of train may carry: a matrix in one row."""
    types = len(cards)
    limits = [min(size, supply) for size in trains for supply in cards]
    return [
        matrix
        for matrix in product(*(range(limit + 1) for limit in limits))
        if all(sum(matrix[i * types : (i + 1) * types]) <= n for i, n in enumerate(trains))
        and all(sum(matrix[j::types]) <= supply for j, supply in enumerate(cards))
    ]


def test_distinct_trains_and_wagons_need_every_injection() -> None:
    """The number of ways to give k of m cards to k of n trains, summed over k."""
    wagons = tuple(RunCard(f"{size}w", capacity=size) for size in range(1, 5))
    found = assignments(problem((train(2), train(3), train(4)), wagons))
    assert len(found) == sum(comb(3, k) * prod(range(4 - k + 1, 5)) for k in range(4))


def test_equal_trains_are_next_to_each_other() -> None:
    (way,) = assignments(problem((train(2), train(3), train(2)), ()))
    assert [one.name for one, _ in way] == ["2", "2", "3"]


def test_no_trains() -> None:
    assert assignments(problem((), (DOUBLE,))) == [()]
