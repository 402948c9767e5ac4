"""Private 3 and the strawberry train (ledger ESP-2.2-w to -af, ESP-DE-3.1-d)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, CombineTrains, Pass, RunTrains
from carril.engine.runs import Route
from carril.engine.state import State
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.common import STRAWBERRY, esp
from carril.titles.esp.running import able_trains
from tests.rulebook.esp.positions import extra, game, major, minor, operate, privates
from tests.table import at, cash, cited, code, phase, plain, play, tiles, tokens

ARANJUEZ = RunTrains((Route(STRAWBERRY, ("F24.2", "F26.0")),))
GUADALAJARA = RunTrains((Route(STRAWBERRY, ("F24.2", "G23.0")),))


def before_five(owner: str, **more: Any) -> State:
    """A of Ben is about to buy the first 5; MZA of Ana is there, and CM of Cleo."""
    state = phase(privates(game(**more), P3=owner), "4")
    state = major(state, "A", {"Ben": 4}, cash=600, column=20)
    state = major(state, "MZA", {"Ana": 4}, cash=300)
    state = minor(state, "CM", "Cleo")
    left = {**state.depot.left, "4": 0}
    state = replace(state, depot=replace(state.depot, left=left))
    state = tiles(state, F26=("L79", 3), G23=("4", 1))
    return tokens(state, F24=((), (), ("MZA",)))


def five(owner: str, **more: Any) -> State:
    """The first 5 has just been bought."""
    return play(at(before_five(owner, **more), TrainStep("A")), BuyTrain("5", "stack", 500))


def running(trains: tuple[str, ...] = (STRAWBERRY,), **changes: bool) -> State:
    """MZA in Madrid in phase 5, about to run; track leads to Aranjuez and to Guadalajara."""
    state = phase(privates(game()), "5")
    state = major(state, "MZA", {"Ana": 4}, cash=900, trains=trains)
    state = tiles(state, F26=("L79", 3), G23=("4", 1))
    state = tokens(state, F24=((), (), ("MZA",)))
    return play(operate(extra(state, **changes), "MZA"), Pass())


@rule("ESP-2.2-x")
def test_a_players_private_3_closes_without_a_train() -> None:
    state = five("Ana")
    assert esp(state).privates == {}
    assert all(STRAWBERRY not in company.trains for company in state.companies.values())


@rule("ESP-2.2-y", "ESP-2.2-l")
def test_a_companys_private_3_becomes_a_permanent_train() -> None:
    state = five("MZA")
    assert esp(state).privates == {}
    assert state.companies["MZA"].trains == (STRAWBERRY,)
    train = state.title.tables.trains[STRAWBERRY]
    assert (train.rusted_by, train.distance[0].count, train.gauge) == ("", 2, "broad")


@rule("ESP-2.2-y")
def test_private_3_of_a_minor_is_lost_or_stays_with_the_frozen_minor() -> None:
    assert five("CM").companies["CM"].trains == ()
    assert five("CM", edition="en").companies["CM"].trains == (STRAWBERRY,)


@rule("ESP-2.2-z")
def test_it_does_not_count_towards_the_limit() -> None:
    state = before_five("MZA")
    company = replace(state.companies["MZA"], trains=("3", "3", "4"))
    state = replace(state, companies={**state.companies, "MZA": company})
    after = play(at(state, TrainStep("A")), BuyTrain("5", "stack", 500))
    assert after.companies["MZA"].trains == ("3", "3", "4", STRAWBERRY)
    assert not after.agenda or after.step.subject == "A"  # nobody has to discard
    two = at(running(("3", "4", STRAWBERRY)), TrainStep("MZA"))
    assert code(two, BuyTrain("5", "stack", 500)) == ""


@rule("ESP-2.2-aa")
def test_it_does_not_meet_the_duty_to_own_a_train() -> None:
    state = at(running(), TrainStep("MZA"))
    assert code(state, Pass()) == "must-buy-train"
    assert code(at(running(("3", STRAWBERRY)), TrainStep("MZA")), Pass()) == ""


@rule("ESP-2.2-ab", "ESP-2.2-ac")
def test_its_first_route_includes_aranjuez() -> None:
    state = running()
    assert isinstance(state.step, RunStep)  # it runs though it is the only train
    assert code(state, GUADALAJARA) == "run-must-visit"
    assert code(state, ARANJUEZ) == ""
    ran = play(state, ARANJUEZ)
    assert esp(ran).strawberry_run


@rule("ESP-2.2-ab")
def test_later_it_runs_anywhere() -> None:
    state = running(strawberry_run=True)
    assert code(state, GUADALAJARA) == code(state, ARANJUEZ) == ""


@rule("ESP-2.2-ab")
def test_other_trains_are_not_bound_to_aranjuez() -> None:
    state = running(("5", STRAWBERRY))
    five_train = RunTrains((Route("5", ("F24.2", "G23.0")),))
    assert code(state, five_train) == ""
    assert not esp(play(state, five_train)).strawberry_run


@rule("ESP-2.2-ad", "ESP-DE-3.1-d", "ESP-E8")
def test_in_german_it_first_runs_in_the_round_after_phase_5_began() -> None:
    state = play_to_mza("de")
    assert able_trains(state, "MZA") == ()
    assert not isinstance(state.step, RunStep)
    while str(state.round) == "OR 2.1":
        state = play(state, plain(state.options()[0]))
    assert able_trains(state, "MZA")[:1] == (STRAWBERRY,)


@rule("ESP-2.2-ad", "ESP-E8")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_elsewhere_only_the_round_of_the_purchase_is_barred(edition: str) -> None:
    """A company that owned the private already may run in the round in which phase 5 begins."""
    state = play_to_mza(edition)
    assert able_trains(state, "MZA") == (STRAWBERRY,)
    assert isinstance(state.step, RunStep)
    assert code(state, ARANJUEZ) == ""


def play_to_mza(edition: str) -> State:
    """A buys the first 5 in its turn; then MZA ends the first step of its own."""
    state = operate(before_five("MZA", edition=edition), "A", of=2)
    while not isinstance(state.step, TrainStep):
        state = play(state, Pass())
    state = play(state, BuyTrain("5", "stack", 500))
    while state.step.subject != "MZA":
        state = play(state, Pass())
    return play(state, Pass())


@rule("ESP-2.2-ae")
def test_it_is_not_sold() -> None:
    state = major(running(), "A", {"Ana": 4}, cash=300)
    state = at(state, TrainStep("A"))
    action = BuyTrain(STRAWBERRY, "MZA", 50)
    assert code(state, action) == "strawberry-not-sold"
    assert cited(state, action) == "ESP-2.2-ae"


@rule("ESP-2.2-af")
def test_it_is_not_combined() -> None:
    state = extra(running(("3", STRAWBERRY)), scrap={"2": 2})
    state = at(cash(state, MZA=900), TrainStep("MZA"))
    refused = CombineTrains(STRAWBERRY, "1+2")
    assert code(state, refused) == "strawberry-not-combined"
    assert cited(state, refused) == "ESP-2.2-af"
    assert code(state, CombineTrains("3", STRAWBERRY)) == "strawberry-not-combined"
    assert code(state, CombineTrains("3", "1+2")) == ""
