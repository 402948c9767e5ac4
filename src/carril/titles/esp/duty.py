"""Whether a train can run, and whether it meets a company's duty to own one."""

from __future__ import annotations

from collections import OrderedDict

from msgspec.structs import replace

from carril.engine.runs import Run, RunProblem, best, check, value
from carril.engine.runs_path import first_legs
from carril.engine.state import State
from carril.engine.trains import COUPLED
from carril.titles.esp.common import STRAWBERRY, edition, region
from carril.titles.esp.running import any_route, ground_of, has_ground, train_of

LONGEST = ("8", "6+8")
"""The trains with the greatest range, one for each map."""

_KEPT = 256
_runnable: OrderedDict[tuple[int, str], tuple[RunProblem, bool]] = OrderedDict()


def can_run(state: State, company: str, train: str) -> bool:
    """Return whether a company has a legal route for a train, its own or one on sale."""
    ground = ground_of(state, company)
    key = (id(ground), train)
    found = _runnable.get(key)
    if found is None:
        found = _runnable[key] = (ground, _can_run_on(state, company, ground, train))
        if len(_runnable) > _KEPT:
            _runnable.popitem(last=False)
    return found[1]


def _can_run_on(state: State, company: str, ground: RunProblem, train: str) -> bool:
    if not has_ground(state, company, train) or not any_route(state, company):
        return False
    one = train_of(state, company, train)
    problem = replace(ground, trains=(one,))
    # Mostly the shortest routes tell; the search is for trains that must go far.
    legs = 0
    for leg in first_legs(ground, one):
        legs += 1
        if _earns(problem, Run((leg,))):
            return True
    return legs > 0 and any(run.routes for run in best(problem).runs[:1])


def _earns(problem: RunProblem, run: Run) -> bool:
    return check(problem, run) is None and value(problem, run).total > 0


def fulfils_duty(state: State, company: str, train: str) -> bool:
    """Return whether a train meets the duty to own one (ESP-4.7-a, ESP-DE-5.7-a)."""
    if train == STRAWBERRY:
        return False
    if not edition(state).train_must_run:
        return True
    if not can_run(state, company, train):
        return False
    if COUPLED in train or not edition(state).routes_on_both_maps:
        return True
    narrow = state.title.tables.trains[train].gauge == "narrow"
    if narrow == (region(state, company) == "north"):
        return True
    return all(can_run(state, company, longest) for longest in LONGEST)  # ESP-5.2.2-f
