"""Stock rounds: what to sell, start, exchange, buy, and when to pass."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.ground import home_value
from carril.bots.greedy.sight import Sight, has_sole_owner
from carril.engine.actions import (
    Action,
    BuyShare,
    ConvertConcession,
    ExchangeMinor,
    Pass,
    Range,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.asides import takes
from carril.engine.launch import shares_to_float, start_cost
from carril.engine.market import price
from carril.engine.shares import company_def, held_by_players, share_cost
from carril.engine.state import POOL, TREASURY, Company, State

DEALS = (BuyShare, StartCompany, ExchangeMinor, SellShares, RepayLoan, ConvertConcession)
"""The actions of a stock round."""
LEAST_RETURN = 0.06
"""A share with a lower return is not bought: cash is as good."""
POOR = 0.3
"""A share is sold for another if its return is less than this fraction of the other's."""
OPENING_PART = 0.15
"""The part of the cash that may go into the opening of a company with a concession."""
BAD_RETURN = -0.15
"""A share with a lower return is sold."""


def trade(sight: Sight) -> Decision | None:
    """Decide a turn of a stock round."""
    if sight.company is not None:
        return None
    rules = (repay, must_sell, dump, convert, complete, start, exchange, buy, last)
    for rule in rules:
        decision = rule(sight)
        if decision:
            return decision
    return None


# --- debts and sales ---------------------------------------------------------------------


def repay(sight: Sight) -> Decision | None:
    """Pay back as much of a debt as possible."""
    for option in sight.ranges(RepayLoan):
        return Decision(option.at(option.most), f"pays back {option.most} of the debt")
    return None


def must_sell(sight: Sight) -> Decision | None:
    """Sell one of the worst shares when nothing else is allowed."""
    sales = sight.ranges(SellShares)
    if sight.may_pass or not sales:
        return None
    option = min(sales, key=lambda one: outlook.share_return(sight.state, _sold(one)))
    return Decision(option.at(option.least), f"must sell, and {_sold(option)} promises least")


def _sold(option: Range) -> str:
    assert isinstance(option.action, SellShares)
    return option.action.company


def dump(sight: Sight) -> Decision | None:
    """Sell what loses value: a company without a future, or one that will cost its president."""
    for option in sight.ranges(SellShares):
        company = sight.state.companies[_sold(option)]
        if company.owner == sight.me:
            decision = _abandon(sight, company, option)
        elif outlook.share_return(sight.state, company.symbol) < BAD_RETURN:
            lack = outlook.shortfall(sight.state, company)
            why = f"{company.symbol} lacks {lack} for a train and will fall"
            if not lack:
                why = f"{company.symbol} pays too little for its price, which will fall"
            decision = Decision(option.at(option.most), why)
        else:
            decision = None
        if decision:
            return decision
    return _swap(sight)


def _abandon(sight: Sight, company: Company, option: Range) -> Decision | None:
    """Leave a company to somebody else when its train would cost more than we can pay."""
    lack = outlook.shortfall(sight.state, company)
    soon = lack - 2 * outlook.income(sight.state, company.symbol)
    if soon <= sight.cash // 2 + 100:
        return None
    action = option.at(option.most)
    after = sight.state.apply(action).state
    if after.companies[company.symbol].owner == sight.me:
        return None
    return Decision(action, f"leaves {company.symbol}, which lacks {lack} for a train")


def _swap(sight: Sight) -> Decision | None:
    """Sell shares that pay little when others that pay much more could be bought instead."""
    state = sight.state
    spare = sight.cash - outlook.burden(state, sight.me)
    wanted = [
        c
        for c in state.companies.values()
        if c.floated and not has_sole_owner(state, c) and _for_sale(state, c)
    ]
    offers = sorted(wanted, key=lambda c: -outlook.share_return(state, c.symbol))
    if not offers or price(state, offers[0].symbol) <= spare:
        return None
    best = outlook.share_return(state, offers[0].symbol)
    for option in sight.ranges(SellShares):
        own = state.companies[_sold(option)]
        worst = outlook.share_return(state, own.symbol)
        if own.owner == sight.me or own.symbol == offers[0].symbol or worst > POOR * best:
            continue
        why = f"{own.symbol} brings {worst:.0%}, {offers[0].symbol} {best:.0%}"
        return Decision(option.at(option.least), why)
    return None


def _for_sale(state: State, company: Company) -> bool:
    """Return whether the bank or the company itself has shares of it."""
    return any(units for holder, units in company.shares.items() if holder not in state.players)


# --- own companies -----------------------------------------------------------------------


def lacking(state: State, company: Company) -> int:
    """Return how many more shares players must hold before a company floats."""
    return max(0, shares_to_float(state, company.symbol) - held_by_players(state, company))


def complete(sight: Sight) -> Decision | None:
    """Float a company that we have started: with minors first, then with money."""
    for company in sight.mine:
        if company.floated or has_sole_owner(sight.state, company):
            continue
        lacks = lacking(sight.state, company)
        for minor in sight.plain(ExchangeMinor):
            if minor.company == company.symbol and minor.source != POOL:
                return Decision(minor, f"{company.symbol} needs {lacks} shares to float")
        for share in sight.plain(BuyShare):
            if share.company == company.symbol:
                return Decision(share, f"{company.symbol} needs {lacks} shares to float")
    return None


