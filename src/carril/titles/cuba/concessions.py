"""Opening a minor with a concession, and what becomes of cards that are not used."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import ConvertConcession, Option
from carril.engine.events import CompanyClosed
from carril.engine.launch import check_float, start_company
from carril.engine.market import par_at
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import certificate_limit, company_def, hand_over
from carril.engine.state import BANK, IPO, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.stock import StockRound
from carril.titles.cuba.common import (
    MINOR,
    central,
    concession_def,
    cuba,
    kind,
    set_extra,
    without,
)
from carril.titles.cuba.events import ConcessionConverted, LotsRemoved
from carril.titles.cuba.figures import figures

SHARE = "share"
"""The bonus that is a share of the state railway."""


def opening_cost(state: State, price: int) -> int:
    """Return what a player pays for the first shares of a minor besides the concession."""
    opening = figures(state).opening
    return opening.shares * price - opening.credit


def conversions(state: State, step: StockRound, symbol: str) -> Iterator[Option]:
    """Yield the ways in which a player can open a company with their concessions."""
    if kind(state, symbol) != MINOR or state.companies[symbol].started:
        return
    for concession, owner in cuba(state).concessions.items():
        for par in state.tables.pars if owner == step.player else ():
            action = ConvertConcession(concession, symbol, par.price, by=step.player)
            if conversion_refusal(state, step, action) is None:
                yield action


def conversion_refusal(state: State, step: StockRound, action: ConvertConcession) -> Refusal | None:
    """Return why a player may not open a company with a concession at this price."""
    if cuba(state).concessions.get(action.concession) != step.player:
        return refuse(state, "not-your-concession", concession=action.concession)
    if refused := _company_refusal(state, action.company):
        return refused
    if par_at(state, action.price) is None:
        return refuse(state, "no-opening-price", price=action.price)
    if refused := _limit_refusal(state, step.player, action.company):
        return refused
    cost, cash = opening_cost(state, action.price), state.players[step.player].cash
    if cost > cash:
        return refuse(state, "opening-too-dear", price=action.price, cost=cost, cash=cash)
    return None


def _company_refusal(state: State, symbol: str) -> Refusal | None:
    company = state.companies.get(symbol)
    if company is None or company.closed or kind(state, symbol) != MINOR:
        return refuse(state, "not-a-minor", company=symbol)
    return refuse(state, "minor-opened", company=symbol) if company.started else None


def _limit_refusal(state: State, player: str, symbol: str) -> Refusal | None:
    """Check the certificates: the director's certificate and the other first shares."""
    added = figures(state).opening.shares - company_def(state, symbol).president_units + 1
    limit = certificate_limit(state)
    if state.title.certificates(state, player) + added <= limit:
        return None
    return refuse(state, "no-room-to-open", limit=limit, count=added)


def convert(move: Move, player: str, action: ConvertConcession) -> None:
    """Open a minor with 60% for the player and the rest in its treasury (CUBA-VI.7)."""
    symbol, first = action.company, figures(move.state).opening.shares
    rest = company_def(move.state, symbol).units - first
    set_extra(move, concessions=without(cuba(move.state).concessions, action.concession))
    move.tell(ConcessionConverted(player, action.concession, symbol))
    hand_over(move, symbol, IPO, player, first)
    hand_over(move, symbol, IPO, TREASURY, rest)
    start_company(move, player, symbol, action.price)
    pay(move, player, BANK, opening_cost(move.state, action.price), "start")
    check_float(move, symbol)
    _give_bonus(move, player, action.concession)


def _give_bonus(move: Move, player: str, concession: str) -> None:
    """Hand over a share at once; any other bonus waits until its owner places it."""
    bonus = concession_def(move.state, concession).bonus
    if bonus == SHARE:
        hand_over(move, central(move.state), IPO, player, 1)
    elif bonus:
        set_extra(move, bonuses={**cuba(move.state).bonuses, concession: player})


def reserved_shares(state: State, symbol: str) -> int:
    """Return how many shares of a company in the offering wait for a concession (G34)."""
    if symbol != central(state):
        return 0
    return sum(concession_def(state, one).bonus == SHARE for one in cuba(state).concessions)


def remove_unused(move: Move) -> None:
    """Take concessions and minors that were not used out of the game after the first round."""
    if gone := tuple(cuba(move.state).concessions):
        set_extra(move, concessions={})
        move.tell(LotsRemoved(gone))
    for company in move.state.companies.values():
        if company.kind == MINOR and not company.started:
            move.change_company(company.symbol, closed=True)
            move.tell(CompanyClosed(company.symbol))
