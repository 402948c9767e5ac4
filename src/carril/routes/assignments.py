"""Enumerates the ways to assign cards to trains, up to the symmetry of equal trains and cards."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.runs.types import RunCard, RunProblem, Train

EquippedTrain = tuple[Train, RunCard | None]
"""A train and the card that it carries."""
Assignment = tuple[EquippedTrain, ...]
"""Every train with its card; equal ones are next to each other."""

_NO_CARD = -1


def assignments(problem: RunProblem) -> list[Assignment]:
    """Return every distinct assignment, except those that are certainly no better than another.

    With n equal trains and m equal cards there are only min(n, m) + 1 distinct assignments.
    """
    cards = [card for card in dict.fromkeys(problem.rules.extras) if _has_use(problem, card)]
    supply = [problem.rules.extras.count(card) for card in cards]
    return [
        _assignment(problem, cards, chosen)
        for chosen in _choices(problem, cards, supply, [])
        if not _dominated(problem, cards, supply, chosen)
    ]


def _choices(
    problem: RunProblem, cards: list[RunCard], supply: list[int], chosen: list[int]
) -> Iterator[list[int]]:
    """Yield a card number for each train, in lexicographic order.

    A train's number is not below that of an earlier equal train, which breaks the symmetry.
    """
    index = len(chosen)
    if index == len(problem.trains):
        yield list(chosen)
        return
    train = problem.trains[index]
    equal = [chosen[other] for other in range(index) if problem.trains[other] == train]
    for number in range(max(equal, default=_NO_CARD), len(cards)):
        if number != _NO_CARD and not (
            chosen.count(number) < supply[number] and _may_carry(train, cards[number])
        ):
            continue
        chosen.append(number)
        yield from _choices(problem, cards, supply, chosen)
        chosen.pop()


def _has_use(problem: RunProblem, card: RunCard) -> bool:
    """Return whether the board has what a card needs: its stops, and cubes if it carries them."""
    sources = [tag for tag, cubes in problem.rules.cubes if cubes > 0]
    needs = [[tag] for tag in card.must] + ([sources] if card.capacity else [])
    return all(any(stop.matches(t) for stop in problem.stops for t in tags) for tags in needs)


def _may_carry(train: Train, card: RunCard) -> bool:
    return not card.trains or train.name in card.trains


def _dominated(
    problem: RunProblem, cards: list[RunCard], supply: list[int], chosen: list[int]
) -> bool:
    """Return whether a card without any obligation is unused although a train could carry it."""
    without = [t for t, n in zip(problem.trains, chosen, strict=True) if n == _NO_CARD]
    return any(
        chosen.count(number) < supply[number]
        and not (card.must or card.capacity)
        and any(_may_carry(train, card) for train in without)
        for number, card in enumerate(cards)
    )


def _assignment(problem: RunProblem, cards: list[RunCard], chosen: list[int]) -> Assignment:
    order = sorted(
        range(len(chosen)),
        key=lambda index: (problem.trains.index(problem.trains[index]), chosen[index]),
    )
    return tuple(
        (problem.trains[index], None if chosen[index] == _NO_CARD else cards[chosen[index]])
        for index in order
    )
