"""The duty of the English and Spanish texts: to own a train that can run."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyTrain, CombineTrains, Pass, SellShares
from carril.engine.events import TrainDiscarded
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.esp.positions import extra, minor
from tests.rulebook.esp.purchases import (
    across,
    buying,
    coast,
    company,
    deck,
    empty,
    northwards,
    pool,
)
from tests.table import cash, charter, cited, code, events, offered, play

FOUR = BuyTrain("4", "stack", 300)
NARROW = BuyTrain("3+4", "stack", 300)
OLDER = pytest.mark.parametrize("edition", ["en", "es"])


def northern(edition: str, *trains: str, money: int = 700) -> State:
    """N of Ana runs from Madrid to Valladolid, by broad gauge only."""
    state = company(empty("4", edition=edition), "N", trains=trains, money=money)
    return northwards(state)


@rule("ESP-4.7-a", "ESP-E40")
@OLDER
def test_a_company_ends_its_step_with_a_train_that_can_run(edition: str) -> None:
    narrow = buying(northern(edition, "3+4"), "N")
    assert code(narrow, Pass()) == "must-buy-usable-train"
    assert cited(narrow, Pass()) == "ESP-4.7-a"
    assert code(buying(northern(edition, "4"), "N"), Pass()) == ""
    after = play(narrow, FOUR)
    assert code(after, Pass()) == ""
    assert code(buying(northern("de", "3+4"), "N"), Pass()) == ""


@rule("ESP-4.7-a")
@OLDER
def test_without_any_route_there_is_no_train_to_be_had_and_no_duty(edition: str) -> None:
    state = company(empty("4", edition=edition), "N", money=700)
    assert code(buying(state, "N"), Pass()) == ""
    assert code(buying(state, "N"), FOUR) == ""


@rule("ESP-4.7-b")
@OLDER
def test_no_useless_train_before_the_useful_one(edition: str) -> None:
    state = buying(deck(northern(edition, money=1500), "4", n4=1), "N")
    assert code(state, NARROW) == "train-cannot-run"
    assert cited(state, NARROW) == "ESP-4.7-b"
    assert not any(option == NARROW for option in offered(state, BuyTrain))
    able = buying(deck(northern(edition, "4", money=1500), "4", n4=1), "N")
    assert code(able, NARROW) == ""  # the duty is met already
    german = buying(deck(northern("de", money=1500), "4", n4=1), "N")
    after = play(german, NARROW, BuyTrain("5", "stack", 500))
    assert after.companies["N"].trains == ("3+4", "5")


@rule("ESP-4.7-b")
def test_a_northern_company_needs_the_narrow_side() -> None:
    state = company(empty("4", edition="en"), "CFLG", money=700)
    state = buying(coast(state), "CFLG")
    assert code(state, FOUR) == "train-cannot-run"
    assert code(state, NARROW) == ""


@rule("ESP-4.7-c")
@OLDER
def test_a_combined_train_counts_only_if_it_can_cross(edition: str) -> None:
    stuck = northern(edition, "4|1+2")
    assert code(buying(stuck, "N"), Pass()) == "must-buy-usable-train"
    assert code(buying(across(stuck), "N"), Pass()) == ""


@rule("ESP-4.7-d")
@OLDER
def test_the_strawberry_train_does_not_count_although_it_runs(edition: str) -> None:
    state = northern(edition, "2P")
    state = extra(state, strawberry_run=True)
    assert code(buying(state, "N"), Pass()) == "must-buy-usable-train"


@rule("ESP-4.7.1-a", "ESP-A39")
@OLDER
def test_a_forced_purchase_is_of_the_side_that_can_run(edition: str) -> None:
    state = cash(northern(edition, money=200), Ana=99)
    state = buying(state, "N")
    assert code(state, BuyTrain("3+4", "stack", 300, loan=1)) == "train-cannot-run"
    after = play(state, BuyTrain("4", "stack", 300, loan=1))
    assert after.players["Ana"].debt == 1
    assert after.companies["N"].trains == ("4",)


@rule("ESP-4.7.1-c")
def test_no_combining_instead_of_the_forced_purchase() -> None:
    """N could make its narrow train useful for 200, but the train for 300 must be bought."""
    state = company(empty("4", edition="en"), "N", trains=("3+4",), money=250)
    state = extra(cash(across(state), Ana=500), scrap={"2": 1})
    poor = buying(state, "N")
    assert code(poor, CombineTrains("3+4", "2")) == "combine-not-forced"
    assert cited(poor, CombineTrains("3+4", "2")) == "ESP-4.7.1-c"
    rich = buying(cash(state, N=300), "N")
    assert code(rich, CombineTrains("3+4", "2")) == ""


@rule("ESP-4.7.1-c")
def test_the_cheapest_that_can_run_is_bought() -> None:
    """A narrow train in the open market is cheaper, but of no use in the South."""
    state = northwards(company(empty("5", edition="en"), "N", money=100))
    state = buying(cash(pool(state, "3+4"), Ana=600), "N")
    assert code(state, BuyTrain("3+4", "pool", 300)) == "train-cannot-run"
    assert code(state, BuyTrain("5", "stack", 500)) == ""


@rule("ESP-4.7.1-m", "ESP-E42")
@OLDER
def test_a_full_company_whose_trains_cannot_run_gives_one_up(edition: str) -> None:
    state = buying(northern(edition, "3+4", "3+4", "3+4"), "N")
    assert code(state, FOUR) == "train-limit"
    assert code(state, BuyTrain("4", "stack", 300, "4")) == "train-limit"
    swap = BuyTrain("4", "stack", 300, "3+4")
    assert code(state, BuyTrain("3+4", "stack", 300, "3+4")) == "train-cannot-run"
    assert TrainDiscarded("N", "3+4") in events(state, swap)
    after = play(state, swap)
    assert after.companies["N"].trains == ("3+4", "3+4", "4")
    assert after.depot.pool == ()  # out of the game
    assert code(state, Pass()) == "must-buy-usable-train"


@rule("ESP-4.7.1-m")
def test_nothing_is_given_up_with_room_or_with_a_train_that_runs() -> None:
    room = buying(northern("en", "3+4", "3+4"), "N")
    assert code(room, BuyTrain("4", "stack", 300, "3+4")) == "discard-not-needed"
    seller = company(northern("en", "4", "3+4"), "A", "Ben", trains=("4",), money=0)
    able = buying(seller, "N")
    assert code(able, BuyTrain("4", "stack", 300, "3+4")) == "discard-not-needed"
    full = charter(seller, "N", trains=("4", "3+4", "3+4"))
    assert buying(full, "N").step.subject != "N"  # nothing is asked at the limit
    german = northern("de", "3+4", "3+4", "3+4")
    assert buying(german, "N").step.subject != "N"


@rule("ESP-4.7.1-m")
def test_a_full_company_may_be_helped_by_shares_too() -> None:
    state = cash(northern("en", "3+4", "3+4", "3+4", money=200), Ana=0)
    state = buying(state, "N")
    after = play(state, SellShares("N", 2), BuyTrain("4", "stack", 300, "3+4"))
    assert after.companies["N"].trains == ("3+4", "3+4", "4")
    assert after.players["Ana"].cash == 60


@rule("ESP-4.7-a")
def test_a_minor_with_a_route_has_the_duty() -> None:
    state = minor(empty("3", edition="en"), "MZ", "Ana", cash=0)
    state = northwards(cash(state, MZ=300), "MZ")
    assert code(buying(state, "MZ"), Pass()) == "must-buy-usable-train"
    after = play(buying(state, "MZ"), BuyTrain("3", "stack", 200))
    assert after.companies["MZ"].trains == ("3",)
