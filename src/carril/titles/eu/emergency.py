"""Emergency money of 18EU: when a president must help, how far, and when they are bankrupt."""

from __future__ import annotations

from collections.abc import Iterator

from carril.engine.actions import BuyTrain, GoBankrupt, Option
from carril.engine.market import price
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.emergency import EmergencyRules, ForcedPurchase, only_cheapest
from carril.engine.steps.train_rules import TrainAction
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import train_def
from carril.titles.eu.bankruptcy import go_bankrupt
from carril.titles.eu.common import conventions


def helps_with(state: State, step: ForcedPurchase, cost: int) -> Refusal | None:
    """A president helps with the cheapest train alone; on 18xx.games with any (G-12)."""
    if conventions(state).help_with_any_train:
        return None
    cheapest = step.cheapest(state)
    if step.treasury(state) >= cheapest:
        return refuse(state, "treasury-pays-cheaper", cost=cost, cheapest=cheapest)
    return only_cheapest(state, step, cost)


def company_train(state: State, step: ForcedPurchase, train: str) -> int:
    """Return the most that can be paid another company with the president's cash, or 0.

    Only for a corporation that must buy and has no money at all, up to the face price, and not
    with money from sold shares (EU-4.5.2); 18xx.games is freer (G-11).
    """
    if not step.must_buy(state):
        return 0
    treasury, free = step.treasury(state), conventions(state).help_with_treasury
    if step.sold and not (free and treasury):
        return 0
    if treasury and not free:
        return 0
    return min(train_def(state, train).price, treasury + step.president_cash(state))


def company_train_refusal(state: State, step: ForcedPurchase, action: BuyTrain) -> Refusal:
    """Return why another company's train cannot be paid."""
    cost, cash = action.price, step.treasury(state)
    if company_def(state, step.company).sole_owner:
        return refuse(state, "minor-no-help", cost=cost, cash=cash)
    if not step.must_buy(state):
        return refuse(state, "treasury-short-train", cost=cost, cash=cash)
    free = conventions(state).help_with_treasury
    if step.sold and not (free and cash):
        return refuse(state, "no-sales-for-company-train", cost=cost)
    if cash and not free:
        return refuse(state, "treasury-not-empty", cost=cost, cash=cash)
    face = train_def(state, action.train).price
    if cost > face:
        return refuse(state, "above-face-price", cost=cost, face=face)
    return refuse(state, "president-short", missing=cost - cash, cash=step.president_cash(state))


EMERGENCY = EmergencyRules(
    helps=lambda state, company: not company_def(state, company).sole_owner,
    helps_with=helps_with,
    company_train=company_train,
    company_train_refusal=company_train_refusal,
    one_sale_each=lambda state: not conventions(state).several_blocks_for_train,
    stays_solvent=lambda state: conventions(state).solvent_president_pays,
    keeps_presidencies=False,  # EU-4.5.1-f
)


def bankrupt_refusal(state: State, step: BuyTrains, action: GoBankrupt) -> Refusal | None:
    """Return why a president is not bankrupt: no need, enough money, or something to sell.

    On 18xx.games what is sold for them may remain, but only if it would not be enough (G-20).
    """
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    if not (missing := step.missing(state)):
        return refuse(state, "enough-money", company=step.company)
    left = step.for_sale(state)
    raised = sum(most * price(state, symbol) for symbol, most in left.items())
    if left and (conventions(state).bankrupt_chooses_sales or raised >= missing):
        return refuse(state, "can-still-sell", company=next(iter(left)))
    return None


def _options(state: State, step: BuyTrains) -> Iterator[Option]:
    action = GoBankrupt(by=step.actor(state))
    if bankrupt_refusal(state, step, action) is None:
        yield action


def _go_bankrupt(move: Move, step: BuyTrains, action: GoBankrupt) -> None:
    go_bankrupt(move, step.actor(move.state), step.company)


BANKRUPTCY = TrainAction(GoBankrupt, _options, bankrupt_refusal, _go_bankrupt)
