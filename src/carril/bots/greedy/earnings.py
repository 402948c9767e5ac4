"""Runs, dividends, and a company's dealings in its own stock."""

from __future__ import annotations

from carril.bots.bot import Decision
from carril.bots.greedy import outlook
from carril.bots.greedy.sight import Sight
from carril.engine.actions import DeclareDividend, IssueShares, Pass, RunTrains
from carril.engine.market import price
from carril.engine.runs import BUDGET, Run, best, value
from carril.engine.shares import company_def
from carril.engine.state import Company, State
from carril.engine.trains import running_trains, train_limit

THOROUGH = 4000
"""Search nodes for a run on a vast network; on any other the best run is found."""


def run(state: State) -> Decision | None:
    """Run the best routes; on a vast network, the best that a long search finds.

    Where passes can be paid for, the runs that are offered are compared instead.
    """
    if state.title.passes is not None:
        return None
    problem = state.title.run_problem(state, state.step.subject)
    vast = len(problem.pieces) > outlook.VAST
    answer = best(problem, THOROUGH if vast else BUDGET)
    if not answer.runs:
        return None
    found = answer.runs[0]
    action = RunTrains(found.routes, found.extras, by=state.acting or "")
    if state.refusal(action) is not None:
        return None
    what = "the best run earns" if answer.optimal else "a good run earns"
    return Decision(action, f"{what} {answer.value}")


def run_offered(sight: Sight) -> Decision | None:
    """Run the best of the runs that are offered."""
    options = sight.plain(RunTrains)
    if sight.company is None:
        return None
    problem = sight.state.title.run_problem(sight.state, sight.company.symbol)
    worth = [value(problem, Run(one.routes, one.extras)).total for one in options]
    return Decision(options[worth.index(max(worth))], f"the best run earns {max(worth)}")


# --- dividends ---------------------------------------------------------------------------


def pay(sight: Sight) -> Decision | None:
    """Pay out, unless the company must save for a train."""
    options = {one.kind: one for one in sight.plain(DeclareDividend)}
    if sight.company is None:
        return None
    state, company = sight.state, sight.company
    earned: int = sight.step.earnings
    each = earned // company_def(state, company.symbol).units
    full = options.get("full") or options.get("half")
    wanted = _goal(state, company)
    lack = wanted - company.cash
    if full is not None and (not wanted or lack <= 0 or outlook.rounds_left(state) <= 2):
        return Decision(full, f"run {earned} pays {each} a share")
    half, keep = options.get("half"), options.get("withhold")
    now = not running_trains(state, company) or _rusts_soon(state, company)
    if keep is not None and now and earned >= lack > earned // 2:
        return Decision(keep, f"keeps {earned}: {lack} are missing for a train of {wanted}")
    if half is not None:
        return Decision(half, f"half of {earned}: {lack} are missing for a train of {wanted}")
    if keep is not None and now and outlook.must_own(company):
        return Decision(keep, f"keeps {earned}: {lack} are missing for a train of {wanted}")
    assert full is not None
    return Decision(full, f"run {earned} pays {each} a share")


def _rusts_soon(state: State, company: Company) -> bool:
    return all(outlook.rounds_of(state, name) <= 3 for name in running_trains(state, company))


def _goal(state: State, company: Company) -> int:
    """Return the price of the train a company should save for, 0 if it needs none."""
    cost = outlook.train_price(state, company.symbol)
    if outlook.shortfall(state, company):
        return cost
    if len(company.trains) >= train_limit(state, company) or not company.floated:
        return 0
    symbol, trains = company.symbol, company.trains
    now, new = outlook.income(state, symbol), outlook.next_train(state, symbol)
    if not new:
        return 0
    gain = outlook.income_with(state, symbol, (*trains, new)) - now
    ahead = min(outlook.rounds_left(state) - 2, outlook.rounds_of(state, new))
    return cost if gain * ahead > cost else 0


# --- own stock ---------------------------------------------------------------------------


def deal(sight: Sight) -> Decision | None:
    """Issue shares only for a train that the president would have to pay."""
    issues, passes = sight.ranges(IssueShares), sight.plain(Pass)
    if sight.company is None or not passes:
        return None
    state, company = sight.state, sight.company
    lack = outlook.shortfall(state, company) - outlook.income(state, company.symbol)
    if issues and lack > 0 and (not company.trains or _rusts_soon(state, company)):
        each = price(state, company.symbol)
        option = issues[0]
        count = max(option.least, min(option.most, -(-lack // max(1, each)), 3))
        return Decision(option.at(count), f"{count} shares at {each}: {lack} missing for a train")
    return Decision(passes[0], "no need to deal in own stock")
