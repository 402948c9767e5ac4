"""Reading records of 18EU: serial numbers, certificates, and what a record passes over."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    LayTile,
    Pass,
    RunTrains,
    StartCompany,
)
from carril.engine.refusals import BadRecord
from carril.engine.state import POOL, State
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from carril.titles.eu.online import EUReader
from tests.rulebook.eu.endgames import buying, empty_game, exchanging, needy, turn_at
from tests.table import NAMES, cash, charter, corporation, operate, stock_round, tiles, tokens

ONLINE = "18xx.games"


def reader_at(state: State) -> EUReader:
    """Begin reading at a position; players are numbered from 1 in seat order."""
    return EUReader(state, dict(enumerate(NAMES, 1)))


def take(reader: EUReader, kind: str, entity: object, **more: Any) -> tuple[Action, ...]:
    """Read one recorded action and return our own actions for it."""
    who = "player" if isinstance(entity, int) else "corporation"
    before = len(reader.played)
    reader.take({"type": kind, "entity": entity, "entity_type": who, **more})
    return tuple(reader.played[before:])


# --- trains that change hands unnamed ------------------------------------------------------------


def _ruined() -> State:
    """Ana cannot pay for SNCF's train; KPEV, which only she can lead, has a 4 and a Pullman."""
    state = needy({"Ana": 4, "Ben": 4}, conventions=ONLINE, in_phase="5")
    held = {"Ana": 4, "Ben": 1, "Cleo": 1, "pool": 4}
    state = corporation(state, "KPEV", held, price=90, operated=False, trains=("4", "P"))
    state = corporation(state, "FS", {"Cleo": 5}, price=70, trains=("5",))
    state = tokens(state, I16=(("FS",),), J5=(("KPEV",), ()))
    return cash(state, SNCF=0, Ana=20, Ben=600, FS=900)


def test_a_bankruptcy_leaves_the_trains_of_a_closed_corporation_in_the_pool() -> None:
    state = charter(_ruined(), "SNCF", trains=())
    state = _with_route(state)
    reader = reader_at(buying(state, "SNCF"))
    assert reader.trains.owner("4-0") == "KPEV"
    take(reader, "bankrupt", 1)
    assert not reader.state.companies["KPEV"].started
    assert reader.trains.owner("4-0") == reader.trains.owner("P-0") == POOL
    assert take(reader, "buy_train", "SNCF", train="4-0", price=300) == (
        BuyTrain("4", "pool", 300),
    )
    assert reader.trains.owner("4-0") == "SNCF"


def _with_route(state: State) -> State:
    """Give SNCF in Paris a line to Lille, so that it must own a train."""
    return tiles(state, B9=("8", 1), B7=("58", 0))


@rule("EU-G-16")
def test_a_pass_in_the_final_exchange_leaves_trains_in_the_pool() -> None:
    minors = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben"}
    state = empty_game(3, "5", minors, conventions=ONLINE)
    state = charter(charter(state, "8", trains=("3",)), "14", trains=("3",))
    state = corporation(state, "SNCF", {"Cleo": 5}, trains=("5",))
    reader = reader_at(exchanging(state))
    assert (reader.trains.owner("3-0"), reader.trains.owner("3-1")) == ("8", "14")
    take(reader, "pass", 1)
    assert (reader.trains.owner("3-0"), reader.trains.owner("3-1")) == (POOL, "14")


def test_the_position_counts_more_than_the_list_of_trains() -> None:
    """A serial number that nobody has named yet: the topmost train of the stack, or the pool's."""
    state = cash(_with_route(needy(conventions=ONLINE)), SNCF=900)
    reader = reader_at(buying(state, "SNCF"))
    bought = take(reader, "buy_train", "SNCF", train="4-2", price=300)
    assert bought == (BuyTrain("4", "stack", 300),)


# --- certificates --------------------------------------------------------------------------------


