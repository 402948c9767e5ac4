"""Running trains in 18ESP: gauges, passes, mines and harbours, bonuses, goals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import cast

from msgspec.structs import replace

from carril.engine.actions import Action, Option, RunTrains
from carril.engine.board import tokens_in, tokens_of
from carril.engine.cache import Cache
from carril.engine.events import TrainsRun
from carril.engine.move import Move
from carril.engine.network import CLOSED, layout, next_stops, passable
from carril.engine.refusals import Refusal
from carril.engine.run_network import build_run_network
from carril.engine.runs import (
    Bonus,
    Limit,
    Room,
    Rules,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
    best,
    check,
    value,
)
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.tables import Tables
from carril.engine.tile import Tile
from carril.engine.trains import COUPLED, phase_def
from carril.titles.esp.common import (
    OO_HEXES,
    STRAWBERRY,
    conventions,
    edition,
    esp,
    is_minor,
    reach_goal,
    region,
    set_extra,
)
from carril.titles.esp.earnings import Earnings
from carril.titles.esp.figures import ESPFigures, figures

TOWNS = ("town", "mine", "harbour")

_grounds: Cache[RunProblem] = Cache(64)
_problems: Cache[RunProblem] = Cache(64)


def able_trains(state: State, company: str) -> tuple[str, ...]:
    """Return the trains of a company that may run in this operating round."""
    trains = list(state.companies[company].trains)
    resting = esp(state).resting.get(company)
    if resting in trains:
        trains.remove(resting)
    return tuple(trains)


def has_ground(state: State, company: str, train: str) -> bool:
    """Return whether a train has a map to run on: its company's, or the other by a station.

    A simple train of the other gauge needs a station on the other map or in a pass.
    """
    if COUPLED in train:
        return True
    gauge = state.tables.trains[train].gauge
    own = region(state, company)
    if (gauge == "narrow") == (own == "north"):
        return True
    if is_minor(state, company):
        return False
    hexes = state.tables.hexes
    return any(hexes[at].region != own for at, _ in tokens_of(state.board, company))


def run_problem(state: State, company: str) -> RunProblem:
    """Return the company's trains and the track they reach."""
    ground, names = ground_of(state, company), able_trains(state, company)

    def make() -> RunProblem:
        return replace(ground, trains=tuple(train_of(state, company, name) for name in names))

    return _problems.get(names, make, owner=ground)


def ground_of(state: State, company: str) -> RunProblem:
    """Return what a company can run on, still without trains: the same before and after buying."""
    extra = esp(state)
    key = (
        company,
        state.phase,
        company in extra.tenders,
        extra.strawberry_run,
        last_round(state),
    )
    return _grounds.get(key, partial(_make, state, company), owner=state.board)


def last_round(state: State) -> bool:
    """Return whether this is the very last operating round."""
    return esp(state).last_rounds == "on" and state.round.number == 3


def factor(state: State, company: str) -> int:
    """Return what a Northern major's income is multiplied by: 1 but in the last round."""
    northern = region(state, company) == "north"
    return edition(state).last_factor if northern and last_round(state) else 1


def _make(state: State, company: str) -> RunProblem:
    network = build_run_network(
        state.tables,
        state.board,
        company,
        partial(_stop, state, company, phase_def(state).colour, factor(state, company)),
        exclusive=True,
        group_of=None if edition(state).plain_tile_twice else _plain_once,
    )
    return RunProblem(
        *network,
        trains=(),
        rules=_rules(state, company),
    )


def _stop(
    state: State, company: str, colour: str, times: int, hex_id: str, number: int
) -> Stop | None:
    """Return a stop as the company sees it; a closed pass is none."""
    tables, board = state.tables, state.board
    tile = layout(tables, board, hex_id).tile
    definition = tile.stops[number]
    present = tokens_in(board, hex_id, number)
    if CLOSED in present:
        return None
    worth = definition.value(colour)
    if hex_id == "C1" and conventions(state).harbour_30 and state.phase == "2":
        worth = 30
    if definition.kind == "pass" and company not in present:
        worth = 0
    return Stop(
        key=f"{hex_id}.{number}",
        hex=hex_id,
        kind=definition.kind,
        value=0 if definition.treasury else worth * times,
        treasury=worth if definition.treasury else 0,
        token=company in present,
        through=passable(tables, board, company, hex_id, number),
        once=_once(state, hex_id, len(tile.stops), definition.area),
        tags=_tags(tables, hex_id, definition.tags),
    )