def convert(sight: Sight) -> Decision | None:
    """Open a company with a concession, at a value that leaves most of our cash."""
    found = []
    for option in sight.plain(ConvertConcession):
        cost = sight.cash - sight.state.apply(option).state.players[sight.me].cash
        if cost <= sight.cash * OPENING_PART:
            found.append((option.price, cost, option))
    if not found:
        return None
    value, cost, best = max(found, key=lambda row: row[0])
    return Decision(best, f"{best.concession} opens {best.company} at {value} for {cost}")


def start(sight: Sight) -> Decision | None:
    """Start a company at the highest value at which our own money makes it float."""
    state = sight.state
    if any(not c.floated and not has_sole_owner(state, c) for c in sight.mine):
        return None
    starts = [one for one in sight.plain(StartCompany) if _cost_to_float(sight, one) <= sight.cash]
    if not starts or outlook.rounds_left(state) <= 3 or outlook.burden(state, sight.me):
        return None
    best = max(starts, key=lambda one: (promise(state, one), one.price))
    cost = _cost_to_float(sight, best)
    return Decision(
        best, f"starts {best.company} at {best.price}: {cost} of {sight.cash} floats it"
    )


def promise(state: State, action: StartCompany) -> int:
    """Return a rough value of a company's home before it has any track."""
    home = company_def(state, action.company).home
    kinds = state.title.answers.visits(state, action.company)
    return int(home_value(state, home.hex, kinds)) if home else 0


def _cost_to_float(sight: Sight, action: StartCompany) -> int:
    """Return what we would pay until a company floats, with our minors as shares where they fit."""
    state, company = sight.state, sight.state.companies[action.company]
    first = start_cost(state, action.company, action.price)
    if has_sole_owner(state, company):
        return first
    given = min(2, len(sight.my_minors)) if takes(state, ExchangeMinor) else 0
    certificate = company_def(state, company.symbol).president_units
    lacks = lacking(state, company) - certificate - given
    return first + max(0, lacks) * action.price


def exchange(sight: Sight) -> Decision | None:
    """Exchange a minor for a share that is worth more than the minor will still earn."""
    state = sight.state
    found = []
    for option in sight.plain(ExchangeMinor):
        own = state.companies[option.company].owner == sight.me
        minor = state.companies[option.minor]
        ahead = min(outlook.rounds_left(state), _rounds(state, minor))
        keeps = outlook.income(state, minor.symbol) // 2 * min(ahead, 5)
        gets = price(state, option.company) * (1.3 if own else 1.0)
        if gets > keeps:
            found.append((gets - keeps, option.source == TREASURY, option))
    if not found or (len(found) < 2 and _keeps_for_start(sight)):
        return None
    gain, _, best = max(found, key=lambda row: row[:2])
    return Decision(
        best, f"a share of {best.company} is worth {gain:.0f} more than minor {best.minor}"
    )


def _rounds(state: State, company: Company) -> int:
    """Return how many rounds a company's newest train still runs; 0 if it has none."""
    return outlook.rounds_of(state, company.trains[-1]) if company.trains else 0


def _keeps_for_start(sight: Sight) -> bool:
    """Return whether the last minor should be kept to start a company with."""
    pars = [par.price for par in sight.state.tables.pars]
    return len(sight.my_minors) == 1 and sight.cash >= 4 * min(pars)


# --- shares ------------------------------------------------------------------------------


def buy(sight: Sight) -> Decision | None:
    """Buy the share that brings most for its price, with the money no train will need."""
    state = sight.state
    spare = sight.cash - outlook.burden(state, sight.me)
    found = []
    for option in sight.plain(BuyShare):
        company = state.companies[option.company]
        cost = share_cost(state, option.company, option.source)
        if cost > spare or not welcome(sight, option):
            continue
        brings = outlook.share_return(state, option.company)
        if company.owner == sight.me:
            brings += 0.1
        found.append((brings, option.source != POOL, -cost, option))
    found = [row for row in found if row[0] >= LEAST_RETURN]
    if not found:
        return None
    brings, _, cost, best = max(found, key=lambda row: row[:3])
    earned = outlook.expected(state, best.company)
    each = earned // company_def(state, best.company).units
    return Decision(best, f"{best.company} earns {earned}, {each} a share at {-cost}")


def welcome(sight: Sight, option: BuyShare) -> bool:
    """Return whether a share is safe: the company floats, and we inherit no unpaid train."""
    company = sight.state.companies[option.company]
    if not company.floated and company.owner != sight.me:
        return lacking(sight.state, company) <= 1
    leads = company.owner and company.held(sight.me) + 1 > company.held(company.owner)
    if company.owner != sight.me and leads:
        return outlook.shortfall(sight.state, company) <= sight.cash // 2
    return True


def last(sight: Sight) -> Decision | None:
    """Pass, and say what the money is kept for."""
    passes: list[Action] = list(sight.plain(Pass))
    if not passes:
        return None
    kept = outlook.burden(sight.state, sight.me)
    why = f"keeps {sight.cash}, trains may cost {kept}" if kept else "no share is worth its price"
    return Decision(passes[0], why)
