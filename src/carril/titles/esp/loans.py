"""Loans: a director's debt, its interest, and paying it back."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.events import LoanRepaid, LoanTaken
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.titles.esp.common import conventions, edition


def interest(amount: int) -> int:
    """Return half of a sum, rounded up.

    >>> interest(101)
    51
    """
    return -(-amount // 2)


def owed(state: State, player: str) -> int:
    """Return what a player's debt costs at the end, interest included."""
    debt = state.players[player].debt
    return debt if conventions(state).interest_per_loan else debt + interest(debt)


def take_loan(move: Move, player: str, amount: int) -> None:
    """Borrow from the bank; 18xx.games adds the interest at once (G24)."""
    if not amount:
        return
    extra = interest(amount) if conventions(move.state).interest_per_loan else 0
    borrower = move.state.players[player]
    move.set_player(replace(borrower, debt=borrower.debt + amount + extra))
    pay(move, BANK, player, amount, "loan")
    move.tell(LoanTaken(player, amount))


def _price(state: State, amount: int) -> int:
    return amount if conventions(state).interest_per_loan else amount + interest(amount)


def _whole_only(state: State) -> bool:
    return conventions(state).interest_per_loan or not edition(state).partial_repayment


def most_repaid(state: State, player: str) -> tuple[int, int]:
    """Return the least and the most of their debt that a player can pay back now, or (0, 0)."""
    debt, cash = state.players[player].debt, state.players[player].cash
    if not debt:
        return 0, 0
    if _whole_only(state):
        return (debt, debt) if _price(state, debt) <= cash else (0, 0)
    most = min(debt, cash * 2 // 3 + 1)
    while most and _price(state, most) > cash:
        most -= 1
    return (1, most) if most else (0, 0)


def repay_refusal(state: State, player: str, amount: int) -> Refusal | None:
    """Return why a player may not pay back this amount."""
    debt, cash = state.players[player].debt, state.players[player].cash
    if not 1 <= amount <= debt:
        return refuse(state, "no-such-debt", amount=amount, debt=debt)
    if amount < debt and _whole_only(state):
        return refuse(state, "whole-debt", amount=amount, debt=debt)
    if _price(state, amount) > cash:
        return refuse(state, "cannot-repay", cost=_price(state, amount), cash=cash)
    return None


def repay(move: Move, player: str, amount: int) -> None:
    """Pay back a loan with its interest."""
    cost = _price(move.state, amount)
    pay(move, player, BANK, cost, "loan repaid")
    borrower = move.state.players[player]
    move.set_player(replace(borrower, debt=borrower.debt - amount))
    move.tell(LoanRepaid(player, amount, cost - amount))
