"""Companies that are expected to be started in the course of a forecast."""

from __future__ import annotations

from collections.abc import Iterator

from carril.bots.forecast.ledger import Ledger, Line
from carril.engine.launch import launch_terms
from carril.engine.shares import company_def
from carril.engine.state import State
from carril.engine.tables import Par
from carril.engine.trains import phase_def

MOST_LED = 3
"""Nobody starts another company who leads this many."""


def found(book: Ledger, player: str) -> None:
    """Let a player start the next company that has a home, if they can float it alone."""
    if sum(line.owner == player and not line.sole for line in book.lines) >= MOST_LED:
        return
    symbol = next(_unstarted(book), "")
    if not symbol:
        return
    state = book.state
    shares = launch_terms(state, symbol).shares
    pars = [par for par in state.tables.pars if par.price * shares <= book.cash[player]]
    if not pars or book.room[player] < shares - 1:
        return
    par = max(pars, key=lambda one: one.price)
    book.cash[player] -= par.price * shares
    book.room[player] -= shares - 1
    line = _line(state, symbol, player, par)
    if book.bank is not None:
        book.bank += par.price * shares - line.cash
    book.lines.append(line)


def _unstarted(book: Ledger) -> Iterator[str]:
    """Yield the companies with a home that nobody has started."""
    state, known = book.state, {line.symbol for line in book.lines}
    for company in state.companies.values():
        plan = company_def(state, company.symbol)
        playable = plan.has_president and not plan.sole_owner and plan.home is not None
        if playable and not company.started and not company.closed and company.symbol not in known:
            yield company.symbol


def _line(state: State, symbol: str, player: str, par: Par) -> Line:
    """Return a company as it is when it has just been floated."""
    plan, terms = company_def(state, symbol), launch_terms(state, symbol)
    capital = (terms.capital or terms.shares) * par.price
    limit = phase_def(state).train_limit[state.companies[symbol].kind]
    rest = dict(state.companies[symbol].shares)
    source = max(rest, key=lambda name: rest[name]) if rest else ""
    holders = {player: terms.shares}
    if source:
        holders[source] = max(0, rest[source] - terms.shares)
    return Line(
        symbol=symbol,
        units=max(1, plan.units),
        sole=False,
        led=True,
        gauge=plan.gauge,
        limit=limit if isinstance(limit, int) else 2,
        owner=player,
        cash=capital,
        trains=[],
        holders=holders,
        space=(par.row, par.column),
        income=0.0,
        power=0.0,
    )
