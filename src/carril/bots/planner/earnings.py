"""Dividends of the planner: a company keeps its earnings only if its president gains by it."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import earnings, outlook
from carril.bots.planner.params import Plan
from carril.engine.actions import DeclareDividend
from carril.engine.shares import company_def
from carril.engine.state import Company, State
from carril.engine.trains import main_train, running_trains, train_def

LATE = 2
"""With so many rounds left nobody buys a train by choice: it runs once at most."""


def pay(sight: Plan) -> Decision | None:
    """Pay out, unless what the earnings buy is worth more to the president than the dividend."""
    decision, company = earnings.pay(sight), sight.company
    options = {one.kind: one for one in sight.plain(DeclareDividend)}
    full, keep = options.get("full"), options.get("withhold")
    if decision is None or company is None or full is None or keep is None:
        return decision
    state, earned = sight.state, int(sight.step.earnings)
    cost = forgone(state, sight.me, full, keep)
    if decision.action == keep:
        brings = bought(state, company, sight.me, earned)
        if brings > cost:
            return decision
        each = earned // company_def(state, company.symbol).units
        why = f"pays {each} a share: a train would bring {brings:.0f}, keeping costs {cost}"
        return Decision(full, why)
    lack = threat(state, company)
    if 0 < lack <= earned and lack > cost and outlook.rounds_left(state) > 1:
        return Decision(keep, f"keeps {earned}: its trains may be gone before its next turn")
    return decision


def forgone(state: State, me: str, full: DeclareDividend, keep: DeclareDividend) -> int:
    """Return what a player gives up if earnings are kept: a dividend, and the price of shares."""
    worth, paid, kept = state.title.worth, state.apply(full).state, state.apply(keep).state
    return worth(paid, me) - worth(kept, me)


def bought(state: State, company: Company, me: str, earned: int) -> float:
    """Return what a train that is saved for brings a player until the end of the game.

    It spares the president what they would add to its price, if the trains of the company are gone
    before the end, and the player shares in what it earns.
    """
    symbol, rounds = company.symbol, outlook.rounds_left(state)
    name = outlook.next_train(state, symbol)
    if not name:
        return 0.0
    lack = train_def(state, name).price - company.cash
    trains = running_trains(state, company)
    lasting = max((outlook.rounds_of(state, one) for one in trains), default=0)
    spared = min(lack, earned) if outlook.must_own(company) and lasting < rounds else 0
    runs = rounds - (1 if lack <= earned else 2)
    with_it = outlook.income_with(state, symbol, (*company.trains, name))
    gain = max(0, with_it - outlook.income(state, symbol))
    part = company.held(me) / max(1, company_def(state, symbol).units)
    return spared + part * gain * max(0, runs)


def threat(state: State, company: Company) -> int:
    """Return what the president would pay for a train if all others bought what they can."""
    trains = running_trains(state, company)
    if not outlook.must_own(company) or not trains:
        return 0
    sold = buyers(state)
    if any(outlook.purchases_before_rust(state, main_train(name)) > sold for name in trains):
        return 0
    ends = {train_def(state, name).rusted_by for name in trains}
    begun = state.tables.begun_by
    prices = [
        state.tables.trains[name].price for name in state.depot.left if begun.get(name, "") in ends
    ]
    return max([*prices, outlook.train_price(state, company.symbol)]) - company.cash


def buyers(state: State) -> int:
    """Return how many trains may leave the supply before a company's next turn.

    Others can pay, or must own one; some are exported after the last round of a set.
    """
    charters = [c for c in state.companies.values() if outlook.must_own(c)]
    if outlook.rounds_left(state) <= LATE:
        charters = [c for c in charters if not running_trains(state, c)]
    able = sum(c.cash >= (outlook.train_price(state, c.symbol) or c.cash + 1) for c in charters)
    return able + state.title.answers.exported(state)
