"""Home stations: placed when a company operates for the first time."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, PlaceToken
from carril.engine.board import has_token_in, open_circles, place_token, remove_token, tile_at
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import Step, refuse
from carril.engine.steps.operating import CompanyStep
from carril.titles.esp.common import OO_HEXES, home_of


class PlaceHome(CompanyStep, tag="home", frozen=True):
    """Place the home station free of charge; on an OO tile its owner chooses the city."""

    allows = (PlaceToken,)

    def _cities(self, state: State) -> list[int]:
        """Return the cities of the home hex where the token may go."""
        home = home_of(state, self.company)
        tables, board = state.tables, state.board
        tile = tile_at(tables, board, home.hex)
        if home.city >= 0:
            return [min(home.city, len(tile.cities) - 1)]
        free = [city for city in tile.cities if open_circles(tables, board, home.hex, city) > 0]
        return free[:1] if tile.colour == "white" else free

    def settle(self, move: Move) -> bool:
        """Place it where there is no choice; MZA goes into the circle of MZ (ESP-4.3-u)."""
        home = home_of(move.state, self.company)
        if has_token_in(move.state.board, self.company, home.hex):
            move.pop()
            return True
        cities = self._cities(move.state)
        tile = tile_at(move.state.tables, move.state.board, home.hex)
        asked = move.state.setup.conventions.single_choices_asked
        if home.city < 0 and tile.colour != "white" and (len(cities) > 1 or asked):
            return False
        move.pop()
        place_token(move, self.company, home.hex, cities[0], beside=True)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the cities of the home hex."""
        home, by = home_of(state, self.company), self.actor(state)
        return tuple(PlaceToken(home.hex, city, by=by) for city in self._cities(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that it is the home hex and a free city."""
        assert isinstance(action, PlaceToken)
        home = home_of(state, self.company)
        if action.hex != home.hex or action.city not in self._cities(state):
            return refuse(state, "home-city", city=f"{action.hex}.{action.city}")
        return None

    def play(self, move: Move, action: Action) -> None:
        """Place the token."""
        assert isinstance(action, PlaceToken)
        move.pop()
        place_token(move, self.company, action.hex, action.city)


class ChooseCity(Step, tag="choose-city", frozen=True):
    """A tile came to an OO hex where a home token lies: its owner chooses the city."""

    company: str
    hex: str
    layer: str
    """The company that laid the tile."""

    allows = (PlaceToken,)

    def actor(self, state: State) -> str:
        """Return the owner of the token."""
        return state.companies[self.company].owner

    @property
    def subject(self) -> str:
        """The company whose turn it is."""
        return self.layer

    def _cities(self, state: State) -> list[int]:
        tables, board = state.tables, state.board
        cities = tile_at(tables, board, self.hex).cities
        return [c for c in cities if open_circles(tables, board, self.hex, c) > 0]

    def options(self, state: State) -> Iterable[Action]:
        """Yield the cities."""
        by = self.actor(state)
        return tuple(PlaceToken(self.hex, city, by=by) for city in self._cities(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the city."""
        assert isinstance(action, PlaceToken)
        if action.hex != self.hex or action.city not in self._cities(state):
            return refuse(state, "home-city", city=f"{action.hex}.{action.city}")
        return None

    def play(self, move: Move, action: Action) -> None:
        """Put the token into the chosen city."""
        assert isinstance(action, PlaceToken)
        move.pop()
        place_token(move, self.company, action.hex, action.city)


def after_lay(move: Move, hex_id: str, replaced: str) -> None:
    """Ask for the city of home tokens that waited for the first tile of an OO hex."""
    if replaced or hex_id not in OO_HEXES:
        return
    layer = move.state.step.subject
    for city, owners in enumerate(move.state.board.tokens.get(hex_id, ())):
        for company in owners:
            remove_token(move, company, hex_id, city)
            move.push(ChooseCity(company, hex_id, layer))
