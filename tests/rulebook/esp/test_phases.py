"""The phases: what begins them and what they change."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyShare,
    BuyTrain,
    CombineTrains,
    LayTile,
    OpenPass,
    Pass,
    RunTrains,
    StartCompany,
    TakeOver,
)
from carril.engine.events import GoalReached, PhaseBegan, TrainsRun, TrainsRusted
from carril.engine.network import layout
from carril.engine.runs import Route
from carril.engine.state import Round, State
from carril.engine.steps.auction import Auction as PrivateAuction
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep, run_problem
from carril.engine.trains import phase_def, train_limit
from carril.rules.marker import rule
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import (
    extra,
    game,
    major,
    memory,
    minor,
    operate,
    privates,
    stock_round,
)
from tests.rulebook.esp.purchases import across, buying, coast, company, deck, empty
from tests.table import at, cash, charter, code, events, phase, play, tiles, tokens

COLOURS = {"2": 1, "3": 2, "4": 2, "5": 3, "6": 3, "8": 4}
MINE = {"2": 30, "3": 20, "4": 20, "5": 10, "6": 10, "8": 0}


def figures(state: State) -> tuple[int, int, int, int]:
    """Return tile colours, operating rounds, and the limits of minors and majors."""
    found, (north, south) = phase_def(state), (state.companies["N"], state.companies["MS"])
    limits = (train_limit(state, south), train_limit(state, north))
    return len(found.tiles), found.operating_rounds, *limits


@rule("ESP-6-a")
def test_a_phase_begins_with_the_purchase_of_its_first_train() -> None:
    state = deck(company(empty("2"), "N", money=900), "2", n2=1)
    after = play(buying(state, "N"), BuyTrain("2", "stack", 100))
    assert after.phase == "2"  # the first 3 lies on top now
    assert PhaseBegan("3") in events(after, BuyTrain("3", "stack", 200))
    assert play(after, BuyTrain("3", "stack", 200)).phase == "3"
    second = play(after, BuyTrain("3", "stack", 200))
    assert PhaseBegan("3") not in events(second, BuyTrain("3", "stack", 200))


@rule("ESP-6-b")
def test_all_but_the_number_of_rounds_changes_at_once() -> None:
    """The first 4 rusts the 2 of MCP, which operates next, and opens combined trains to N."""
    state = deck(company(empty("3"), "N", trains=("3",), money=900, par=90), "4")
    state = company(state, "MCP", "Ben", trains=("2", "2"), par=80, money=100)
    state = extra(state, privates={"P3": "Ana"})
    after = play(buying(state, "N"), BuyTrain("4", "stack", 300))
    assert after.companies["MCP"].trains == ()
    assert train_limit(after, after.companies["N"]) == 3
    assert code(after, CombineTrains("4", "1+2")) == ""
    assert code(after, BuyPrivate("P3", 140)) == ""


@rule("ESP-6-c")
def test_more_operating_rounds_come_only_after_the_next_stock_round() -> None:
    state = deck(company(empty("2"), "N", trains=("2",), money=700), "3")
    after = play(buying(state, "N"), BuyTrain("3", "stack", 200), Pass())
    assert str(after.round) == "SR 3"  # the cycle had one round still
    while after.round.kind == "SR":
        after = play(after, Pass())
    assert (after.round.turn, after.round.number, after.round.of) == (3, 1, 2)


@rule("ESP-6-d")
def test_the_game_begins_with_the_auction() -> None:
    state = game()
    assert state.round.kind == "Auction"
    assert isinstance(state.step, PrivateAuction)
    assert len(memory(state).privates) == 7


@rule("ESP-6-e")
def test_phase_2() -> None:
    state = company(extra(empty("2"), privates={"P3": "Ana"}), "CFLG", trains=("2",), money=300)
    state = company(state, "FdLR", "Ana", trains=("2",), money=0)
    assert figures(state) == (1, 1, 2, 4)
    turn = buying(state, "CFLG")
    assert code(turn, BuyTrain("2", "FdLR", 1)) == "trade-not-yet"
    assert code(turn, CombineTrains("2", "1+2")) == "combined-not-yet"
    assert code(turn, BuyPrivate("P3", 71)) == "private-price"
    assert code(turn, BuyPrivate("P3", 70)) == ""
    assert code(operate(across(company(state, "N", par=100)), "N"), OpenPass("H12")) == (
        "passes-not-yet"
    )
    assert code(stock_round(state), StartCompany("A", 80)) == "south-not-yet"
    assert next(iter(memory(state).in_play)) == "MS"
    assert code(stock_round(state), StartCompany("MS", 80)) == ""


@rule("ESP-6-f")
def test_phase_3() -> None:
    state = extra(empty("3"), privates={"P3": "Ana"})
    state = minor(company(state, "N", trains=("3",), money=300), "MS", "Ben", trains=("3",))
    assert figures(state) == (2, 2, 2, 4)
    turn = buying(state, "N")
    assert code(turn, BuyTrain("3", "MS", 1)) == ""
    assert code(turn, CombineTrains("3", "1+2")) == "combined-not-yet"
    assert code(turn, BuyPrivate("P3", 105)) == ""
    assert code(turn, BuyPrivate("P3", 106)) == "private-price"
    assert code(stock_round(state), StartCompany("A", 80)) == ""
    there = at(state, OperatingRound(("N",)), Takeovers("N"), round_=Round("OR", 2, 1, 2))
    assert code(there, TakeOver("MS")) == ""
    closed = replace(game().board, laid=across(state).board.laid)
    shut = tokens(replace(state, board=closed), F24=((), ("N",), ()))
    assert code(operate(shut, "N"), OpenPass("H12")) == ""


@rule("ESP-6-g")
def test_phase_4() -> None:
    state = deck(company(empty("3"), "N", trains=("2", "1+2", "3"), money=900), "4")
    state = extra(state, privates={"P3": "Ana"})
    turn = buying(state, "N")
    told = events(turn, BuyTrain("4", "stack", 300))
    assert TrainsRusted("2", ("N",)) in told
    assert TrainsRusted("1+2", ("N",)) in told
    after = play(turn, BuyTrain("4", "stack", 300))
    assert after.companies["N"].trains == ("3", "4")
    assert figures(after) == (2, 2, 1, 3)
    assert code(after, BuyPrivate("P3", 140)) == ""
    assert code(after, BuyPrivate("P3", 141)) == "private-price"
    assert code(after, CombineTrains("4", "1+2")) == ""


@rule("ESP-6-h")
def test_phase_5() -> None:
    state = deck(company(empty("4"), "N", trains=("4",), money=900), "5")
    state = extra(state, privates={"P4": "Ana", "P6": "Ben"})
    state = major(state, "A", {"Cleo": 4}, par=100, floated=False, operated=False)
    after = play(buying(state, "N"), BuyTrain("5", "stack", 500))
    assert figures(after)[:2] == (3, 3)
    assert train_limit(after, after.companies["N"]) == 3
    assert memory(after).privates == {}
    shares = stock_round(cash(after, Ana=900))
    assert code(shares, StartCompany("MS", 80)) in ("no-new-minors", "no-such-stock")


@rule("ESP-6-h")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_from_phase_5_on_a_major_needs_60_percent_and_gets_ten_times_par(edition: str) -> None:
    state = major(empty("5", edition=edition), "A", {"Cleo": 4}, par=100, floated=False)
    state = cash(charter(state, "A", operated=False), Ana=900, Ben=900)
    one = play(stock_round(state), BuyShare("A", "ipo"))
    assert not one.companies["A"].floated
    two = play(one, BuyShare("A", "ipo"))
    assert two.companies["A"].floated
    assert two.companies["A"].cash == 1000


@rule("ESP-6-i")
def test_phase_6() -> None:
    state = deck(company(empty("5"), "N", trains=("3", "2+3"), money=900), "6")
    turn = buying(state, "N")
    told = events(turn, BuyTrain("6", "stack", 600))
    assert TrainsRusted("3", ("N",)) in told
    after = play(turn, BuyTrain("6", "stack", 600))
    assert after.phase == "6"
    assert after.companies["N"].trains == ("6",)
    assert (len(phase_def(after).tiles), phase_def(after).operating_rounds) == (3, 3)
    assert train_limit(after, after.companies["N"]) == 2


@rule("ESP-6-j")
def test_phase_7_begins_with_the_first_8() -> None:
    state = deck(company(empty("6"), "N", trains=("4",), money=900), "8")
    state = company(state, "MCP", "Ben", trains=("4|1+2", "5"))
    turn = buying(state, "N")
    assert TrainsRusted("4", ("N", "MCP")) in events(turn, BuyTrain("6+8", "stack", 800))
    after = play(turn, BuyTrain("6+8", "stack", 800))
    assert after.phase == "8"
    assert after.companies["N"].trains == ("6+8",)
    assert after.companies["MCP"].trains == ("5",)
    assert phase_def(after).tiles == ("yellow", "green", "brown", "grey")
    assert train_limit(after, after.companies["N"]) == 2


@rule("ESP-6-e", "ESP-6-f", "ESP-6-g", "ESP-6-h", "ESP-6-i", "ESP-6-j", "ESP-6-l")
@pytest.mark.parametrize("name", list(MINE))
def test_colour_phases_set_the_worth_of_mines_harbours_and_red_areas(name: str) -> None:
    state = empty(name)
    colour = phase_def(state).colour
    assert colour == {1: "yellow", 2: "green", 3: "brown", 4: "grey"}[COLOURS[name]]
    mine = state.title.tables.tiles["L94"].stops[0]
    assert mine.value(colour) == MINE[name]
    harbour = layout(state.title.tables, state.board, "E1").tile.stops[0]
    assert harbour.value(colour) == {1: 10, 2: 20, 3: 30, 4: 40}[COLOURS[name]]
    area = layout(state.title.tables, state.board, "A11").tile.stops[0]
    assert area.value(colour) == {1: 0, 2: 30, 3: 50, 4: 60}[COLOURS[name]]
    run = run_problem(coast(company(state, "CFLG", trains=("6+8",))), "CFLG")
    assert next(s.treasury for s in run.stops if s.key == "E1.0") == harbour.value(colour)


@rule("ESP-6-e", "ESP-6-f", "ESP-6-h", "ESP-6-j")
def test_tile_colours_open_with_the_phases() -> None:
    upgrade = LayTile("E21", "14", 0)
    for name, wanted in (("2", "colour-not-yet"), ("3", "")):
        state = company(phase(privates(game(3)), name), "N", trains=("3",), money=500)
        codes = {code(operate(across(state), "N"), replace(upgrade, turn=t)) for t in range(6)}
        assert wanted in codes
        assert ("colour-not-yet" in codes) == (name == "2")


@rule("ESP-6-k", "ESP-A29", "ESP-E47")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_a_mine_and_a_harbour_are_still_a_goal_in_phase_7(edition: str) -> None:
    """Harbour and Gijón, Siero, and a mine that is worth nothing any more."""
    state = company(empty("8", edition=edition), "CFLG", trains=("6+8",), money=0)
    state = tiles(coast(state), E5=("74", 0), E7=("L94", 0))
    there = at(state, OperatingRound(("CFLG",)), RunStep("CFLG"), round_=Round("OR", 8, 1, 3))
    run = RunTrains((Route("6+8", ("E1.0", "E3.0", "E5.0", "E7.0")),))
    told = events(there, run)
    assert TrainsRun("CFLG", 40, 40) in told  # 40 of the harbour to the treasury, 0 of the mine
    assert GoalReached("CFLG", "harbour") in told
    short = RunTrains((Route("6+8", ("E1.0", "E3.0", "E5.0")),))
    assert GoalReached("CFLG", "harbour") not in events(there, short)


@rule("ESP-6-m")
def test_a_rusted_train_does_not_run() -> None:
    """N buys the first 4; MCP, next in order, has lost its 2 and earns nothing."""
    state = deck(company(empty("3"), "N", trains=("3",), money=300, par=90), "4")
    state = company(state, "CFLG", "Ben", trains=("1+2",), par=80, money=400)
    after = play(buying(coast(state), "N"), BuyTrain("4", "stack", 300))
    assert after.companies["CFLG"].trains == ()
    assert after.step.subject == "CFLG"
    assert TrainsRun("CFLG", 0, 0) in events(after, Pass())
