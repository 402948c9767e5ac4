"""A second bookkeeping: money, shares, trains, tokens, prices and tiles, from events alone.

The ledger takes stock once, before the first action. From then on it reads nothing but events, so
whatever the engine moves without an event, or reports wrongly, shows as a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import singledispatchmethod
from typing import Any

from carril.engine.board import CLOSED
from carril.engine.events import (
    CompanyClosed,
    CompanyStarted,
    Event,
    LoanRepaid,
    LoanTaken,
    LotSold,
    MoneyPaid,
    PhaseBegan,
    PresidentChanged,
    PriceMoved,
    PriceRemoved,
    ShareBought,
    SharesMoved,
    SharesReturned,
    SharesSold,
    TileLaid,
    TokenPlaced,
    TokenRemoved,
    TokensAllotted,
    TrainBought,
    TrainDiscarded,
    TrainExported,
    TrainMoved,
    TrainsAged,
    TrainsRusted,
)
from carril.engine.market import grid
from carril.engine.state import BANK, POOL, TREASURY, State
from carril.engine.trains import STACK, main_train

Account = Counter[tuple[str, str]]
"""Amounts by two names: what it is, and where it is."""


class Ledger:
    """The accounts of one game."""

    def __init__(self, state: State) -> None:
        """Take stock of a position."""
        self.cash = Counter(cash_in(state))
        self.shares = shares_in(state)
        self.presidents = presidents_in(state)
        self.trains = trains_in(state)
        self.supply = supply_in(state)
        self.debts = debts_in(state)
        self.tokens = tokens_in(state)
        self.spare = spare_tokens_in(state)
        self.prices = prices_in(state)
        self.tiles = tiles_in(state)
        self.phase = state.phase
        self._cards = {name: one.card or name for name, one in state.tables.trains.items()}

    def enter_all(self, events: Iterable[Event]) -> None:
        """Enter what happened, in order."""
        for event in events:
            self.enter(event)

    def difference(self, state: State) -> str:
        """Return the first account that disagrees with a position, with both values, or ""."""
        for name, count in ACCOUNTS.items():
            mine, theirs = getattr(self, name), count(state)
            if difference := _difference(mine, theirs):
                return f"{name}: {difference}"
        return ""

    # --- entries -------------------------------------------------------------------------

    @singledispatchmethod
    def enter(self, event: Event) -> None:
        """Enter one event; most kinds move nothing."""

    @enter.register
    def _(self, event: MoneyPaid) -> None:
        self.cash[event.source] -= event.amount
        self.cash[event.target] += event.amount

    @enter.register
    def _(self, event: ShareBought) -> None:
        target = TREASURY if event.buyer == event.company else event.buyer
        self._move_shares(event.company, event.source, target, event.count)

    @enter.register
    def _(self, event: SharesSold) -> None:
        source = TREASURY if event.seller == event.company else event.seller
        self._move_shares(event.company, source, POOL, event.count)

    @enter.register
    def _(self, event: SharesMoved) -> None:
        self._move_shares(event.company, event.source, event.target, event.count)

    @enter.register
    def _(self, event: SharesReturned) -> None:
        for company, holder in list(self.shares):
            if company == event.company:
                count = self.shares[company, holder]
                self._move_shares(company, holder, event.place, count)

    def _move_shares(self, company: str, source: str, target: str, count: int) -> None:
        self.shares[company, source] -= count
        self.shares[company, target] += count

    @enter.register
    def _(self, event: LotSold) -> None:
        if event.lot in self.cash:
            self.presidents[event.lot] = event.player

    @enter.register
    def _(self, event: CompanyClosed) -> None:
        self.presidents.pop(event.company, None)

    @enter.register
    def _(self, event: CompanyStarted) -> None:
        self.presidents[event.company] = event.player
        self.prices[event.company] = event.price

    @enter.register
    def _(self, event: PresidentChanged) -> None:
        self.presidents[event.company] = event.new

    @enter.register
    def _(self, event: PriceMoved) -> None:
        self.prices[event.company] = event.new

    @enter.register
    def _(self, event: PriceRemoved) -> None:
        self.prices.pop(event.company, None)

    @enter.register
    def _(self, event: TokenPlaced) -> None:
        self.tokens[event.company, event.hex] += 1
        self.spare[event.company, "usable"] -= 1

    @enter.register
    def _(self, event: TokenRemoved) -> None:
        self.tokens[event.company, event.hex] -= 1
        self.spare[event.company, "usable"] += 1

    @enter.register
    def _(self, event: TokensAllotted) -> None:
        self.spare[event.company, "usable"] = event.usable
        self.spare[event.company, "locked"] = event.locked

    @enter.register
    def _(self, event: TrainBought) -> None:
        self._move_train(event.train, event.source, event.company)
        if event.source == STACK:
            self._take_card(event.train)

    @enter.register
    def _(self, event: TrainExported) -> None:
        self._take_card(event.train)

    def _take_card(self, train: str) -> None:
        card = self._cards[train]
        if self.supply[card] >= 0:  # others never run out
            self.supply[card] -= 1

    @enter.register
    def _(self, event: TrainDiscarded) -> None:
        self._move_train(event.train, event.company, POOL)

    @enter.register
    def _(self, event: TrainMoved) -> None:
        self._move_train(event.train, event.source, event.target)

    def _move_train(self, train: str, source: str, target: str) -> None:
        if source not in ("", STACK):
            self.trains[train, source] -= 1
        if target:
            self.trains[train, target] += 1

    @enter.register
    def _(self, event: TrainsRusted) -> None:
        for train, owner in list(self.trains):
            if main_train(train) == event.train and owner in (*event.owners, POOL):
                del self.trains[train, owner]
        self.supply.pop(event.train, None)

    @enter.register
    def _(self, event: TrainsAged) -> None:
        for owner in (*event.owners, POOL):
            self.trains[event.becomes, owner] += self.trains.pop((event.train, owner), 0)
        self.supply[event.becomes] = self.supply.pop(event.train, 0)

    @enter.register
    def _(self, event: LoanTaken) -> None:
        self.debts[event.player] += event.amount

    @enter.register
    def _(self, event: LoanRepaid) -> None:
        self.debts[event.player] -= event.amount

    @enter.register
    def _(self, event: TileLaid) -> None:
        self.tiles[event.hex] = (event.tile, event.turn)

    @enter.register
    def _(self, event: PhaseBegan) -> None:
        self.phase = event.phase


# --- the same accounts, counted in a position --------------------------------------------


def cash_in(state: State) -> dict[str, int]:
    """Return the money of the bank, the players and the companies."""
    players = {name: player.cash for name, player in state.players.items()}
    companies = {symbol: company.cash for symbol, company in state.companies.items()}
    return {BANK: state.bank} | players | companies


def shares_in(state: State) -> Account:
    """Return the shares by company and holder."""
    return Counter(
        {
            (symbol, holder): count
            for symbol, company in state.companies.items()
            for holder, count in company.shares.items()
        }
    )


def presidents_in(state: State) -> dict[str, str]:
    """Return the presidents of corporations and the owners of minors."""
    return {symbol: c.owner for symbol, c in state.companies.items() if c.owner}


def trains_in(state: State) -> Account:
    """Return the trains by kind and owner, those of the pool as well."""
    owned = Counter((train, s) for s, c in state.companies.items() for train in c.trains)
    return owned + Counter((train, POOL) for train in state.depot.pool)


def supply_in(state: State) -> Counter[str]:
    """Return the cards left in the supplies, -1 of those that never run out."""
    return Counter(state.depot.left)


def debts_in(state: State) -> Counter[str]:
    """Return what the players owe, without interest that is due only when they pay it back."""
    return Counter({name: player.debt for name, player in state.players.items()})


def tokens_in(state: State) -> Account:
    """Return the tokens on the map by company and hex."""
    return Counter(
        (company, hex_id)
        for hex_id, circles in state.board.tokens.items()
        for present in circles
        for company in present
        if company != CLOSED
    )


def spare_tokens_in(state: State) -> Account:
    """Return the tokens on the charters, usable and locked."""
    found: Account = Counter()
    for symbol, company in state.companies.items():
        found[symbol, "usable"], found[symbol, "locked"] = company.tokens, company.locked
    return found


def prices_in(state: State) -> dict[str, int]:
    """Return the share prices."""
    market = grid(state)
    return {m.company: market.price(m.row, m.column) for m in state.markers}


def tiles_in(state: State) -> dict[str, tuple[str, int]]:
    """Return the laid tiles with their rotations."""
    return dict(state.board.laid)


ACCOUNTS: dict[str, Callable[[State], Any]] = {
    "cash": cash_in,
    "shares": shares_in,
    "presidents": presidents_in,
    "trains": trains_in,
    "supply": supply_in,
    "debts": debts_in,
    "tokens": tokens_in,
    "spare": spare_tokens_in,
    "prices": prices_in,
    "tiles": tiles_in,
    "phase": lambda state: state.phase,
}
"""The accounts of a ledger, each with how it is counted in a position."""


def _difference(mine: Any, theirs: Any) -> str:
    """Return the first entry that differs; a missing one and 0 are alike."""
    if not isinstance(theirs, dict):
        return "" if mine == theirs else f"{mine} by the events, {theirs} in the position"
    for key in mine.keys() | theirs.keys():
        ours, other = mine.get(key) or 0, theirs.get(key) or 0
        if ours != other:
            name = " ".join(key) if isinstance(key, tuple) else key
            return f"{name} {ours} by the events, {other} in the position"
    return ""
