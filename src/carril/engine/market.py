"""The share market: prices and how they move. Prices change only here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from carril.engine.events import PriceMoved, PriceRemoved
from carril.engine.move import Move
from carril.engine.state import Marker, State
from carril.engine.tables import Par


@dataclass(frozen=True, slots=True)
class Grid:
    """A market of ragged rows, top row first; a space is (row, column)."""

    rows: tuple[tuple[int, ...], ...]

    def price(self, row: int, column: int) -> int:
        """Return the price of a space."""
        return self.rows[row][column]

    def down(self, row: int, column: int) -> tuple[int, int]:
        """One row down, or the same space at the foot of the column."""
        below = row + 1
        return (below, column) if self._has(below, column) else (row, column)

    def up(self, row: int, column: int) -> tuple[int, int]:
        """One row up, or the same space in the top row."""
        return (row - 1, column) if row else (row, column)

    def left(self, row: int, column: int) -> tuple[int, int]:
        """One column left; at the left end of a row, down."""
        return (row, column - 1) if column else self.down(row, column)

    def right(self, row: int, column: int) -> tuple[int, int]:
        """One column right; at the right end of a row, up."""
        return (row, column + 1) if self._has(row, column + 1) else self.up(row, column)

    def _has(self, row: int, column: int) -> bool:
        return row < len(self.rows) and column < len(self.rows[row])


@dataclass(frozen=True, slots=True)
class Zigzag(Grid):
    """A market of two rows read as one line: one step up or down, two to the left or right."""

    short_ends: bool = True
    """At the ends a move of two steps goes as far as it can; otherwise it is not made."""

    def down(self, row: int, column: int) -> tuple[int, int]:
        """One step towards the lowest price."""
        return row, max(0, column - 1)

    def up(self, row: int, column: int) -> tuple[int, int]:
        """One step towards the highest price."""
        return row, min(len(self.rows[row]) - 1, column + 1)

    def left(self, row: int, column: int) -> tuple[int, int]:
        """Two steps down."""
        return self._by(row, column, -2)

    def right(self, row: int, column: int) -> tuple[int, int]:
        """Two steps up."""
        return self._by(row, column, 2)

    def _by(self, row: int, column: int, steps: int) -> tuple[int, int]:
        last = len(self.rows[row]) - 1
        there = max(0, min(last, column + steps))
        if there != column + steps and not self.short_ends:
            return row, column
        return row, there


def grid(state: State) -> Grid:
    """Return the market of this game."""
    return state.setup.market


def marker(state: State, company: str) -> Marker | None:
    """Return the marker of a company's price, or None if it has none."""
    for found in state.markers:
        if found.company == company:
            return found
    return None


def price(state: State, company: str) -> int:
    """Return the price of one share of a company, 0 if it has none."""
    found = marker(state, company)
    return grid(state).price(found.row, found.column) if found else 0


def par_at(state: State, price: int) -> Par | None:
    """Return the space where a company starts at a price, or None if there is none."""
    return next((par for par in state.tables.pars if par.price == price), None)


def start_price(move: Move, company: str, row: int, column: int) -> None:
    """Put a company's marker on a space, under those already there."""
    move.set(markers=(*move.state.markers, Marker(company, row, column)))


def remove_price(move: Move, company: str) -> None:
    """Take a company's marker off the market."""
    move.set(markers=tuple(m for m in move.state.markers if m.company != company))
    move.tell(PriceRemoved(company))


def move_price(move: Move, company: str, way: str, reason: str, times: int = 1) -> None:
    """Move a price "up", "down", "left" or "right", once or several times.

    A marker that enters an occupied space goes under the others, which is to say later in
    `State.markers`; one that does not move keeps its place.
    """
    old = marker(move.state, company)
    assert old is not None, f"{company} has no price"
    market = grid(move.state)
    space = (old.row, old.column)
    for _ in range(times):
        space = getattr(market, way)(*space)
    if space == (old.row, old.column):
        return
    others = tuple(m for m in move.state.markers if m.company != company)
    move.set(markers=(*others, Marker(company, *space)))
    before = market.price(old.row, old.column)
    move.tell(PriceMoved(company, before, market.price(*space), reason))


def operating_order(state: State, companies: Iterable[str]) -> list[str]:
    """Sort companies by price, then the rightmost space, then the top of the stack."""
    market = grid(state)
    places = {
        m.company: (-market.price(m.row, m.column), -m.column, index)
        for index, m in enumerate(state.markers)
    }
    return sorted(companies, key=lambda company: places[company])


def floated_by_price(state: State) -> list[str]:
    """Return the companies that have floated and are in play, in operating order."""
    floated = [one.symbol for one in state.companies.values() if one.floated and not one.closed]
    return operating_order(state, floated)
