"""Panels of mechanisms that 18Cuba brings: drafts, conversions, machines, bonuses, tolls, loads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carril.engine.actions import BuyMachine, ChooseLot, RunTrains, decode_action
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains
from carril.page.own_run import own_run
from carril.page.panels import Panel, Scene, panel_for
from carril.page.words import words_for
from carril.titles.cuba.draft import DraftConcessions
from carril.titles.cuba.machines import BuyMachines
from tests.contract.page_controls import look_at, panel_html
from tests.rulebook.cuba.lines import blocked, earned, north_coast, running
from tests.rulebook.cuba.positions import extra, game, major, minor, stock_round
from tests.table import at, cash, charter, phase


def panel(state: State) -> Panel:
    return panel_for(Scene(state, words_for(state, "en"), mine=True))


def tried(state: State, stops: str, *cards: str, **tolls: bool) -> dict[str, Any]:
    """Return an own run of the only train: its stops, the places of cards, and ticked tolls."""
    train = next(iter(state.companies["MS"].trains))
    routes = [{"train": train, "stops": stops.split()}]
    own = {
        "routes": routes,
        "cards": cards,
        "tolls": {k.replace("_", "."): v for k, v in tolls.items()},
    }
    return own_run(Scene(state, words_for(state, "en"), mine=True), json.dumps(own))


def action(found: dict[str, Any]) -> RunTrains:
    decoded = decode_action(found["choice"].action)
    assert isinstance(decoded, RunTrains)
    return decoded


# --- first stock round -----------------------------------------------------------------------


def test_the_opener_of_a_commissioner_is_told_to_bid() -> None:
    found = panel(game(4))
    assert found.template == "private_auction"
    assert found.sentence == "Ana must open the bidding for K1 with $0 or more."
    assert [lot["symbol"] for lot in found.model["lots"]] == ["K1", "K2", "K3", "K4", "K5", "K6"]
    assert "Commissioners" in panel_html(look_at(game(4)))


def test_a_bid_of_nothing_is_shown_as_such() -> None:
    state = game(4)
    bid = next(iter(state.options()))
    after = state.apply(bid.action).state  # type: ignore[union-attr]
    assert panel(after).sentence == "Ana bids $0 for K1. Ben may raise the bid or pass."
    assert panel(after).model["price"] == 0


def test_the_draft_offers_what_can_be_paid_and_says_why_not() -> None:
    # Concessions cost 120, 140, 150, 170, 180 and 200; with 150 three of them can be paid.
    state = cash(game(4), Ana=150)
    owners = dict.fromkeys(("K1", "K2", "K3", "K4", "K5", "K6"), "Ben")
    state = at(extra(state, commissioners=owners), DraftConcessions("Ana"))
    lots = panel(state).model["lots"]
    assert [lot["symbol"] for lot in lots if lot["choice"].legal] == ["M1", "M2", "M3"]
    assert all(lot["choice"].why and lot["choice"].rule for lot in lots[3:])
    taken = state.apply(ChooseLot("M2", by="Ana")).state
    assert "M2" not in [lot["symbol"] for lot in panel(taken).model["lots"]]


def test_a_conversion_says_what_it_costs_and_brings() -> None:
    # 60% at 85 is worth 255, of which the concession covers 210; the minor gets 255.
    state = extra(cash(game(4), Ana=100), concessions={"M2": "Ana"}, commissioners={})
    model = panel(stock_round(state, "Ana", turn=1)).model
    stock = next(one for one in model["stocks"] if one["symbol"] == "HG")
    (conversion,) = stock["conversions"]
    assert conversion["concession"] == "M2"
    by_price = {one["price"]: (one["cost"], one["capital"]) for one in conversion["prices"]}
    assert by_price[70] == (0, 210)
    assert by_price[85] == (45, 255)
    assert by_price[100] == (90, 300)


def test_nobody_is_named_as_president_of_the_state_railway() -> None:
    html = panel_html(look_at(stock_round(charter(game(4), "FC", shares={"ipo": 10}))))
    assert "president  ·" not in html
    assert "president </span>" not in html


# --- a company's turn ------------------------------------------------------------------------


def test_machines_have_their_prices_and_reasons() -> None:
    state = minor(game(4), "HG", {"Ana": 3}, cash=25)
    found = panel(at(state, BuyMachines("HG"))).model
    first, second, third = found["choices"]
    assert first.legal
    assert first.label == "Buy a machine of generation 1 for $25"
    assert decode_action(first.action) == BuyMachine("1", by="Ana")
    assert "phase 3" in second.why
    assert "phase 5" in third.why


def test_a_bonus_can_be_placed_beside_any_panel() -> None:
    state = major(game(4), "MS", {"Ana": 6})
    state = extra(state, bonuses={"M5": "Ana"}, concessions={}, commissioners={})
    aside = panel(stock_round(state, "Ana")).aside
    assert aside["heading"] == "Place a bonus"
    assert [choice.label for choice in aside["bonuses"]] == ["Place the bonus of M5 in MS"]


def test_a_trade_in_is_named_with_its_price() -> None:
    # A 3n costs 180; a 2n is worth half its price of 80.
    state = phase(minor(game(4), "HG", {"Ana": 3}, trains=("2n",), cash=200), "3")
    shelves = {
        one["heading"]: one["offers"] for one in panel(at(state, BuyTrains("HG"))).model["shelves"]
    }
    offers = {(c.label, c.detail) for c in shelves["Narrow trains"] if c.legal}
    assert ("Buy a 3n train from the stack for $140", "a 2n is traded in") in offers
    assert ("Buy a 3n train from the stack for $180", "") in offers
    assert any(c.label.startswith("Buy a 1w wagon") for c in shelves["Wagons"])


def test_wagons_are_counted_apart_from_trains() -> None:
    state = phase(major(game(4), "MS", {"Ana": 6}, trains=("2", "1w"), cash=900), "3")
    html = panel_html(look_at(at(state, BuyTrains("MS"))))
    assert "Trains: 2 (limit 4) · Wagons: 1w (limit 4)" in html


# --- runs ------------------------------------------------------------------------------------


def test_a_paid_pass_is_an_option_beside_the_run_without() -> None:
    # 20 + 30 without a pass, 10 more with one for 20.
    runs = panel(running(blocked("3"), "MS")).model["runs"]
    labels = [(run["choice"].label, run["choice"].detail) for run in runs]
    assert labels[0] == ("Run for $50", "")
    assert ("Run this instead for $60", "pays $20 for passes") in labels
    assert runs[1]["extras"] == ["pays to pass B11 Cardenas"]


def test_an_own_run_pays_for_a_pass_unless_it_is_unticked() -> None:
    state = running(blocked("3"), "MS")
    found = tried(state, "B9.0 B11.0 A12.0")
    (box,) = found["tolls"]
    assert box == {"stop": "B11.0", "label": "Pay $20 to pass B11 Cardenas", "paid": True}
    assert found["choice"].legal
    assert action(found).extras == (("toll", "B11.0"),)
    unticked = tried(state, "B9.0 B11.0 A12.0", B11_0=False)
    assert unticked["tolls"][0]["paid"] is False
    assert unticked["choice"].rule == "CUBA-VII.3.7-r"


@pytest.mark.parametrize(
    ("wish", "extras", "worth"),
    [("", (("1w", "3 HG=1"),), 80), ("-", (), 50), ("3 HG=1", (("1w", "3 HG=1"),), 80)],
)
def test_an_own_run_takes_a_wagon_with_its_load(
    wish: str, extras: tuple[tuple[str, str], ...], worth: int
) -> None:
    # Matanzas 20, Cárdenas 20, the harbour 10, and 30 for a cube.
    state = running(north_coast("3", "1w", cubes=2), "MS")
    found = tried(state, "B9.0 B11.0 A12.0", wish)
    assert action(found).extras == extras
    assert found["run"]["total"] == worth
    assert found["choice"].legal is (worth == 80), "a wagon that adds revenue must be used"
    if worth == 80:
        assert earned(state, action(found)) == 80
    (field,) = found["cards"]
    assert ("3 HG=1", "3 train: 1 from HG") in field["choices"]


def test_loads_are_named_in_the_panel() -> None:
    runs = panel(running(north_coast("3", "1w", cubes=2), "MS")).model["runs"]
    assert runs[0]["total"] == 80
    assert runs[0]["extras"] == ["1w with the 3 train: 1 from HG"]
