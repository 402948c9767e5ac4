"""The start of a game: seats, starting cash, the bank, charters, and the first round."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from carril.engine.board import Board
from carril.engine.state import Company, Player, Round, Setup, State
from carril.engine.step import Step
from carril.engine.stream import shuffled
from carril.engine.tables import Tables
from carril.engine.trains import new_depot

_SEED_BITS = (1 << 64) - 1


class Opening(NamedTuple):
    """What the first position of every title has in common."""

    players: dict[str, Player]
    bank: int
    """The money that is left in the bank; below 0 where the bank never runs out."""
    stream: int
    """The random stream after the seats were drawn."""

    @property
    def first(self) -> str:
        """The player in the first seat."""
        return next(iter(self.players))


def open_game(setup: Setup, tables: Tables) -> Opening:
    """Seat the players, in the order drawn from the seed unless it is given, and pay them."""
    seats, stream = setup.players, setup.seed & _SEED_BITS
    if not setup.seated:
        seats, stream = shuffled(stream, seats)
    cash = tables.setup.cash
    bank = (tables.figures.bank or 0) - cash * len(seats)
    return Opening({name: Player(name, cash) for name in seats}, bank, stream)


def new_companies(setup: Setup, tables: Tables) -> dict[str, Company]:
    """Return the charters at the start: unsold shares are in the first source of the title."""
    unsold = setup.definition.stock.sources[0].place
    return {
        company.symbol: Company(
            symbol=company.symbol,
            kind=company.kind,
            shares={unsold: company.units} if company.has_shares else {},
            trains=(company.train,) if company.train else (),
            tokens=company.tokens,
        )
        for company in tables.companies.values()
    }


def first_position(
    setup: Setup, tables: Tables, round_: Round, step: Callable[[str], Step]
) -> State:
    """Return the position before the first action, with an empty board.

    `step` returns the first decision, given the player in the first seat, who also has the
    priority deal. A title that begins in another way replaces fields of this position.
    """
    opening = open_game(setup, tables)
    return State(
        setup=setup,
        players=opening.players,
        companies=new_companies(setup, tables),
        bank=opening.bank,
        board=Board(),
        markers=(),
        depot=new_depot(tables),
        phase=tables.phases[0].name,
        priority=opening.first,
        round=round_,
        agenda=(step(opening.first),),
        stream=opening.stream,
    )
