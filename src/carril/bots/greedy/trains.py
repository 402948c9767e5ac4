"""Trains: which to buy, when the president pays, what they sell for it, which to give up."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.sight import Sight
from carril.engine.actions import (
    Action,
    BuyTrain,
    ChooseSide,
    CombineTrains,
    DiscardTrain,
    GoBankrupt,
    IssueShares,
    Pass,
    Range,
    SellShares,
)
from carril.engine.market import price
from carril.engine.state import State
from carril.engine.trains import running_trains, runs_itself, train_def

PURCHASES = (BuyTrain, SellShares, CombineTrains, GoBankrupt)
"""The actions of a train step."""


def shop(sight: Sight) -> Decision | None:
    """Decide a train step."""
    if sight.company is None:
        return None
    if sight.may_pass:
        return _combine(sight) or _invest(sight) or _pass(sight)
    return _forced(sight)


def _pass(sight: Sight) -> Decision:
    return Decision(sight.plain(Pass)[0], "no train is worth its price")


# --- by choice ---------------------------------------------------------------------------


def _combine(sight: Sight) -> Decision | None:
    """Couple trains if the run gains by it."""
    assert sight.company is not None
    symbol = sight.company.symbol
    options = sight.plain(CombineTrains)
    before = outlook.certain_income(sight.state, symbol) if options else 0
    for option in options[:4]:
        gain = outlook.certain_income(sight.state.apply(option).state, symbol) - before
        if gain > 0:
            return Decision(option, f"{option.train} with {option.recycled} earns {gain} more")
    return None


def _invest(sight: Sight) -> Decision | None:
    """Buy what earns its price back, or what will still run when the others are gone."""
    found = []
    for option in sight.plain(BuyTrain):
        if option.source in sight.state.companies or option.loan:
            continue
        worth, gain = _worth(sight, option)
        if worth > 0:
            found.append((worth, gain, option))
    if not found:
        return None
    _, gain, best = max(found, key=lambda row: row[:2])
    if gain > 0:
        return Decision(best, f"a {best.train} for {best.price} earns {gain} more a run")
    return Decision(best, f"a {best.train} for {best.price} lasts when others are gone")


def _worth(sight: Sight, option: BuyTrain) -> tuple[float, int]:
    """Return the value of a train above its price, and what the run gains."""
    state = sight.state
    assert sight.company is not None
    symbol = sight.company.symbol
    after = state.apply(option).state
    charter = after.companies[symbol]
    if option.train not in charter.trains or not _usable(sight, option.train):
        return -1.0, 0
    gain = outlook.income(after, symbol) - outlook.income(state, symbol)
    lived = outlook.rounds_of(after, option.train)
    ahead = min(outlook.rounds_left(state) - 1, lived)
    if not runs_itself(state, option.train):
        saves = outlook.shortfall(after, charter) > 0
        return (gain * ahead - option.price * (2 if saves else 1)), gain
    secures = not outlook.lasts(state, sight.company) and lived > 3 and ahead > 1
    weight = 0.4 if lived > 4 else 0.8
    if outlook.shortfall(after, charter) and sight.company.trains:
        weight = 1.2
    return gain * ahead - option.price * weight + (option.price if secures else 0), gain


# --- by force ----------------------------------------------------------------------------


def _forced(sight: Sight) -> Decision | None:
    """Own a train at any price, in the order of what it costs the president."""
    for rule in (_from_sister, _issue, _from_bank, _sell, _from_others, _give_up):
        decision = rule(sight)
        if decision:
            return decision
    return None


def _bought(option: Range) -> BuyTrain:
    assert isinstance(option.action, BuyTrain)
    return option.action


def _from_sister(sight: Sight) -> Decision | None:
    """Take a train that another company of ours can spare."""
    assert sight.company is not None
    for option in sight.ranges(BuyTrain):
        action = _bought(option)
        seller = sight.state.companies[action.source]
        spare = len(running_trains(sight.state, seller)) > 1
        if seller.owner == sight.me and spare and _usable(sight, action.train):
            lasting = outlook.rounds_of(sight.state, action.train) > 1
            if lasting or sight.company.cash < outlook.train_price(
                sight.state, sight.company.symbol
            ):
                fair = min(
                    option.most, sight.company.cash, train_def(sight.state, action.train).price
                )
                cost = max(option.least, fair // 2)
                why = f"{seller.symbol} can spare a {action.train}"
                return Decision(option.at(cost), why)
    return None


def _issue(sight: Sight) -> Decision | None:
    """Issue shares of the company for a train that it cannot pay for."""
    assert sight.company is not None
    for option in sight.ranges(IssueShares):
        each = price(sight.state, sight.company.symbol)
        return Decision(option.at(option.least), f"needs money for a train: a share at {each}")
    return None


def _from_bank(sight: Sight) -> Decision | None:
    """Buy from stack or pool: with the company's money the best, else the cheapest."""
    assert sight.company is not None
    options = [
        one
        for one in sight.plain(BuyTrain)
        if runs_itself(sight.state, one.train) and not (one.loan and sight.ranges(SellShares))
    ]
    if not options:
        return None
    cash = sight.company.cash
    paid = [one for one in options if one.price <= cash]
    if paid:
        best = max(paid, key=lambda one: (*_worth(sight, one), _suits(sight, one)))
        return Decision(best, f"needs a train: a {best.train} for {best.price}")

    def burden(option: BuyTrain) -> tuple[int, int, int]:
        return option.price, -_suits(sight, option), -outlook.rounds_of(sight.state, option.train)

    best = min(options, key=burden)
    help_ = best.price - cash
    return Decision(best, f"needs a train: a {best.train}, {help_} from the president")


