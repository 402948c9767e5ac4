"""Running trains: any set of routes is checked and valued; a title may require the best one."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from carril.engine.actions import Action, RunTrains
from carril.engine.cache import Cache
from carril.engine.events import TrainsRun
from carril.engine.move import Move
from carril.engine.network import has_route
from carril.engine.passes import pay_passes
from carril.engine.refusals import Refusal
from carril.engine.run_network import company_ground, company_train
from carril.engine.runs import (
    Fault,
    Run,
    RunProblem,
    Train,
    Value,
    best_within_budget,
    check,
    in_words,
    paid_tolls,
    payments_within_budget,
    runs_to_choose,
    settled,
    value,
    with_payment,
)
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import CompanyStep
from carril.engine.trains import running_trains

# How many runs are offered to choose from.
RUNS_OFFERED = 3

_grounds: Cache[RunProblem] = Cache(512)
_problems: Cache[RunProblem] = Cache(1024)
_equal: Cache[RunProblem] = Cache(512)
"""Of equal problems the first one, so that answers are found by identity, without a comparison."""


def trains_on_charter(state: State, company: str) -> tuple[str, ...]:
    """Return all trains of a company that run by themselves."""
    return running_trains(state, state.companies[company])


def convention_requires(state: State) -> str:
    """Return "best" where the conventions enforce the best run, otherwise "any"."""
    return "best" if state.setup.conventions.best_run_enforced else "any"


def best_runs(state: State, problem: RunProblem) -> Iterable[Run]:
    """Yield the best run, others that are worth as much, and lesser ones where allowed."""
    strict = state.title.run.required(state) == "best"
    answer = best_within_budget(problem, RUNS_OFFERED, ties=strict)
    for run in answer.runs:
        if not strict or value(problem, run).total == answer.value:
            yield run


def best_runs_by_payment(state: State, problem: RunProblem) -> Iterable[Run]:
    """Yield the best run for each payment of tolls that is worth it, and equal runs of other cubes.

    For titles in which a director may pay tolls, and must make the best run for what is paid.
    """
    return runs_to_choose(problem, best_within_budget, payments_within_budget)


def same_tolls(state: State, problem: RunProblem, run: Run) -> RunProblem:
    """Return the problem of which a run must be the best: no other tolls can be paid than its."""
    return settled(problem, paid_tolls(run))


def can_run(state: State, company: str) -> bool:
    """Return whether a company has a train that may run, and a route."""
    rules = state.title.run
    names = rules.trains(state, company)
    able = any(rules.may_start(state, company, name) for name in names)
    return able and has_route(state.tables, state.board, company)


def asked_to_run(state: State, company: str) -> bool:
    """Return whether a company can run; where single choices are asked, whether it has a train."""
    if state.setup.conventions.single_choices_asked:
        return bool(state.title.run.trains(state, company))
    return can_run(state, company)


@dataclass(frozen=True, slots=True)
class RunRules:
    """What a title says about runs."""

    ground: Callable[[State, str], RunProblem] = company_ground
    """What a company can run on, without trains."""
    train: Callable[[State, str, str], Train] = company_train
    """A train of a company, by its name."""
    depends_on: Callable[[State, str], Hashable] = lambda state, company: None
    """What the ground of a company depends on, apart from the board and the phase."""
    trains: Callable[[State, str], tuple[str, ...]] = trains_on_charter
    """The trains of a company that may run now."""
    may_start: Callable[[State, str, str], bool] = lambda state, company, train: True
    """Whether a train has track of its own kind to run on."""
    asked: Callable[[State, str], bool] = asked_to_run
    """Whether a company is asked for a run; otherwise it earns nothing."""
    required: Callable[[State], str] = convention_requires
    """What is demanded of a run: the "best", "some" route if there is one, or "any" run."""
    offered: Callable[[State, RunProblem], Iterable[Run]] = best_runs
    """The runs to choose from, the best first; any other legal run can be entered."""
    judged_by: Callable[[State, RunProblem, Run], RunProblem] = same_tolls
    """The problem of which a run must be the best where that is required; tolls are not counted."""
    after_run: Callable[[Move, str, RunTrains, int], None] = lambda move, company, action, paid: (
        None
    )
    """What else a run does, before its earnings, of which the last argument is the payable part:
    goals, notes of who has run."""
    cite: Callable[[RunProblem, Fault], str] = lambda problem, fault: ""
    """The rule that a fault of a run breaks, where its code alone does not tell."""


def run_ground(state: State, company: str) -> RunProblem:
    """Return what a company can run on, without trains: the same before and after buying one."""
    rules = state.title.run
    key = (company, state.phase, rules.depends_on(state, company))
    return _grounds.get(key, partial(rules.ground, state, company), owner=state.board)


def run_problem(state: State, company: str) -> RunProblem:
    """Return a company's trains and the track they reach, for the route solver."""
    rules, ground = state.title.run, run_ground(state, company)
    names = rules.trains(state, company)

    def make() -> RunProblem:
        trains = tuple(rules.train(state, company, name) for name in names)
        problem = replace(ground, trains=trains)
        return _equal.get(problem, lambda: problem)

    return _problems.get(names, make, owner=ground)


