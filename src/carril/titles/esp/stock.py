"""The stock round of 18ESP: which companies are offered, repaying loans, the end of the round."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from carril.engine.actions import Option, Range, RepayLoan
from carril.engine.board import unlock_tokens
from carril.engine.move import Move
from carril.engine.order import deal_order
from carril.engine.refusals import Refusal
from carril.engine.shares import Source, certificate_limit, limit_refusal, raise_sold_out
from carril.engine.state import IPO, POOL, State
from carril.engine.step import refuse
from carril.engine.steps.stock import StockRound
from carril.engine.steps.stock_rules import StockRules, TurnAction
from carril.engine.trains import phase_reached
from carril.titles.esp.common import (
    LATE,
    RESERVED,
    certificates,
    conventions,
    edition,
    esp,
    is_minor,
    region,
    set_extra,
)
from carril.titles.esp.figures import figures
from carril.titles.esp.loans import most_repaid, repay, repay_refusal
from carril.titles.esp.par import par_not_yet


def repayments(state: State, step: StockRound, company: str) -> Iterator[Option]:
    """Yield what a player can repay of a loan now."""
    least, most = most_repaid(state, step.player)
    if most and not step.done:
        yield Range(RepayLoan(least, by=step.player), "amount", least, most)


def repayment_refusal(state: State, step: StockRound, action: RepayLoan) -> Refusal | None:
    """Return why a player may not repay this sum."""
    if step.done:
        return refuse(state, "repaid-this-turn", player=step.player)
    return repay_refusal(state, step.player, action.amount)


def play_repayment(move: Move, player: str, action: RepayLoan) -> None:
    """Repay a loan."""
    repay(move, player, action.amount)


def seller_refusal(state: State, step: StockRound) -> Refusal | None:
    """Refuse sales after a loan was repaid, as the German text does (E60)."""
    free = edition(state).sale_after_repayment or conventions(state).sale_after_repayment
    return None if free or not step.done else refuse(state, "repaid-before", player=step.player)


def duty(state: State, player: str, sellable: Collection[str]) -> str:
    """Return the refusal for a player above the certificate limit, or ""."""
    return "must-sell" if certificates(state, player) > certificate_limit(state) else ""


def buyer_refusal(state: State, player: str) -> Refusal | None:
    """Refuse purchases of a player in debt or at the certificate limit."""
    if debt := state.players[player].debt:
        return refuse(state, "in-debt", debt=debt)
    return limit_refusal(state, player)


def offer_refusal(state: State, step: StockRound, symbol: str) -> Refusal | None:
    """Refuse Southern majors before their phase, new minors in the late game, and resales."""
    if is_minor(state, symbol) and phase_reached(state, LATE):
        return refuse(state, "no-new-minors", company=symbol)
    starting = figures(state).starting
    open_now = (
        is_minor(state, symbol)
        or region(state, symbol) != starting.late_region
        or phase_reached(state, starting.late_region_from)
        or conventions(state).south_from_start
    )
    if not open_now:
        return refuse(state, "south-not-yet", company=symbol)
    return step.resale_refusal(state, symbol)


def start_refusal(state: State, player: str, symbol: str) -> Refusal | None:
    """Refuse to start the company whose director's certificate comes with a private."""
    if symbol == esp(state).director_7:
        return refuse(state, "director-elsewhere", company=symbol)
    return None


def launched(move: Move, symbol: str) -> None:
    """A major that is launched late has all its stations and no goals (ESP-3.2.2-k)."""
    if phase_reached(move.state, LATE):
        unlock_tokens(move, symbol, move.state.companies[symbol].locked)
        set_extra(move, late=(*esp(move.state).late, symbol))


def finish(move: Move, player: str) -> None:
    """Raise sold-out prices, then deal the order cards by cash."""
    raise_sold_out(move)
    deal_order(move, most_first=True)


STOCK = StockRules(
    sources=(
        Source(IPO, at_par=True),  # ESP-3.2-e
        Source(POOL),
        Source(RESERVED, closed=lambda state, symbol: "reserved-share", counts_as_sold=True),
    ),
    actions=(TurnAction(RepayLoan, repayments, repayment_refusal, play_repayment),),
    listed=lambda state: esp(state).in_play,
    finish=finish,
    floated=launched,
    duty=duty,
    seller_refusal=seller_refusal,
    buyer_refusal=buyer_refusal,
    offer_refusal=offer_refusal,
    start_refusal=start_refusal,
    par_refusal=par_not_yet,
)
