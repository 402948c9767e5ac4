"""Track, stations and mountain passes: the first step of a company's turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyPrivate,
    BuyTender,
    LayTile,
    OpenPass,
    Option,
    Pass,
    PlaceToken,
    ReachDestination,
)
from carril.engine.board import (
    has_token_in,
    lay_tile,
    open_circles,
    place_token,
    tile_at,
    tokens_in,
    tokens_of,
)
from carril.engine.events import PassOpened
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import CLOSED, joined, reach, supply
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.tile import turned
from carril.engine.track import Fit, fault, fits, lay_cost
from carril.engine.trains import phase_def, phase_reached
from carril.titles.esp.common import (
    close_private,
    edition,
    esp,
    has_goals,
    home_of,
    is_minor,
    owns_private,
    reach_goal,
    region,
    rules,
)
from carril.titles.esp.privates import TurnStep
from carril.titles.esp.reservations import kept

ARANJUEZ, MADRID = "F26", "F24"


class Build(TurnStep, tag="build", frozen=True):
    """Lay and upgrade track, lay a mine, open a pass, build a station, in any order."""

    normal: int = 0
    """Track actions taken so far, mines aside."""
    upgraded: bool = False
    mined: bool = False
    opened: bool = False
    stationed: bool = False
    hexes: tuple[str, ...] = ()
    """Hexes changed in this turn."""

    allows = (LayTile, PlaceToken, OpenPass, ReachDestination, BuyPrivate, BuyTender, Pass)

    # --- what is left to do --------------------------------------------------------------

    def _most_lays(self, state: State) -> int:
        if is_minor(state, self.company):
            return 1
        if rules(state).south_from_start and region(state, self.company) == "south":
            return 2
        return 2 if phase_reached(state, edition(state).second_tile_from_phase) else 1

    def _second_cost(self, state: State) -> int:
        return int(state.title.tables.setup["costs"]["second_tile"]) if self.normal else 0

    def settle(self, move: Move) -> bool:
        """Note a destination reached, and end the step when nothing can be done."""
        if self._destination(move.state) and not rules(move.state).destination_declared:
            reach_goal(move, self.company, "destination")
            return True
        if not rules(move.state).single_choices_asked:
            return False
        if self._offered_online(move.state):
            return False
        move.pop()
        return True

    def _destination(self, state: State) -> bool:
        """Return whether the company is newly joined to its destination (ESP-5.1.1-b, -c)."""
        goal = state.title.tables.companies[self.company].destination
        if not goal or not has_goals(state, self.company):
            return False
        if "destination" in esp(state).goals.get(self.company, ()):
            return False
        home = home_of(state, self.company).hex
        any_station = rules(state).destination_from_any
        starts = [
            place
            for place in tokens_of(state.board, self.company)
            if any_station or place[0] == home
        ]
        tables, board = state.title.tables, state.board
        return any(joined(tables, board, start, goal) for start in starts)

    def _offered_online(self, state: State) -> bool:
        """Return whether 18xx.games would still ask: a lay, a token or a pass is on offer."""
        if self._lay_online(state):
            return True
        if self.stationed and self.hexes:
            return self._reach_undeclared(state)
        can_place = not self.stationed and next(self._stations(state), None) is not None
        can_open = next(self._closed_in_reach(state), None) is not None and self._may_open(state)
        return can_place or can_open or self._reach_undeclared(state)

    def _reach_undeclared(self, state: State) -> bool:
        return rules(state).destination_declared and self._destination(state)

    def _lay_online(self, state: State) -> bool:
        left, cash = self._most_lays(state) - self.normal, state.companies[self.company].cash
        owner = esp(state).privates.get("P1")
        if owner in state.players and not phase_reached(state, "5") and cash >= 1:
            return True
        if left > 0:
            return cash >= self._second_cost(state)
        return not self.mined

    def _may_open(self, state: State) -> bool:
        return not is_minor(state, self.company) and phase_reached(state, "3") and not self.opened

    # --- options -------------------------------------------------------------------------

    def own_options(self, state: State) -> Iterable[Option]:
        """Yield every lay, station and pass that is legal, and the pass."""
        by = self.actor(state)
        yield from self._lays(state)
        for hex_id, city in self._stations(state):
            yield PlaceToken(hex_id, city, by=by)
        for hex_id in self._closed_in_reach(state):
            for private in ("", "P4"):
                action = OpenPass(hex_id, private, by=by)
                if self._open_refusal(state, action) is None:
                    yield action
        if self._reach_undeclared(state):
            yield ReachDestination(by=by)
        yield Pass(by=by)

    def _lays(self, state: State) -> Iterator[Option]:
        by = self.actor(state)
        tables, board = state.title.tables, state.board
        network = reach(tables, board, self.company)
        near = set(network.entries) | {at for at, _ in tokens_of(board, self.company)}
        powers = ("", "P1") if self._p1_usable(state) else ("",)
        for hex_id in (h for h in tables.hexes if h in near):
            for fit in fits(tables, board, hex_id):
                for private in powers:
                    if self._fit_refusal(state, hex_id, fit, private) is None:
                        yield LayTile(hex_id, fit.tile, fit.turn, private, by=by)

    def _p1_usable(self, state: State) -> bool:
        if rules(state).private_1_extra_lay:
            return self.actor(state) == esp(state).privates.get("P1") or owns_private(
                state, self.company, "P1"
            )
        return owns_private(state, self.company, "P1")

    def _stations(self, state: State) -> Iterator[tuple[str, int]]:
        if self.stationed or not state.companies[self.company].tokens:
            return
        for hex_id, city in sorted(reach(state.title.tables, state.board, self.company).stops):
            if self._station_refusal(state, hex_id, city) is None:
                yield hex_id, city

    def _closed_in_reach(self, state: State) -> Iterator[str]:
        for hex_id, stop in sorted(reach(state.title.tables, state.board, self.company).stops):
            if CLOSED in tokens_in(state.board, hex_id, stop):
                yield hex_id

    # --- refusals ------------------------------------------------------------------------

    def own_refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of the step."""
        match action:
            case LayTile():
                return self._lay_refusal(state, action)
            case PlaceToken(hex=hex_id, city=city):
                if hex_id not in state.title.tables.hexes:
                    return refuse(state, "no-such-hex", hex=hex_id)
                if self.stationed:
                    return refuse(state, "one-station", company=self.company)
                if not state.companies[self.company].tokens:
                    return refuse(state, "no-token-left", company=self.company)
                return self._station_refusal(state, hex_id, city)
            case OpenPass():
                return self._open_refusal(state, action)
            case ReachDestination():
                if self._reach_undeclared(state):
                    return None
                return refuse(state, "not-at-destination", company=self.company)
        return None

    def _lay_refusal(self, state: State, action: LayTile) -> Refusal | None:
        tables = state.title.tables
        if action.hex not in tables.hexes:
            return refuse(state, "no-such-hex", hex=action.hex)
        if action.tile not in tables.tiles or action.turn not in range(6):
            return refuse(state, "no-such-tile", tile=action.tile, turn=action.turn)
        for fit in fits(tables, state.board, action.hex):
            if fit.tile == action.tile and fit.turn == action.turn:
                return self._fit_refusal(state, action.hex, fit, action.private)
        current = tile_at(tables, state.board, action.hex)
        new = turned(tables.tiles[action.tile], action.turn)
        code = fault(tables, tables.hexes[action.hex], current, new)
        return refuse(state, code, hex=action.hex, tile=action.tile, turn=action.turn)

    def _fit_refusal(self, state: State, hex_id: str, fit: Fit, private: str) -> Refusal | None:
        """Check what depends on the company and the moment, for a tile that fits the hex."""
        tables, board = state.title.tables, state.board
        if fit.colour not in phase_def(state).tiles:
            return refuse(state, "colour-not-yet", colour=fit.colour, phase=state.phase)
        if refused := self._count_refusal(state, hex_id, fit, private):
            return refused
        north = tables.hexes[hex_id].region == "north"
        if is_minor(state, self.company) and north and not rules(state).minors_go_north:
            return refuse(state, "minor-stays-south", hex=hex_id)
        if not supply(tables, board)[fit.tile]:
            return refuse(state, "no-tile-left", tile=fit.tile)
        if hex_id == ARANJUEZ and 3 not in turned(tables.tiles[fit.tile], fit.turn).exits:
            return refuse(state, "aranjuez-madrid", hex=hex_id)
        if not self._connected(state, hex_id, fit):
            code = "not-connected" if reach(tables, board, self.company).pieces else "home-first"
            return refuse(state, code, hex=hex_id, company=self.company)
        cost, cash = self.cost(state, hex_id, fit, private), state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "too-dear", hex=hex_id, cost=cost, cash=cash)
        return None

    def _is_mine_lay(self, state: State, hex_id: str, fit: Fit) -> bool:
        return fit.colour == "yellow" and state.title.tables.hexes[hex_id].terrain == "mine"

    def _dismantles(self, state: State, hex_id: str, fit: Fit) -> bool:
        current = tile_at(state.title.tables, state.board, hex_id)
        mine = state.title.tables.hexes[hex_id].terrain == "mine"
        return fit.colour == "green" and mine and current.colour == "yellow"

    def _count_refusal(self, state: State, hex_id: str, fit: Fit, private: str) -> Refusal | None:
        """Check how many tiles may still be laid (ESP-4.2.1-a to -e, -l; A15, A16)."""
        mine, dismantles = (
            self._is_mine_lay(state, hex_id, fit),
            self._dismantles(state, hex_id, fit),
        )
        if private and (private != "P1" or not self._p1_usable(state) or not (mine or dismantles)):
            return refuse(state, "private-1-for-mines", private=private)
        if hex_id in self.hexes:
            return refuse(state, "hex-twice", hex=hex_id)
        if private and rules(state).private_1_extra_lay:
            return None
        if mine:
            return refuse(state, "one-mine", company=self.company) if self.mined else None
        if self.normal >= self._most_lays(state):
            minor = is_minor(state, self.company)
            return refuse(state, "no-more-lays" if minor else "no-third-lay", hex=hex_id)
        if fit.colour != "yellow" and self.upgraded:
            return refuse(state, "one-upgrade", hex=hex_id)
        return None

    def _connected(self, state: State, hex_id: str, fit: Fit) -> bool:
        """A yellow tile continues the network; an upgraded one is part of it afterwards."""
        tables, board = state.title.tables, state.board
        if has_token_in(board, self.company, hex_id):
            return True
        entries = reach(tables, board, self.company).entries.get(hex_id, frozenset())
        return any(not entries.isdisjoint(edges) for edges, _, _ in fit.groups)

    def cost(self, state: State, hex_id: str, fit: Fit, private: str) -> int:
        """Return what a lay costs: terrain, a mine, the second action; less private 1's help."""
        tables = state.title.tables
        current = tile_at(tables, state.board, hex_id)
        cost = lay_cost(tables.hexes[hex_id], current, fit.colour)
        dismantles = self._dismantles(state, hex_id, fit)
        if dismantles:
            cost += int(tables.setup["costs"]["mine"])
        if private:
            return max(0, cost - 30) + (
                0 if self._extra(state, private) else self._more(state, hex_id, fit)
            )
        return cost + self._more(state, hex_id, fit)

    def _extra(self, state: State, private: str) -> bool:
        return bool(private) and rules(state).private_1_extra_lay

    def _more(self, state: State, hex_id: str, fit: Fit) -> int:
        """Return the 20 for a second action; a mine laid never costs it."""
        if self._is_mine_lay(state, hex_id, fit):
            return 0
        mine_hex = state.title.tables.hexes[hex_id].terrain == "mine"
        if mine_hex and fit.colour != "yellow" and rules(state).second_mine_upgrade_free:
            return 0
        return self._second_cost(state)

    def _station_refusal(self, state: State, hex_id: str, city: int) -> Refusal | None:
        tables, board = state.title.tables, state.board
        where = f"{hex_id}.{city}"
        if is_minor(state, self.company):
            return refuse(state, "minor-one-station", company=self.company)
        if city not in tile_at(tables, board, hex_id).cities:
            return refuse(state, "no-city", city=where)
        if self._own_token(state, hex_id, city):
            return refuse(state, "token-there", hex=hex_id, company=self.company)
        if open_circles(tables, board, hex_id, city) < 1:
            return refuse(state, "city-full", city=where)
        if kept(state, self.company, hex_id, city):
            return refuse(state, "home-reserved", city=where)
        if (hex_id, city) not in reach(tables, board, self.company).stops:
            return refuse(state, "city-not-reached", city=where, company=self.company)
        cost, cash = tables.setup["costs"]["station"], state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "station-too-dear", cost=cost, cash=cash)
        return None

    def _own_token(self, state: State, hex_id: str, city: int) -> bool:
        if edition(state).one_station_per_hex:
            return has_token_in(state.board, self.company, hex_id)
        return self.company in tokens_in(state.board, hex_id, city)

    def _open_refusal(self, state: State, action: OpenPass) -> Refusal | None:
        if not phase_reached(state, "3"):
            return refuse(state, "passes-not-yet", phase=state.phase)
        free = rules(state).private_4_free and action.private
        if is_minor(state, self.company) and not free:
            return refuse(state, "minor-no-pass", company=self.company)
        if action.hex not in self._closed_in_reach(state):
            return refuse(state, "no-closed-pass", hex=action.hex)
        if self.opened and not free:
            return refuse(state, "one-pass", company=self.company)
        if action.private and (
            action.private != "P4" or not owns_private(state, self.company, "P4")
        ):
            return refuse(state, "private-4-owner", private=action.private)
        cost, cash = self._pass_cost(state, action), state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "pass-too-dear", cost=cost, cash=cash)
        return None

    def _pass_cost(self, state: State, action: OpenPass) -> int:
        cost = state.title.tables.hexes[action.hex].cost
        if not action.private:
            return cost
        return 0 if action.hex == "H12" else cost - 40

    # --- what happens --------------------------------------------------------------------

    def own_play(self, move: Move, action: Action) -> None:
        """Carry out one action of the step."""
        match action:
            case LayTile():
                self._lay(move, action)
            case PlaceToken(hex=hex_id, city=city):
                self._place(move, hex_id, city)
            case OpenPass():
                self._open(move, action)
            case ReachDestination():
                reach_goal(move, self.company, "destination")
            case _:
                self.passed(move)

    def _lay(self, move: Move, action: LayTile) -> None:
        state = move.state
        fit = next(
            fit
            for fit in fits(state.title.tables, state.board, action.hex)
            if fit.tile == action.tile and fit.turn == action.turn
        )
        cost = self.cost(state, action.hex, fit, action.private)
        mine = self._is_mine_lay(state, action.hex, fit)
        extra = self._extra(state, action.private)
        normal = not mine and not extra
        free = mine and rules(state).mine_hex_twice
        move.swap(
            replace(
                self,
                normal=self.normal + normal,
                upgraded=self.upgraded or (normal and fit.colour != "yellow"),
                mined=self.mined or (mine and not extra),
                hexes=self.hexes if free else (*self.hexes, action.hex),
            )
        )
        pay(move, self.company, BANK, cost, "terrain")
        if action.private:
            close_private(move, action.private)
        lay_tile(move, self.company, action.hex, action.tile, action.turn, cost)

    def _place(self, move: Move, hex_id: str, city: int) -> None:
        """A station costs 50: to the bank, in a pass with a station to that one's owner."""
        cost = move.state.title.tables.setup["costs"]["station"]
        present = tokens_in(move.state.board, hex_id, city)
        in_pass = move.state.title.tables.hexes[hex_id].region == "pass"
        pay(move, self.company, present[0] if in_pass and present else BANK, cost, "station")
        move.swap(replace(self, stationed=True))
        place_token(move, self.company, hex_id, city)

    def _open(self, move: Move, action: OpenPass) -> None:
        cost = self._pass_cost(move.state, action)
        pay(move, self.company, BANK, cost, "mountain pass")
        board = move.state.board
        tokens = {at: circles for at, circles in board.tokens.items() if at != action.hex}
        move.set(board=replace(board, tokens=tokens))
        move.tell(PassOpened(self.company, action.hex, cost))
        counts = not (rules(move.state).private_4_free and action.private)
        move.swap(replace(self, opened=self.opened or counts))
        if action.private:
            close_private(move, action.private)
