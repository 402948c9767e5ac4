"""Whether a stop condition of a program is met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from carril.engine.events import (
    BidMade,
    Event,
    PhaseBegan,
    PresidentChanged,
    PriceMoved,
    SharesSold,
)
from carril.engine.market import marker, price
from carril.engine.state import State
from carril.programs.history import Halt, History, halt
from carril.programs.kinds import (
    AnyProgram,
    BidUpTo,
    NewPhase,
    OtherBid,
    PresidentChanges,
    PriceBelow,
    RoundEnds,
    ShareSold,
    Stop,
)

E = TypeVar("E", bound=Event)


def stopped(state: State, player: str, program: AnyProgram, since: History) -> Halt | None:
    """Return why one of the stop conditions of a program is met, or None."""
    for stop in program.stops:
        if found := _met(state, player, program, stop, since):
            return found
    return None


def _met(state: State, player: str, program: AnyProgram, stop: Stop, since: History) -> Halt | None:
    match stop:
        case ShareSold(company=company):
            return share_sold(state, player, company, since)
        case PriceBelow(company=company, price=price):
            return _price_below(state, company, price, since)
        case OtherBid():
            return _other_bid(player, program, since)
        case PresidentChanges(company=company):
            return president_changed(state, player, company, since)
        case NewPhase():
            return next((halt("phase", phase=e.phase) for e in told(since, PhaseBegan)), None)
        case RoundEnds():
            return round_over(state, since)
    raise AssertionError(f"unknown condition {stop}")


def told(since: History, kind: type[E], but: str = "") -> Iterator[E]:
    """Yield the events of a kind, without those of the actions of one player."""
    for entry in since.entries:
        if not but or entry.by != but:
            yield from (event for event in entry.events if isinstance(event, kind))


def holds(state: State, player: str, company: str) -> bool:
    """Return whether a player owns or holds shares of a company."""
    found = state.companies.get(company)
    return found is not None and (found.owner == player or found.held(player) > 0)


def share_sold(state: State, player: str, company: str, since: History) -> Halt | None:
    """Return that somebody else has sold shares of a company, or of one that the player holds."""
    for event in told(since, SharesSold, but=player):
        if event.company == company or (not company and holds(state, player, event.company)):
            sold = event.company
            return halt("sold", seller=event.seller, company=sold, count=event.count)
    return None


def president_changed(state: State, player: str, company: str, since: History) -> Halt | None:
    """Return that a company has another president; by default one that the player holds."""
    for event in told(since, PresidentChanged, but=player):
        own = player in (event.old, event.new) or holds(state, player, event.company)
        if event.company == company or (not company and own):
            return halt("president", company=event.company, player=event.new)
    return None


def price_changed(state: State, player: str, since: History) -> Halt | None:
    """Return that the price of a company that the player holds has changed."""
    for event in told(since, PriceMoved):
        if holds(state, player, event.company):
            return halt("price-changed", company=event.company, old=event.old, new=event.new)
    return None


def round_over(state: State, since: History) -> Halt | None:
    """Return that the round in which the program was given is over."""
    over = str(state.round) != since.round
    return halt("round", round=since.round) if over else None


def _price_below(state: State, company: str, least: int, since: History) -> Halt | None:
    prices = [event.new for event in told(since, PriceMoved) if event.company == company]
    if marker(state, company):
        prices.append(price(state, company))
    low = [one for one in prices if one < least]
    return halt("price", company=company, price=low[0], least=least) if low else None


def _other_bid(player: str, program: AnyProgram, since: History) -> Halt | None:
    lot = program.lot if isinstance(program, BidUpTo) else ""
    for event in told(since, BidMade, but=player):
        if lot in ("", event.lot):
            return halt("other-bid", player=event.player, lot=event.lot, amount=event.amount)
    return None
