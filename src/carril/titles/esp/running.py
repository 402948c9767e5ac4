"""Running trains in 18ESP: gauges, passes, mines and harbours, bonuses, goals."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import cast

from carril.engine.actions import RunTrains
from carril.engine.board import CLOSED, tokens_in, tokens_of
from carril.engine.move import Move
from carril.engine.network import layout, passable
from carril.engine.run_network import build_run_network
from carril.engine.runs import (
    Bonus,
    Fault,
    Limit,
    Room,
    Rules,
    Run,
    RunCard,
    RunProblem,
    Stop,
    Train,
    best_within_budget,
)
from carril.engine.state import State
from carril.engine.steps.running import RunRules
from carril.engine.tables import Tables
from carril.engine.tile import STOP, Tile
from carril.engine.trains import COUPLED, phase_def
from carril.titles.esp.common import (
    STRAWBERRY,
    conventions,
    edition,
    esp,
    is_minor,
    reach_goal,
    region,
    set_extra,
)
from carril.titles.esp.figures import ESPFigures, figures
from carril.titles.esp.home import is_oo

TOWNS = ("town", "mine", "harbour")
ARANJUEZ = "Aranjuez"
"""The tag of the town that the strawberry train visits on its first run."""


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


def _depends_on(state: State, company: str) -> tuple[bool, ...]:
    extra = esp(state)
    return company in extra.tenders, extra.strawberry_run, last_round(state)


def last_round(state: State) -> bool:
    """Return whether this is the very last operating round."""
    return esp(state).last_rounds == "on" and state.round.number == 3


def factor(state: State, company: str) -> int:
    """Return what a Northern major's income is multiplied by: 1 but in the last round."""
    northern = region(state, company) == "north"
    return edition(state).last_factor if northern and last_round(state) else 1


def price_steps(state: State, company: str, dividend: int) -> int:
    """Return how many columns the price of a company moves to the right; below 0 to the left."""
    if dividend:
        return factor(state, company)
    once = conventions(state).withheld_moves_once or not edition(state).last_fall_multiplied
    return -1 if once else -factor(state, company)


def _ground(state: State, company: str) -> RunProblem:
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
    early = figures(state).early_harbour
    if conventions(state).harbour_30 and (hex_id, state.phase) == (early.hex, early.phase):
        worth = early.revenue
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
        once=definition.area or _once(state, hex_id, tile),
        tags=(*_tags(tables, hex_id, definition.tags), *_aranjuez(state, hex_id, tile, number)),
    )


def _once(state: State, hex_id: str, tile: Tile) -> str:
    """Stops of one hex exclude each other: not cities of an OO tile, nor two towns (A20, A21)."""
    if len(tile.stops) < 2 or is_oo(state, hex_id):
        return ""
    towns = all(stop.kind == "town" for stop in tile.stops)
    return "" if towns and not conventions(state).hex_visited_once else hex_id


def _aranjuez(state: State, hex_id: str, tile: Tile, number: int) -> tuple[str, ...]:
    """Return the tag of Aranjuez for the town of its hex that is connected to Madrid."""
    if hex_id != figures(state).strawberry.aranjuez:
        return ()
    edges = {path.a for path in tile.paths if path.b == STOP + number}
    return (ARANJUEZ,) if edges.issuperset(state.tables.hexes[hex_id].must_reach) else ()


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
        run, both = figures(state).strawberry, conventions(state).strawberry_needs_madrid
        must = (run.aranjuez, run.madrid) if both else (ARANJUEZ,)
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


def _required(state: State) -> str:
    """Any run may be claimed, also none where trains may be idle (ESP-4.4.3-c, ESP-DE-5.5-a)."""
    return "any" if edition(state).idle_trains else "some"


def _offered(state: State, problem: RunProblem) -> Iterable[Run]:
    """Yield the run with the greatest total, with the greatest dividend, and no run."""
    most = best_within_budget(problem)
    found = dict.fromkeys(most.runs[:1])
    if most.treasury:  # else nothing is worth more to the shareholders either
        found |= dict.fromkeys(best_within_budget(problem, payable=True).runs[:1])
    if _required(state) == "any" or not found:
        found[Run()] = None
    return found


def _note_run(move: Move, company: str, action: RunTrains, payable: int) -> None:
    """Reward the goals that need a run (ESP-5.1.1-d to -f), whatever it earns (A28)."""
    if any(route.train == STRAWBERRY for route in action.routes):
        set_extra(move, strawberry_run=True)
    if action.routes and is_minor(move.state, company):
        ran = esp(move.state).ran
        set_extra(move, ran=(*ran, company) if company not in ran else ran)
    kinds = [_kinds(move.state, route.path) for route in action.routes]
    if any("offboard" in found for found in kinds):
        reach_goal(move, company, "offboard")
    northern = region(move.state, company) == "north"
    record = edition(move.state)
    wanted = set(record.north_goal if northern else record.south_goal)
    if wanted and any(wanted <= found for found in kinds):
        reach_goal(move, company, "harbour")


def _kinds(state: State, path: tuple[str, ...]) -> set[str]:
    """Return the kinds of stops on a route."""
    found = set()
    for place in path:
        hex_id, point, number = place.partition(".")
        if point:
            tile = layout(state.tables, state.board, hex_id).tile
            found.add(tile.stops[int(number)].kind)
    return found


_EXCLUDED = {"city": "ESP-A20", "offboard": "ESP-A22", "town": "ESP-G23"}
"""Why two stops of a kind are not both visited, by their kind."""


def _cite(problem: RunProblem, fault: Fault) -> str:
    """Return the rule for two stops that exclude each other, and for the strawberry train."""
    if fault.code == "must-visit" and fault.facts["train"] == STRAWBERRY:
        return "ESP-2.2-ab"
    if fault.code != "stop-excluded":
        return ""
    both = (fault.facts["stop"], fault.facts["by"])
    kinds = {stop.kind for stop in problem.stops if stop.key in both}
    return _EXCLUDED.get(kinds.pop(), "") if len(kinds) == 1 else ""


RUN = RunRules(
    ground=_ground,
    train=train_of,
    depends_on=_depends_on,
    trains=able_trains,
    may_start=has_ground,
    required=_required,
    offered=_offered,
    after_run=_note_run,
    cite=_cite,
)
