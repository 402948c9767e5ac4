"""Where 18xx.games differs: privates, track, passes, routes, destinations."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyTrain,
    ChooseSide,
    LayTile,
    OpenPass,
    RunTrains,
)
from carril.engine.board import CLOSED
from carril.engine.move import Move
from carril.engine.runs import Route
from carril.engine.state import Round, State
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from carril.titles.esp.conventions import ONLINE
from carril.titles.esp.phases import card_left
from carril.titles.esp.privates import TakeTrain
from carril.titles.esp.running import able_trains
from tests.rulebook.esp.deviations import BOOK, online
from tests.rulebook.esp.positions import extra, game, memory, minor, operate, privates
from tests.rulebook.esp.purchases import (
    across,
    buying,
    company,
    deck,
    empty,
    northwards,
    two_passes,
)
from tests.table import at, cash, code, offered, phase, play, tiles, tokens

OO = "L131"


def run_at(state: State, symbol: str) -> State:
    """Put a company before its run."""
    return at(state, OperatingRound((symbol,)), RunStep(symbol), round_=Round("OR", 2, 1, 2))


# --- private 1 and mines -----------------------------------------------------------------


def mining(conventions: Any, owner: str, money: int = 500) -> State:
    """FdLR of Ana in Reinosa has two mine hexes before it; private 1 is somebody's."""
    state = phase(privates(game(3, conventions=conventions), P1=owner), "3")
    state = company(state, "FdLR", trains=("2+3",), money=money)
    state = tokens(tiles(state, H8=("75", 3)), H8=(("FdLR",),))
    return operate(state, "FdLR")


@rule("ESP-G11", "ESP-A17")
def test_private_1_is_an_additional_lay() -> None:
    free = LayTile("H6", "L94", 0, "P1")
    other = LayTile("I7", "L94", 1)
    book = play(mining(BOOK, "FdLR"), free)
    assert book.companies["FdLR"].cash == 500  # 30 - 30
    assert code(book, other) == "one-mine"
    changed = play(mining(online("private_1_extra_lay"), "FdLR"), free)
    assert changed.companies["FdLR"].cash == 500
    assert code(changed, other) == ""


@rule("ESP-G11")
def test_private_1_serves_its_owner_when_he_is_director() -> None:
    free = LayTile("H6", "L94", 0, "P1")
    assert code(mining(BOOK, "Ana"), free) == "private-1-for-mines"
    assert code(mining(online("private_1_extra_lay"), "Ana"), free) == ""
    assert code(mining(online("private_1_extra_lay"), "Ben"), free) == "private-1-for-mines"


@rule("ESP-G12", "ESP-A15")
def test_an_upgrade_on_a_mine_hex_as_second_action() -> None:
    def paid(conventions: Any) -> int:
        """FdLR lays plain track for 30, then dismantles the mine of H6."""
        state = phase(privates(game(3, conventions=conventions)), "3")
        state = company(state, "FdLR", trains=("2+3",), money=500)
        state = tiles(state, H8=("956", 0), H6=("L94", 0))
        state = operate(tokens(state, H8=(("FdLR",),)), "FdLR")
        state = play(state, LayTile("H10", "79", 0))
        assert state.companies["FdLR"].cash == 470
        lay = next(o for o in offered(state, LayTile) if isinstance(o, LayTile) and o.hex == "H6")
        return 470 - play(state, lay).companies["FdLR"].cash

    assert paid(BOOK) == 50
    assert paid(online("second_mine_upgrade_free")) == 30


# --- private 2 ---------------------------------------------------------------------------


def buys_2(conventions: Any, in_phase: str, symbol: str = "CFEA", **more: str) -> State:
    """A company of Ana buys private 2 of her."""
    state = privates(game(3, conventions=conventions), P2="Ana", **more)
    state = company(phase(state, in_phase), symbol, trains=("4",), money=500)
    return play(operate(state, symbol), BuyPrivate("P2", 60))


@rule("ESP-G13")
def test_private_2_bought_in_phase_4() -> None:
    book, changed = buys_2(BOOK, "4"), buys_2(online("private_2_closes"), "4")
    assert memory(book).privates == {"P2": "CFEA"}
    assert memory(changed).privates == {}
    assert book.companies["CFEA"].trains == changed.companies["CFEA"].trains == ("4",)


