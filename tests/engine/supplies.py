"""A title with three train supplies, wagons, trains that age and an owner that keeps its trains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace as changed
from typing import Any

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.refusals import Refusal
from carril.engine.registry import TITLES, title_named
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.discards import DiscardRules
from carril.engine.steps.emergency import EmergencyRules
from carril.engine.steps.train_rules import TrainRules
from carril.engine.steps.trains import BuyTrains
from carril.engine.tables import Tables, TrainDef
from carril.engine.trains import train_def
from tests import table

NAME = "three supplies"
KEEPER = "FS"
"""The company that keeps its trains."""

_TRAINS = (
    TrainDef("2", 100, 2, rusted_by="4"),
    TrainDef("3", 200, 2, rusted_by="6"),
    TrainDef("3+", 230, card="3", rusted_by="6"),
    TrainDef("4", 300, 2),
    TrainDef("5", 500, 1),
    TrainDef("8", 700),
    TrainDef("2n", 80, 2, supply="narrow", gauge="narrow", available_from="2", rusted_by="4"),
    TrainDef(
        "3n",
        180,
        3,
        supply="narrow",
        gauge="narrow",
        available_from="3",
        aged_by="4",
        ages_to="3-1n",
    ),
    TrainDef("3-1n", 90, 0, supply="narrow", gauge="narrow", available_from="3"),
    TrainDef("1w", 40, 2, supply="wagons", available_from="3", kind="wagon", counted_as="wagon"),
)

Limits = Mapping[str, int | Mapping[str, int]]


def _tables(limits: Limits, traded_from: str) -> Tables:
    base = title_named("18EU").tables
    phases = tuple(replace(phase, train_limit=limits) for phase in base.phases)
    keeper = replace(base.companies[KEEPER], keeps_trains=True)
    return replace(
        base,
        trains={train.name: train for train in _TRAINS},
        phases=phases,
        companies={**base.companies, KEEPER: keeper},
        figures=replace(base.figures, trains_traded_from=traded_from),
    )


def must_own(state: State, company: str) -> Refusal | None:
    """Every company must own a train."""
    return refuse(state, "must-buy-train", company=company)


def own_gauge(state: State, step: BuyTrains, train: str, source: str) -> Refusal | None:
    """Minors buy narrow trains, majors all others."""
    narrow = train_def(state, train).gauge == "narrow"
    if narrow == (state.companies[step.company].kind == "minor"):
        return None
    return refuse(state, "minor-iberian-only", train=train)


def position(
    monkeypatch: pytest.MonkeyPatch,
    *,
    trains: TrainRules | None = None,
    emergency: EmergencyRules | None = None,
    limits: Limits | None = None,
    traded_from: str = "",
) -> State:
    """Return a position of the title with two corporations and a minor, all without trains."""
    title = changed(
        title_named("18EU"),
        name=NAME,
        tables=_tables(limits or {"minor": 2, "major": {"train": 2, "wagon": 1}}, traded_from),
        trains=trains or TrainRules(barred=own_gauge, duty=must_own),
        emergency=emergency or EmergencyRules(),
        discards=DiscardRules(),
    )
    monkeypatch.setitem(TITLES, NAME, title)
    state = start(NAME, table.NAMES[:3], seed=1, seated=True)
    state = table.own_minors(state, {"8": "Cleo"})
    state = table.charter(state, "8", trains=())
    state = table.corporation(state, "DR", {"Ana": 5, "Ben": 2})
    return table.corporation(state, "SNCF", {"Ben": 4, "Ana": 3})


def with_trains(state: State, **owned: tuple[str, ...]) -> State:
    """Give companies these trains (minors: m8=("2n",))."""
    for name, trains in owned.items():
        symbol = name[1:] if name[0] == "m" else name
        state = table.charter(state, symbol, trains=trains)
    return state


def pool(state: State, *trains: str) -> State:
    """Put trains into the pool."""
    return replace(state, depot=replace(state.depot, pool=trains))


def left(state: State, **counts: Any) -> State:
    """Change how many cards are unsold (t3n=0 for the train 3n)."""
    changes = {name[1:]: count for name, count in counts.items()}
    return replace(state, depot=replace(state.depot, left={**state.depot.left, **changes}))
