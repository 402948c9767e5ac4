"""Running trains in 18Cuba: mills and fields, harbours, wagons with sugar, passes, cubes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from functools import partial

from msgspec.structs import replace

from carril.engine.actions import RunTrains
from carril.engine.board import tokens_in
from carril.engine.events import CubesDelivered, CubesProduced
from carril.engine.move import Move
from carril.engine.network import has_route
from carril.engine.run_network import build_run_network, company_stop, company_train
from carril.engine.runs import Fault, Rules, Run, RunCard, RunProblem, Stop, Train, paid_tolls
from carril.engine.runs.revenue import cards_used
from carril.engine.runs.tolls import settled
from carril.engine.state import State
from carril.engine.steps.running import (
    RunRules,
    best_runs_by_payment,
    run_problem,
    trains_on_charter,
)
from carril.titles.cuba.common import MINOR, cuba, kind, set_extra
from carril.titles.cuba.figures import figures
from carril.titles.cuba.passes import tolled_cities

FOREIGN = "foreign"
"""The tag of cities that a minor's trains may neither visit nor pass."""
WAGON = "wagon"
"""The kind of cards that carry cubes."""


def machine_bonus(state: State, company: str) -> int:
    """Return what the machines of a minor add to its revenue (CUBA-VII.3.11-h)."""
    generations = figures(state).machinery.generations
    return sum(generations[name].bonus for name in cuba(state).machines.get(company, ()))


def cubes_produced(state: State, revenue: int) -> int:
    """Return how many cubes a minor produces (CUBA-VII.3.8-i)."""
    return bisect_right(figures(state).sugar.revenues, revenue)


def _wagons(state: State, company: str) -> tuple[RunCard, ...]:
    trains = state.tables.trains
    return tuple(
        RunCard(name, capacity=trains[name].capacity, beyond=("harbour",), must=("harbour",))
        for name in state.companies[company].trains
        if trains[name].kind == WAGON
    )


def _boxes(state: State) -> tuple[tuple[str, int], ...]:
    """Return the minors with cubes in their boxes."""
    return tuple((minor, count) for minor, count in sorted(cuba(state).cubes.items()) if count)


def _purse(state: State, company: str) -> int:
    """Return what a company can spend on passes, as far as it makes a difference."""
    fees = figures(state).central.fee * len(tolled_cities(state, company))
    return min(state.companies[company].cash, fees)


def _depends_on(state: State, company: str) -> Hashable:
    if kind(state, company) == MINOR:
        return machine_bonus(state, company)
    return _wagons(state, company), _boxes(state), _purse(state, company)


def _ground(state: State, company: str) -> RunProblem:
    minor = kind(state, company) == MINOR
    passes = tolled_cities(state, company)
    network = build_run_network(
        state.tables,
        state.board,
        company,
        partial(_minor_stop if minor else _major_stop, state, company),
        exclusive=True,
        passes=passes,
    )
    if minor:
        return RunProblem(*network, trains=(), rules=Rules(premium=machine_bonus(state, company)))
    rules = Rules(
        extras=_wagons(state, company),
        cubes=_boxes(state),
        cube_value=figures(state).sugar.delivered,
        purse=_purse(state, company),
    )
    return RunProblem(*network, trains=(), rules=rules)


def _minor_stop(state: State, company: str, hex_id: str, number: int) -> Stop:
    """Return a field or a city, of which only the mill of the minor is open to its trains."""
    stop = company_stop(state, company, hex_id, number)
    return replace(stop, tags=(FOREIGN,)) if stop.kind == "city" and not stop.token else stop


def _major_stop(state: State, company: str, hex_id: str, number: int) -> Stop:
    """Return a stop tagged with the minor that has its mill there, and with its toll."""
    stop = company_stop(state, company, hex_id, number)
    present = tokens_in(state.board, hex_id, number)
    mills = tuple(symbol for symbol in present if kind(state, symbol) == MINOR)
    if (hex_id, number) in tolled_cities(state, company):
        return replace(
            stop, tags=(*stop.tags, *mills), through=True, toll=figures(state).central.fee
        )
    return replace(stop, tags=(*stop.tags, *mills)) if mills else stop


def _train(state: State, company: str, name: str) -> Train:
    train = company_train(state, company, name)
    return replace(train, bars=(FOREIGN,)) if kind(state, company) == MINOR else train


def _asked(state: State, company: str) -> bool:
    """Return whether a company has a train and a route; no city is one for a narrow train."""
    ignore = frozenset({"city"}) if kind(state, company) == MINOR else frozenset[str]()
    trains = trains_on_charter(state, company)
    return bool(trains) and has_route(state.tables, state.board, company, ignore)


def _judged_by(state: State, problem: RunProblem, run: Run) -> RunProblem:
    """A run is compared with those that pay for the same passes (G40, CUBA-VII.3.8-l)."""
    judge = settled(problem, paid_tolls(run))
    if not figures(state).readings.wagons_at_will:
        return judge
    used = tuple(use.card for use in cards_used(problem, run))
    return replace(judge, rules=replace(judge.rules, extras=used))


def _after_run(move: Move, company: str, action: RunTrains, payable: int) -> None:
    """A minor puts cubes into its box; a major takes those that it delivers."""
    state = move.state
    cubes = dict(cuba(state).cubes)
    if kind(state, company) == MINOR:
        count = cubes_produced(state, payable)
        if count:
            set_extra(move, cubes=cubes | {company: cubes.get(company, 0) + count})
            move.tell(CubesProduced(company, count))
        return
    run = Run(action.routes, action.extras)
    for use in cards_used(run_problem(state, company), run):
        for minor, count in use.cubes.items():
            cubes[minor] -= count
            move.tell(CubesDelivered(company, minor, count))
    set_extra(move, cubes=cubes)


_FOREIGN_CITY = "CUBA-VII.3.7-f"


def _cite(problem: RunProblem, fault: Fault) -> str:
    """Return the rule for what a code alone does not tell."""
    minor = any(train.bars for train in problem.trains)
    if fault.code == "passes-through" and minor:
        return _FOREIGN_CITY
    return ""


RUN = RunRules(
    ground=_ground,
    train=_train,
    depends_on=_depends_on,
    asked=_asked,
    required=lambda state: "best",
    offered=best_runs_by_payment,
    judged_by=_judged_by,
    after_run=_after_run,
    cite=_cite,
)
