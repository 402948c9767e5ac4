"""Buying trains from the bank and from other companies, and the duty to own one."""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    Accept,
    BuyTrain,
    Decline,
    DiscardTrain,
    Pass,
    Range,
    RunTrains,
    SellShares,
)
from carril.engine.events import PhaseBegan, TrainBought
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.engine.steps.trains import TrainOffer
from carril.rules.marker import rule
from tests.rulebook.esp.positions import minor
from tests.rulebook.esp.purchases import buying, company, deck, empty, pool
from tests.table import charter, cited, code, events, offered, plain, play

THREE = BuyTrain("3", "stack", 200)
FOUR = BuyTrain("4", "stack", 300)


def rich(trains: tuple[str, ...] = (), in_phase: str = "3", money: int = 1000) -> State:
    """N of Ana is rich and about to buy."""
    return company(empty(in_phase), "N", trains=trains, money=money)


# --- the duty ----------------------------------------------------------------------------


@rule("ESP-DE-5.7-a")
def test_a_company_without_a_train_may_not_end_its_turn() -> None:
    state = buying(rich(), "N")
    assert code(state, Pass()) == "must-buy-train"
    assert cited(state, Pass()) == "ESP-DE-5.7-a"
    assert code(buying(rich(("3",)), "N"), Pass()) == ""


@rule("ESP-DE-5.7-a", "ESP-E40")
def test_a_train_without_a_route_fulfils_the_german_duty() -> None:
    """N has no station on the map, and a narrow train in the South besides."""
    assert code(buying(rich(("2+3",)), "N"), Pass()) == ""
    after = play(buying(rich(), "N"), BuyTrain("2+3", "stack", 200), Pass())
    assert after.companies["N"].trains == ("2+3",)
    assert after.companies["N"].operated


@rule("ESP-DE-5.7-a")
def test_minors_have_the_duty_too() -> None:
    state = minor(empty(), "MS", "Ana", cash=300)
    assert code(buying(state, "MS"), Pass()) == "must-buy-train"


@rule("ESP-4.7-d")
def test_the_strawberry_train_does_not_fulfil_the_duty() -> None:
    state = company(empty("5"), "N", trains=("2P",), money=500)
    assert code(buying(state, "N"), Pass()) == "must-buy-train"
    both = charter(state, "N", trains=("2P", "4"))
    assert code(buying(both, "N"), Pass()) == ""


# --- from the bank -----------------------------------------------------------------------


@rule("ESP-4.7-e")
def test_a_train_of_the_bank_costs_its_face_value() -> None:
    state = buying(rich(), "N")
    for price in (1, 199, 201):
        assert code(state, BuyTrain("3", "stack", price)) == "face-price"
    assert cited(state, BuyTrain("3", "stack", 201)) == "ESP-4.7-e"
    after = play(state, THREE)
    assert after.companies["N"].cash == 800
    assert after.bank == state.bank + 200
    prices = {"2": 100, "3": 200, "4": 300, "5": 500, "6": 600, "8": 800}
    for card, price in prices.items():
        side = next(t for t in state.title.tables.trains.values() if t.card == card)
        assert (state.title.tables.trains[card].price, side.price) == (price, price)


@rule("ESP-4.7-f")
def test_only_the_card_on_top_of_the_deck_is_for_sale() -> None:
    state = buying(rich(), "N")
    assert code(state, FOUR) == "not-on-top"
    assert code(state, BuyTrain("2", "stack", 100)) == "not-on-top"
    assert cited(state, FOUR) == "ESP-4.7-f"
    assert code(state, BuyTrain("9", "stack", 900)) == "no-such-train"
    found = [plain(option) for option in offered(state, BuyTrain)]
    assert [(one.train, one.source) for one in found if isinstance(one, BuyTrain)] == [
        ("3", "stack"),
        ("2+3", "stack"),
    ]
    last = buying(deck(rich(), "3", n3=1), "N")
    assert code(play(last, THREE), FOUR) == ""


