"""Placing a further token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carril.engine.actions import Action, Pass, PlaceToken
from carril.engine.board import has_token_in, open_circles, place_token, tile_at
from carril.engine.move import Move
from carril.engine.network import reach
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep


class PlaceStation(CompanyStep, tag="station", frozen=True):
    """Place one token in a free circle of a city within reach."""

    allows = (PlaceToken, Pass)

    def settle(self, move: Move) -> bool:
        """Skip the step when no token can be placed."""
        if any(True for _ in self._cities(move.state)):
            return False
        move.pop()
        return True

    def _cities(self, state: State) -> Iterator[tuple[str, int]]:
        if not state.companies[self.company].tokens:
            return
        stops = reach(state.tables, state.board, self.company).stops
        for hex_id, city in sorted(stops):
            if self._city_refusal(state, hex_id, city) is None:
                yield hex_id, city

    def options(self, state: State) -> Iterable[Action]:
        """Yield every city where a token may be placed, and the pass."""
        by = self.actor(state)
        for hex_id, city in self._cities(state):
            yield PlaceToken(hex_id, city, by=by)
        yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the city: a circle, free, in reach, and no own token in its hex."""
        if isinstance(action, Pass):
            return None
        assert isinstance(action, PlaceToken)
        if not state.companies[self.company].tokens:
            return refuse(state, "no-token-left", company=self.company)
        if action.hex not in state.tables.hexes:
            return refuse(state, "no-such-hex", hex=action.hex)
        return self._city_refusal(state, action.hex, action.city)

    def _city_refusal(self, state: State, hex_id: str, city: int) -> Refusal | None:
        tables, board = state.tables, state.board
        where = f"{hex_id}.{city}"
        if city not in tile_at(tables, board, hex_id).cities:
            return refuse(state, "no-city", city=where)
        if has_token_in(board, self.company, hex_id):
            return refuse(state, "token-there", hex=hex_id, company=self.company)
        if not open_circles(tables, board, hex_id, city):
            return refuse(state, "city-full", city=where)
        if (hex_id, city) not in reach(tables, board, self.company).stops:
            return refuse(state, "city-not-reached", city=where, company=self.company)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Place the token."""
        if isinstance(action, PlaceToken):
            move.pop()
            place_token(move, self.company, action.hex, action.city)
        else:
            self.passed(move)
