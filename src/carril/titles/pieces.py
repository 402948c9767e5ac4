"""Serial numbers for writing records of 18xx.games: certificates, train cards and tile pieces.

All of them follow events. Readers of records have a bookkeeping of their own, which follows
positions; nothing is shared, so that a fault in one of them shows when a game is read back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from carril.engine.events import (
    Event,
    PresidentChanged,
    ShareBought,
    SharesMoved,
    SharesReturned,
    SharesSold,
    TrainBought,
    TrainDiscarded,
    TrainExported,
    TrainMoved,
    TrainsRusted,
)
from carril.engine.state import POOL, TREASURY, State
from carril.engine.tables import CompanyDef, Tables
from carril.engine.trains import COUPLED, STACK, card_of, main_train


class Certificates:
    """The certificates of one company by number; 0 is the president's."""

    def __init__(self, company: CompanyDef, place: str) -> None:
        """Begin with all certificates in one place."""
        self.company = company
        self.singles = company.units - company.president_units
        self.holders = dict.fromkeys(range(self.singles + 1), place)
        self._owed: list[tuple[str, str, int]] = []

    def units(self, number: int) -> int:
        """Return how many shares a certificate stands for."""
        return 1 if number else self.company.president_units

    def held(self, holder: str) -> list[int]:
        """Return the numbers of a holder's certificates, the president's last."""
        return sorted((n for n, one in self.holders.items() if one == holder), key=_president_last)

    def chosen(self, holder: str, count: int) -> list[int]:
        """Return certificates that a holder gives for a number of shares.

        The president's certificate is among them if the others are not enough.
        """
        held = self.held(holder)
        singles = [number for number in held if number]
        return singles[:count] if len(singles) >= count else held

    def move(self, source: str, target: str, count: int) -> None:
        """Move shares; those that are part of the president's certificate wait for a successor."""
        for number in self.chosen(source, count):
            if self.units(number) <= count:
                self.holders[number] = target
                count -= self.units(number)
        if count:
            self._owed.append((source, target, count))

    def give_last(self, source: str, target: str) -> None:
        """Move the certificate with the highest number."""
        self.holders[max(self.held(source))] = target

    def succeed(self, new: str) -> None:
        """Exchange the president's certificate for shares of the new president."""
        old = self.holders[0]
        self.holders[0] = new
        for number in [n for n in self.held(new) if n][: self.company.president_units]:
            self.holders[number] = old
        owed, self._owed = self._owed, []
        for source, target, count in owed:
            self.move(source, target, count)

    def gather(self, place: str) -> None:
        """Put all certificates in one place."""
        self.holders = dict.fromkeys(self.holders, place)
        self._owed = []


def _president_last(number: int) -> int:
    return number or 1_000


class ShareRegister:
    """The certificates of all companies."""

    def __init__(self, state: State, place: str) -> None:
        """Begin with all certificates in one place."""
        companies = [c for c in state.tables.companies.values() if c.has_shares]
        self._registers = {c.symbol: Certificates(c, place) for c in companies}

    def __getitem__(self, company: str) -> Certificates:
        """Return the certificates of a company."""
        return self._registers[company]

    def names(self, company: str, holder: str, count: int) -> list[str]:
        """Return the ids of certificates that a holder gives for a number of shares."""
        register = self._registers[company]
        symbol = register.company.import_symbol
        return [f"{symbol}_{number}" for number in register.chosen(holder, count)]

    def follow(self, events: Iterable[Event]) -> None:
        """Move certificates as the events say."""
        for event in events:
            match event:
                case ShareBought(buyer, company, source, count):
                    target = TREASURY if buyer == company else buyer
                    self._registers[company].move(source, target, count)
                case SharesSold(seller, company, count):
                    source = TREASURY if seller == company else seller
                    self._registers[company].move(source, POOL, count)
                case SharesMoved(company, source, target, count):
                    self._hand_over(company, source, target, count)
                case SharesReturned(company, place):
                    self._registers[company].gather(place)
                case PresidentChanged(company, _, new):
                    self._registers[company].succeed(new)
                case _:
                    pass

    def _hand_over(self, company: str, source: str, target: str, count: int) -> None:
        """Move shares without a sale; a company starts with its president's certificate."""
        register = self._registers[company]
        president = register.company.president_units
        if register.holders[0] == source and count == president and source != POOL:
            register.holders[0] = target
        else:
            register.move(source, target, count)


