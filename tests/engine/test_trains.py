"""Trains: several supplies, limits by class, rust and age, an owner that keeps its trains."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, DiscardTrain, Pass
from carril.engine.events import TrainsAged, TrainsRusted
from carril.engine.move import Move
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.engine.trains import (
    begin_phase,
    cards_for_sale,
    excess_trains,
    has_room,
    over_limit,
    rust,
    stack_top,
    train_limit,
)
from tests.engine.supplies import KEEPER, left, pool, position, with_trains
from tests.table import at, cash, code, corporation, events, phase, play


def test_each_supply_has_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position(monkeypatch)
    assert list(cards_for_sale(state)) == ["2", "2n"]
    state = phase(state, "3")
    assert list(cards_for_sale(state)) == ["3", "2n", "3n", "1w"]
    assert [stack_top(state, name) for name in ("", "narrow", "wagons")] == ["3", "2n", "1w"]
    assert [stack_top(left(state, t2n=0), name) for name in ("", "narrow")] == ["3", "3n"]
    assert stack_top(left(state, t1w=0), "wagons") == ""


def test_a_purchase_takes_a_card_of_the_right_supply(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(phase(position(monkeypatch), "3"), DR=1000, m8=1000)
    major = play(at(state, BuyTrains("DR")), BuyTrain("3+", "stack", 230))
    assert (major.companies["DR"].trains, major.depot.left["3"]) == (("3+",), 1)
    minor = play(at(state, BuyTrains("8")), BuyTrain("3n", "stack", 180))
    assert (minor.companies["8"].trains, minor.depot.left["3n"]) == (("3n",), 2)
    assert minor.depot.left["3"] == 2


def test_what_is_locked_or_below_the_top_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(position(monkeypatch), DR=1000, m8=1000)
    locked = at(state, BuyTrains("8")).refusal(BuyTrain("3n", "stack", 180))
    assert locked is not None
    assert (locked.code, locked.facts["top"]) == ("not-on-top", "2n")
    assert code(at(state, BuyTrains("DR")), BuyTrain("1w", "stack", 40)) == "not-on-top"
    assert code(at(state, BuyTrains("DR")), BuyTrain("3", "stack", 200)) == "not-on-top"
    assert code(at(state, BuyTrains("DR")), BuyTrain("2n", "stack", 80)) == "minor-iberian-only"


def test_what_is_on_sale_and_the_cheapest_are_for_one_company(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = pool(phase(position(monkeypatch), "3"), "4", "3-1n")
    major, minor = BuyTrains("DR"), BuyTrains("8")
    assert list(major.on_sale(state)) == [
        ("3", "stack", 200),
        ("3+", "stack", 230),
        ("1w", "stack", 40),
        ("4", "pool", 300),
    ]
    assert major.cheapest(state) == 200, "a wagon is no train"
    assert [name for name, _, _ in minor.on_sale(state)] == ["2n", "3n", "3-1n"]
    assert minor.cheapest(state) == 80


def test_the_duty_lapses_while_the_bank_has_no_train_for_a_company(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = position(monkeypatch)
    assert BuyTrains("8").must_buy(state)
    sold_out = left(state, t2n=0)
    assert not BuyTrains("8").must_buy(sold_out)
    assert BuyTrains("8").must_buy(pool(sold_out, "2n"))
    assert not BuyTrains("8").must_buy(with_trains(state, m8=("2n",)))
    assert BuyTrains("DR").must_buy(with_trains(state, DR=("1w",))), "a wagon does not count"


def test_a_limit_by_class(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(phase(position(monkeypatch), "3"), DR=1000)
    full = at(with_trains(state, DR=("3", "3")), BuyTrains("DR"))
    assert code(full, BuyTrain("3", "stack", 200)) == "train-limit"
    one = play(full, BuyTrain("1w", "stack", 40))
    assert one.companies["DR"].trains == ("3", "3", "1w")
    assert BuyTrains("DR").refusal(one, BuyTrain("1w", "stack", 40)) is not None
    company = one.companies["DR"]
    assert (train_limit(one, company), train_limit(one, company, "wagon")) == (2, 1)


def test_one_number_limits_every_class_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    state = phase(position(monkeypatch, limits={"minor": 2, "major": 2}), "3")
    state = with_trains(state, DR=("3", "3", "1w"))
    assert not has_room(state, state.companies["DR"])
    assert has_room(state, state.companies["DR"], "1w")
    assert excess_trains(state, state.companies["DR"]) == []


def test_only_a_class_over_its_limit_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    state = with_trains(phase(position(monkeypatch), "3"), DR=("3", "4", "1w", "1w"))
    after = at(state, BuyTrains("DR"), DiscardTrains(("DR",)))
    assert after.companies["DR"].trains == ("3", "4", "1w"), "there was one choice"
    assert after.depot.pool == ("1w",)
    over = at(with_trains(state, DR=("3", "4", "3", "1w")), DiscardTrains(("DR",)))
    assert [option.train for option in over.options()] == ["3", "4"]  # type: ignore[union-attr]
    assert code(over, DiscardTrain("1w")) == "no-such-train-owned"


def test_an_owner_that_keeps_its_trains_has_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    state = corporation(position(monkeypatch), KEEPER, {"Ana": 2})
    state = with_trains(state, FS=("2", "2", "2", "3"), DR=("2", "2", "2"))
    assert [company.symbol for company in over_limit(state)] == ["DR"]
    keeper = state.companies[KEEPER]
    assert train_limit(state, keeper) == -1
    assert has_room(state, keeper)
    assert excess_trains(state, keeper) == []


def test_a_phase_scraps_and_ages_sold_and_unsold_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    state = corporation(phase(position(monkeypatch), "3"), KEEPER, {"Ana": 2})
    state = with_trains(state, m8=("2n", "3n"), DR=("2", "3"), FS=("2", "3n"))
    move = Move(pool(state, "2", "3n"))
    gone = begin_phase(move, "4")
    after = move.state
    assert sorted(gone) == ["2", "2", "2n"]
    assert {name: after.companies[name].trains for name in ("8", "DR", KEEPER)} == {
        "8": ("3-1n",),
        "DR": ("3",),
        KEEPER: ("2", "3n"),
    }
    assert after.depot.pool == ("3-1n",)
    assert [after.depot.left[name] for name in ("2n", "3n", "3-1n")] == [0, 0, 3]
    assert move.events[1:] == [
        TrainsRusted("2", ("DR",)),
        TrainsRusted("2n", ("8",)),
        TrainsAged("3n", "3-1n", ("8",)),
    ]


def test_unsold_cards_that_have_aged_cost_what_their_other_side_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    move = Move(cash(phase(position(monkeypatch), "3"), m8=500))
    begin_phase(move, "4")
    state = at(move.state, BuyTrains("8"))
    assert code(state, BuyTrain("3n", "stack", 180)) == "not-on-top"
    after = play(state, BuyTrain("3-1n", "stack", 90))
    assert (after.companies["8"].trains, after.depot.left["3-1n"]) == (("3-1n",), 2)


def test_rust_takes_what_is_coupled_to_a_train(monkeypatch: pytest.MonkeyPatch) -> None:
    move = Move(with_trains(position(monkeypatch), DR=("2|3", "3|2")))
    assert rust(move, "2") == ["2|3"]
    assert move.state.companies["DR"].trains == ("3|2",)
    assert move.state.depot.left["2"] == 0


def test_by_default_a_first_card_begins_its_phase_and_discards_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = cash(phase(position(monkeypatch), "3"), DR=1000)
    state = with_trains(left(state, t3=0), DR=("3",), SNCF=("3", "3+", "3"))
    after = play(at(state, BuyTrains("DR")), BuyTrain("4", "stack", 300))
    assert after.phase == "4"
    assert isinstance(after.step, DiscardTrains)
    assert (after.step.companies, after.acting) == (("SNCF",), "Ben")
    assert isinstance(play(after, DiscardTrain("3+")).step, BuyTrains)


def test_a_side_of_a_card_does_not_begin_a_phase_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(position(monkeypatch), DR=1000)
    state = at(left(state, t2=0), BuyTrains("DR"))
    first = play(state, BuyTrain("3+", "stack", 230))
    assert first.phase == "3"
    again = [str(type(e).__name__) for e in events(first, BuyTrain("3", "stack", 200))]
    assert "PhaseBegan" not in again


def test_trade_begins_with_a_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(position(monkeypatch, traded_from="3"), DR=500)
    state = with_trains(state, DR=("2",), SNCF=("2", "2"))
    offer = BuyTrain("2", "SNCF", 50)
    assert code(at(state, BuyTrains("DR")), offer) == "trade-not-yet"
    asked = play(at(phase(state, "3"), BuyTrains("DR")), offer)
    assert isinstance(asked.step, TrainOffer)
    assert asked.acting == "Ben"


def test_a_company_that_need_not_buy_may_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(position(monkeypatch), DR=500)
    assert code(at(state, BuyTrains("DR")), Pass()) == "must-buy-train"
    bought = play(at(state, BuyTrains("DR")), BuyTrain("2", "stack", 100))
    assert isinstance(bought.step, BuyTrains)
    assert bought.step.bought == ("2",)
    assert replace(bought.step, bought=()) == BuyTrains("DR")
    assert code(bought, Pass()) == ""
