"""Starting values: which are open to whom, and when."""

from __future__ import annotations

from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.trains import phase_reached
from carril.titles.esp.common import conventions, edition, is_minor, region
from carril.titles.esp.figures import figures


def par_not_yet(state: State, symbol: str, price: int) -> Refusal | None:
    """Return why a company may not start at a par value yet: majors start high only later."""
    starting = figures(state).starting
    if price < starting.high_par or is_minor(state, symbol):
        return None
    if phase_reached(state, edition(state).high_par_from_phase):
        return None
    if conventions(state).south_from_start and region(state, symbol) == starting.late_region:
        return None
    return refuse(state, "par-not-yet", price=price, phase=state.phase)
