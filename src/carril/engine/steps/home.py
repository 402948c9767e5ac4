"""Home stations: free of charge; where a home is not printed or has several cities, a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from carril.engine.actions import Action, PlaceToken
from carril.engine.board import open_circles, place_token, tile_at, tokens_of
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.passes import pass_refusal
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.tables import Home
from carril.engine.tile import city_map


@dataclass(frozen=True, slots=True)
class HomeRules:
    """What a title says about home stations."""

    choice: Callable[[State, str, str, int], Refusal | None] = lambda state, company, at, city: None
    """Why a company without a printed home may not begin in a city: company, hex, city."""


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
        return [home_city(state, home)]
    free = [city for city in tile.cities if open_circles(tables, board, home.hex, city) > 0]
    return free[:1] if tile.colour == "white" else free


def home_city(state: State, home: Home) -> int:
    """Return the city on a home hex that its printed city has become, by the track it keeps."""
    tables, board = state.tables, state.board
    tile = tile_at(tables, board, home.hex)
    kept = city_map(tables.hexes[home.hex].print, tile)
    return kept[home.city] if kept else min(home.city, len(tile.cities) - 1)


def home_choices(state: State, company: str) -> list[tuple[str, int]]:
    """Return hex and city of every place where a company without a printed home may begin."""
    tables, board, refused = state.tables, state.board, state.title.home.choice
    cities = ((at, city) for at in tables.hexes for city in tile_at(tables, board, at).cities)
    return [(at, city) for at, city in cities if refused(state, company, at, city) is None]


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

    def _home(self, state: State) -> Home | None:
        return Home(self.hex, -1) if self.hex else company_def(state, self.company).home

    def _cities(self, state: State) -> list[tuple[str, int]]:
        """Return hex and city of the places that can be chosen."""
        home = self._home(state)
        if home is None:
            return home_choices(state, self.company)
        return [(home.hex, city) for city in home_cities(state, home)]

    def _asked(self, state: State, choices: int) -> bool:
        """Return whether the owner chooses: not a printed city, nor one of an unbuilt hex."""
        home = self._home(state)
        fixed = home is not None and (
            home.city >= 0 or tile_at(state.tables, state.board, home.hex).colour == "white"
        )
        return not fixed and (choices > 1 or state.setup.conventions.single_choices_asked)

    def settle(self, move: Move) -> bool:
        """Place it where there is no choice, in its circle or on a token that shares the circle."""
        if self.hex:
            return False
        state, home = move.state, self._home(move.state)
        tokens = tokens_of(state.board, self.company)
        if any(home is None or hex_id == home.hex for hex_id, _ in tokens):
            move.pop()
            return True
        cities = self._cities(state)
        if self._asked(state, len(cities)):
            return False
        move.pop()
        place_token(move, self.company, *cities[0], beside=True)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the cities that can be chosen."""
        by = self.actor(state)
        return tuple(PlaceToken(at, city, by=by) for at, city in self._cities(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the hex and the city; a home needs no pass."""
        assert isinstance(action, PlaceToken)
        if action.passes:
            refused = pass_refusal(state, self.company, action.passes)
            return refused or refuse(state, "pass-not-needed", city=action.passes[0])
        if (action.hex, action.city) in self._cities(state):
            return None
        tables, board = state.tables, state.board
        known = action.hex in tables.hexes
        city = known and action.city in tile_at(tables, board, action.hex).cities
        if city and self._home(state) is None:
            return state.title.home.choice(state, self.company, action.hex, action.city)
        return refuse(state, "home-city", city=f"{action.hex}.{action.city}")

    def play(self, move: Move, action: Action) -> None:
        """Place the token."""
        assert isinstance(action, PlaceToken)
        move.pop()
        cost = min(self.cost, move.state.companies[self.company].cash)
        pay(move, self.company, BANK, cost, "station")
        place_token(move, self.company, action.hex, action.city, beside=True)
