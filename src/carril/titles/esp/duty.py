"""Whether a train can run, and whether it meets a company's duty to own one."""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from carril.engine.cache import Cache
from carril.engine.network import has_route
from carril.engine.runs import Run, RunProblem, Train, best_within_budget, check, value
from carril.engine.runs.paths import far_routes, first_legs
from carril.engine.state import State
from carril.engine.steps.running import run_ground
from carril.engine.trains import COUPLED
from carril.titles.esp.common import STRAWBERRY, edition, region
from carril.titles.esp.figures import figures
from carril.titles.esp.running import has_ground, train_of

_TRIES = 6
"""How many routes are tried for a train that must go far, before the search."""


class _Known:
    """What is known about the trains of one company on one board."""

    def __init__(self) -> None:
        self.trains: dict[str, tuple[Train, bool]] = {}

    def answer(self, one: Train) -> bool | None:
        """Return what follows from other trains: where one can run, a longer one can too."""
        for other, runs in tuple(self.trains.values()):
            if (one.gauges, one.must, one.bars) == (other.gauges, other.must, other.bars):
                longer, shorter = (one, other) if runs else (other, one)
                if all(
                    more >= less for more, less in zip(_range(longer), _range(shorter), strict=True)
                ):
                    return runs
        return None


def _range(train: Train) -> tuple[int, int]:
    """Return how many stops of any kind a train has room for, and how many with towns and mines."""
    return train.room[0].count, sum(room.count for room in train.room)


_known: Cache[_Known] = Cache(64)


def can_run(state: State, company: str, train: str) -> bool:
    """Return whether a company has a legal route for a train, its own or one on sale."""
    ground = run_ground(state, company)
    known = _known.get("trains", _Known, owner=ground)
    if train not in known.trains:
        one = train_of(state, company, train)
        runs = known.answer(one)
        if runs is None:
            runs = _can_run_on(state, company, ground, train, one)
        known.trains[train] = one, runs
    return known.trains[train][1]


def _can_run_on(state: State, company: str, ground: RunProblem, train: str, one: Train) -> bool:
    linked = has_route(state.tables, state.board, company)
    if not has_ground(state, company, train) or not linked:
        return False
    if not all(any(stop.matches(tag) for stop in ground.stops) for tag in one.must):
        return False
    problem = replace(ground, trains=(one,))
    # The shortest routes usually decide; trains that must go far need the search.
    legs = list(first_legs(ground, one))
    short = islice(far_routes(ground, one), _TRIES) if one.must else legs
    if any(_earns(problem, Run((route,))) for route in short):
        return True
    return bool(legs) and any(run.routes for run in best_within_budget(problem).runs[:1])


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
    narrow = state.tables.trains[train].gauge == "narrow"
    if narrow == (region(state, company) == "north"):
        return True
    return all(
        can_run(state, company, longest) for longest in figures(state).duty.longest
    )  # ESP-5.2.2-f
