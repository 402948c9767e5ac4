"""What a company of 18EU can run on, as the route solver wants it."""

from __future__ import annotations

from functools import cache, partial
from typing import cast

from carril.engine.board import tokens_in
from carril.engine.network import layout, passable
from carril.engine.run_network import build_run_network
from carril.engine.runs import Bonus, Room, Rules, RunCard, RunProblem, Stop, Train
from carril.engine.state import State
from carril.engine.steps.running import RunRules, asked_to_run
from carril.engine.tables import Tables
from carril.engine.trains import phase_def
from carril.titles.eu.common import PULLMAN, conventions
from carril.titles.eu.figures import EUFigures


def ground(state: State, company: str) -> RunProblem:
    """Return the track that a company reaches, with the Pullmans it can use."""
    charter = state.companies[company]
    colour = phase_def(state).colour
    network = build_run_network(
        state.tables, state.board, company, partial(_stop, state, company, colour)
    )
    return RunProblem(
        *network,
        trains=(),
        rules=_rules(state.tables, colour, charter.trains.count(PULLMAN)),
    )


@cache
def _room(stops: tuple[str, ...], count: int) -> Room:
    return Room(stops, count)


def train(state: State, company: str, name: str) -> Train:
    """Return a train with its range."""
    distances = state.tables.trains[name].distance
    return Train(name, tuple(_room(d.stops, d.count) for d in distances))


def _rules(tables: Tables, colour: str, pullmans: int) -> Rules:
    """The red-to-red bonus of the phase (EU-4.4.3-q, A-3), and the Pullman (EU-4.4.9-f)."""
    bonus = cast(EUFigures, tables.figures).red_to_red
    each, most = bonus.per_token[colour], bonus.most_tokens[colour]
    red = (Bonus("red-to-red", ends="red", per_token=each, cap=most),) if each else ()
    pullman = RunCard("pullman", doubles=("city", "offboard"))
    return Rules(bonuses=red, extras=(pullman,) * pullmans)


def _stop(state: State, company: str, colour: str, hex_id: str, number: int) -> Stop:
    """Return a stop as the company sees it."""
    tables, board = state.tables, state.board
    tile = layout(tables, board, hex_id).tile
    definition = tile.stops[number]
    return Stop(
        key=f"{hex_id}.{number}",
        hex=hex_id,
        kind=definition.kind,
        value=definition.value(colour),
        token=company in tokens_in(board, hex_id, number),
        through=passable(tables, board, company, hex_id, number),
        once=hex_id if len(tile.cities) > 1 else "",
        tags=("red",) if definition.kind == "offboard" else (),
    )


def asked(state: State, company: str) -> bool:
    """Return whether a company is asked for a run; on 18xx.games also with Pullmans alone (G-6)."""
    cards = state.companies[company].trains
    return asked_to_run(state, company) or (
        conventions(state).pullman_goes_by_itself and cards != ()
    )


RUN = RunRules(
    asked=asked,
    ground=ground,
    train=train,
    depends_on=lambda state, company: state.companies[company].trains.count(PULLMAN),
)
