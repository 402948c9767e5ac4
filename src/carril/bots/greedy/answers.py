"""Answers to other players, and purchases that are possible at any moment of a turn."""

from __future__ import annotations

from msgspec.structs import asdict

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.sight import Sight
from carril.engine.actions import (
    Accept,
    BuyMachine,
    BuyPrivate,
    BuyTender,
    BuyTrain,
    Decline,
    PlaceBonus,
    Range,
    TakeOver,
)
from carril.engine.asides import takes


def answer(sight: Sight) -> Decision | None:
    """Accept if it leaves us no worse off."""
    yes, no = sight.plain(Accept), sight.plain(Decline)
    if not yes or not no:
        return Decision(no[0], "there is nothing to accept") if no else None
    question = asdict(sight.step)
    if private := question.get("private"):
        offered, worth = question["price"], sight.answers.private_worth(sight.state, private)
        if offered >= worth:
            return Decision(yes[0], f"{offered} for {private}, worth about {worth}")
        return Decision(no[0], f"{offered} is too little for {private}, worth about {worth}")
    with_it = outlook.stake(sight.state.apply(yes[0]).state, sight.me)
    without = outlook.stake(sight.state.apply(no[0]).state, sight.me)
    if with_it >= without:
        return Decision(yes[0], f"worth {with_it - without:+.0f} to us")
    return Decision(no[0], f"would cost us {without - with_it:.0f}")


def take_over(sight: Sight) -> Decision | None:
    """Take over a minor if our stake grows by it."""
    options = sight.plain(TakeOver)
    before = outlook.stake(sight.state, sight.me)
    found = []
    for option in options[:4]:
        after = sight.state.apply(option).state
        for _ in range(2):
            if takes(after, Accept) and after.refusal(Accept()) is None:
                after = after.apply(Accept()).state
        found.append((outlook.stake(after, sight.me) - before, option))
    gain, best = max(found, key=lambda row: row[0])
    return Decision(best, f"minor {best.minor} brings us {gain:.0f}") if gain > 0 else None


def buy_private(sight: Sight) -> Decision | None:
    """Sell our private to our own company if it needs no money for a train."""
    company = sight.company
    if company is None or not company.floated:
        return None
    if outlook.shortfall(sight.state, company) or not company.trains:
        return None
    for option in sight.ranges(BuyPrivate):
        if _owner(sight, option) != sight.me:
            continue
        kept = outlook.train_price(sight.state, company.symbol) // 2
        most = min(option.most, company.cash - kept)
        if most >= max(option.least, option.most * 3 // 4):
            most = option.least + (most - option.least) // option.step * option.step
            return Decision(option.at(most), f"{most} from {company.symbol} to its president")
    return None


def _owner(sight: Sight, option: Range) -> str:
    assert isinstance(option.action, BuyPrivate)
    return sight.answers.privates(sight.state)[option.action.private]


def buy_tender(sight: Sight) -> Decision | None:
    """Buy a tender if the runs pay for it."""
    options = sight.plain(BuyTender)
    company = sight.company
    if company is None or sight.offers(BuyTrain) or not company.trains:
        return None
    if outlook.shortfall(sight.state, company):
        return None
    after = sight.state.apply(options[0]).state
    gain = outlook.income(after, company.symbol) - outlook.income(sight.state, company.symbol)
    paid = company.cash - after.companies[company.symbol].cash
    if gain * min(outlook.rounds_left(sight.state), outlook.HORIZON) > paid:
        return Decision(options[0], f"a tender for {paid} earns {gain} more a run")
    return None


def place_bonus(sight: Sight) -> Decision | None:
    """Place a bonus at once, where it earns most; of several sorts the last one listed."""
    state, found = sight.state, []
    for number, option in enumerate(sight.plain(PlaceBonus)):
        after = state.apply(option).state
        gain = outlook.income(after, option.company) - outlook.income(state, option.company)
        found.append((gain, bool(state.companies[option.company].trains), number, option))
    gain, _, _, best = max(found, key=lambda row: row[:3])
    why = f"earns {gain} more there" if gain > 0 else "is of use only there"
    return Decision(best, f"the bonus of {best.concession} for {best.company} {why}")


def buy_machine(sight: Sight) -> Decision | None:
    """Buy the machine that brings most above its price in the rounds that are left."""
    state, company, found = sight.state, sight.company, []
    assert company is not None
    ahead = outlook.rounds_left(state) - 1
    for option in sight.plain(BuyMachine):
        after = state.apply(option).state
        gain = outlook.income(after, company.symbol) - outlook.income(state, company.symbol)
        paid = company.cash - after.companies[company.symbol].cash
        found.append((gain * ahead - paid, gain, paid, option))
    worth, gain, paid, best = max(found, key=lambda row: row[0])
    if worth <= 0:
        return None
    return Decision(best, f"a machine for {paid} earns {gain} more a run")
