"""Dividends of the planner: no emergency that withholding once would have avoided."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import earnings, outlook
from carril.bots.planner.params import Plan
from carril.engine.actions import DeclareDividend
from carril.engine.shares import company_def
from carril.engine.state import Company, State
from carril.engine.trains import main_train, running_trains, train_def


def pay(sight: Plan) -> Decision | None:
    """Pay out, but keep what saves the president from paying for a train in the next turn."""
    decision, company = earnings.pay(sight), sight.company
    keep = next((one for one in sight.plain(DeclareDividend) if one.kind == "withhold"), None)
    if decision is None or keep is None or company is None or decision.action == keep:
        return decision
    state, earned = sight.state, int(sight.step.earnings)
    lack = threat(state, company)
    if not 0 < lack <= earned or outlook.rounds_left(state) < 2:
        return decision
    part = company.held(sight.me) / max(1, company_def(state, company.symbol).units)
    if part * earned > lack:  # the dividend brings the president more than the train costs them
        return decision
    return Decision(keep, f"keeps {earned}: its trains may be gone before its next turn")


def threat(state: State, company: Company) -> int:
    """Return what the president would pay for a train if all others bought what they can."""
    trains = running_trains(state, company)
    if not outlook.must_own(company) or not trains:
        return 0
    if any(
        outlook.purchases_before_rust(state, main_train(name)) > buyers(state) for name in trains
    ):
        return 0
    ends = {train_def(state, name).rusted_by for name in trains}
    begun = state.tables.begun_by
    prices = [
        state.tables.trains[name].price for name in state.depot.left if begun.get(name, "") in ends
    ]
    return max([*prices, outlook.train_price(state, company.symbol)]) - company.cash


def buyers(state: State) -> int:
    """Return how many trains may leave the supply in a round: others can pay, some are exported."""
    charters = [c for c in state.companies.values() if outlook.must_own(c)]
    able = sum(c.cash >= (outlook.train_price(state, c.symbol) or c.cash + 1) for c in charters)
    return able + state.title.answers.exported(state)
