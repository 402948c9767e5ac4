"""Emergency money: when a president must help, how far, and what he must sell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import Option, Range, SellShares
from carril.engine.market import price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def, heir, most_sellable, sell
from carril.engine.shares import sale_refusal as normal_sale_refusal
from carril.engine.state import Company, State
from carril.engine.step import refuse
from carril.engine.trains import train_def
from carril.titles.eu.common import conventions

if TYPE_CHECKING:
    from carril.titles.eu.trains import BuyTrains


def _purse(state: State, step: BuyTrains) -> tuple[int, int]:
    """Return the company's money and its president's."""
    company = state.companies[step.company]
    return company.cash, state.players[company.owner].cash


def payment_refusal(state: State, step: BuyTrains, cost: int) -> Refusal | None:
    """Return why a train of stack or pool cannot be paid, with the president's help or without."""
    treasury, cash = _purse(state, step)
    if cost <= treasury:
        return None
    if not step.must_buy(state):
        code = "minor-no-help" if state.companies[step.company].kind == "minor" else "no-help"
        return refuse(state, code, cost=cost, cash=treasury)
    cheapest = step.cheapest(state)
    if not conventions(state).help_with_any_train:
        if treasury >= cheapest:
            return refuse(state, "treasury-pays-cheaper", cost=cost, cheapest=cheapest)
        if cost > cheapest:
            return refuse(state, "only-cheapest", cost=cost, cheapest=cheapest)
    if cost > treasury + cash:
        return refuse(state, "president-short", missing=cost - treasury, cash=cash)
    return None


def help_for_company_train(state: State, step: BuyTrains, train: str) -> int:
    """Return the most that can be paid another company with the president's cash, or 0.

    Only for a corporation that must buy and has no money at all, up to the face price, and not
    with money from sold shares (EU-4.5.2); 18xx.games is freer (G-11).
    """
    if not step.must_buy(state):
        return 0
    treasury, cash = _purse(state, step)
    free = conventions(state).help_with_treasury
    if step.sold and not (free and treasury):
        return 0
    if treasury and not free:
        return 0
    return min(train_def(state, train).price, treasury + cash)


def why_no_help(state: State, step: BuyTrains, train: str, cost: int, cash: int) -> Refusal:
    """Return why another company's train cannot be paid."""
    company = state.companies[step.company]
    if company.kind == "minor":
        return refuse(state, "minor-no-help", cost=cost, cash=cash)
    if not step.must_buy(state):
        return refuse(state, "treasury-short-train", cost=cost, cash=cash)
    free = conventions(state).help_with_treasury
    if step.sold and not (free and cash):
        return refuse(state, "no-sales-for-company-train", cost=cost)
    if cash and not free:
        return refuse(state, "treasury-not-empty", cost=cost, cash=cash)
    face = train_def(state, train).price
    if cost > face:
        return refuse(state, "above-face-price", cost=cost, face=face)
    return refuse(state, "president-short", missing=cost - cash, cash=_purse(state, step)[1])


def top_up(move: Move, company: str, cost: int) -> None:
    """The president adds what the treasury lacks: its own money goes first (EU-4.5.1-b)."""
    charter = move.state.companies[company]
    if cost > charter.cash:
        pay(move, charter.owner, company, cost - charter.cash, "president's help")


def missing(state: State, step: BuyTrains) -> int:
    """Return what the president still has to raise for the cheapest train."""
    treasury, cash = _purse(state, step)
    return step.cheapest(state) - treasury - cash


def most_for_train(state: State, step: BuyTrains, company: Company) -> int:
    """Return how many shares of a corporation the president may sell now, 0 if none."""
    president = state.companies[step.company].owner
    if company.symbol in step.sold or not company.operated or not company.held(president):
        return 0
    most = most_sellable(state, president, company)
    if company.symbol == step.company:
        rival = heir(state, company)
        keep = max(
            company_def(state, company.symbol).president_units,
            company.held(rival) if rival else 0,
        )
        most = min(most, company.held(president) - keep)  # EU-4.5.1-f
    each = price(state, company.symbol)
    enough = -(-missing(state, step) // each)  # no share more than is needed
    return max(0, min(most, enough))


def sales(state: State, step: BuyTrains) -> Iterator[Option]:
    """Yield the shares the president may sell to pay for the train."""
    if not step.must_buy(state) or missing(state, step) <= 0:
        return
    by = state.companies[step.company].owner
    for symbol, most in _for_sale(state, step).items():
        yield Range(SellShares(symbol, 1, by=by), "count", 1, most)


def _for_sale(state: State, step: BuyTrains) -> dict[str, int]:
    """Return the corporations the president may sell now, with how many shares of each."""
    majors = (company for company in state.companies.values() if company.kind == "major")
    found = {company.symbol: most_for_train(state, step, company) for company in majors}
    return {symbol: most for symbol, most in found.items() if most}


def sale_refusal(state: State, step: BuyTrains, symbol: str, count: int) -> Refusal | None:
    """Return why a president may not sell these shares for a train."""
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    short = missing(state, step)
    if short <= 0:
        return refuse(state, "enough-money", company=step.company)
    president = state.companies[step.company].owner
    if refused := normal_sale_refusal(state, president, symbol, count):
        return refused
    if symbol in step.sold:
        return refuse(state, "sold-in-emergency", company=symbol)
    if count <= most_for_train(state, step, state.companies[symbol]):
        return None
    if (count - 1) * price(state, symbol) >= short:
        return refuse(state, "over-selling", count=count, missing=short)
    return refuse(state, "keeps-presidency", company=symbol, count=count)


def sell_for_train(move: Move, step: BuyTrains, symbol: str, count: int) -> None:
    """Sell the shares; the money is the president's."""
    president = move.state.companies[step.company].owner
    sell(move, president, symbol, count)
    move.swap(replace(step, sold=(*step.sold, symbol)))


def bankrupt_refusal(state: State, step: BuyTrains) -> Refusal | None:
    """Return why a president is not bankrupt: no need, enough money, or something to sell.

    On 18xx.games what is sold for him may remain, but only if it would not be enough (G-20).
    """
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    short = missing(state, step)
    if short <= 0:
        return refuse(state, "enough-money", company=step.company)
    left = _for_sale(state, step)
    raised = sum(most * price(state, symbol) for symbol, most in left.items())
    if left and (conventions(state).bankrupt_chooses_sales or raised >= short):
        return refuse(state, "can-still-sell", company=next(iter(left)))
    return None
