"""A run next to the best one that was possible in the same position."""

from __future__ import annotations

from msgspec import Struct

from carril.engine.actions import RunTrains
from carril.engine.runs import Run, best, value
from carril.engine.state import State


class Compared(Struct, frozen=True):
    """What a company claimed and what it could have earned, in the same unit."""

    company: str
    round: str
    claimed: int
    possible: int
    bound: int
    """What is proven: no run is worth more."""
    optimal: bool
    nodes: int
    best: Run

    @property
    def missed(self) -> int:
        """How much more was possible; negative if the claim is higher than any legal run."""
        return self.possible - self.claimed


def claimed_sums(state: State, action: RunTrains) -> tuple[int, int]:
    """Return what a run claims for the shareholders and for the treasury.

    The sums in a record of another program are taken as they are; otherwise the run is valued.
    """
    if action.claim is not None:
        return action.claim, action.subsidy
    problem = state.title.run_problem(state, state.step.subject)
    worth = value(problem, Run(action.routes, action.extras))
    return worth.payable, worth.treasury


def compare(
    state: State, company: str, claimed: int, budget: int | None = None, payable: bool = False
) -> Compared:
    """Return a claim next to the best run of a company in the position before it.

    The unit is the total, or with `payable` the part that can be paid out. A node budget may leave
    the best run unproven.
    """
    problem = state.title.run_problem(state, company)
    answer = best(problem, budget, payable=payable)
    return Compared(
        company=company,
        round=str(state.round),
        claimed=claimed,
        possible=answer.value,
        bound=answer.bound,
        optimal=answer.optimal,
        nodes=answer.nodes,
        best=answer.runs[0] if answer.runs else Run(),
    )
