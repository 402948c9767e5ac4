"""The run that earns most, among those that the rules offer."""

from __future__ import annotations

from carril.engine.actions import Action, Range
from carril.engine.events import MoneyPaid, TrainsRun
from carril.engine.state import State
from carril.engine.steps.running import RunStep


def best_run(state: State, step: RunStep) -> Action:
    """Return the run with the highest earnings after what the company pays for it."""
    offered = [one for one in step.options(state) if not isinstance(one, Range)]
    return max(offered, key=lambda run: _earned(state, step.company, run))


def _earned(state: State, company: str, run: Action) -> int:
    events = state.apply(run).events
    earned = sum(one.revenue + one.treasury for one in events if isinstance(one, TrainsRun))
    paid = (one for one in events if isinstance(one, MoneyPaid) and one.source == company)
    return earned - sum(one.amount for one in paid)