@rule("ESP-DE-5.7-b")
def test_the_side_is_chosen_when_buying_and_kept() -> None:
    state = buying(rich(money=700), "N")
    both = play(state, THREE, BuyTrain("2+3", "stack", 200))
    assert both.companies["N"].trains == ("3", "2+3")
    assert both.depot.left["3"] == state.depot.left["3"] - 2
    later = buying(both, "N")
    assert later.companies["N"].trains == ("3", "2+3")
    assert not any(type(plain(option)).__name__ == "ChooseSide" for option in state.options())


@rule("ESP-4.7-i")
def test_a_phase_begins_between_two_purchases_of_one_turn() -> None:
    state = deck(company(empty("3"), "N", trains=("2", "2"), money=900), "3", n3=1)
    state = company(state, "MCP", "Ben", trains=("2",))
    after = play(buying(state, "N"), THREE)
    assert (after.phase, after.companies["N"].trains) == ("3", ("2", "2", "3"))
    assert PhaseBegan("4") in events(after, FOUR)
    after = play(after, FOUR)
    assert after.phase == "4"
    assert after.companies["N"].trains == ("3", "4")
    assert after.companies["MCP"].trains == ()
    assert code(after, BuyTrain("4", "stack", 300)) == ""  # limit 3 now, and 400 left


@rule("ESP-4.7-j")
def test_no_purchase_at_the_limit_even_if_it_would_rust_trains() -> None:
    state = deck(company(empty("3"), "N", trains=("2", "2", "2", "2"), money=900), "4")
    full = buying(company(state, "MCP", "Ben", trains=("3",)), "N")
    assert not isinstance(full.step, TrainStep) or full.step.company != "N"  # nothing to ask
    offer = company(state, "MCP", "Ben", trains=("3",))
    at_limit = TrainStep("N").refusal(offer, FOUR)
    assert at_limit is not None
    assert (at_limit.code, at_limit.rule) == ("train-limit", "ESP-4.7-j")
    room = buying(charter(offer, "N", trains=("2", "2", "2")), "N")
    assert code(room, FOUR) == ""


@rule("ESP-4.7-k")
def test_purchases_go_on_while_there_is_room_and_money() -> None:
    state = play(buying(rich(money=850), "N"), THREE, THREE, THREE, THREE)
    assert state.companies["N"].trains == ("3",) * 4
    assert state.companies["N"].cash == 50
    seller = company(rich(money=399), "MCP", "Ben", trains=("3",))
    poor = play(buying(seller, "N"), THREE)
    assert code(poor, THREE) == "no-help"  # 199 are left
    assert code(poor, Pass()) == ""


@rule("ESP-4.7-l")
def test_a_bought_train_cannot_run_in_the_same_turn() -> None:
    after = play(buying(rich(), "N"), THREE)
    assert code(after, RunTrains()) == "not-now"


# --- between companies -------------------------------------------------------------------


def trade(in_phase: str = "3", **more: str) -> State:
    """N of Ana may buy the 3 train of MCP, whose director is another."""
    state = rich(("3",), in_phase)
    state = company(state, "MCP", more.get("director", "Ben"), trains=("3", "3"), money=100)
    return buying(state, "N")


@rule("ESP-4.7-g")
def test_trains_change_hands_from_phase_3_on_if_both_agree() -> None:
    state = trade()
    asked = play(state, BuyTrain("3", "MCP", 1000))  # five times its face value
    assert isinstance(asked.step, TrainOffer)
    assert asked.acting == "Ben"
    sold = play(asked, Accept())
    assert sold.companies["N"].trains == ("3", "3")
    assert sold.companies["MCP"].trains == ("3",)
    assert (sold.companies["N"].cash, sold.companies["MCP"].cash) == (0, 1100)


@rule("ESP-4.7-g")
def test_the_other_director_may_decline() -> None:
    refused = play(trade(), BuyTrain("3", "MCP", 50), Decline())
    assert refused.companies["MCP"].trains == ("3", "3")
    assert code(refused, BuyTrain("3", "MCP", 50)) == "offer-declined"
    assert code(refused, BuyTrain("3", "MCP", 51)) == ""


