"""Starting values: which are open to whom, and when."""

from __future__ import annotations

from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.tables import Par
from carril.engine.trains import phase_reached
from carril.titles.esp.common import conventions, edition, is_minor, region

HIGH = 95


def par_at(state: State, price: int) -> Par | None:
    """Return the space of a starting value, or None."""
    return next((par for par in state.tables.pars if par.price == price), None)


def par_refusal(state: State, symbol: str, price: int) -> Refusal | None:
    """Return why a company may not start at a value: 95 and 100 open later for majors."""
    if par_at(state, price) is None:
        return refuse(state, "no-par", price=price)
    if price < HIGH or is_minor(state, symbol):
        return None
    if phase_reached(state, edition(state).high_par_from_phase):
        return None
    if conventions(state).south_from_start and region(state, symbol) == "south":
        return None
    return refuse(state, "par-not-yet", price=price, phase=state.phase)


def pars(state: State, symbol: str) -> list[Par]:
    """Return the starting values that are open to a company now."""
    return [p for p in state.tables.pars if par_refusal(state, symbol, p.price) is None]