class RunStep(CompanyStep, tag="run", frozen=True):
    """Run the trains of a company."""

    allows = (RunTrains,)

    def settle(self, move: Move) -> bool:
        """A company that is not asked for a run earns nothing."""
        if move.state.title.run.asked(move.state, self.company):
            return False
        self._earn(move, 0, 0)
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the runs that the title offers."""
        by = self.actor(state)
        for run in state.title.run.offered(state, run_problem(state, self.company)):
            yield RunTrains(run.routes, run.extras, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the routes, whether more is required, and the sum claimed."""
        assert isinstance(action, RunTrains)
        if self._is_taken_on_trust(state, action):
            return None
        problem, run = run_problem(state, self.company), Run(action.routes, action.extras)
        if fault := check(problem, run):
            return _fault_refusal(state, problem, fault)
        worth = value(problem, run)
        return (
            self._idle_refusal(state, problem, run)
            or _claim_refusal(state, action, worth)
            or self._better_refusal(state, problem, run, worth)
        )

    def _is_taken_on_trust(self, state: State, action: RunTrains) -> bool:
        """Return whether the sum claimed is accepted, as in records of other programs."""
        return action.claim is not None and not state.setup.conventions.best_run_enforced

    def _idle_refusal(self, state: State, problem: RunProblem, run: Run) -> Refusal | None:
        if run.routes or state.title.run.required(state) != "some":
            return None
        if best_within_budget(problem).runs[:1] == (Run(),):
            return None
        return refuse(state, "must-run", company=self.company)

    def _better_refusal(
        self, state: State, problem: RunProblem, run: Run, worth: Value
    ) -> Refusal | None:
        """Refuse a run if a better one is known; what the search cannot prove is not demanded."""
        if state.title.run.required(state) != "best":
            return None
        answer = best_within_budget(state.title.run.judged_by(state, problem, run))
        gross = worth.total + worth.tolls
        if gross >= answer.value:
            return None
        better = in_words(with_payment(problem, answer.runs[0], paid_tolls(run)))
        return refuse(state, "better-run", value=gross, best=answer.value, run=better)

    def play(self, move: Move, action: Action) -> None:
        """Value the run, pay its tolls and go on to the earnings."""
        assert isinstance(action, RunTrains)
        state = move.state
        if action.claim is not None and self._is_taken_on_trust(state, action):
            state.title.run.after_run(move, self.company, action, action.claim)
            self._earn(move, action.claim, action.subsidy)
            return
        worth = value(run_problem(state, self.company), Run(action.routes, action.extras))
        pay_passes(move, self.company, paid_tolls(Run(extras=action.extras)))
        state.title.run.after_run(move, self.company, action, worth.payable)
        self._earn(move, worth.payable, worth.treasury + worth.tolls)

    def _earn(self, move: Move, payable: int, treasury: int) -> None:
        move.tell(TrainsRun(self.company, payable, treasury))
        move.swap(Earnings(self.company, payable, treasury))


def _fault_refusal(state: State, problem: RunProblem, fault: Fault) -> Refusal:
    refused = refuse(state, f"run-{fault.code}", **fault.facts)
    rule = state.title.run.cite(problem, fault)
    return replace(refused, rule=rule) if rule else refused


def _claim_refusal(state: State, action: RunTrains, worth: Value) -> Refusal | None:
    """Check the sum claimed for the shareholders, and with it the one for the treasury."""
    if action.claim is None:
        claimed, subsidy = worth.payable, 0
    else:
        claimed, subsidy = action.claim, worth.treasury + worth.tolls
    if claimed == worth.payable and action.subsidy == subsidy:
        return None
    return refuse(
        state, "wrong-claim", claim=claimed + action.subsidy, value=worth.payable + subsidy
    )
