"""The operating round: who is next, the steps of a turn, and what the privates pay."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyTrain,
    DeclareDividend,
    LayTile,
    OpenPass,
    Pass,
    PlaceToken,
    RunTrains,
)
from carril.engine.events import TrainExported, TurnBegan
from carril.engine.state import State
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from tests.rulebook.esp.positions import game, memory, operate, privates, stock_round
from tests.rulebook.esp.works import ALAR_NORTH, BILBAO, company, run, runs, turn
from tests.table import cash, cited, code, events, offered, pass_until, phase, play, tiles


def finish_round(state: State) -> tuple[State, list[str]]:
    """Pass until a stock round or the next operating round; return who had a turn."""
    had: list[str] = []
    round_ = state.round
    while state.round == round_:
        if state.step.subject not in had:
            had.append(state.step.subject)
        state = play(state, runs(run()) if isinstance(state.step, RunStep) else Pass())
    return state, had


def all_pass(state: State) -> State:
    """Everybody passes in the stock round."""
    while state.round.kind == "SR":
        state = play(state, Pass())
    return state


@rule("ESP-4-a", "ESP-4-b")
def test_minors_and_majors_operate_together_by_price_and_stack() -> None:
    state = company(game(), "N", par=80, trains=("2",))
    state = company(state, "FdSB", "Ben", par=80, trains=("1+2",))
    state = company(state, "CM", "Cleo", value=100, trains=("2",))
    state = company(state, "CRB", "Dan", par=90, trains=("2",))
    state = company(state, "MS", "Dan", value=75, trains=("2",))
    state = operate(phase(state, "3"), "CM")
    assert finish_round(state)[1] == ["CM", "CRB", "N", "FdSB", "MS"]
    # the other marker on top of the stack
    swapped = [m for m in state.markers if m.company != "N"]
    swapped.append(next(m for m in state.markers if m.company == "N"))
    state = operate(replace(state, markers=tuple(swapped)), "CM")
    assert finish_round(state)[1] == ["CM", "CRB", "FdSB", "N", "MS"]


@rule("ESP-4-c")
@pytest.mark.parametrize(
    ("name", "count"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)]
)
def test_the_phase_says_how_many_operating_rounds_follow(name: str, count: int) -> None:
    state = phase(company(game(), "FdSB", trains=("1+2",)), name)
    state = all_pass(stock_round(state))
    assert (state.round.kind, state.round.number, state.round.of) == ("OR", 1, count)
    for number in range(2, count + 1):
        state, _ = finish_round(state)
        assert (state.round.kind, state.round.number) == ("OR", number)
    assert finish_round(state)[0].round.kind == "SR"


@rule("ESP-4-c")
def test_a_phase_that_begins_inside_the_set_adds_no_round() -> None:
    state = all_pass(stock_round(company(game(), "FdSB", trains=("1+2",))))
    assert finish_round(phase(state, "3"))[0].round.kind == "SR"


@rule("ESP-4-d")
def test_the_steps_of_a_turn_come_in_order_and_none_comes_back() -> None:
    lay, buy = LayTile("H4", "72", 5), BuyTrain("3", "stack", 200)
    station = PlaceToken("K5", 0)
    state = turn("FdSB", BILBAO, trains=("1+2",))
    going = run(**{"1+2": "I5.0 J4.0"})
    assert isinstance(state.step, Build)
    assert code(state, lay) == ""
    assert code(state, station) == ""
    for late in (runs(going), buy, DeclareDividend("full")):
        assert code(state, late) == "not-now"
    state = play(state, Pass())
    assert isinstance(state.step, RunStep)
    for wrong in (lay, station, buy):
        assert code(state, wrong) == "not-now"
    assert cited(state, lay) == "ESP-4-d"
    state = play(state, runs(going))
    assert isinstance(state.step, Earnings)
    assert {code(state, a) for a in (lay, station, runs(going), buy)} == {"not-now"}
    state = play(state, DeclareDividend("full"))
    assert isinstance(state.step, TrainStep)
    for early in (lay, station, runs(going), DeclareDividend("full")):
        assert code(state, early) == "not-now"


@rule("ESP-4-d")
def test_only_southern_majors_are_asked_about_takeovers() -> None:
    for symbol, trains, asked in (("N", "2", True), ("FdSB", "1+2", False)):
        state = company(game(), symbol, trains=(trains,))
        state = phase(company(state, "CM", trains=("2",)), "3")
        state = play(operate(cash(state, **{symbol: 500}), symbol), Pass())
        kind = type(state.step).__name__
        assert (kind == "Takeovers") is asked


@rule("ESP-4-e")
def test_a_private_may_be_bought_in_every_step_of_the_turn() -> None:
    state = privates(turn("FdSB", BILBAO, trains=("1+2",)), P1="Ana", P6="Ben")
    buy = BuyPrivate("P1", 20)
    going = runs(run(**{"1+2": "I5.0 J4.0"}))
    for action in (Pass(), going, DeclareDividend("withhold")):
        assert code(state, buy) == ""
        assert offered(state, BuyPrivate)
        state = play(state, action)
    assert isinstance(state.step, TrainStep)
    bought = play(state, buy)
    assert memory(bought).privates["P1"] == "FdSB"
    assert isinstance(bought.step, TrainStep)


@rule("ESP-4-f")
def test_track_mine_pass_and_station_come_in_any_order() -> None:
    state = turn("FdLR", {**ALAR_NORTH, "H8": ("L107", 0), "I7": ("L94", 1)})
    tile, mine = LayTile("J6", "73", 1), LayTile("G9", "L94", 1)
    open_, station = OpenPass("H12"), PlaceToken("H12", 0)
    for order in ((tile, open_, mine, station), (open_, station, mine, tile)):
        after = play(state, *order)
        step = after.step
        assert isinstance(step, Build)
        assert (step.normal, step.mined, step.opened, step.stationed) == (1, True, True, True)
        assert after.companies["FdLR"].cash == 500 - 30 - 30 - 60 - 50


@rule("ESP-4-g")
def test_the_last_company_of_the_last_round_is_followed_by_an_export() -> None:
    state = cash(phase(company(game(), "FdSB", trains=("1+2",)), "3"), FdSB=500)
    first = pass_until(operate(state, "FdSB", number=1, of=2), TrainStep)
    assert not any(isinstance(e, TrainExported) for e in events(first, Pass()))
    last = pass_until(operate(state, "FdSB", number=2, of=2), TrainStep)
    assert [e.train for e in events(last, Pass()) if isinstance(e, TrainExported)] == ["3"]
    left = state.depot.left["3"]
    assert play(last, Pass()).depot.left["3"] == left - 1


@rule("ESP-4-h")
def test_the_director_decides_everything() -> None:
    state = company(game(), "FdSB", "Cleo", trains=("1+2",))
    state = operate(cash(tiles(phase(state, "3"), **BILBAO), FdSB=500), "FdSB")
    assert state.acting == "Cleo"
    refusal = state.refusal(LayTile("H4", "72", 5, by="Ana"))
    assert refusal is not None
    assert refusal.code == "not-your-turn"
    assert code(state, LayTile("H4", "72", 5, by="Cleo")) == ""
    for action in (Pass(), RunTrains()):
        state = play(state, action)
        assert state.acting == "Cleo"


@rule("ESP-4.1-a", "ESP-4.1-b")
def test_privates_pay_players_and_companies_before_anybody_operates() -> None:
    state = phase(company(game(), "FdSB", trains=("1+2",)), "3")
    state = privates(cash(state, FdSB=100), P1="Ana", P2="Ben", P3="FdSB", P4="FdSB", P7="Ana")
    first = all_pass(stock_round(state))
    assert [first.players[name].cash for name in first.players] == [685, 660, 650, 650]
    assert first.companies["FdSB"].cash == 135
    second, _ = finish_round(first)
    assert second.round.number == 2
    assert [second.players[name].cash for name in second.players] == [720, 670, 650, 650]
    assert second.companies["FdSB"].cash == 170
    began = [e for e in events(pass_until(first, TrainStep), Pass()) if isinstance(e, TurnBegan)]
    assert [e.company for e in began] == ["FdSB"]


@rule("ESP-4.1-c")
def test_from_phase_5_no_private_pays() -> None:
    state = replace(phase(company(game(), "FdSB", trains=("3+4",)), "5"), phase="4")
    state = privates(cash(state, FdSB=1000), P1="Ana", P4="FdSB")
    state = pass_until(operate(state, "FdSB", number=1, of=2), TrainStep)
    cost = state.title.tables.trains["5"].price
    state = play(state, BuyTrain("5", "stack", cost))
    assert memory(state).privates == {}
    state, _ = finish_round(state)
    assert state.round.number == 2
    assert state.players["Ana"].cash == 650
    assert state.companies["FdSB"].cash == 1000 - cost
