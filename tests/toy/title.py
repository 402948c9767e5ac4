"""18Toy as a value: its tables, its rounds and the turn of its company."""

from __future__ import annotations

from typing import cast

from carril.engine.figures import Figures
from carril.engine.move import Move
from carril.engine.opening import first_position
from carril.engine.play import begin_round, end_game
from carril.engine.state import Round, Setup, State
from carril.engine.step import Step
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.engine.tables import Tables, load_tables
from carril.engine.title import Title
from carril.engine.trains import phase_def
from tests.toy.cites import CITES


class ToyFigures(Figures, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The figures of 18Toy."""

    last_set: int
    """The game ends after this many sets of rounds, if the bank lasts."""


def begin(setup: Setup, tables: Tables) -> State:
    """Begin with a stock round."""
    return first_position(setup, tables, Round("SR", 1), StockRound)


def turn(state: State, company: str) -> tuple[Step, ...]:
    """Return the steps of the company's turn, the first one last."""
    steps: list[Step] = [
        PlaceHome(company),
        LayTrack(company),
        PlaceStation(company),
        RunStep(company),
        BuyTrains(company),
        EndTurn(company),
    ]
    return tuple(reversed(steps))


def next_round(move: Move) -> None:
    """Begin the operating rounds of the phase after a stock round, then the next stock round."""
    state = move.state
    now, rounds = state.round, phase_def(state).operating_rounds
    if now.kind == "SR" or now.number < rounds:
        begin_round(move, Round("OR", now.turn, now.number + 1), OperatingRound())
    elif state.broken or now.turn == cast(ToyFigures, state.tables.figures).last_set:
        end_game(move, "bank" if state.broken else "last set")
    else:
        begin_round(move, Round("SR", now.turn + 1), StockRound(state.priority))


TOY = Title(
    name="18Toy",
    tables=load_tables("tests.toy", ToyFigures),
    begin=begin,
    turn=turn,
    next_round=next_round,
    cites=CITES,
)
