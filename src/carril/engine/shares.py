"""Shares move only here. They are counted in units; a president's certificate is several."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from carril.engine.events import PresidentChanged, SharesMoved, SharesReturned, SharesSold
from carril.engine.market import move_price, operating_order, price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, POOL, Company, State
from carril.engine.step import refuse
from carril.engine.tables import CompanyDef


def company_def(state: State, symbol: str) -> CompanyDef:
    """Return the company's entry in the tables."""
    return state.tables.companies[symbol]


def percent(state: State, company: Company, units: int) -> int:
    """Return a number of shares of a company as a percentage."""
    return units * 100 // company_def(state, company.symbol).units


def players_from(state: State, first: str) -> list[str]:
    """Return the names of all players in order, beginning with one of them."""
    names = list(state.players)
    start = names.index(first)
    return names[start:] + names[:start]


def next_player(state: State, name: str) -> str:
    """Return the next player in order who is still in the game."""
    for other in players_from(state, name)[1:]:
        if not state.players[other].bankrupt:
            return other
    return name


def share_certificates(state: State, player: str) -> int:
    """Return a player's certificates of corporations: the president's counts as one."""
    count = 0
    for company in state.companies.values():
        held = company.shares.get(player)
        if held:
            extra = company_def(state, company.symbol).president_units - 1
            count += held - (extra if company.owner == player else 0)
    return count


def limit_refusal(state: State, player: str) -> Refusal | None:
    """Return why a player may not take one more certificate, or None."""
    limit = certificate_limit(state)
    if state.title.certificates(state, player) >= limit:
        return refuse(state, "certificate-limit", limit=limit)
    return None


def certificate_limit(state: State) -> int:
    """Return how many certificates a player may own."""
    return state.tables.setup.certificates


def sell_down(state: State, player: str, sellable: Collection[str]) -> str:
    """Return the refusal for a player above a limit who has shares to sell, or ""."""
    for symbol in sellable:
        if state.companies[symbol].held(player) > state.tables.share_limit("player", symbol):
            return "must-sell"
    over = sellable and state.title.certificates(state, player) > certificate_limit(state)
    return "must-sell-certificates" if over else ""


def excess_shares(state: State, player: str, symbol: str) -> int:
    """Return how many shares of a company a player holds above the limit, at least 1."""
    limit = state.tables.share_limit("player", symbol)
    return max(1, state.companies[symbol].held(player) - limit)


def held_by_players(state: State, company: Company) -> int:
    """Return how many shares of a company players hold."""
    return sum(count for holder, count in company.shares.items() if holder in state.players)


def transfer(move: Move, symbol: str, source: str, target: str, count: int) -> None:
    """Move shares between holders; the president is looked at separately."""
    company = move.state.companies[symbol]
    shares = dict(company.shares)
    assert shares.get(source, 0) >= count, f"{source} does not hold {count} of {symbol}"
    shares[source] -= count
    if not shares[source]:
        del shares[source]
    shares[target] = shares.get(target, 0) + count
    move.change_company(symbol, shares=shares)


def hand_over(move: Move, symbol: str, source: str, target: str, count: int) -> None:
    """Move shares without a sale, and say so."""
    if count:
        transfer(move, symbol, source, target, count)
        move.tell(SharesMoved(symbol, source, target, count))


def return_shares(move: Move, symbol: str, place: str) -> None:
    """Put all shares of a company that has closed back into one place."""
    move.change_company(symbol, owner="", shares={place: company_def(move.state, symbol).units})
    move.tell(SharesReturned(symbol, place))


def _challengers(state: State, company: Company) -> Iterator[tuple[int, str]]:
    """Yield the holdings of other players who could be president, in the order of succession."""
    least = company_def(state, company.symbol).president_units
    succession = state.title.succession
    if succession:
        names = succession(state, company)
    else:
        names = players_from(state, company.owner or next(iter(state.players)))
    for name in names:
        if name != company.owner and company.held(name) >= least:
            yield company.held(name), name


