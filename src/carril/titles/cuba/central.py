"""The state railway: its turn, which nobody decides, and the trains that are exported to it."""

from __future__ import annotations

from carril.engine.board import tile_at, tokens_of
from carril.engine.events import DividendPaid, TrainExported
from carril.engine.market import move_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.state import BANK, State
from carril.engine.step import Step
from carril.engine.steps.earnings import pay_holders
from carril.engine.steps.train_rules import begin_phase_of
from carril.engine.trains import phase_def, receive, remove_card, stack_top, train_def
from carril.titles.cuba.common import central, cuba, set_extra
from carril.titles.cuba.events import CitiesCounted, CubesScored
from carril.titles.cuba.figures import figures


def newest_train(state: State) -> str:
    """Return the train that the state railway uses: the last one that it got (VII.3.12-a)."""
    return state.companies[central(state)].trains[-1]


def city_values(state: State) -> dict[str, int]:
    """Return the cities with a token of the state railway and their values, the best first."""
    colour, found = phase_def(state).colour, dict[str, int]()
    for hex_id, city in tokens_of(state.board, central(state)):
        stop = tile_at(state.tables, state.board, hex_id).stops[city]
        found[f"{hex_id}.{city}"] = stop.value(colour)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))


def counted_cities(state: State) -> dict[str, int]:
    """Return the best cities, as many as the newest train can visit (CUBA-VII.3.12-b, G16)."""
    reach = train_def(state, newest_train(state)).distance[0].count
    return dict(list(city_values(state).items())[:reach])


def cubes_left(state: State) -> int:
    """Return how many cubes are in the boxes of the minors."""
    return sum(cuba(state).cubes.values())


class CentralTurn(Step, tag="central", frozen=True):
    """The turn of the state railway: income, payout, and the rest to the bank (VII.3.12)."""

    company: str

    def settle(self, move: Move) -> bool:
        """Do all of it: there is nothing to decide."""
        move.pop()
        revenue = self._count_cities(move) + self._score_cubes(move)
        pay_holders(move, self.company, revenue)
        move.tell(DividendPaid(self.company, "full", revenue, 0))
        treasury = move.state.companies[self.company].cash
        pay(move, self.company, BANK, treasury, "fees")  # C16
        if revenue:
            move_price(move, self.company, "up", "dividend")  # C15
        return True

    def _count_cities(self, move: Move) -> int:
        cities, train = counted_cities(move.state), newest_train(move.state)
        revenue = sum(cities.values())
        values = tuple(cities.values())
        move.tell(CitiesCounted(self.company, train, tuple(cities), revenue, values))
        return revenue

    def _score_cubes(self, move: Move) -> int:
        """Count the cubes that nobody has shipped, and clear the boxes (G13)."""
        cubes = cubes_left(move.state)
        revenue = cubes * figures(move.state).sugar.left_over
        if cubes:
            move.tell(CubesScored(self.company, cubes, revenue))
        set_extra(move, cubes={})
        return revenue


def export(move: Move) -> None:
    """Give the state railway the top card of the stack, which may begin a phase (VII.3.13).

    The name of a card is that of its first side, so the last card is always an 8.
    """
    card, railway = stack_top(move.state), central(move.state)
    remove_card(move, card)
    move.tell(TrainExported(card))
    receive(move, railway, card)
    begin_phase_of(move, railway, card)
