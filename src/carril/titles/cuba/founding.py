"""Founding a major at the end of the stock round in which it floats, and its locked stations."""

from __future__ import annotations

from carril.engine.board import unlock_tokens
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.shares import company_def, hand_over
from carril.engine.state import BANK, IPO, TREASURY, Company, State
from carril.titles.cuba.common import MAJOR, cuba, kind, set_extra
from carril.titles.cuba.events import TokensUnlocked
from carril.titles.cuba.figures import figures


def sold_units(state: State, company: Company) -> int:
    """Return how many shares of a company have been sold from the offering (CUBA-VI.8-c)."""
    return company_def(state, company.symbol).units - company.held(IPO)


def is_founded(state: State, symbol: str) -> bool:
    """Return whether a company has its charter and its money."""
    return state.companies[symbol].floated and symbol not in cuba(state).founding


def floated(move: Move, symbol: str) -> None:
    """Note that a major is to be founded at the end of the round (CUBA-VI.8-d)."""
    if kind(move.state, symbol) == MAJOR:
        set_extra(move, founding=(*cuba(move.state).founding, symbol))


def found_companies(move: Move) -> None:
    """Found the majors that have floated in this round."""
    waiting = cuba(move.state).founding
    set_extra(move, founding=())
    for symbol in waiting:
        company = move.state.companies[symbol]
        capital = company.par * sold_units(move.state, company)  # CUBA-VI.8-e
        hand_over(move, symbol, IPO, TREASURY, company.held(IPO))
        pay(move, BANK, symbol, capital, "launch")
        unlock_by_treasury(move, symbol)


def unlock_by_treasury(move: Move, symbol: str) -> None:
    """Unlock the stations that a company's treasury shares allow; none is ever locked again.

    Call it whenever the number of treasury shares has changed (CUBA-VI.8-h to -l).
    """
    company, limits = move.state.companies[symbol], figures(move.state).stations.unlocked_at
    if not company.locked or not is_founded(move.state, symbol):
        return
    earned = sum(company.held(TREASURY) <= limit for limit in limits)
    count = earned - (len(limits) - company.locked)
    if count > 0:
        unlock_tokens(move, symbol, count)
        move.tell(TokensUnlocked(symbol, count))
