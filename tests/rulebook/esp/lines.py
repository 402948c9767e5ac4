"""Lines of track of 18ESP to run on, and positions inside a company's turn."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.events import TrainsRun
from carril.engine.state import Round, State
from carril.engine.step import Step
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.titles.esp.takeover import Takeovers
from tests import table
from tests.rulebook.esp import positions

PORTO_LINE = "F24.1 E23 E21.0 D22.0 C21.0"
"""Madrid, Valladolid, Salamanca, Porto."""
BURGOS_LINE = "F24.1 E23 E21.0 F20 F18.0"
"""Madrid, Valladolid, Burgos."""
ASTURIAN = "D6.0 C5.0 C3.0 C1.0"
"""Oviedo, a mine, Muros de Nalón, the harbour of San Esteban."""
BASQUE = "H12.0 H10 H8.0 I7.0 J6.0 K5.0"
"""Alar del Rey, Reinosa, a mine, Balmaseda, Bilbao."""
ACROSS = "F24.1 E23 E21.0 E19.0 H12.0 H10 H8.0 I7.0 J6.0 K5.0"
"""Madrid, Valladolid, Palencia, and through Alar del Rey to Bilbao."""
OPEN: tuple[tuple[str, ...], ...] = ((),)
"""The circles of an open pass without stations."""


def castile(state: State) -> State:
    """Lay track from Madrid to Valladolid, and on to Porto, Burgos and Alar del Rey."""
    return table.tiles(
        state,
        E23=("8", 3),
        E21=("14", 0),
        D22=("6", 2),
        F20=("8", 1),
        F18=("14", 0),
        E19=("L97", 0),
    )


def north(state: State) -> State:
    """Lay track from Alar del Rey to Bilbao and Irún, and from Reinosa to Bilbao by the coast."""
    return table.tiles(
        state,
        H10=("79", 0),
        H8=("L107", 0),
        I7=("L94", 1),
        J6=("74", 1),
        K5=("L111", 5),
        L6=("78", 2),
        J4=("73", 5),
        H4=("72", 5),
        H6=("L94", 0),
    )


def asturias(state: State) -> State:
    """Lay track from Oviedo to the harbour of San Esteban."""
    return table.tiles(state, D6=("L134", 2), C5=("L93", 5))


def badajoz(state: State) -> State:
    """Lay track around Badajoz: Lisboa by two ways, Mérida, Cáceres and a mine."""
    return table.tiles(state, B26=("14", 1), C27=("6", 0), C25=("6", 1), C23=("L91", 0))


def barcelona(state: State) -> State:
    """Lay track from Barcelona to Gerona and Perpignan; its harbour is next to it."""
    return table.tiles(state, M21=("L84", 0), N20=("58", 1))


def sevilla(state: State) -> State:
    """Lay track from one city of Sevilla by Cádiz and a mine to the other."""
    return table.tiles(state, C31=("8859", 0), C33=("5", 3), D32=("L89", 2))


def owned(state: State, symbol: str, *trains: str, by: str = "Ana", **more: Any) -> State:
    """Launch a major under a player with these trains; half of it is his."""
    return positions.major(state, symbol, {by: 5}, trains=trains, **more)


def turn_at(state: State, company: str, *due: Step) -> State:
    """Put the position into a company's turn with these decisions, the last one due first."""
    order = state.title.order(positions.extra(state, round_order=()))
    done = OperatingRound(tuple(order[: order.index(company) + 1]))
    return table.at(state, done, EndTurn(company), *due, round_=Round("OR", 2, 1, 1))


def running(state: State, company: str) -> State:
    """Put the position at the running of a company's trains."""
    return turn_at(state, company, TrainStep(company), Takeovers(company), RunStep(company))


def earning(state: State, company: str, amount: int, subsidy: int = 0) -> State:
    """Put the position where a company has earned so much."""
    return turn_at(state, company, Earnings(company, earnings=amount, subsidy=subsidy))


def asking(state: State, company: str) -> State:
    """Put the position at the takeovers of a company."""
    return turn_at(state, company, TrainStep(company), Takeovers(company))


def buying(state: State, company: str) -> State:
    """Put the position at the buying of trains."""
    return turn_at(state, company, TrainStep(company))


def run(*routes: str, tender: str = "") -> RunTrains:
    """Name a run: run("2: E21.0 D22.0", tender="2")."""
    return RunTrains(table.named_routes(*routes), (("tender", tender),) if tender else ())


def earned(state: State, action: RunTrains) -> tuple[int, int]:
    """Return what a run earns: for the dividend, and for the treasury."""
    for event in table.events(state, action):
        if isinstance(event, TrainsRun):
            return event.revenue, event.treasury
    raise AssertionError("nothing ran")


def best(state: State) -> tuple[int, int]:
    """Return what the first run that is offered earns."""
    option = next(o for o in state.options() if isinstance(o, RunTrains))
    return earned(state, option)
