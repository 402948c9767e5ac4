"""Emergency money that a company raises itself: it issues shares for a train that it must buy.

It is in the engine although not every title has it: it joins two mechanisms that are, the dealings
of a company in its own stock and the purchase of a train that it must own.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from carril.engine.actions import IssueShares, Option
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.dealing import issue, issue_refusal, most_issued
from carril.engine.steps.emergency import ForcedPurchase
from carril.engine.steps.train_rules import TrainAction
from carril.engine.steps.trains import BuyTrains


def may_issue(state: State, step: ForcedPurchase) -> bool:
    """Return whether a company that must buy a train can issue a share to pay for it."""
    if not most_issued(state, step.company) or not step.must_buy(state):
        return False
    return step.treasury(state) < step.cheapest(state)


def _options(state: State, step: BuyTrains) -> Iterator[Option]:
    if may_issue(state, step):
        yield IssueShares(1, by=step.actor(state))


def _refusal(state: State, step: BuyTrains, action: IssueShares) -> Refusal | None:
    if not step.must_buy(state):
        return refuse(state, "no-emergency", company=step.company)
    if step.treasury(state) >= step.cheapest(state):
        return refuse(state, "enough-money", company=step.company)
    if action.count > 1:
        return refuse(state, "deal-too-large", count=action.count, most=1)
    return issue_refusal(state, step.company, action.count)


def _play(move: Move, step: BuyTrains, action: IssueShares) -> None:
    move.swap(replace(step, issued=step.issued + 1))
    issue(move, step.company, action.count)


EMERGENCY_ISSUE = TrainAction(IssueShares, _options, _refusal, _play)
"""Issue one share at a time, each at the price after the one before it."""


def issue_first(state: State, step: ForcedPurchase, symbol: str) -> Refusal | None:
    """Make a president wait with sales for a train until the company can issue nothing more."""
    if may_issue(state, step):
        return refuse(state, "can-still-issue", company=step.company)
    return None