@rule("ESP-4.7-g")
def test_nobody_is_asked_where_one_player_leads_both() -> None:
    state = trade(director="Ana")
    assert TrainBought("N", "3", "MCP", 1) in events(state, BuyTrain("3", "MCP", 1))


@rule("ESP-4.7-g")
def test_no_trade_in_phase_2() -> None:
    state = company(empty("2"), "N", trains=("2",), money=500)
    state = buying(company(state, "MCP", "Ana", trains=("2",)), "N")
    assert code(state, BuyTrain("2", "MCP", 50)) == "trade-not-yet"
    assert cited(state, BuyTrain("2", "MCP", 50)) == "ESP-4.7-g"


@rule("ESP-4.7-h")
def test_a_train_of_a_company_costs_at_least_1() -> None:
    state = trade(director="Ana")
    assert code(state, BuyTrain("3", "MCP", 0)) == "price-too-low"
    assert cited(state, BuyTrain("3", "MCP", 0)) == "ESP-4.7-h"
    found = [o for o in offered(state, BuyTrain) if isinstance(o, Range)]
    assert [(option.least, option.most) for option in found] == [(1, 1000)]


@rule("ESP-DE-5.7-c")
def test_trains_are_not_sold_in_the_sellers_turn() -> None:
    """In N's turn only N buys: neither its own train nor for another company."""
    state = trade()
    assert code(state, BuyTrain("3", "N", 100)) == "no-such-seller"
    bought = [plain(option) for option in offered(state, BuyTrain)]
    assert all(isinstance(one, BuyTrain) and one.source != "N" for one in bought)
    after = play(trade(director="Ana"), BuyTrain("3", "MCP", 10))
    assert after.companies["N"].trains == ("3", "3")  # the buyer is the company in turn


@rule("ESP-DE-5.7-d")
@pytest.mark.parametrize("action", [DiscardTrain("3"), SellShares("N", 1)])
def test_no_train_is_sold_to_the_bank(action: DiscardTrain | SellShares) -> None:
    state = trade()
    assert code(state, action) in ("not-now", "no-emergency")
    assert code(state, BuyTrain("3", "pool", 200)) == "not-in-train-pool"


# --- above the limit ---------------------------------------------------------------------


@rule("ESP-DE-5.7-e", "ESP-E43")
def test_the_buyer_of_the_first_6_discards_into_the_open_market() -> None:
    state = company(deck(empty("5"), "6"), "N", trains=("4", "5"), money=700)
    after = play(buying(state, "N"), BuyTrain("6", "stack", 600))
    assert isinstance(after.step, Discards)
    assert after.companies["N"].trains == ("4", "5", "6")
    assert code(after, DiscardTrain("3")) == "no-such-train-owned"
    gone = play(after, DiscardTrain("4"))
    assert gone.companies["N"].trains == ("5", "6")
    assert gone.companies["N"].cash == 100  # no compensation
    assert gone.depot.pool == ("4",)


@rule("ESP-DE-5.7-e", "ESP-A37")
def test_the_company_that_caused_it_discards_first() -> None:
    state = company(deck(empty("5"), "6"), "N", trains=("4", "5"), money=700, par=70)
    state = company(state, "MCP", "Ben", trains=("4", "4", "5"), par=90)
    state = company(state, "A", "Cleo", trains=("4", "5", "5"), par=100)
    state = play(buying(state, "N"), BuyTrain("6", "stack", 600))
    order = []
    while isinstance(state.step, Discards):
        order.append(state.step.subject)
        state = play(state, DiscardTrain("4"))
    assert order == ["N", "A", "MCP"]


@rule("ESP-DE-5.7-e", "ESP-A36")
def test_a_discarded_train_is_for_sale_at_face_value_until_it_rusts() -> None:
    state = buying(pool(rich(in_phase="5"), "4"), "N")
    assert code(state, BuyTrain("4", "pool", 299)) == "face-price"
    after = play(state, BuyTrain("4", "pool", 300))
    assert (after.companies["N"].trains, after.depot.pool) == (("4",), ())
    eights = buying(deck(pool(rich(in_phase="6"), "4"), "8"), "N")
    assert play(eights, BuyTrain("8", "stack", 800)).depot.pool == ()
