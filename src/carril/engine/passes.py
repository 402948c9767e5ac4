"""Paying to pass tokens: cities that are blocked for a company, but open to it for a fee.

A pass is valid in the step in which it is paid. An action names the cities that it pays for, as
"HEX.city"; each of them must be needed, so the sets that are offered are those from which no city
can be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from carril.engine.board import tile_at
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import NO_STOPS, Stops, reach
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse


@dataclass(frozen=True, slots=True)
class PassRules:
    """What a title says about paying to pass tokens."""

    may: Callable[[State, str], bool]
    """Whether a company can pay for passes."""
    tolled: Callable[[State, str, str, int], bool]
    """Whether a city is blocked for a company that can pay to pass: company, hex, city."""
    fee: Callable[[State], int]
    """What one pass costs."""
    payee: Callable[[State], str]
    """Who is paid."""


def named(cities: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Return cities as an action names them, in a fixed order.

    >>> named({("C14", 0), ("B7", 1)})
    ('B7.1', 'C14.0')
    """
    return tuple(sorted(f"{hex_id}.{city}" for hex_id, city in cities))


def opened_by(passes: Iterable[str]) -> Stops:
    """Return the cities that an action names; what names no city is left out.

    >>> opened_by(("C14.0", "C14"))
    frozenset({('C14', 0)})
    """
    parts = (name.rpartition(".") for name in passes)
    return frozenset((hex_id, int(city)) for hex_id, _, city in parts if city.isdecimal())


def pass_sets(state: State, company: str, paid: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the sets of cities that a company can pay to pass, the empty one first.

    Each city of a set is within reach of the company if the others are open. Those in `paid` are
    open already.
    """
    yield ()
    rules = state.title.passes
    if rules is None or not rules.may(state, company):
        return
    known, found = opened_by(paid), {NO_STOPS}
    for _ in range(state.companies[company].cash // rules.fee(state)):
        found = {
            one | {city} for one in found for city in _tolled(state, rules, company, known | one)
        }
        if not found:
            return
        yield from sorted(map(named, found))


def _tolled(state: State, rules: PassRules, company: str, opened: Stops) -> Stops:
    """Return the cities within reach that a company would have to pay for."""
    stops = reach(state.tables, state.board, company, passes=opened).stops - opened
    return frozenset(stop for stop in stops if rules.tolled(state, company, *stop))


def pass_refusal(
    state: State, company: str, passes: tuple[str, ...], paid: tuple[str, ...] = ()
) -> Refusal | None:
    """Check who pays, and that each city is blocked for the company and named once."""
    if not passes:
        return None
    rules = state.title.passes
    if rules is None or not rules.may(state, company):
        return refuse(state, "no-passes", company=company)
    for number, name in enumerate(passes):
        twice = name in paid or name in passes[:number]
        if twice or not _blocks(state, rules, company, name):
            return refuse(state, "pass-not-needed", city=name)
    return None


def _blocks(state: State, rules: PassRules, company: str, name: str) -> bool:
    """Return whether a name is that of a city that a company can pay to pass."""
    cities = opened_by((name,))
    if named(cities) != (name,):
        return False
    hex_id, city = next(iter(cities))
    known = hex_id in state.tables.hexes
    exists = known and city in tile_at(state.tables, state.board, hex_id).cities
    return exists and rules.tolled(state, company, hex_id, city)


def spare_pass(passes: tuple[str, ...], reached: Callable[[Stops], bool]) -> str:
    """Return a pass without which the goal of an action is reached too; "" if all are needed."""
    opened = opened_by(passes)
    spare = (name for name in passes if reached(opened - opened_by((name,))))
    return next(spare, "")


def pass_cost(state: State, passes: tuple[str, ...]) -> int:
    """Return what passes cost together."""
    rules = state.title.passes
    return rules.fee(state) * len(passes) if rules and passes else 0


def pay_passes(move: Move, company: str, passes: tuple[str, ...]) -> None:
    """Pay for passes."""
    rules = move.state.title.passes
    if rules and passes:
        cost = pass_cost(move.state, passes)
        pay(move, company, rules.payee(move.state), cost, "pass")
