"""The stock round of 18Cuba: three sources of shares, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import ConvertConcession
from carril.engine.market import move_price
from carril.engine.move import Move
from carril.engine.order import deal_order
from carril.engine.refusals import Refusal
from carril.engine.shares import Source, sold_out
from carril.engine.state import IPO, POOL, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.stock import StockRound
from carril.engine.steps.stock_rules import StockRules, TurnAction
from carril.titles.cuba.common import MINOR, kind
from carril.titles.cuba.concessions import (
    conversion_refusal,
    conversions,
    convert,
    remove_unused,
    reserved_shares,
)
from carril.titles.cuba.figures import figures
from carril.titles.cuba.founding import (
    floated,
    found_companies,
    sold_units,
    unlock_by_treasury,
)


def in_play(state: State) -> Iterator[str]:
    """Yield the companies that are in the game."""
    return (company.symbol for company in state.companies.values() if not company.closed)


def offering_closed(state: State, symbol: str) -> str:
    """Return the refusal of the last shares, which a concession brings (CUBA-IV.2-t)."""
    kept = reserved_shares(state, symbol)
    return "kept-for-concession" if kept and state.companies[symbol].held(IPO) <= kept else ""


def treasury_closed(state: State, symbol: str) -> str:
    """Return the refusal of shares from the treasury of a minor (CUBA-VI.5-c, C18)."""
    return "minor-treasury" if kind(state, symbol) == MINOR else ""


def offer_refusal(state: State, step: StockRound, symbol: str) -> Refusal | None:
    """Refuse to sell certificates of a minor that has not been opened (CUBA-IV.3-c)."""
    if kind(state, symbol) == MINOR and not state.companies[symbol].started:
        return refuse(state, "opened-by-concession", company=symbol)
    return None


def seller_refusal(state: State, step: StockRound) -> Refusal | None:
    """Refuse sales in the first stock round (CUBA-VI.4-a)."""
    return refuse(state, "no-sales-yet") if state.round.turn == 1 else None


def finish(move: Move, player: str) -> None:
    """Found companies, raise sold-out prices, remove unused cards, deal the order cards."""
    found_companies(move)
    rising = sold_out(move.state)
    for symbol in move.state.title.order(move.state):  # CUBA-IXa.3-c
        if symbol in rising:
            move_price(move, symbol, "up", "sold out")
    if move.state.round.turn == 1:
        remove_unused(move)
    deal_order(move, most_first=figures(move.state).readings.most_cash_first)


STOCK = StockRules(
    sources=(
        Source(IPO, closed=offering_closed),
        Source(
            TREASURY,
            pays_company=lambda state: figures(state).readings.treasury_share_pays_company,
            closed=treasury_closed,
        ),
        Source(POOL),
    ),
    actions=(
        TurnAction(ConvertConcession, conversions, conversion_refusal, convert, ends_turn=True),
    ),
    listed=in_play,
    finish=finish,
    counts_to_float=sold_units,
    floated=floated,
    bought=unlock_by_treasury,
    seller_refusal=seller_refusal,
    offer_refusal=offer_refusal,
)
