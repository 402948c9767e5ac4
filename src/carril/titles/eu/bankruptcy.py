"""Bankruptcy: what becomes of a player's shares, corporations and minors."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.board import allot_tokens, remove_token, tokens_of
from carril.engine.events import CompanyClosed, PlayerBankrupt, PresidentChanged
from carril.engine.market import operating_order, remove_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.shares import (
    company_def,
    hand_over,
    heir,
    next_player,
    return_shares,
)
from carril.engine.state import BANK, POOL, TREASURY
from carril.engine.steps.emergency import ForcedPurchase
from carril.engine.steps.operating import end_turn_of
from carril.engine.trains import discard
from carril.titles.eu.common import conventions, eu, minors_of, set_extra
from carril.titles.eu.merging import close_minor


def go_bankrupt(move: Move, player: str, company: str) -> None:
    """Take a president out of the game in the train step of one of their corporations."""
    if not conventions(move.state).bankrupt_chooses_sales:
        _sell_what_may_be_sold(move)
    for minor in list(minors_of(move.state, player)):
        close_minor(move, minor.symbol)
    led = [c.symbol for c in move.state.companies.values() if c.owner == player]
    for charter in list(move.state.companies.values()):
        hand_over(move, charter.symbol, player, POOL, charter.held(player))
    for symbol in led:
        _pass_on(move, symbol)
    survives = move.state.companies[company].started
    cash = move.state.players[player].cash
    pay(move, player, company if survives else BANK, cash, "bankruptcy")  # EU-4.5.1-n
    move.set_player(replace(move.state.players[player], bankrupt=True))
    move.tell(PlayerBankrupt(player))
    if move.state.priority == player:
        move.set(priority=next_player(move.state, player))
    if survives:
        move.swap(replace(move.state.step, sold=()))
    else:
        end_turn_of(move, company)


def _sell_what_may_be_sold(move: Move) -> None:
    """18xx.games sells the largest block of each corporation, in operating order (G-20).

    Only what the emergency lets the president sell; the rest goes to the pool unpaid.
    """
    for symbol in operating_order(move.state, _emergency(move).for_sale(move.state)):
        if most := _emergency(move).for_sale(move.state).get(symbol):
            _emergency(move).sell_for_train(move, symbol, most)


def _emergency(move: Move) -> ForcedPurchase:
    """Return the step that is due, in which a company must buy a train."""
    step = move.state.step
    assert isinstance(step, ForcedPurchase)
    return step


def _pass_on(move: Move, symbol: str) -> None:
    """Give a corporation to the next eligible player, or close it (EU-4.5.1-k, -l)."""
    company = move.state.companies[symbol]
    new = heir(move.state, company)
    if new:
        move.change_company(symbol, owner=new)
        move.tell(PresidentChanged(symbol, company.owner, new))
    else:
        close_corporation(move, symbol)


def close_corporation(move: Move, symbol: str) -> None:
    """Close a corporation; its shares return to its treasury and it may be started again."""
    for train in move.state.companies[symbol].trains:
        discard(move, symbol, train)
    for hex_id, city in list(tokens_of(move.state.board, symbol)):
        remove_token(move, symbol, hex_id, city)
    pay(move, symbol, BANK, move.state.companies[symbol].cash, "closure")
    remove_price(move, symbol)
    return_shares(move, symbol, TREASURY)
    allot_tokens(move, symbol, company_def(move.state, symbol).tokens)
    move.change_company(symbol, par=0, started=False, floated=False, operated=False)
    routed = tuple(company for company in eu(move.state).routed if company != symbol)
    set_extra(move, routed=routed)
    move.tell(CompanyClosed(symbol))
