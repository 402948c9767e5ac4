"""Forced purchases: the director's cash, then shares or a loan, never both (ESP-4.7.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import Option, Range, SellShares
from carril.engine.market import grid, marker, price
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def, heir, most_sellable, sell
from carril.engine.shares import sale_refusal as normal_sale_refusal
from carril.engine.state import Company, State
from carril.engine.step import refuse
from carril.engine.trains import train_def
from carril.titles.esp.common import conventions, set_extra

if TYPE_CHECKING:
    from carril.titles.esp.trains import TrainStep


def _purse(state: State, step: TrainStep) -> tuple[int, int]:
    company = state.companies[step.company]
    return company.cash, state.players[company.owner].cash


def missing(state: State, step: TrainStep, cost: int) -> int:
    """Return what treasury and director together lack for a price."""
    return max(0, cost - sum(_purse(state, step)))


def loan_for(state: State, step: TrainStep, cost: int) -> int:
    """Return the loan that a purchase needs: only for the cheapest, and not after sales."""
    if not step.must_buy(state) or cost > step.cheapest(state):
        return 0
    if step.sold and not conventions(state).forced_sales_free:
        return 0
    treasury, _ = _purse(state, step)
    return missing(state, step, cost) if treasury < cost else 0


def payment_refusal(state: State, step: TrainStep, cost: int, loan: int) -> Refusal | None:
    """Return why a train of the bank cannot be paid."""
    treasury, cash = _purse(state, step)
    if cost <= treasury:
        return refuse(state, "loan-not-needed", loan=loan) if loan else None
    if not step.must_buy(state):
        return refuse(state, "no-help", cost=cost, cash=treasury)
    cheapest = step.cheapest(state)
    if treasury >= cheapest or cost > cheapest:
        return refuse(state, "only-cheapest", cost=cost, cheapest=cheapest)
    lacking = missing(state, step, cost)
    if loan and step.sold and not lacking:
        return refuse(state, "loan-not-needed", loan=loan)
    if loan and step.sold and not conventions(state).forced_sales_free:
        return refuse(state, "shares-or-loan", loan=loan)
    if loan != lacking:
        code = "president-short" if not loan else "loan-exact"
        return refuse(state, code, missing=lacking, cash=cash)
    return None


def most_for_company_train(state: State, step: TrainStep, train: str) -> int:
    """Return the most that can be paid another company: its own money (G25: and some help)."""
    treasury, cash = _purse(state, step)
    if conventions(state).help_for_company_train and step.must_buy(state):
        return max(treasury, min(train_def(state, train).price, treasury + cash))
    return treasury


def _most(state: State, step: TrainStep, company: Company) -> int:
    """Return how many shares of a company may be sold: no change of director, none too many."""
    most = _capacity(state, step, company)
    if not most:
        return 0
    each = price(state, company.symbol)
    enough = -(-missing(state, step, step.cheapest(state)) // each)
    return max(0, min(most, enough))


def _may_suffice(
    state: State, step: TrainStep, short: int, symbol: str = "", count: int = 0
) -> bool:
    """Return whether the director's shares can raise what is missing, each company's in one block.

    With a company and a count: whether the rest still can after that sale, at the price it leaves.
    """
    if conventions(state).forced_sales_free:
        return True
    raised = 0
    for company in state.companies.values():
        if most := _capacity(state, step, company):
            sold = count if company.symbol == symbol else 0
            raised += sold * price(state, company.symbol)
            raised += (most - sold) * _price_after(state, company.symbol, sold)
            if raised >= short:
                return True
    return raised >= short


def _price_after(state: State, symbol: str, sold: int) -> int:
    """Return the price of a company when so many of its shares have been sold."""
    found, market = marker(state, symbol), grid(state)
    assert found is not None
    space = (found.row, found.column)
    for _ in range(sold):
        space = market.down(*space)
    return market.price(*space)


def _capacity(state: State, step: TrainStep, company: Company) -> int:
    director = state.companies[step.company].owner
    if company.kind == "minor" or not company.operated or not company.held(director):
        return 0
    most = most_sellable(state, director, company)
    if company.owner == director:
        rival = heir(state, company)
        units = company_def(state, company.symbol).president_units
        keep = max(units, company.held(rival) if rival else 0)
        most = min(most, company.held(director) - keep)
    return max(0, most)


def sales(state: State, step: TrainStep) -> Iterator[Option]:
    """Yield the shares a director may sell for the train; none if they cannot suffice."""
    if not step.must_buy(state) or not (step.has_room(state) or step.gives_up(state)):
        return
    short = missing(state, step, step.cheapest(state))
    if not short or not _may_suffice(state, step, short):
        return
    by = state.companies[step.company].owner
    for company in state.companies.values():
        most = _most(state, step, company)
        legal = [n for n in range(1, most + 1) if _leaves_enough(state, step, company.symbol, n)]
        for first in (n for n in legal if n - 1 not in legal):
            last = next(n for n in range(first, most + 1) if n + 1 not in legal)
            yield Range(SellShares(company.symbol, first, by=by), "count", first, last)


def _leaves_enough(state: State, step: TrainStep, symbol: str, count: int) -> bool:
    """Return whether a sale suffices, or leaves shares that still can (ESP-4.7.1-i)."""
    return _may_suffice(state, step, missing(state, step, step.cheapest(state)), symbol, count)


def sale_refusal(state: State, step: TrainStep, symbol: str, count: int) -> Refusal | None:
    """Return why a director may not sell these shares for a train."""
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    short = missing(state, step, step.cheapest(state))
    if not short:
        return refuse(state, "enough-money", company=step.company)
    director = state.companies[step.company].owner
    if symbol in state.companies and state.companies[symbol].kind == "minor":
        return refuse(state, "minor-not-sold", company=symbol)
    if refused := normal_sale_refusal(state, director, symbol, count):
        return refused
    if not _may_suffice(state, step, short):
        return refuse(state, "sales-not-enough", missing=short)
    if count <= _most(state, step, state.companies[symbol]):
        if _leaves_enough(state, step, symbol, count):
            return None
        return refuse(state, "sales-not-enough", missing=short)
    if (count - 1) * price(state, symbol) >= short:
        return refuse(state, "over-selling", count=count, missing=short)
    return refuse(state, "keeps-director", company=symbol, count=count)


def sell_for_train(move: Move, step: TrainStep, symbol: str, count: int) -> None:
    """Sell the shares; the money is the director's. The order may change (A14, G37)."""
    director = move.state.companies[step.company].owner
    sell(move, director, symbol, count)
    set_extra(move, round_order=())
    move.swap(replace(step, sold=(*step.sold, symbol)))
