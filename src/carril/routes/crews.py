"""Which train carries which card."""

from __future__ import annotations

from itertools import permutations

from carril.engine.runs.types import RunCard, RunProblem, Train

Member = tuple[Train, RunCard | None]
"""A train and the card that it carries."""
Crew = tuple[Member, ...]
"""One member for each train, equal ones side by side."""


def crews(problem: RunProblem) -> list[Crew]:
    """Every different way to give the extra cards to trains; none that is plainly worse."""
    cards = problem.rules.extras
    trains = problem.trains
    slots: list[RunCard | None] = [None] * max(0, len(trains))
    found: dict[Crew, None] = {}
    for chosen in sorted(set(permutations(range(-len(trains), len(cards)), len(trains)))):
        given = [cards[number] if number >= 0 else slots[0] for number in chosen]
        if not _sensible(problem, given):
            continue
        members = zip(trains, given, strict=True)
        crew = tuple(sorted(members, key=lambda member: _rank(problem, member)))
        found[crew] = None
    return list(found)


def _rank(problem: RunProblem, member: Member) -> tuple[int, int]:
    train, extra = member
    return problem.trains.index(train), problem.rules.extras.index(extra) + 1 if extra else 0


def _sensible(problem: RunProblem, given: list[RunCard | None]) -> bool:
    """Each card on a train that may carry it; no card idle that could only do good."""
    for train, card in zip(problem.trains, given, strict=True):
        if card is not None and card.trains and train.name not in card.trains:
            return False
    left = list(problem.rules.extras)
    for card in given:
        if card is not None:
            left.remove(card)
    for card in left:
        if card.must or card.capacity:
            continue
        for train, other in zip(problem.trains, given, strict=True):
            if other is None and (not card.trains or train.name in card.trains):
                return False
    return True
