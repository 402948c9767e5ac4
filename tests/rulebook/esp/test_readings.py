"""Readings of the rulebooks that were revised, each with its choice in the ledger."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import (
    Accept,
    BuyPrivate,
    BuyTender,
    BuyTrain,
    DeclareDividend,
    Decline,
    Pass,
    RunTrains,
    TakeOver,
)
from carril.engine.events import SharesMoved, TrainDiscarded
from carril.engine.market import price
from carril.engine.move import Move
from carril.engine.state import Round, State
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from carril.titles.esp.combining import recyclable
from carril.titles.esp.common import STRAWBERRY
from carril.titles.esp.discards import give_up
from carril.titles.esp.privates import TenderOffer
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.deviations import BOOK, online
from tests.rulebook.esp.lines import best, earned, run, turn_at
from tests.rulebook.esp.lines import running as runs_at
from tests.rulebook.esp.positions import extra, major, memory, minor, operate
from tests.rulebook.esp.purchases import buying, company, deck, empty, northwards
from tests.rulebook.esp.test_mines import LOOP
from tests.rulebook.esp.works import turn as at_work
from tests.table import at, cash, charter, cited, code, events, offered, play, tiles, tokens

OLDER = pytest.mark.parametrize("edition", ["en", "es"])
FIRST_5 = BuyTrain("5", "stack", 500)


# --- the first 5 train -------------------------------------------------------------------


def before_the_first_5(edition: str) -> State:
    """The minor MS of Ana, in Mérida with track to Badajoz, has the money for the first 5."""
    state = deck(empty("4", edition=edition), "5")
    state = cash(minor(state, "MS", "Ana"), MS=600)
    state = tokens(tiles(state, C27=("6", 0), B26=("14", 1)), C27=(("MS",),))
    return extra(major(state, "N", {"Ben": 5}), ran=("MS",))


@rule("ESP-4.6.1-a", "ESP-A63")
@OLDER
def test_a_minor_keeps_the_first_5_that_it_buys(edition: str) -> None:
    state = buying(before_the_first_5(edition), "MS")
    bought = state.apply(FIRST_5)
    assert not [event for event in bought.events if isinstance(event, TrainDiscarded)]
    after = bought.state
    assert "MS" in memory(after).frozen
    assert after.companies["MS"].trains == ("5",)
    assert memory(after).scrap == memory(after).lost == {}


@rule("ESP-4.6-i", "ESP-4.6.1-e")
@OLDER
def test_the_taker_of_that_minor_receives_the_5(edition: str) -> None:
    state = play(buying(before_the_first_5(edition), "MS"), FIRST_5)
    there = turn_at(cash(state, N=500), "N", Takeovers("N"))
    after = play(there, TakeOver("MS"), Decline())
    assert after.companies["N"].trains == ("5",)
    assert after.companies["MS"].closed


# --- Aranjuez and Toledo -----------------------------------------------------------------

TO_ARANJUEZ, TO_TOLEDO = "F24.0 F26.0", "F24.0 E25 F26.1"
BOTH = "F26.0 F24.0 E25 F26.1"
"""Aranjuez, Madrid, Toledo: the two towns of one tile by different track."""


def madrid(*trains: str, conventions: Any = BOOK, edition: str = "") -> State:
    """MCP in Madrid, about to run: Aranjuez is next to it, Toledo is reached by E25.

    On tile L79 turned by 3 the first town has the track to Madrid, so it is Aranjuez.
    """
    state = company(empty("5", conventions=conventions, edition=edition), "MCP", trains=trains)
    state = tiles(extra(state, goals={"MCP": ("destination",)}), F26=("L79", 3), E25=("7", 4))
    return runs_at(tokens(state, F24=(("MCP",), (), ())), "MCP")


@rule("ESP-2.2-ab")
def test_the_first_run_of_the_strawberry_train_to_toledo_is_refused() -> None:
    state = madrid(STRAWBERRY)
    assert code(state, run(f"{STRAWBERRY}: {TO_TOLEDO}")) == "run-must-visit"
    assert cited(state, run(f"{STRAWBERRY}: {TO_TOLEDO}")) == "ESP-2.2-ab"
    assert code(state, run(f"{STRAWBERRY}: {TO_ARANJUEZ}")) == ""
    runs = [option for option in offered(state, RunTrains) if isinstance(option, RunTrains)]
    assert [one.routes[0].path for one in runs if one.routes] == [tuple(TO_ARANJUEZ.split())]
    later = at(extra(state, strawberry_run=True), *state.agenda)
    assert code(later, run(f"{STRAWBERRY}: {TO_TOLEDO}")) == ""


@rule("ESP-G15")
def test_18xx_games_asks_for_the_hex_of_aranjuez_and_for_madrid() -> None:
    state = madrid(STRAWBERRY, conventions=online("strawberry_needs_madrid"))
    assert code(state, run(f"{STRAWBERRY}: {TO_TOLEDO}")) == ""


@rule("ESP-A21")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_both_towns_of_one_tile_on_one_route(edition: str) -> None:
    state = madrid("5", edition=edition)
    assert code(state, run(f"5: {BOTH}")) == ""
    assert earned(state, run(f"5: {BOTH}")) == (10 + 30 + 10, 0)
    assert best(state) == (50, 0)


@rule("ESP-A21", "ESP-G23")
def test_18xx_games_refuses_both_towns() -> None:
    state = madrid("5", conventions=online("hex_visited_once"))
    assert code(state, run(f"5: {BOTH}")) == "run-stop-excluded"
    assert cited(state, run(f"5: {BOTH}")) == "ESP-G23"
    assert best(state) == (40, 0)


@rule("ESP-A20")
def test_two_cities_of_madrid_cite_their_own_choice() -> None:
    state = tiles(madrid("5"), E25=("7", 3), E23=("7", 5))
    there = runs_at(state, "MCP")
    ring = run("5: F24.0 E25 E23 F24.1")
    assert code(there, ring) == "run-stop-excluded"
    assert cited(there, ring) == "ESP-A20"


@rule("ESP-4.2.3-g")
def test_mine_and_town_cite_the_rule_of_mines() -> None:
    state = runs_at(at_work("CFEA", LOOP, trains=("2+3",)), "CFEA")
    assert cited(state, run("2+3: E7.0 E9 F8 E7.1")) == "ESP-4.2.3-g"


# --- recycled cards ----------------------------------------------------------------------


def coupled(edition: str, train: str = "4|1+2") -> State:
    """MCP of Ben is about to buy the first 8, while N has a combined 4."""
    state = deck(empty("6", edition=edition), "8")
    state = company(northwards(state), "N", trains=(train, "6"))
    return buying(company(state, "MCP", "Ben", money=900), "MCP")


@rule("ESP-A50", "ESP-5.2.1-f", "ESP-5.2.1-l")
@pytest.mark.parametrize(
    ("edition", "cards"), [("de", {"2": 1, "4": 1}), ("en", {"4": 1}), ("es", {"4": 1})]
)
def test_a_recycled_card_is_recycled_again_only_in_german(
    edition: str, cards: dict[str, int]
) -> None:
    after = play(coupled(edition), BuyTrain("8", "stack", 800))
    assert after.companies["N"].trains == ("6",)
    assert recyclable(after) == cards


@rule("ESP-A50", "ESP-A51")
@OLDER
def test_a_combined_train_above_the_limit_leaves_without_its_recycled_card(edition: str) -> None:
    state = company(empty("4", edition=edition), "N", trains=("4|1+2", "4", "4", "4"))
    move = Move(state)
    give_up(move, "N", "4|1+2")
    assert move.state.companies["N"].trains == ("4", "4", "4")
    assert memory(move.state).lost == {"4": 1}
    assert recyclable(move.state) == {}


# --- the last operating round ------------------------------------------------------------


def withheld(edition: str, symbol: str = "CFLG", conventions: Any = BOOK, number: int = 3) -> int:
    """Return the price of a company at 138 that withholds in the last set."""
    state = extra(empty("8", edition=edition, conventions=conventions), last_rounds="on")
    state = major(state, symbol, {"Ana": 5}, column=17, trains=("6+8",))
    assert price(state, symbol) == 138
    steps = (OperatingRound((symbol,)), EndTurn(symbol), Earnings(symbol, earnings=100))
    there = at(state, *steps, round_=Round("OR", 9, number, 3))
    return price(play(there, DeclareDividend("withhold")), symbol)


@rule("ESP-A55", "ESP-DE-8-a")
def test_withholding_in_the_last_round_moves_a_northern_marker_twice_in_german() -> None:
    assert withheld("de") == 115
    assert withheld("en") == withheld("es") == 126
    assert withheld("de", number=2) == 126
    assert withheld("de", "N") == 126


@rule("ESP-A55", "ESP-G58")
def test_on_18xx_games_it_moves_once() -> None:
    assert withheld("de", conventions=online("withheld_moves_once")) == 126


@rule("ESP-A55", "ESP-4.5-l")
def test_a_northern_major_that_earns_nothing_falls_twice_in_the_last_round() -> None:
    state = extra(empty("8"), last_rounds="on")
    state = major(state, "CFLG", {"Ana": 5}, column=17)
    steps = (OperatingRound(("CFLG",)), EndTurn("CFLG"), RunStep("CFLG"))
    assert price(at(state, *steps, round_=Round("OR", 9, 3, 3)), "CFLG") == 115


# --- stations in phase 5 -----------------------------------------------------------------


def begins_5(**more: Any) -> State:
    """N was launched in phase 3 with three locked stations; MCP buys the first 5."""
    state = deck(empty("4", **more), "5")
    state = company(state, "N", "Ben", tokens=1, locked=3)
    state = buying(company(state, "MCP", money=1600), "MCP")
    return play(state, FIRST_5)


@rule("ESP-DE-5.3.4-c", "ESP-A59")
def test_every_station_is_free_from_phase_5_on_in_german() -> None:
    after = begins_5().companies["N"]
    assert (after.tokens, after.locked) == (4, 0)
    for edition in ("en", "es"):
        older = begins_5(edition=edition).companies["N"]
        assert (older.tokens, older.locked) == (1, 3)


@rule("ESP-A59", "ESP-DE-5.3.4-c")
def test_goals_go_on_to_pay_in_phase_5() -> None:
    state = extra(northwards(begins_5()), goals={})
    state = tokens(state, F24=((), ("N",), ()))
    before = charter(state, "N", trains=("5",)).companies["N"]
    after = operate(charter(state, "N", trains=("5",)), "N")
    assert after.companies["N"].cash == before.cash + 80
    assert (after.companies["N"].tokens, after.companies["N"].locked) == (4, 0)


@rule("ESP-G43")
def test_on_18xx_games_stations_stay_locked() -> None:
    after = begins_5(conventions=online("stations_stay_locked")).companies["N"]
    assert (after.tokens, after.locked) == (1, 3)


# --- tenders of private 5 ----------------------------------------------------------------

TENDER = BuyTender("private")


def wants_a_tender(conventions: Any = BOOK, owner: str = "Ben") -> State:
    """N of Ana, at its track, has 200 and no tender; private 5 has an owner."""
    state = company(empty("3", conventions=conventions), "N", trains=("3",), money=200)
    return operate(extra(state, privates={"P5": owner}), "N")


@rule("ESP-A69", "ESP-2.2-ak")
def test_the_owner_of_private_5_is_asked_for_a_tender() -> None:
    state = wants_a_tender()
    asked = play(state, TENDER)
    assert isinstance(asked.step, TenderOffer)
    assert asked.acting == "Ben"
    assert asked.companies["N"].cash == 200
    sold = play(asked, Accept())
    assert memory(sold).tenders == ("N",)
    assert sold.companies["N"].cash == 120
    assert sold.players["Ben"].cash == state.players["Ben"].cash + 20
    kept = play(asked, Decline())
    assert memory(kept).tenders == ()
    assert code(kept, TENDER) == "tender-declined"
    assert cited(kept, TENDER) == "ESP-A69"
    assert code(kept, BuyPrivate("P5", 100)) == "", "the private itself was not declined"
    assert not offered(kept, BuyTender)


@rule("ESP-A69")
def test_a_refused_tender_can_be_asked_for_again_in_the_next_step() -> None:
    state = extra(wants_a_tender(), tenders_pool=1)
    kept = play(state, TENDER, Decline())
    assert code(kept, BuyTender("pool")) == "", "those of the open market are nobody's"
    state = company(state, "MCP", "Ben", trains=("3", "3"))
    later = play(wants_a_tender(), TENDER, Decline(), Pass())
    assert later.step.mechanism != "build"
    assert code(later, TENDER) == ""


@rule("ESP-A69")
def test_a_director_who_owns_private_5_is_not_asked() -> None:
    assert memory(play(wants_a_tender(owner="Ana"), TENDER)).tenders == ("N",)


@rule("ESP-G44")
def test_18xx_games_does_not_ask_for_a_tender() -> None:
    assert memory(play(wants_a_tender(online("consents_asked")), TENDER)).tenders == ("N",)


# --- the duty to own a train -------------------------------------------------------------


@rule("ESP-A70")
def test_without_a_train_that_could_run_there_is_no_duty_in_the_older_texts() -> None:
    for edition, wanted in (("de", "must-buy-train"), ("en", ""), ("es", "")):
        state = company(empty("3", edition=edition), "N", money=900)
        cut_off = buying(tokens(state, F24=((), ("N",), ())), "N")
        assert code(cut_off, Pass()) == wanted
    linked = buying(northwards(company(empty("3", edition="en"), "N", money=900)), "N")
    assert code(linked, Pass()) == "must-buy-usable-train"


# --- companies that are not in the game --------------------------------------------------


@rule("ESP-4.6.1-c", "ESP-1.5.1-a")
@OLDER
def test_no_shares_of_companies_out_of_the_game_are_moved(edition: str) -> None:
    state = buying(company(deck(empty("4", edition=edition), "5"), "N", money=900), "N")
    moved = {e.company for e in events(state, FIRST_5) if isinstance(e, SharesMoved)}
    assert moved == {"MZA", "A", "MCP", "CRB", "ZPB"}
