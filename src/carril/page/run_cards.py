"""Cards of a run that the player draws: the stop that a card doubles, or the train it goes with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from carril.engine.runs import Route, Run, RunCard, RunProblem, check, value
from carril.engine.runs.revenue import route_names
from carril.engine.state import State
from carril.page.places import key_name
from carril.page.words import Words

AUTO, UNUSED = "", "-"
"""Choices other than places: wherever the card earns most, and nowhere."""

Extras = tuple[tuple[str, str], ...]


def carried(problem: RunProblem, routes: tuple[Route, ...], wishes: Sequence[str]) -> Extras:
    """Return the cards with their places: as chosen, otherwise where the run is legal and best.

    `wishes` has a place for each card of the company, in order. Where one is missing, or the routes
    no longer visit the place, the best place is used.
    """
    found: Extras = ()
    for number, card in enumerate(problem.rules.extras):
        open_to = places(problem, routes, card)
        wish = wishes[number] if number < len(wishes) else AUTO
        if wish == UNUSED:
            continue
        tried = [wish] if wish in open_to else open_to
        ways = [found] * (wish not in open_to) + [(*found, (card.name, at)) for at in tried]
        found = max(ways, key=lambda extras: _worth(problem, routes, extras), default=found)
    return found


def _worth(problem: RunProblem, routes: tuple[Route, ...], extras: Extras) -> int:
    """Return what a run earns, or -1 if it is illegal."""
    run = Run(routes, extras)
    return -1 if check(problem, run) else value(problem, run).total


def places(problem: RunProblem, routes: tuple[Route, ...], card: RunCard) -> list[str]:
    """Return where a card can go: stops that it can double, or trains that run."""
    if card.doubles:
        kinds = {stop.key: stop.kind for stop in problem.stops}
        visited = dict.fromkeys(place for route in routes for place in route.path)
        return [place for place in visited if kinds.get(place) in card.doubles]
    names = zip(routes, route_names(Run(routes)), strict=True)
    fits = [name for route, name in names if not card.trains or route.train in card.trains]
    return fits if card.room else []


def fields(
    state: State,
    words: Words,
    problem: RunProblem,
    routes: tuple[Route, ...],
    wishes: Sequence[str],
) -> Iterator[dict[str, Any]]:
    """Yield a list of choices for each card that can be used."""
    for number, card in enumerate(problem.rules.extras):
        open_to = places(problem, routes, card)
        wish = wishes[number] if number < len(wishes) else AUTO
        name = words.name("extra", card.name)
        choices = [
            (AUTO, words.say("run.card-auto")),
            *((place, _place(state, words, place)) for place in open_to),
            (UNUSED, words.say("run.card-unused")),
        ]
        yield {
            "number": number,
            "label": words.say("run.card-doubles" if card.doubles else "run.card-with", card=name),
            "choices": choices,
            "now": wish if wish == UNUSED or wish in open_to else AUTO,
        }


def _place(state: State, words: Words, place: str) -> str:
    return key_name(state, place) if "." in place else words.say("run.train", train=place)
