"""Which programs make sense for a player in a position."""

from __future__ import annotations

from msgspec import Struct

from carril.engine.market import marker, price
from carril.engine.shares import company_def
from carril.engine.state import State
from carril.engine.steps.auction import Auction
from carril.engine.steps.operating import OperatingRound
from carril.programs.deciding import offers
from carril.programs.stopping import holds


class Lot(Struct, frozen=True):
    """A lot that can be bid for, and the lowest bid at present."""

    lot: str
    least: int


class Sensible(Struct, frozen=True):
    """What a player can give programs for; an empty field stands for a program without use."""

    passing: bool = False
    """Whether it is a round of players."""
    buy: tuple[str, ...] = ()
    """Companies whose shares can be bought in stock rounds."""
    to_float: tuple[str, ...] = ()
    """Those among them that have not floated."""
    lots: tuple[Lot, ...] = ()
    offers: tuple[str, ...] = ()
    """The kinds of offers that can be answered."""
    operate: tuple[str, ...] = ()
    """The player's companies."""
    dividends: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    """Companies that the player holds and that have a price."""

    @property
    def to_buy(self) -> tuple[str, ...]:
        """The companies whose shares can be bought, those that have not floated first."""
        return tuple(dict.fromkeys((*self.to_float, *self.buy)))

    @property
    def anything(self) -> bool:
        """Whether there is a program to give."""
        return bool(self.passing or self.buy or self.lots or self.offers or self.operate)


def sensible(state: State, player: str) -> Sensible:
    """Return what a player can give programs for in a position."""
    seat = state.players.get(player)
    if state.ended or seat is None or seat.bankrupt:
        return Sensible()
    listed = [one for one in state.companies.values() if one.started and not one.closed]
    shared = [one for one in listed if not company_def(state, one.symbol).sole_owner]
    owned = tuple(one.symbol for one in listed if one.owner == player)
    rules = state.title.earnings
    operating = any(isinstance(step, OperatingRound) for step in state.agenda)
    return Sensible(
        passing=not operating,
        buy=tuple(one.symbol for one in shared),
        to_float=tuple(one.symbol for one in shared if not one.floated),
        lots=_lots(state),
        offers=offers(state) if owned else (),
        operate=owned,
        dividends=tuple(dict.fromkeys((*rules.choices, *rules.owner_choices))) if owned else (),
        held=tuple(
            one.symbol
            for one in shared
            if holds(state, player, one.symbol) and marker(state, one.symbol)
        ),
    )


def prices(state: State, companies: tuple[str, ...]) -> dict[str, int]:
    """Return the share prices of some companies."""
    return {symbol: price(state, symbol) for symbol in companies}


def _lots(state: State) -> tuple[Lot, ...]:
    """Return the lot on sale and those that are left, each with the lowest bid."""
    auction = next((step for step in state.agenda if isinstance(step, Auction)), None)
    if auction is None:
        return ()
    rules = state.title.auction
    waiting = [lot for lot in rules.lots(state) if lot != auction.lot]
    found = [Lot(lot, rules.opening_bid(state, lot)) for lot in waiting]
    if not auction.lot:
        return tuple(found)
    least = auction.price if auction.stage == "falling" else auction.least
    return (Lot(auction.lot, least), *found)
