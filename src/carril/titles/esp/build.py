"""Track, stations and mountain passes: the first step of a company's turn.

The rules of track itself are in `lays`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    Kinds,
    LayTile,
    OpenPass,
    Option,
    Pass,
    PlaceToken,
    ReachDestination,
)
from carril.engine.board import CLOSED, open_place, tokens_in, tokens_of
from carril.engine.events import PassOpened
from carril.engine.launch import is_late
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import joined, reach
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.home import home_of
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.station import build_station, station_refusal, stations
from carril.engine.steps.track import lay_options, lay_refusal
from carril.engine.trains import phase_reached
from carril.titles.esp import lays
from carril.titles.esp.common import (
    close_private,
    conventions,
    esp,
    has_goals,
    is_minor,
    owns_private,
    reach_goal,
)
from carril.titles.esp.figures import figures


class Build(CompanyStep, tag="build", frozen=True):
    """Lay and upgrade track, lay a mine, open a pass, build a station, in any order."""

    normal: int = 0
    """Track actions taken so far, mines aside."""
    upgraded: bool = False
    mined: bool = False
    opened: bool = False
    stationed: bool = False
    hexes: tuple[str, ...] = ()
    """Hexes changed in this turn."""
    helped: bool = False
    """Whether the last lay or station was a lay with a private's help."""

    allows = (LayTile, PlaceToken, OpenPass, ReachDestination, Pass)

    # --- what is left to do --------------------------------------------------------------

    def settle(self, move: Move) -> bool:
        """Note a destination reached, and end the step when nothing can be done."""
        if self._destination(move.state) and not conventions(move.state).destination_declared:
            reach_goal(move, self.company, "destination")
            return True
        if not conventions(move.state).single_choices_asked:
            return False
        if self._offered_online(move.state):
            return False
        move.pop()
        return True

    def _destination(self, state: State) -> bool:
        """Return whether the company is newly joined to its destination (ESP-5.1.1-b, -c)."""
        goal = state.tables.companies[self.company].destination
        if not goal or not has_goals(state, self.company):
            return False
        if "destination" in esp(state).goals.get(self.company, ()):
            return False
        home = home_of(state, self.company).hex
        any_station = conventions(state).destination_from_any
        starts = [
            place
            for place in tokens_of(state.board, self.company)
            if any_station or place[0] == home
        ]
        tables, board = state.tables, state.board
        return any(joined(tables, board, start, goal) for start in starts)

    def _offered_online(self, state: State) -> bool:
        """Return whether 18xx.games would still ask: a lay, a token or a pass is on offer."""
        if self._lay_online(state):
            return True
        if self.stationed and self.hexes and not self._kept_open_by_help(state):
            return self._reach_undeclared(state)
        can_place = next(self._stations(state), None) is not None
        can_open = next(self._closed_in_reach(state), None) is not None and self._may_open(state)
        return can_place or can_open or self._reach_undeclared(state)

    def _kept_open_by_help(self, state: State) -> bool:
        return self.helped and conventions(state).private_1_keeps_open

    def _reach_undeclared(self, state: State) -> bool:
        return conventions(state).destination_declared and self._destination(state)

    def _lay_online(self, state: State) -> bool:
        left = lays.most_lays(state, self.company) - self.normal
        cash = state.companies[self.company].cash
        owner = esp(state).privates.get(figures(state).mine_help.private)
        if owner in state.players and not is_late(state) and cash >= 1:
            return True
        if owner == self.company and conventions(state).private_1_keeps_open:
            return True
        if left > 0:
            return cash >= lays.second_cost(state, self)
        return not self.mined

    def _may_open(self, state: State) -> bool:
        return not is_minor(state, self.company) and _passes_open(state) and not self.opened

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield every lay, station and pass that is legal, and the pass."""
        return self.options_of(state, self.allowed(state))

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Option]:
        """Yield lays, stations, passes to open, the destination and the pass, if asked for."""
        if LayTile in kinds:
            yield from lay_options(state, self)
        if PlaceToken in kinds:
            yield from self._stations(state)
        if OpenPass in kinds:
            yield from self._openings(state)
        if ReachDestination in kinds and self._reach_undeclared(state):
            yield ReachDestination(by=self.actor(state))
        if Pass in kinds:
            yield Pass(by=self.actor(state))

    def _openings(self, state: State) -> Iterator[OpenPass]:
        for hex_id in self._closed_in_reach(state):
            for private in ("", figures(state).pass_help.private):
                action = OpenPass(hex_id, private, by=self.actor(state))
                if self._open_refusal(state, action) is None:
                    yield action

    def _stations(self, state: State) -> Iterator[PlaceToken]:
        return iter(()) if self.stationed else stations(state, self.company)

    def _closed_in_reach(self, state: State) -> Iterator[str]:
        for hex_id, stop in sorted(reach(state.tables, state.board, self.company).stops):
            if CLOSED in tokens_in(state.board, hex_id, stop):
                yield hex_id

    # --- refusals ------------------------------------------------------------------------

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of the step."""
        match action:
            case LayTile():
                return lay_refusal(state, self, action)
            case PlaceToken():
                if self.stationed and action.hex in state.tables.hexes:
                    return refuse(state, "one-station", company=self.company)
                return station_refusal(state, self.company, action)
            case OpenPass():
                return self._open_refusal(state, action)
            case ReachDestination():
                if self._reach_undeclared(state):
                    return None
                return refuse(state, "not-at-destination", company=self.company)
        return None

    def _open_refusal(self, state: State, action: OpenPass) -> Refusal | None:
        if not _passes_open(state):
            return refuse(state, "passes-not-yet", phase=state.phase)
        free = conventions(state).private_4_free and action.private
        if is_minor(state, self.company) and not free:
            return refuse(state, "minor-no-pass", company=self.company)
        if action.hex not in self._closed_in_reach(state):
            return refuse(state, "no-closed-pass", hex=action.hex)
        if self.opened and not free:
            return refuse(state, "one-pass", company=self.company)
        helper = figures(state).pass_help.private
        if action.private not in ("", helper) or (
            action.private and not owns_private(state, self.company, helper)
        ):
            return refuse(state, "private-4-owner", private=action.private)
        cost, cash = self._pass_cost(state, action), state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "pass-too-dear", cost=cost, cash=cash)
        return None

    def _pass_cost(self, state: State, action: OpenPass) -> int:
        cost, relief = state.tables.hexes[action.hex].cost, figures(state).pass_help
        if not action.private:
            return cost
        return 0 if action.hex == relief.free else cost - relief.amount

    # --- what happens --------------------------------------------------------------------

    def play(self, move: Move, action: Action) -> None:
        """Carry out one action of the step."""
        match action:
            case LayTile():
                lays.lay_track(move, self, action)
            case PlaceToken():
                move.swap(replace(self, stationed=True, helped=False))
                build_station(move, self.company, action)
            case OpenPass():
                self._open(move, action)
            case ReachDestination():
                reach_goal(move, self.company, "destination")
            case _:
                self.passed(move)

    def _open(self, move: Move, action: OpenPass) -> None:
        cost = self._pass_cost(move.state, action)
        pay(move, self.company, BANK, cost, "mountain pass")
        open_place(move, action.hex)
        move.tell(PassOpened(self.company, action.hex, cost))
        counts = not (conventions(move.state).private_4_free and action.private)
        move.swap(replace(self, opened=self.opened or counts))
        if action.private:
            close_private(move, action.private)


def _passes_open(state: State) -> bool:
    """Return whether passes can be opened in this phase."""
    return phase_reached(state, figures(state).passes_from_phase)