@rule("ESP-G14")
def test_the_side_of_the_train_of_private_2_is_a_choice_and_it_can_be_sold() -> None:
    for conventions in (BOOK, ONLINE):
        state = buys_2(conventions, "3")
        assert isinstance(state.step, TakeTrain)
        assert code(state, ChooseSide("3")) == "no-such-side"
        after = play(state, ChooseSide("1+2"))
        assert after.companies["CFEA"].trains == ("4", "1+2")
        buyer = company(after, "N", "Ana", money=300, trains=("3",))
        assert code(buying(buyer, "N"), BuyTrain("1+2", "CFEA", 5)) == ""
    small = privates(game(3), P2="Ana")
    small = cash(minor(phase(small, "3"), "MS", "Ana"), MS=100)
    assert play(operate(small, "MS"), BuyPrivate("P2", 60)).companies["MS"].trains == ("2",)


@rule("ESP-G20", "ESP-A43")
def test_private_7_and_the_free_train() -> None:
    """CFEA is the company of private 7 here."""

    def left(conventions: Any) -> list[str]:
        state = buys_2(conventions, "2", P7="Ben")
        assert memory(state).director_7 == "CFEA"
        return list(memory(play(state, ChooseSide("2"))).privates)

    assert left(BOOK) == ["P7"]
    assert left(online("private_7_by_free_train")) == []


# --- private 3 ---------------------------------------------------------------------------


@rule("ESP-G15", "ESP-A49")
def test_the_first_run_of_the_strawberry_train() -> None:
    """N has a station in Ciudad Real, joined to Aranjuez, which is joined to Madrid."""

    def asks(conventions: Any, *path: str) -> str:
        state = company(empty("5", conventions=conventions), "N", trains=("2P",))
        state = tiles(state, F26=("L113", 0), F28=("57", 0))
        state = run_at(tokens(state, F28=(("N",),), F24=(("N",), (), ())), "N")
        return code(state, RunTrains((Route("2P", path),)))

    changed = online("strawberry_needs_madrid")
    assert asks(BOOK, "F28.0", "F26.0") == ""
    assert asks(changed, "F28.0", "F26.0") == "run-must-visit"
    assert asks(changed, "F24.0", "F26.0") == ""


def phase_5(conventions: Any, owner: str) -> State:
    """N of Ana buys the first 5 while somebody owns private 3; MCP operates after it."""
    state = deck(company(empty("4", conventions=conventions), "N", money=1100, par=100), "5")
    state = company(state, "MCP", "Ben", trains=("4",), money=50)
    state = minor(state, "MS", "Cleo", trains=("4",))
    return play(buying(extra(state, privates={"P3": owner}), "N"), BuyTrain("5", "stack", 500))


@rule("ESP-G16")
def test_the_strawberry_train_in_the_round_in_which_phase_5_began() -> None:
    book, changed = phase_5(BOOK, "MCP"), phase_5(online("strawberry_runs_at_once"), "MCP")
    assert book.companies["MCP"].trains == changed.companies["MCP"].trains == ("4", "2P")
    assert able_trains(book, "MCP") == ("4",)
    assert able_trains(changed, "MCP") == ("4", "2P")


@rule("ESP-G17", "ESP-A48")
def test_private_3_of_a_minor_is_lost_with_it() -> None:
    """18xx.games makes a train of it first; nobody has it in the end."""
    for conventions in (BOOK, online("strawberry_with_minor")):
        after = phase_5(conventions, "MS")
        assert after.companies["MS"].closed
        assert not any("2P" in company.trains for company in after.companies.values())
        assert memory(after).privates == {}
    kept = phase_5(online("strawberry_with_minor", "closed_minors_trade"), "MS")
    assert kept.companies["MS"].trains == ("4", "2P")  # seen where the closed minor keeps them
    assert phase_5(online("closed_minors_trade"), "MS").companies["MS"].trains == ("4",)


# --- private 4, passes, the North --------------------------------------------------------