def _once(state: State, hex_id: str, stops: int, area: str) -> str:
    """Stops of one hex exclude each other, but for the two cities of an OO tile (A20, A21)."""
    if area:
        return area
    return hex_id if stops > 1 and hex_id not in OO_HEXES else ""


def _plain_once(hex_id: str, tile: Tile, number: int) -> str:
    """Two tracks of a plain tile exclude each other unless they cross (ESP-4.4.2-f)."""
    return hex_id if not tile.stops and _keeps_apart(tile, number) else ""


@cache
def _keeps_apart(tile: Tile, number: int) -> bool:
    """Return whether another track of a tile neither crosses a track nor meets it at a side.

    Tracks that meet at a side exclude each other already.
    """
    ends = tile.paths[number].a, tile.paths[number].b
    return any(
        not {a, b} & set(ends) and _between(a, ends) == _between(b, ends)
        for a, b in ((path.a, path.b) for path in tile.paths)
    )


def _between(edge: int, ends: tuple[int, int]) -> bool:
    return min(ends) < edge < max(ends)


def _tags(tables: Tables, hex_id: str, sides: tuple[str, ...]) -> tuple[str, ...]:
    bonus = cast(ESPFigures, tables.figures).bonus
    tags = [*sides, hex_id]
    where = tables.hexes[hex_id].region
    if where != "pass":
        tags.append(where)
    if hex_id in bonus.north:
        tags.append("bonus-north")
    if hex_id in bonus.south:
        tags.append("bonus-south")
    return tuple(tags)


def train_of(state: State, company: str, name: str) -> Train:
    """Return a train; a combined one adds both ranges and must cross a pass."""
    parts = name.split(COUPLED)
    definitions = [state.tables.trains[part] for part in parts]
    any_stops = sum(d.distance[0].count for d in definitions)
    towns = sum(d.distance[1].count for d in definitions if len(d.distance) > 1)
    kinds = definitions[0].distance[0].stops
    rooms = [Room(kinds, any_stops)] + ([Room(TOWNS, towns)] if towns else [])
    combined = len(parts) > 1
    gauges = () if combined else (definitions[0].gauge, "dual")
    must: tuple[str, ...] = ("pass", "north", "south") if combined else ()
    if name == STRAWBERRY and not esp(state).strawberry_run:
        must = ("F26", "F24") if conventions(state).strawberry_needs_madrid else ("F26",)
    return Train(name, tuple(rooms), gauges, must=must, bars=_bars(state, company))


def _bars(state: State, company: str) -> tuple[str, ...]:
    if not is_minor(state, company):
        return ()
    return ("offboard",) if conventions(state).minors_go_north else ("offboard", "pass")


def _rules(state: State, company: str) -> Rules:
    """Limits on E, W and passes; the two bonuses; the tender."""
    bonus, times = figures(state).bonus, factor(state, company)
    north_south, east_west = bonus.north_south, bonus.east_west
    both = edition(state).both_bonuses - north_south - east_west
    bonuses = [
        Bonus("north-south", north_south * times, has=("bonus-north", "bonus-south")),
        Bonus("east-west", east_west * times, has=("E", "W")),
    ]
    if both:
        every = ("bonus-north", "bonus-south", "E", "W")
        bonuses.append(Bonus("both", both * times, has=every))
    tender = RunCard("tender", room=(Room(TOWNS, 1),))
    passes = Limit("pass", 1, inner=edition(state).second_pass_at_end)
    return Rules(
        limits=(Limit("E", 1), Limit("W", 1), passes),
        bonuses=tuple(bonuses),
        extras=(tender,) if company in esp(state).tenders else (),
    )


