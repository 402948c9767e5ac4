"""Running trains: any set of routes is checked and valued; the rulebook may want the best."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, RunTrains
from carril.engine.events import TrainsRun
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import has_route
from carril.engine.refusals import Refusal
from carril.engine.runs import Run, best, check, in_words, value
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.payout import PayOut
from carril.engine.trains import running_trains

# How many runs are offered to choose from.
RUNS_OFFERED = 3


class RunStep(CompanyStep, tag="run", frozen=True):
    """Run the trains of a company."""

    allows = (RunTrains,)

    def settle(self, move: Move) -> bool:
        """A company without a train, or without a route, earns nothing."""
        state = move.state
        charter = state.companies[self.company]
        if running_trains(state, charter) and has_route(state.tables, state.board, self.company):
            return False
        self._earn(move, 0, 0)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the best run, others that are worth as much, and lesser ones where allowed."""
        by = self.actor(state)
        problem = state.title.run_problem(state, self.company)
        answer = best(problem, count=RUNS_OFFERED)
        strict = state.setup.conventions.best_run_enforced
        for run in answer.runs:
            if not strict or value(problem, run).total == answer.value:
                yield RunTrains(run.routes, run.extras, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the routes, the sum claimed, and whether a better run exists."""
        assert isinstance(action, RunTrains)
        strict = state.setup.conventions.best_run_enforced
        if not strict and action.claim is not None:
            return None
        problem = state.title.run_problem(state, self.company)
        run = Run(action.routes, action.extras)
        if fault := check(problem, run):
            return refuse(state, f"run-{fault.code}", **fault.facts)
        total = value(problem, run).total
        if action.subsidy or (action.claim is not None and action.claim != total):
            claimed = total if action.claim is None else action.claim
            return refuse(state, "wrong-claim", claim=claimed + action.subsidy, value=total)
        if strict:
            answer = best(problem)
            if total < answer.value:
                better = in_words(answer.runs[0])
                return refuse(state, "better-run", value=total, best=answer.value, run=better)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Reckon the run and go on to the dividend."""
        assert isinstance(action, RunTrains)
        if action.claim is not None:
            self._earn(move, action.claim, 0)
            return
        problem = move.state.title.run_problem(move.state, self.company)
        worth = value(problem, Run(action.routes, action.extras))
        self._earn(move, worth.payable, worth.treasury)

    def _earn(self, move: Move, payable: int, treasury: int) -> None:
        move.tell(TrainsRun(self.company, payable, treasury))
        pay(move, BANK, self.company, treasury, "treasury income")
        move.swap(PayOut(self.company, payable))
