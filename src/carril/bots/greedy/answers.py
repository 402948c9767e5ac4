"""Answers to others, and purchases that can be made at any moment of a company's turn."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.auction import private_worth
from carril.bots.greedy.sight import Sight
from carril.engine.actions import (
    Accept,
    BuyPrivate,
    BuyTender,
    BuyTrain,
    Decline,
    Range,
    TakeOver,
)


def answer(sight: Sight) -> Decision | None:
    """Say yes when we are no worse off by it."""
    yes, no = sight.plain(Accept), sight.plain(Decline)
    if not yes or not no:
        return Decision(no[0], "there is nothing to accept") if no else None
    private = str(getattr(sight.state.step, "private", ""))
    if private:
        offered, worth = (
            int(getattr(sight.state.step, "price", 0)),
            private_worth(sight.state, private),
        )
        if offered >= worth:
            return Decision(yes[0], f"{offered} for {private}, worth about {worth}")
        return Decision(no[0], f"{offered} is too little for {private}, worth about {worth}")
    with_it = outlook.stake(sight.state.apply(yes[0]).state, sight.me)
    without = outlook.stake(sight.state.apply(no[0]).state, sight.me)
    if with_it >= without:
        return Decision(yes[0], f"worth {with_it - without:+.0f} to us")
    return Decision(no[0], f"would cost us {without - with_it:.0f}")


def take_over(sight: Sight) -> Decision | None:
    """Take over a minor when our part in everything grows by it."""
    options = sight.plain(TakeOver)
    if not options:
        return None
    before = outlook.stake(sight.state, sight.me)
    found = []
    for option in options[:4]:
        after = sight.state.apply(option).state
        for _ in range(2):
            if after.agenda and Accept in after.step.allows and after.refusal(Accept()) is None:
                after = after.apply(Accept()).state
        found.append((outlook.stake(after, sight.me) - before, option))
    gain, best = max(found, key=lambda row: row[0])
    return Decision(best, f"minor {best.minor} brings us {gain:.0f}") if gain > 0 else None


def buy_private(sight: Sight) -> Decision | None:
    """Sell an own private to an own company that needs no money for a train."""
    company = sight.company
    options = sight.ranges(BuyPrivate)
    if company is None or not options or not company.floated:
        return None
    if outlook.shortfall(sight.state, company) or not company.trains:
        return None
    for option in options:
        if _owner(sight, option) != sight.me:
            continue
        most = min(option.most, company.cash - outlook.train_price(sight.state) // 2)
        if most >= max(option.least, option.most * 3 // 4):
            most = option.least + (most - option.least) // option.step * option.step
            return Decision(option.at(most), f"{most} from {company.symbol} to its president")
    return None


def _owner(sight: Sight, option: Range) -> str:
    assert isinstance(option.action, BuyPrivate)
    privates = getattr(sight.state.extra, "privates", {})
    return str(privates.get(option.action.private, ""))


def buy_tender(sight: Sight) -> Decision | None:
    """Buy a tender when the run pays it back."""
    options = sight.plain(BuyTender)
    company = sight.company
    if not options or company is None or sight.offers(BuyTrain) or not company.trains:
        return None
    if outlook.shortfall(sight.state, company):
        return None
    after = sight.state.apply(options[0]).state
    gain = outlook.income(after, company.symbol) - outlook.income(sight.state, company.symbol)
    paid = company.cash - after.companies[company.symbol].cash
    if gain * min(outlook.rounds_left(sight.state), outlook.HORIZON) > paid:
        return Decision(options[0], f"a tender for {paid} earns {gain} more a run")
    return None