def test_a_restarted_corporation_has_all_its_certificates_again() -> None:
    state = _with_route(_ruined())
    reader = reader_at(buying(state, "SNCF"))
    reader.treasury["KPEV"] = {"RPR_8"}  # the others are with players and in the pool
    take(reader, "bankrupt", 1)
    reader.state = stock_round(cash(reader.state, Ben=600, Cleo=600), "Ben", turn=3)
    started = take(reader, "par", 2, corporation="RPR", share_price="100,3,4")
    assert started == (StartCompany("KPEV", 100),)
    assert reader.treasury["KPEV"] == {f"RPR_{number}" for number in range(1, 9)}
    take(reader, "place_token", "RPR", city="J5-0-0")
    bought = take(reader, "buy_shares", 3, shares=["RPR_1"], percent=10)
    assert bought == (BuyShare("KPEV", "treasury"),)


def test_where_the_place_found_has_no_share_the_other_is_taken() -> None:
    state = empty_game(3, "4", conventions=ONLINE)
    state = corporation(state, "SNCF", {"Ben": 5, "pool": 5})
    reader = reader_at(stock_round(cash(state, Ana=500)))
    bought = take(reader, "buy_shares", 1, shares=["SNCF_3"], percent=10)
    assert bought == (BuyShare("SNCF", "pool"),)


# --- runs that are asked for ---------------------------------------------------------------------


def _idle() -> State:
    """SNCF in Paris with a train and no route, at its run."""
    state = cash(needy(trains=("4",), conventions=ONLINE), SNCF=900)
    return turn_at(state, "SNCF", RunStep)


@rule("EU-G-22")
def test_a_company_with_a_train_is_always_asked_for_a_run() -> None:
    assert isinstance(_idle().step, RunStep)
    reader = reader_at(_idle())
    run = take(reader, "run_routes", "SNCF", routes=[])
    assert run == (RunTrains(claim=0),)
    assert not reader.findings


def test_an_empty_run_is_filled_in_where_the_record_has_none() -> None:
    reader = reader_at(_idle())
    taken = take(reader, "buy_train", "SNCF", train="4-1", price=300)
    assert taken == (RunTrains(), BuyTrain("4", "stack", 300))
    assert reader.fillers == 0


def test_a_run_with_a_route_is_never_filled_in() -> None:
    state = turn_at(
        _with_route(cash(needy(trains=("4",), conventions=ONLINE), SNCF=900)), "SNCF", RunStep
    )
    reader = reader_at(state)
    with pytest.raises(BadRecord, match="nothing to answer with buy_train"):
        take(reader, "buy_train", "SNCF", train="4-1", price=300)
    assert reader.state is state


def test_an_answer_is_not_looked_for_in_the_next_turn_of_the_company() -> None:
    """SNCF has no money: after its run nothing is asked until its next turn begins."""
    state = turn_at(needy(trains=("4",), conventions=ONLINE, operated=False), "SNCF", RunStep)
    reader = reader_at(state)
    assert take(reader, "pass", "SNCF") == ()
    assert reader.state is state
    with pytest.raises(BadRecord, match="nothing to answer with lay_tile"):
        take(reader, "lay_tile", "SNCF", hex="A8", tile="8-0", rotation=0)
    assert reader.state is state


def test_others_are_passed_over_until_the_turn_of_a_company_begins() -> None:
    state = needy(trains=("4",), conventions=ONLINE)
    state = corporation(state, "FS", {"Ben": 5}, price=70, trains=("4",))
    state = tokens(state, I16=(("FS",),))
    reader = reader_at(turn_at(state, "SNCF", RunStep))
    passed = take(reader, "pass", "FS")
    assert passed[-1] == Pass()
    assert reader.state.step.subject in ("FS", "SNCF")
    assert len(passed) >= 2


# --- copies of tiles -----------------------------------------------------------------------------


@rule("EU-G-19")
def test_the_copy_of_a_tile_is_read() -> None:
    state = cash(needy(trains=("4",), conventions=ONLINE), SNCF=900)
    reader = reader_at(operate(state, "SNCF"))
    laid = take(reader, "lay_tile", "SNCF", hex="B9", tile="8-5", rotation=1)
    assert laid == (LayTile("B9", "8", 1, piece="5"),)
