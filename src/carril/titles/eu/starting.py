"""Starting a corporation: the president's certificate, the first token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carril.engine.actions import Action, MergeMinor, PlaceToken, StartCompany
from carril.engine.board import open_circles, place_token, tile_at
from carril.engine.events import MinorMerged
from carril.engine.launch import check_float, start_company, start_cost
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.passes import pass_refusal
from carril.engine.refusals import Refusal
from carril.engine.shares import check_president, company_def, hand_over
from carril.engine.state import BANK, TREASURY, State
from carril.engine.step import Step, refuse
from carril.engine.trains import phase_reached
from carril.titles.eu.common import (
    LATE,
    conventions,
    discards_due,
    drop_pullmans,
    minors_of,
)
from carril.titles.eu.merging import hand_assets, replace_token


def open_bases(state: State) -> Iterator[tuple[str, int]]:
    """Yield every free city circle on the map, on a tile or in an unbuilt city (EU-4.3-s)."""
    tables = state.tables
    for hex_id in tables.hexes:
        for city in tile_at(tables, state.board, hex_id).cities:
            if open_circles(tables, state.board, hex_id, city):
                yield hex_id, city


def start_refusal(state: State, player: str, company: str) -> Refusal | None:
    """Return why a player has no place for a corporation's first token (EU-4.3-a, -s)."""
    if phase_reached(state, LATE):
        found = next(open_bases(state), None)
        return None if found else refuse(state, "no-open-city")
    return None if any(True for _ in minors_of(state, player)) else refuse(state, "no-minor")


def start(move: Move, player: str, action: StartCompany) -> None:
    """Sell the president's certificate, pay for the tokens (A-2), then place the first."""
    symbol, definition = action.company, company_def(move.state, action.company)
    hand_over(move, symbol, TREASURY, player, definition.president_units)
    start_company(move, player, symbol, action.price)
    cost = start_cost(move.state, symbol, action.price)
    pay(move, player, symbol, cost, "president's certificate")
    pay(move, symbol, BANK, definition.token_price, "tokens")
    move.push(Founding(symbol))


class Founding(Step, tag="founding", frozen=True):
    """The president merges one of their minors, or from phase 5 on places the base token."""

    company: str

    allows = (MergeMinor, PlaceToken)

    def actor(self, state: State) -> str:
        """Return the president."""
        return state.companies[self.company].owner

    def settle(self, move: Move) -> bool:
        """Take a single possibility by itself."""
        if move.state.setup.conventions.single_choices_asked:
            return False
        choices = list(self.options(move.state))
        if len(choices) > 1:
            return False
        self.play(move, choices[0])
        return True

    def _places(self, state: State) -> Iterator[tuple[str, int]]:
        """Yield the free circles a token may go to: all from phase 5 on, before that none.

        On 18xx.games also a free circle in the city of one of the president's minors (G-24).
        """
        if phase_reached(state, LATE):
            yield from open_bases(state)
        elif conventions(state).home_in_any_circle:
            player = self.actor(state)
            homes = {
                hex_id
                for hex_id, circles in state.board.tokens.items()
                for owners in circles
                for owner in owners
                if state.companies[owner].kind == "minor" and state.companies[owner].owner == player
            }
            yield from ((h, c) for h, c in open_bases(state) if h in homes)

    def options(self, state: State) -> Iterable[Action]:
        """Yield the president's minors, or the free circles."""
        by = self.actor(state)
        if not phase_reached(state, LATE):
            for minor in minors_of(state, by):
                yield MergeMinor(minor.symbol, by=by)
        for hex_id, city in self._places(state):
            yield PlaceToken(hex_id, city, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the minor belongs to the president, or that the circle is free."""
        if isinstance(action, MergeMinor):
            if phase_reached(state, LATE):
                return refuse(state, "start-without-minor", minor=action.minor)
            own = (minor.symbol for minor in minors_of(state, self.actor(state)))
            if action.minor not in own:
                return refuse(state, "not-your-minor", minor=action.minor)
            return None
        assert isinstance(action, PlaceToken)
        if (action.hex, action.city) not in self._places(state):
            return refuse(state, "no-free-base", city=f"{action.hex}.{action.city}")
        return pass_refusal(state, self.company, action.passes)

    def play(self, move: Move, action: Action) -> None:
        """Place the first token."""
        move.pop()
        if isinstance(action, PlaceToken):
            place_token(move, self.company, action.hex, action.city)
            return
        assert isinstance(action, MergeMinor)
        self._merge(move, action.minor)

    def _merge(self, move: Move, minor: str) -> None:
        """Exchange the minor for a treasury share; its token is replaced (EU-4.3-a)."""
        player = self.actor(move.state)
        hand_over(move, self.company, TREASURY, player, 1)
        move.tell(MinorMerged(minor, self.company, player))
        hand_assets(move, minor, self.company)
        replace_token(move, minor, self.company)
        check_president(move, self.company)
        check_float(move, self.company)
        agreed = conventions(move.state)
        drop_pullmans(move, limit_too=agreed.pullman_goes_by_itself)
        if not agreed.merger_discards_wait:
            move.push(*discards_due(move.state))