def before_passes(conventions: Any) -> State:
    """MZ in Madrid owns private 4 and reaches Alar del Rey, closed."""
    state = phase(privates(game(3, conventions=conventions), P4="MZ"), "3")
    state = cash(minor(state, "MZ", "Ana", trains=("3",)), MZ=500)
    return operate(tokens(across(state, "MZ"), H12=((CLOSED, CLOSED),)), "MZ")


@rule("ESP-G18", "ESP-A18")
def test_private_4_serves_minors_and_does_not_count() -> None:
    opened = OpenPass("H12", "P4")
    changed = online("private_4_free")
    assert code(before_passes(BOOK), opened) == "minor-no-pass"
    assert code(before_passes(changed), opened) == ""
    assert code(before_passes(changed), OpenPass("H12")) == "minor-no-pass"
    for conventions, wanted in ((BOOK, "one-pass"), (changed, "")):
        state = phase(privates(game(3, conventions=conventions), P4="N"), "3")
        state = two_passes(company(state, "N", trains=("3",), money=500))
        after = play(operate(state, "N"), opened)
        assert after.companies["N"].cash == 500  # 60 - 60
        assert code(after, OpenPass("D12")) == wanted


@rule("ESP-G19", "ESP-A44", "ESP-A45")
def test_unsold_tenders() -> None:
    """They vanish with a player's private 5, and go to the market when a company buys it."""
    for conventions in (BOOK, ONLINE):
        state = privates(game(3, conventions=conventions), P5="Ana")
        state = company(phase(state, "4"), "N", trains=("4",), money=500)
        assert memory(state).tenders_private == 5
        bought = play(operate(state, "N"), BuyPrivate("P5", 130))
        assert memory(bought).tenders == ("N",)
        assert (memory(bought).tenders_private, memory(bought).tenders_pool) == (0, 5)
        move = Move(deck(state, "5"))
        card_left(move, "5")
        assert (memory(move.state).tenders_private, memory(move.state).tenders_pool) == (0, 0)


@rule("ESP-G21")
def test_minors_in_the_north() -> None:
    def minor_north(conventions: Any) -> State:
        """MZ in Madrid with track to Alar del Rey, which is open."""
        state = minor(empty("3", conventions=conventions), "MZ", "Ana", trains=("3",))
        state = across(cash(state, MZ=500), "MZ")
        laid = {k: v for k, v in state.board.laid.items() if k not in ("H10", "H8")}
        return replace(state, board=replace(state.board, laid=laid))

    changed = online("minors_go_north")
    lay = LayTile("H10", "79", 0)
    assert code(operate(minor_north(BOOK), "MZ"), lay) == "minor-stays-south"
    assert code(operate(minor_north(changed), "MZ"), lay) == ""
    to_pass = RunTrains((Route("3", ("E21.0", "E19", "H12.0")),))
    for conventions, wanted in ((BOOK, "run-stop-barred"), (changed, "")):
        state = minor_north(conventions)
        state = tokens(state, E21=(("MZ",),))
        assert code(run_at(state, "MZ"), to_pass) == wanted


@rule("ESP-G22")
def test_the_destination_from_any_station() -> None:
    """N has a station in Reinosa, joined to Valladolid, while Madrid is cut off."""

    def paid(conventions: Any) -> int:
        state = company(empty("3", conventions=conventions), "N", trains=("3",))
        state = extra(across(state), goals={})
        laid = {k: v for k, v in state.board.laid.items() if k != "E23"}
        state = replace(state, board=replace(state.board, laid=laid))
        return operate(tokens(state, H8=(("N",),)), "N").companies["N"].cash

    assert paid(BOOK) == 0
    assert paid(online("destination_from_any")) == 80


@rule("ESP-G23", "ESP-A20")
def test_two_stops_of_one_hex() -> None:
    """Both cities of an OO tile, but not two of Madrid's: alike in both."""
    for conventions in (BOOK, ONLINE):
        state = company(northwards(empty("3", conventions=conventions)), "N", trains=("4",))
        state = tokens(tiles(state, J20=(OO, 0)), J20=(("N",), ("N",)), F24=((), ("N",), ()))
        once = {stop.key: stop.once for stop in state.title.run_problem(state, "N").stops}
        assert once["F24.1"] == "F24"
        assert once["J20.0"] == once["J20.1"] == ""
