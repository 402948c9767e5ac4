"""Home stations: free of charge, and where a home has several cities, with a choice."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, PlaceToken
from carril.engine.board import has_token_in, open_circles, place_token, tile_at
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.tables import Home


def home_of(state: State, company: str) -> Home:
    """Return where a company begins."""
    home = company_def(state, company).home
    assert home is not None, f"{company} has no home"
    return home


def home_cities(state: State, home: Home) -> list[int]:
    """Return the cities of a home hex where its token may go; on an unbuilt one the first free."""
    tables, board = state.tables, state.board
    tile = tile_at(tables, board, home.hex)
    if home.city >= 0:
        return [min(home.city, len(tile.cities) - 1)]
    free = [city for city in tile.cities if open_circles(tables, board, home.hex, city) > 0]
    return free[:1] if tile.colour == "white" else free


class PlaceHome(CompanyStep, tag="home", frozen=True):
    """Place a company's home station; where several cities are free, its owner chooses one."""

    hex: str = ""
    """The hex where a station waits for its city; "" is the home, and then only if it is empty."""
    turn_of: str = ""
    """The company in whose turn the owner is asked; "" is the company itself."""
    cost: int = 0
    """What the company pays for the city, as far as it can; a home station costs nothing."""

    allows = (PlaceToken,)

    @property
    def subject(self) -> str:
        """The company whose turn it is."""
        return self.turn_of or self.company

    def _place(self, state: State) -> Home:
        return Home(self.hex, -1) if self.hex else home_of(state, self.company)

    def settle(self, move: Move) -> bool:
        """Place it where there is no choice, in its circle or on a token that shares the circle."""
        if self.hex:
            return False
        state, home = move.state, home_of(move.state, self.company)
        if has_token_in(state.board, self.company, home.hex):
            move.pop()
            return True
        cities = home_cities(state, home)
        built = tile_at(state.tables, state.board, home.hex).colour != "white"
        asked = len(cities) > 1 or state.setup.conventions.single_choices_asked
        if home.city < 0 and built and asked:
            return False
        move.pop()
        place_token(move, self.company, home.hex, cities[0], beside=True)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the cities of the hex."""
        home, by = self._place(state), self.actor(state)
        return tuple(PlaceToken(home.hex, city, by=by) for city in home_cities(state, home))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the hex and the city."""
        assert isinstance(action, PlaceToken)
        home = self._place(state)
        if action.hex != home.hex or action.city not in home_cities(state, home):
            return refuse(state, "home-city", city=f"{action.hex}.{action.city}")
        return None

    def play(self, move: Move, action: Action) -> None:
        """Place the token."""
        assert isinstance(action, PlaceToken)
        move.pop()
        cost = min(self.cost, move.state.companies[self.company].cash)
        pay(move, self.company, BANK, cost, "station")
        place_token(move, self.company, action.hex, action.city)
