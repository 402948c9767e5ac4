"""Starting and floating a company: par values, the first certificate, the capital."""

from __future__ import annotations

from carril.engine.actions import StartCompany
from carril.engine.events import CompanyFloated, CompanyStarted
from carril.engine.market import par_at, start_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def, hand_over, paid_to
from carril.engine.state import BANK, POOL, TREASURY, State
from carril.engine.step import refuse
from carril.engine.tables import Launch
from carril.engine.trains import phase_reached


def par_refusal(state: State, symbol: str, price: int) -> Refusal | None:
    """Return why a company may not start at a price."""
    if par_at(state, price) is None:
        return refuse(state, "no-par", price=price)
    return state.title.stock.par_refusal(state, symbol, price)


def start_cost(state: State, symbol: str, price: int) -> int:
    """Return what it costs to start a company at a par value."""
    return company_def(state, symbol).start_units * price


def start_company(move: Move, player: str, symbol: str, price: int) -> None:
    """Make a player the president of a company and put its marker on the par value."""
    par = par_at(move.state, price)
    assert par is not None, f"no company starts at {price}"
    value = 0 if company_def(move.state, symbol).sole_owner else price
    move.change_company(symbol, owner=player, started=True, par=value)
    start_price(move, symbol, par.row, par.column)
    move.tell(CompanyStarted(player, symbol, price))


def sell_president(move: Move, player: str, action: StartCompany) -> None:
    """Sell the president's certificate; a company with one certificate is paid itself."""
    symbol, definition = action.company, company_def(move.state, action.company)
    place = move.state.title.stock.sources[0].place
    payee = symbol if definition.sole_owner else paid_to(move.state, symbol, place)
    hand_over(move, symbol, place, player, definition.president_units)
    start_company(move, player, symbol, action.price)
    pay(move, player, payee, start_cost(move.state, symbol, action.price), "start")
    check_float(move, symbol)


def launch_terms(state: State, symbol: str) -> Launch:
    """Return the terms on which a company floats in the present phase."""
    terms = Launch()
    for row in company_def(state, symbol).launch:
        if not row.phase or phase_reached(state, row.phase):
            terms = row
    return terms


def is_late(state: State) -> bool:
    """Return whether the last terms of floating in the tables apply."""
    phase = state.setup.late_phase
    return phase != "" and phase_reached(state, phase)


def shares_to_float(state: State, symbol: str) -> int:
    """Return how many shares of a company must be sold before it floats."""
    return launch_terms(state, symbol).shares


def check_float(move: Move, symbol: str) -> None:
    """Float a company when enough of it is sold, and pay its capital."""
    company, terms = move.state.companies[symbol], launch_terms(move.state, symbol)
    sold = move.state.title.stock.counts_to_float(move.state, company)
    if company.floated or not company.started or sold < terms.shares:
        return
    move.change_company(symbol, floated=True)
    move.tell(CompanyFloated(symbol))
    pay(move, BANK, symbol, terms.capital * company.par, "launch")
    if terms.rest_to_pool:
        rest = company.held(TREASURY)
        hand_over(move, symbol, TREASURY, POOL, rest)
        pay(move, BANK, symbol, rest * company.par, "flotation")
    move.state.title.stock.floated(move, symbol)