class TrainCards:
    """The train cards by owner, in the order in which each owner got them."""

    def __init__(self, state: State) -> None:
        """Begin with the trains that companies and the pool have at the start."""
        self._numbers: Counter[str] = Counter()
        self._held: dict[str, list[tuple[str, str]]] = {}
        """By owner: the id of each card, and the name of the train that it is."""
        self._lost = ("", 0)
        """The card that left the game last, and its place among its owner's cards."""
        for symbol, company in state.companies.items():
            self._held[symbol] = [(self._next(state, name), name) for name in company.trains]
        self._held[POOL] = [(self._next(state, name), name) for name in state.depot.pool]

    def _next(self, state: State, train: str) -> str:
        card = card_of(state, train)
        self._numbers[card] += 1
        return f"{card}-{self._numbers[card] - 1}"

    def reserve(self, card: str) -> None:
        """Use up a number of a card without giving it to anybody."""
        self._numbers[card] += 1

    def owned(self, owner: str) -> list[tuple[str, str]]:
        """Return an owner's cards, each with the name of its train."""
        return list(self._held[owner])

    def find(self, owner: str, train: str) -> str:
        """Return the id of an owner's first card of a kind."""
        return next(card for card, name in self._held[owner] if name == train)

    def top(self, state: State, train: str) -> str:
        """Return the id of the next card of the supply."""
        card = card_of(state, train)
        return f"{card}-{self._numbers[card]}"

    def follow(self, state: State, events: Iterable[Event], special: dict[str, str]) -> None:
        """Move cards as the events say; `special` names cards that come from outside the game."""
        for event in events:
            match event:
                case TrainBought(company, train, source):
                    self._buy(state, company, train, source)
                case TrainExported(train):
                    self.reserve(card_of(state, train))
                case TrainDiscarded(company, train):
                    self._held[POOL].append(self._take(company, train))
                case TrainMoved(train, source, target):
                    self._hand(train, source, target, special)
                case TrainsRusted(train, owners):
                    for owner in (*owners, POOL):
                        kept = [one for one in self._held[owner] if main_train(one[1]) != train]
                        self._held[owner] = kept
                case _:
                    pass

    def _buy(self, state: State, company: str, train: str, source: str) -> None:
        bought = (self._next(state, train), train) if source == STACK else self._take(source, train)
        self._held[company].append(bought)

    def _take(self, owner: str, train: str) -> tuple[str, str]:
        found = next(one for one in self._held[owner] if one[1] == train)
        self._held[owner].remove(found)
        return found

    def _hand(self, train: str, source: str, target: str, special: dict[str, str]) -> None:
        if source and target:
            self._held[target].append(self._take(source, train))
        elif source:
            at = [name for _, name in self._held[source]].index(train)
            self._lost = (self._held[source].pop(at)[0], at)
        elif COUPLED in train:  # the card that has just left returns, coupled to another
            card, at = self._lost
            self._held[target].insert(at, (card, train))
        else:
            self._held[target].append((special[train], train))


class TilePieces:
    """The pieces of each tile by number, and which of them is on which hex."""

    def __init__(self, tables: Tables) -> None:
        """Begin with all pieces in the supply."""
        self._tables = tables
        self._on: dict[str, str] = {}
        self._costs: Counter[str] = Counter()

    def on(self, hex_id: str) -> str:
        """Return the id of the piece on a hex, or that of the printed map."""
        return self._on.get(hex_id, f"{hex_id}-0")

    def next_piece(self, hex_id: str, tile: str) -> str:
        """Return the first free piece of a tile; one that never was on a mountain if possible.

        A piece with two faces is one piece: used on one face it is gone from the other.
        """
        others = {on for at, on in self._on.items() if at != hex_id}
        definition = self._tables.tiles[tile]
        free = [
            number
            for number in range(definition.count)
            if f"{tile}-{number}" not in others
            and not (definition.back and f"{definition.back}-{number}" in others)
        ]
        return f"{tile}-{min(free, key=lambda number: self._costs[f'{tile}-{number}'])}"

    def lay(self, hex_id: str, piece: str) -> None:
        """Put a piece on a hex; the one before returns to the supply."""
        before = self._on.get(hex_id)
        costly = self._tables.hexes[hex_id].upgrade_cost
        if before and costly and self._tables.tiles[before.rpartition("-")[0]].colour == "yellow":
            self._costs[before] += 1
        self._on[hex_id] = piece