def any_route(state: State, company: str) -> bool:
    """Return whether some station has another stop next to it on its track."""
    tables, board = state.tables, state.board
    for hex_id, city in tokens_of(board, company):
        for other, stop in next_stops(tables, board, hex_id, city):
            if other != hex_id and CLOSED not in tokens_in(board, other, stop):
                return True
    return False


class RunStep(CompanyStep, tag="esp-run", frozen=True):
    """Run the trains: any legal run may be claimed, also none (ESP-4.4.3-c, ESP-DE-5.5-a)."""

    allows = (RunTrains,)

    def settle(self, move: Move) -> bool:
        """A company without a train that may run, or without a route, earns nothing."""
        state = move.state
        able = [t for t in able_trains(state, self.company) if has_ground(state, self.company, t)]
        if able and any_route(state, self.company):
            return False
        self._earn(move, 0, 0)
        return True

    def options(self, state: State) -> Iterable[Option]:
        """Yield the run with the greatest total, with the greatest dividend, and no run."""
        by = self.actor(state)
        problem = run_problem(state, self.company)
        most = best(problem)
        found = dict.fromkeys(most.runs[:1])
        if most.treasury:  # else nothing is worth more to the shareholders either
            found |= dict.fromkeys(best(problem, payable=True).runs[:1])
        if edition(state).idle_trains or not found:
            found[Run()] = None
        for run in found:
            yield RunTrains(run.routes, run.extras, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the routes and the sums claimed."""
        assert isinstance(action, RunTrains)
        if not conventions(state).best_run_enforced and action.claim is not None:
            return None
        problem = run_problem(state, self.company)
        run = Run(action.routes, action.extras)
        if fault := check(problem, run):
            return refuse(state, f"run-{fault.code}", **fault.facts)
        if not run.routes and not edition(state).idle_trains and best(problem).runs[:1] != (Run(),):
            return refuse(state, "must-run", company=self.company)
        worth = value(problem, run)
        claimed = (worth.payable, 0) if action.claim is None else (action.claim, worth.treasury)
        if claimed != (worth.payable, action.subsidy):
            return refuse(state, "wrong-claim", claim=claimed[0], value=worth.payable)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Reckon the run, reward goals, and go on to the dividend."""
        assert isinstance(action, RunTrains)
        self._note_run(move, action)
        if action.claim is not None and not conventions(move.state).best_run_enforced:
            self._earn(move, action.claim, action.subsidy)
            return
        worth = value(run_problem(move.state, self.company), Run(action.routes, action.extras))
        self._earn(move, worth.payable, worth.treasury)

    def _note_run(self, move: Move, action: RunTrains) -> None:
        """Reward the goals that need a run (ESP-5.1.1-d to -f), whatever it earns (A28)."""
        if any(route.train == STRAWBERRY for route in action.routes):
            set_extra(move, strawberry_run=True)
        if action.routes and is_minor(move.state, self.company):
            ran = esp(move.state).ran
            set_extra(move, ran=(*ran, self.company) if self.company not in ran else ran)
        kinds = [self._kinds(move.state, route.path) for route in action.routes]
        if any("offboard" in found for found in kinds):
            reach_goal(move, self.company, "offboard")
        northern = region(move.state, self.company) == "north"
        record = edition(move.state)
        wanted = set(record.north_goal if northern else record.south_goal)
        if wanted and any(wanted <= found for found in kinds):
            reach_goal(move, self.company, "harbour")

    def _kinds(self, state: State, path: tuple[str, ...]) -> set[str]:
        found = set()
        for place in path:
            hex_id, point, number = place.partition(".")
            if point:
                tile = layout(state.tables, state.board, hex_id).tile
                found.add(tile.stops[int(number)].kind)
        return found

    def _earn(self, move: Move, payable: int, treasury: int) -> None:
        move.tell(TrainsRun(self.company, payable, treasury))
        move.swap(Earnings(self.company, earnings=payable, subsidy=treasury))
