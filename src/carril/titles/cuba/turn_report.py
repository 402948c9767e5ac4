"""The turn of the state railway explained step by step, from its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from carril.engine.answers import AutomaticTurn, Note, TurnLine
from carril.engine.events import (
    DividendPaid,
    Event,
    MoneyPaid,
    PhaseBegan,
    PriceMoved,
    RoundBegan,
    TrainExported,
    TurnBegan,
)
from carril.engine.shares import company_def
from carril.engine.state import State
from carril.engine.trains import train_def
from carril.titles.cuba.common import central
from carril.titles.cuba.events import CitiesCounted, CubesScored


def central_turn(state: State, events: Sequence[Event]) -> AutomaticTurn | None:
    """Return the turn of the state railway among these events, with the export after it."""
    starts = [at for at, event in enumerate(events) if isinstance(event, CitiesCounted)]
    if not starts:
        return None
    own = takewhile(lambda one: not isinstance(one, TurnBegan | RoundBegan), events[starts[-1] :])
    lines = tuple(line for event in sorted(own, key=_place) for line in _lines(state, event))
    return AutomaticTurn(central(state), lines)


_INCOME = (CitiesCounted, CubesScored, DividendPaid)
"""What comes first in the explanation: the income, and its sum before who gets it."""


def _place(event: Event) -> int:
    return _INCOME.index(type(event)) if isinstance(event, _INCOME) else len(_INCOME)


def _lines(state: State, event: Event) -> Iterator[TurnLine]:
    """Yield what one event adds to the explanation."""
    match event:
        case CitiesCounted():
            yield from _city_lines(state, event)
        case CubesScored(cubes=cubes, revenue=revenue):
            facts = {"count": cubes, "each": revenue // cubes}
            yield TurnLine(Note("turn-cubes", facts), revenue)
        case MoneyPaid(reason="dividend", target=player, amount=amount):
            yield TurnLine(Note("turn-holder", {"player": player}), amount)
        case MoneyPaid(source=source, amount=amount) if source == central(state):
            yield TurnLine(Note("turn-swept"), amount)
        case DividendPaid(company=company, dividend=dividend):
            each = dividend // company_def(state, company).units
            yield TurnLine(Note("turn-payout", {"each": each}), dividend, total=True)
            if not dividend:
                yield TurnLine(Note("turn-price-stays"))
        case PriceMoved(old=old, new=new):
            yield TurnLine(Note("turn-price", {"old": old, "new": new}))
        case TrainExported(train=train):
            yield TurnLine(Note("turn-export", {"train": train}))
        case PhaseBegan(phase=phase):
            yield TurnLine(Note("turn-phase", {"phase": phase}))


def _city_lines(state: State, event: CitiesCounted) -> Iterator[TurnLine]:
    reach = train_def(state, event.train).distance[0].count
    found = len(event.cities)
    code = "turn-range" if found == reach else "turn-few-cities" if found else "turn-no-city"
    yield TurnLine(Note(code, {"train": event.train, "count": reach, "found": found}))
    for city, value in zip(event.cities, event.values, strict=False):
        hex_id = city.partition(".")[0]
        place = f"{hex_id} {state.tables.hexes[hex_id].name}"
        yield TurnLine(Note("turn-city", {"place": place}), value)