def heir(state: State, company: Company) -> str:
    """Return the next president if the present one sold everything: most shares, first in order."""
    best = max(_challengers(state, company), default=(0, ""), key=lambda found: found[0])
    return best[1]


def check_president(move: Move, symbol: str) -> None:
    """Give the president's certificate to a player with strictly more shares than its holder."""
    company = move.state.companies[symbol]
    if not company.owner:
        return
    leader = heir(move.state, company)
    if leader and company.held(leader) > company.held(company.owner):
        move.change_company(symbol, owner=leader)
        move.tell(PresidentChanged(symbol, company.owner, leader))


def most_sellable(state: State, seller: str, company: Company) -> int:
    """Return how many shares a seller may sell: the pool has room, and a president remains."""
    room = state.tables.share_limit("pool", company.symbol) - company.held(POOL)
    held = company.held(seller)
    if company.owner == seller and not heir(state, company):
        held -= company_def(state, company.symbol).president_units
    return max(0, min(room, held))


def sale_refusal(state: State, seller: str, symbol: str, count: int) -> Refusal | None:
    """Return why a player may not sell this number of shares now, or None."""
    company = state.companies.get(symbol)
    if company is None or not company.started or not company.shares:
        return refuse(state, "no-such-stock", company=symbol)
    held = company.held(seller)
    if not 1 <= count <= held:
        return refuse(state, "not-held", company=symbol, count=count, held=held)
    if not company.operated:
        return refuse(state, "not-operated", company=symbol)
    if count <= most_sellable(state, seller, company):
        return None
    if company.owner == seller and not heir(state, company):
        least = company_def(state, symbol).president_units
        if held - count < least:
            return refuse(state, "no-heir", company=symbol, count=count, held=held)
    return refuse(state, "pool-full", company=symbol, count=count, pool=company.held(POOL))


def sell(move: Move, seller: str, symbol: str, count: int) -> None:
    """Sell a block to the pool at the price before the sale; then the price may fall."""
    each = price(move.state, symbol)
    transfer(move, symbol, seller, POOL, count)
    move.tell(SharesSold(seller, symbol, count, each))
    pay(move, BANK, seller, count * each, "shares")
    check_president(move, symbol)
    if company_def(move.state, symbol).price_falls:
        move_price(move, symbol, "down", "sale", count)


@dataclass(frozen=True, slots=True)
class Source:
    """A place from which shares can be bought."""

    place: str
    at_par: bool = False
    """A share costs the par value; otherwise the present price."""
    pays_company: Callable[[State], bool] = lambda state: False
    """Whether the money goes to the company; otherwise to the bank."""
    closed: Callable[[State, str], str] = lambda state, symbol: ""
    """The refusal of a purchase of a company's shares from here, "" if they are for sale."""
    counts_as_sold: bool = False
    """Whether a company with shares here can be sold out."""


def source_named(state: State, place: str) -> Source | None:
    """Return the source of shares at a place, or None if there is none."""
    return next((one for one in state.title.stock.sources if one.place == place), None)


def share_cost(state: State, symbol: str, place: str) -> int:
    """Return what one share of a company costs in a stock round, by where it is bought."""
    source = source_named(state, place)
    at_par = source is not None and source.at_par
    return state.companies[symbol].par if at_par else price(state, symbol)


def paid_to(state: State, symbol: str, place: str) -> str:
    """Return who is paid for a share of a company, by where it is bought."""
    source = source_named(state, place)
    return symbol if source is not None and source.pays_company(state) else BANK


def sold_out(state: State) -> list[str]:
    """Return the companies in play of which no share is left to buy."""
    places = [one.place for one in state.title.stock.sources if not one.counts_as_sold]
    return [
        company.symbol
        for company in state.companies.values()
        if company.floated
        and not company.closed
        and not company_def(state, company.symbol).sole_owner
        and not any(company.held(place) for place in places)
    ]


def raise_sold_out(move: Move) -> None:
    """Raise the price of each company that is sold out, the highest price first."""
    for symbol in operating_order(move.state, sold_out(move.state)):
        move_price(move, symbol, "up", "sold out")
