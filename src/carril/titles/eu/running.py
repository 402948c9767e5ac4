"""Runs in 18EU: the red-to-red bonus and Pullmans."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from carril.engine.run_network import build_run_network, company_stop
from carril.engine.runs import Bonus, Rules, RunCard, RunProblem, Stop
from carril.engine.state import State
from carril.engine.steps.running import RunRules, asked_to_run
from carril.engine.trains import phase_def
from carril.titles.eu.common import PULLMAN, conventions
from carril.titles.eu.figures import figures


def ground(state: State, company: str) -> RunProblem:
    """Return the track that a company reaches, with the Pullmans it can use."""
    stop = partial(_stop, state, company)
    network = build_run_network(state.tables, state.board, company, stop)
    pullmans = state.companies[company].trains.count(PULLMAN)
    return RunProblem(*network, trains=(), rules=_rules(state, pullmans))


def _rules(state: State, pullmans: int) -> Rules:
    """Return the red-to-red bonus of the phase (EU-4.4.3-q, A-3), and Pullmans (EU-4.4.9-f)."""
    bonus, colour = figures(state).red_to_red, phase_def(state).colour
    each, most = bonus.per_token[colour], bonus.most_tokens[colour]
    red = (Bonus("red-to-red", ends="red", per_token=each, cap=most),) if each else ()
    pullman = RunCard("pullman", doubles=("city", "offboard"))
    return Rules(bonuses=red, extras=(pullman,) * pullmans)


def _stop(state: State, company: str, hex_id: str, number: int) -> Stop:
    """Return a stop; those off the map are red."""
    stop = company_stop(state, company, hex_id, number)
    return replace(stop, tags=("red",)) if stop.kind == "offboard" else stop


def asked(state: State, company: str) -> bool:
    """Return whether a company is asked for a run; on 18xx.games also with Pullmans alone (G-6)."""
    cards = state.companies[company].trains
    return asked_to_run(state, company) or (
        conventions(state).pullman_goes_by_itself and cards != ()
    )


RUN = RunRules(
    asked=asked,
    ground=ground,
    depends_on=lambda state, company: state.companies[company].trains.count(PULLMAN),
)
