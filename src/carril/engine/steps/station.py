"""Building stations: further tokens of a company, in cities within its reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from carril.engine.actions import Action, Kinds, Pass, PlaceToken
from carril.engine.board import (
    has_token_in,
    open_circles,
    place_token,
    tile_at,
    tokens_of,
)
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import Stops, reach
from carril.engine.passes import (
    opened_by,
    pass_cost,
    pass_refusal,
    pass_sets,
    pay_passes,
    spare_pass,
)
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep


@dataclass(frozen=True, slots=True)
class StationRules:
    """What a title says about stations; what they cost is in its table of companies."""

    one_per_hex: Callable[[State], bool] = lambda state: True
    """Whether a company may have only one station in a hex; otherwise one in each city."""
    reserved: Callable[[State, str, str, int], bool] = lambda state, company, hex_id, city: False
    """Whether a free circle is kept for a company other than this one: company, hex, city."""
    payee: Callable[[State, str, int], str] = lambda state, hex_id, city: BANK
    """Who is paid for a station: hex, city."""


def station_cost(state: State, company: str) -> int:
    """Return what the next station of a company costs; the home station is free."""
    costs = company_def(state, company).station_costs
    if not costs:
        return 0
    built = sum(1 for _ in tokens_of(state.board, company)) - 1
    return costs[min(max(built, 0), len(costs) - 1)]


def stations(state: State, company: str) -> Iterator[PlaceToken]:
    """Yield every place where a company may build its next station, by its owner.

    Those that need passes come with each set of passes that they may need, after the others.
    """
    charter = state.companies[company]
    if not charter.tokens:
        return
    for passes in pass_sets(state, company):
        found = reach(state.tables, state.board, company, passes=opened_by(passes)).stops
        for hex_id, city in sorted(found):
            action = PlaceToken(hex_id, city, passes, by=charter.owner)
            if _city_refusal(state, company, action) is None:
                yield action


def station_refusal(state: State, company: str, action: PlaceToken) -> Refusal | None:
    """Check a station: a spare token, a free circle in reach, no own token there, the cost."""
    if action.hex not in state.tables.hexes:
        return refuse(state, "no-such-hex", hex=action.hex)
    if refused := pass_refusal(state, company, action.passes):
        return refused
    charter = state.companies[company]
    if not charter.tokens:
        return refuse(state, "no-token-left", company=company, locked=charter.locked)
    return _city_refusal(state, company, action)


def _city_refusal(state: State, company: str, action: PlaceToken) -> Refusal | None:
    tables, board, rules = state.tables, state.board, state.title.station
    hex_id, city = action.hex, action.city
    where = f"{hex_id}.{city}"
    if tables.companies[company].tokens == 1:
        return refuse(state, "minor-one-station", company=company)
    if city not in tile_at(tables, board, hex_id).cities:
        return refuse(state, "no-city", city=where)
    whole_hex = rules.one_per_hex(state)
    if has_token_in(board, company, hex_id, None if whole_hex else city):
        return refuse(state, "token-there", hex=hex_id, company=company)
    if open_circles(tables, board, hex_id, city) < 1:
        return refuse(state, "city-full", city=where)
    if rules.reserved(state, company, hex_id, city):
        return refuse(state, "home-reserved", city=where)
    return _reach_refusal(state, company, action) or _cost_refusal(state, company, action)


def _reach_refusal(state: State, company: str, action: PlaceToken) -> Refusal | None:
    """Check that the city is within reach, and that every pass is needed for it."""
    place, where = (action.hex, action.city), f"{action.hex}.{action.city}"

    def reached(opened: Stops) -> bool:
        return place in reach(state.tables, state.board, company, passes=opened).stops

    if not reached(opened_by(action.passes)):
        return refuse(state, "city-not-reached", city=where, company=company)
    if spare := spare_pass(action.passes, reached):
        return refuse(state, "pass-not-needed", city=spare)
    return None


def _cost_refusal(state: State, company: str, action: PlaceToken) -> Refusal | None:
    cost, cash = station_cost(state, company), state.companies[company].cash
    if cost > cash:
        return refuse(state, "station-too-dear", cost=cost, cash=cash)
    if (cost := cost + pass_cost(state, action.passes)) > cash:
        return refuse(state, "passes-too-dear", cost=cost, cash=cash)
    return None


def build_station(move: Move, company: str, action: PlaceToken) -> None:
    """Pay for a station and for the passes that it needs, and place its token."""
    payee = move.state.title.station.payee(move.state, action.hex, action.city)
    pay_passes(move, company, action.passes)
    pay(move, company, payee, station_cost(move.state, company), "station")
    place_token(move, company, action.hex, action.city)


class PlaceStation(CompanyStep, tag="station", frozen=True):
    """Build one station, or none."""

    allows = (PlaceToken, Pass)

    def settle(self, move: Move) -> bool:
        """Skip the step when no station can be built."""
        if any(True for _ in stations(move.state, self.company)):
            return False
        move.pop()
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield every city where a station may be built, and the pass."""
        return self.options_of(state, self.allowed(state))

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Action]:
        """Yield the stations, the pass, or both."""
        if PlaceToken in kinds:
            yield from stations(state, self.company)
        if Pass in kinds:
            yield Pass(by=self.actor(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a station; passing is always legal."""
        if not isinstance(action, PlaceToken):
            return None
        return station_refusal(state, self.company, action)

    def play(self, move: Move, action: Action) -> None:
        """Build the station."""
        if isinstance(action, PlaceToken):
            move.pop()
            build_station(move, self.company, action)
        else:
            self.passed(move)
