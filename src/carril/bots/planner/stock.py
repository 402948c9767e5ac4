"""Stock rounds of the planner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carril.bots.bot import Decision
from carril.bots.greedy import outlook, stock
from carril.bots.greedy.sight import has_sole_owner
from carril.bots.greedy.stock import DEALS
from carril.bots.planner.openings import opening
from carril.bots.planner.params import Plan
from carril.bots.planner.prospects import prospect
from carril.engine.actions import BuyShare, ExchangeMinor, MergeMinor, SellShares, StartCompany
from carril.engine.asides import takes
from carril.engine.launch import start_cost
from carril.engine.network import linked
from carril.engine.shares import certificate_limit, company_def, heir, share_cost
from carril.engine.state import Company, State

__all__ = ["DEALS", "merge", "trade"]

PLAYED_OUT = 5
"""How many of the companies that can be started are played out on the map."""


def trade(sight: Plan) -> Decision | None:
    """Decide a turn of a stock round."""
    if sight.company is not None:
        return None
    rules: tuple[Callable[[Plan], Decision | None], ...] = (
        stock.repay,
        stock.must_sell,
        escape,
        stock.dump,
        stock.convert,
        stock.complete,
        start,
        stock.exchange,
        upgrade,
        buy,
        stock.last,
    )
    for rule in rules:
        decision = rule(sight)
        if decision:
            return decision
    return None


# --- shares ------------------------------------------------------------------------------


def room(sight: Plan) -> int:
    """Return how many more certificates the player may take."""
    state = sight.state
    return certificate_limit(state) - state.title.certificates(state, sight.me)


def buy(sight: Plan) -> Decision | None:
    """Buy the best share for its price; with more money than certificates, the best share."""
    spare = sight.cash - outlook.burden(sight.state, sight.me)
    rows = [row for row in _offers(sight, spare) if row.gain >= sight.params.least_gain * row.cost]
    if not rows:
        return None
    places = max(1, room(sight))
    rich = [row for row in rows if row.cost * places <= spare]
    best = max(rich, key=lambda row: row.gain) if rich else max(rows, key=lambda row: row.rate)
    symbol = best.action.company
    return Decision(best.action, f"a share of {symbol} for {best.cost} brings {best.gain:.0f} more")


@dataclass(frozen=True, slots=True)
class Offer:
    """A share for sale, what it costs and what it brings above its cost."""

    action: BuyShare
    cost: int
    gain: float
    rate: float


def _offers(sight: Plan, spare: int) -> Iterator[Offer]:
    """Yield the shares that can be bought and are safe to own."""
    state = sight.state
    for option in sight.plain(BuyShare):
        cost = share_cost(state, option.company, option.source)
        if cost <= spare and safe(sight, option):
            yield _offer(sight, option, cost)


def _offer(sight: Plan, option: BuyShare, cost: int) -> Offer:
    state = sight.state
    ahead = prospect(state, option.company)
    gain = ahead.dividends + ahead.then - cost
    rate = outlook.share_return(state, option.company)
    if state.companies[option.company].owner == sight.me:
        rate += sight.params.own
    return Offer(option, cost, gain, rate)


def safe(sight: Plan, option: BuyShare) -> bool:
    """Return whether a share is welcome, and its president cannot leave the company to us."""
    if not stock.welcome(sight, option):
        return False
    company = sight.state.companies[option.company]
    if company.owner in ("", sight.me) or not debt(sight, company):
        return True
    units = company.held(sight.me) + 1
    others = [company.held(name) for name in sight.state.players if name != company.owner]
    return units < company_def(sight.state, company.symbol).president_units or units <= max(others)


def debt(sight: Plan, company: Company) -> int:
    """Return what the president of a company may soon have to pay for its train; 0 if little."""
    state = sight.state
    lack = outlook.shortfall(state, company)
    lack -= 2 * outlook.income(state, company.symbol) if lack else 0
    return lack if lack > sight.params.harmless else 0


def escape(sight: Plan) -> Decision | None:
    """Sell shares of a company that its president can leave to us before it needs a train."""
    state = sight.state
    for option in sight.ranges(SellShares):
        action = option.at(option.least)
        assert isinstance(action, SellShares)
        company = state.companies[action.company]
        lack = debt(sight, company)
        if company.owner == sight.me or not lack or heir(state, company) != sight.me:
            continue
        if state.players[company.owner].cash >= lack * 2 or sight.cash >= lack * 2:
            continue
        why = f"{company.symbol} lacks {lack} for a train, and may be left to us"
        return Decision(option.at(option.most), why)
    return None


def upgrade(sight: Plan) -> Decision | None:
    """With no room for certificates, sell a share that brings little for one that brings much."""
    if room(sight) > 0 or outlook.rounds_left(sight.state) < 2:
        return None
    best: tuple[float, Decision] | None = None
    wanted = _wanted(sight)
    for option in sight.ranges(SellShares):
        action = option.at(option.least)
        assert isinstance(action, SellShares)
        found = _exchange_for(sight, action, wanted)
        if found and (best is None or found[0] > best[0]):
            best = found
    return best[1] if best else None


def _wanted(sight: Plan) -> list[Offer]:
    """Return the shares for sale, those that bring most first, whether there is room or not."""
    state, found = sight.state, []
    spare = sight.cash - outlook.burden(state, sight.me)
    for company, place in _for_sale(state):
        option = BuyShare(company.symbol, place, by=sight.me)
        cost = share_cost(state, company.symbol, place)
        if cost <= spare and safe(sight, option):
            found.append(_offer(sight, option, cost))
    return sorted(found, key=lambda row: -row.gain)[:4]


def _for_sale(state: State) -> Iterator[tuple[Company, str]]:
    """Yield the companies with shares for sale, and where these are."""
    for company in state.companies.values():
        if company.floated and not has_sole_owner(state, company):
            yield from (
                (company, source.place)
                for source in state.title.stock.sources
                if company.held(source.place)
            )


def _exchange_for(
    sight: Plan, action: SellShares, wanted: list[Offer]
) -> tuple[float, Decision] | None:
    """Return what it brings to sell some shares for the best that can then be bought."""
    state = sight.state
    if not wanted or wanted[0].action.company == action.company:
        return None
    loss = prospect(state, action.company).gain * action.count
    if wanted[0].gain - loss < sight.params.upgrade:
        return None
    after = state.apply(action).state
    if after.acting != sight.me or state.companies[action.company].owner != (
        after.companies[action.company].owner
    ):
        return None
    worth = state.title.worth
    fall = worth(state, sight.me) - worth(after, sight.me)
    for offer in wanted:
        net = offer.gain - loss - fall
        if net >= sight.params.upgrade and after.refusal(offer.action) is None:
            symbol = offer.action.company
            why = f"{symbol} brings {offer.gain:.0f} a share, {action.company} {loss:.0f}"
            return net, Decision(action, why)
    return None


# --- companies ---------------------------------------------------------------------------


def start(sight: Plan) -> Decision | None:
    """Start a company at the highest value at which our money and our minors make it float."""
    state = sight.state
    if any(not c.floated and not has_sole_owner(state, c) for c in sight.mine):
        return None
    if outlook.rounds_left(state) <= 3:
        return None
    spare = sight.cash - int(sight.params.reserve * outlook.burden(state, sight.me))
    given = mergeable(sight) if takes(state, ExchangeMinor) else 0
    costs = [(_cost(sight, one, given), one) for one in sight.plain(StartCompany)]
    starts = [one for cost, one in costs if cost <= spare]
    if not starts:
        return None
    homes = {one.company: stock.promise(state, one) for one in starts}
    likely = sorted(homes, key=lambda symbol: -homes[symbol])[:PLAYED_OUT]
    earns = {symbol: _earns(state, symbol) for symbol in likely}
    best = max(
        (one for one in starts if one.company in earns),
        key=lambda one: (earns[one.company], homes[one.company], one.price),
    )
    cost = _cost(sight, best, given)
    why = f"starts {best.company} at {best.price}: {cost} of {sight.cash} floats it"
    return Decision(best, why)


def _earns(state: State, symbol: str) -> int:
    """Return what a company with a home earns after its first turns."""
    return opening(state, symbol) if company_def(state, symbol).home else 0


def mergeable(sight: Plan) -> int:
    """Return how many of our minors one company can take: one, and those linked to it."""
    minors = sight.my_minors
    return max((1 + links(sight, minor.symbol) for minor in minors), default=0)


def links(sight: Plan, symbol: str) -> int:
    """Return how many others of our minors are linked to one of them."""
    tables, board = sight.state.tables, sight.state.board
    others = [minor.symbol for minor in sight.my_minors if minor.symbol != symbol]
    return sum(linked(tables, board, other, symbol, once_per_hex=True) for other in others)


def merge(sight: Plan) -> Decision | None:
    """Found a company on the minor that brings others with it if needed, else on the best."""
    state, options = sight.state, sight.plain(MergeMinor)
    rank = {one.minor: outlook.later(state, one.minor) for one in options}
    company = sight.company
    lacks = stock.lacking(state, company) - 1 if company is not None else 0
    wanted = max(0, lacks - sight.cash // max(1, company.par)) if company is not None else 0

    def value(option: MergeMinor) -> tuple[int, int, int]:
        joined = min(wanted, links(sight, option.minor)) if wanted else 0
        return joined, rank[option.minor], state.companies[option.minor].cash

    best = max(options, key=value)
    return Decision(best, f"minor {best.minor} can earn {rank[best.minor]}")


def _cost(sight: Plan, action: StartCompany, given: int) -> int:
    """Return what we would pay until a company floats, with some of our minors as shares."""
    state, company = sight.state, sight.state.companies[action.company]
    cost = start_cost(state, action.company, action.price)
    if has_sole_owner(state, company):
        return cost
    certificate = company_def(state, company.symbol).president_units
    lacks = stock.lacking(state, company) - certificate - given
    return cost + max(0, lacks) * action.price