def _usable(sight: Sight, train: str) -> bool:
    """Return whether a train can run on the track of the company that is to own it."""
    assert sight.company is not None
    return outlook.usable(sight.state, sight.company.symbol, train)


def _suits(sight: Sight, option: BuyTrain) -> int:
    """Return how well a train suits the track of the company that is to own it."""
    assert sight.company is not None
    return outlook.suits(sight.state, sight.company.symbol, option.train)


def _sell(sight: Sight) -> Decision | None:
    """Sell the shares with the lowest return."""
    options = sight.ranges(SellShares)
    if not options:
        return None
    state = sight.state

    def promise(option: Range) -> tuple[bool, float]:
        assert isinstance(option.action, SellShares)
        symbol = option.action.company
        return state.companies[symbol].owner == sight.me, outlook.share_return(state, symbol)

    option = min(options, key=promise)
    action = option.at(option.most)
    assert isinstance(action, SellShares)
    each = price(state, action.company)
    return Decision(action, f"needs money for a train: {option.most} {action.company} at {each}")


def _from_others(sight: Sight) -> Decision | None:
    """Offer all we have for another player's train before we give up."""
    options = [one for one in sight.ranges(BuyTrain) if _usable(sight, _bought(one).train)]
    if not options:
        return None
    option = max(options, key=lambda one: outlook.rounds_of(sight.state, _bought(one).train))
    action = _bought(option)
    return Decision(option.at(option.most), f"offers {option.most} for a {action.train}")


def _give_up(sight: Sight) -> Decision | None:
    plain: list[Action] = [*sight.plain(BuyTrain), *sight.plain(GoBankrupt)]
    return Decision(plain[0], "nothing else is left") if plain else None


# --- giving up and choosing --------------------------------------------------------------


def give_up(sight: Sight) -> Decision | None:
    """Discard the train whose loss costs least, the soonest to rust of equal ones."""
    options = sight.plain(DiscardTrain)
    if sight.company is None:
        return None
    if sight.may_pass:
        return Decision(sight.plain(Pass)[0], "keeps what it has")
    left = {one.train: _without(sight.state, sight.company.symbol, one.train) for one in options}

    def loss(option: DiscardTrain) -> tuple[bool, int, int]:
        rounds = outlook.rounds_of(sight.state, option.train)
        return rounds > 3, -left[option.train], rounds

    best = min(options, key=loss)
    return Decision(best, f"without its {best.train} it still earns {left[best.train]}")


def _without(state: State, symbol: str, train: str) -> int:
    trains = list(state.companies[symbol].trains)
    trains.remove(train)
    return outlook.income_with(state, symbol, tuple(trains))


def side(sight: Sight) -> Decision | None:
    """Choose the side of a train that earns more here."""
    options = sight.plain(ChooseSide)
    if sight.company is None:
        return None
    symbol, trains = sight.company.symbol, sight.company.trains
    rank = {
        one.train: outlook.income_with(sight.state, symbol, (*trains, one.train)) for one in options
    }
    best = max(options, key=lambda one: rank[one.train])
    return Decision(best, f"as a {best.train} it earns {rank[best.train]}")
