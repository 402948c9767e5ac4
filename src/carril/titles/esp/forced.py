"""Forced purchases: the director's cash, then shares or a loan, never both (ESP-4.7.1)."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.emergency import EmergencyRules, ForcedPurchase, Loans
from carril.engine.trains import train_def
from carril.titles.esp.common import conventions, is_minor, set_extra
from carril.titles.esp.loans import take_loan


def _lacking(state: State, step: ForcedPurchase, cost: int) -> int:
    """Return what treasury and director together lack for a price."""
    return max(0, cost - step.treasury(state) - step.president_cash(state))


def loan_for(state: State, step: ForcedPurchase, cost: int) -> int:
    """Return the loan that a purchase needs; there is none after sales."""
    barred = step.sold and not conventions(state).forced_sales_free
    return 0 if barred else _lacking(state, step, cost)


def loan_refusal(state: State, step: ForcedPurchase, cost: int, loan: int) -> Refusal | None:
    """Return why a train cannot be paid with such a loan."""
    lacking = _lacking(state, step, cost)
    if loan and step.sold and not lacking:
        return refuse(state, "loan-not-needed", loan=loan)
    if loan and step.sold and not conventions(state).forced_sales_free:
        return refuse(state, "shares-or-loan", loan=loan)
    if loan != lacking:
        code = "president-short" if not loan else "loan-exact"
        return refuse(state, code, missing=lacking, cash=step.president_cash(state))
    return None


def company_train(state: State, step: ForcedPurchase, train: str) -> int:
    """Return the help with another company's train: none; on 18xx.games up to its price (G25)."""
    if not conventions(state).help_for_company_train or not step.must_buy(state):
        return 0
    both = step.treasury(state) + step.president_cash(state)
    return min(train_def(state, train).price, both)


def sale_barred(state: State, step: ForcedPurchase, symbol: str) -> Refusal | None:
    """Refuse to sell a minor for a train."""
    if symbol in state.companies and is_minor(state, symbol):
        return refuse(state, "minor-not-sold", company=symbol)
    return None


def after_sale(move: Move) -> None:
    """Drop the fixed order: companies are sorted again after a forced sale (A14, G37)."""
    set_extra(move, round_order=())


EMERGENCY = EmergencyRules(
    company_train=company_train,
    loans=Loans(loan_for, loan_refusal, take_loan),
    sale_barred=sale_barred,
    must_suffice=lambda state: not conventions(state).forced_sales_free,  # ESP-4.7.1-i
    after_sale=after_sale,
    reason="director's help",
)
