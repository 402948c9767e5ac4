"""Goals of the majors, the capital they bring and the stations they unlock."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyShare, Decline, LayTile, OpenPass, Pass, PlaceToken, TakeOver
from carril.engine.events import GoalReached
from carril.engine.state import IPO, State
from carril.rules.marker import rule
from carril.titles.esp.common import goals_of
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import extra, game, major, memory, operate, stock_round
from tests.rulebook.esp.works import LANGREO, company, run, running, runs, turn
from tests.table import at, cash, code, events, phase, play, tiles, tokens

EAST = LayTile("J4", "73", 5)
"""Joins Santander to Bilbao, the destination of FdSB."""
EBRO = {"L20": ("23", 5), "L18": ("9", 0), "K19": ("6", 5)}
"""From Barcelona to Toulouse and by Lérida to the hex of Zaragoza."""
ZARAGOZA = LayTile("J20", "L131", 1)


def reached(state: State, symbol: str) -> tuple[str, ...]:
    """Return the goals of a company so far."""
    return memory(state).goals.get(symbol, ())


def stations(state: State, symbol: str) -> tuple[int, int]:
    """Return how many stations are available and how many locked."""
    return state.companies[symbol].tokens, state.companies[symbol].locked


@rule("ESP-5.1.1-a")
def test_minors_have_no_goals() -> None:
    laid = {"C31": ("L131", 0), "C33": ("6", 1)}
    for edition in ("de", "en", "es"):
        state = running(turn("SC", laid, trains=("3",), edition=edition), "SC")
        after = play(state, runs(run(**{"3": "C31.0 C33.0 B34.0"})))
        assert reached(after, "SC") == ()
        assert after.companies["SC"].cash == 500 + 30  # what the harbour pays, no more


@rule("ESP-5.1.1-a")
def test_which_goals_a_company_can_reach() -> None:
    state = game(edition="de")
    assert list(goals_of(state, "FdSB")) == ["destination", "offboard", "harbour"]
    assert goals_of(state, "SC") == {}
    assert goals_of(extra(state, late=("FdSB",)), "FdSB") == {}


@rule("ESP-5.1.1-b", "ESP-5.1.1-h", "ESP-5.1.2-a", "ESP-5.1.3-a")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_track_from_home_to_the_destination_is_a_goal(edition: str) -> None:
    state = turn("FdSB", edition=edition)
    assert reached(state, "FdSB") == ()
    assert stations(state, "FdSB") == (1, 3)
    told = [e.goal for e in events(state, EAST) if isinstance(e, GoalReached)]
    assert told == ["destination"]
    after = play(state, EAST)
    assert after.companies["FdSB"].cash == 500 + 80
    assert state.bank - after.bank == 80
    assert stations(after, "FdSB") == (2, 2)
    # the station that it unlocks costs 50 like any other
    built = play(after, PlaceToken("K5", 0))
    assert built.companies["FdSB"].cash == 530


@rule("ESP-5.1.1-b")
def test_the_track_begins_at_the_home_station() -> None:
    state = turn("FdSB", stations={"K5": (("FdSB",),)})
    assert reached(state, "FdSB") == ()
    # another company finished it: noted at the beginning of the own turn
    state = turn("FdSB", {"J4": ("73", 5)})
    assert reached(state, "FdSB") == ("destination",)
    assert state.companies["FdSB"].cash == 580
    # no two goals of it
    assert reached(play(state, LayTile("H4", "72", 5)), "FdSB") == ("destination",)


@rule("ESP-5.1.1-c")
def test_foreign_stations_do_not_stand_in_the_way_of_the_destination() -> None:
    blocked = {"K19": (("CRB",),), "J20": (("ZP",), ("MCP",))}
    laid = {**EBRO, "J20": ("L131", 1)}
    state = turn("ZPB", laid, stations=blocked)
    assert state.companies["ZPB"].trains == ()
    assert reached(state, "ZPB") == ("destination",)
    # a closed pass does
    line = {"H8": ("956", 0), "H10": ("79", 0), "E19": ("L97", 0), "E21": ("57", 0)}
    north = tokens(turn("N", line, stations={"H8": (("N",),)}), F24=((), (), ()))
    assert code(north, OpenPass("H12")) == ""
    assert reached(north, "N") == ()


@rule("ESP-5.1.1-d")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_a_route_into_a_red_area_is_a_goal(edition: str) -> None:
    state = turn("CRB", {"B26": ("57", 0), "B28": ("9", 0)}, trains=("2",), edition=edition)
    state = running(state, "CRB")
    assert reached(play(state, runs(run())) if edition == "de" else state, "CRB") == ()
    after = play(state, runs(run(**{"2": "B26.0 B24.0"})))
    assert reached(after, "CRB") == ("offboard",)
    assert after.companies["CRB"].cash == 580
    # it is the run that counts, not the money (in the yellow phase the area pays nothing)
    yellow = turn("CRB", {"B26": ("57", 0)}, name="2", trains=("2",), edition=edition)
    after = play(running(yellow, "CRB"), runs(run(**{"2": "B26.0 B24.0"})))
    assert reached(after, "CRB") == ("offboard",)


@rule("ESP-DE-6.1.1-a", "ESP-E45", "ESP-E46")
def test_in_the_german_rules_a_harbour_is_the_third_goal_north_and_south() -> None:
    north = running(turn("CFLG", {"E3": ("L82", 0)}, trains=("1+2",)), "CFLG")
    after = play(north, runs(run(**{"1+2": "E1.0 E3.0"})))
    assert reached(after, "CFLG") == ("harbour",)
    south = running(turn("ZPB", trains=("2",)), "ZPB")
    after = play(south, runs(run(**{"2": "M21.1 N22.0"})))
    assert reached(after, "ZPB") == ("harbour",)
    assert after.companies["ZPB"].cash == 500 + 80 + 30


@rule("ESP-5.1.1-e", "ESP-E45")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_in_the_others_one_northern_route_needs_mine_and_harbour(edition: str) -> None:
    for name in ("2", "8"):  # even if the mine pays nothing (A29)
        state = turn("CFLG", LANGREO, name=name, trains=("2+3",), edition=edition)
        state = running(state, "CFLG")
        before = reached(state, "CFLG")
        assert before == ("destination",)
        for line in ("E1.0 E3.0", "E3.0 E5.0 E7.1", "E1.0 E3.0 E5.0 E7.0"):
            assert reached(play(state, runs(run(**{"2+3": line}))), "CFLG") == before
        after = play(state, runs(run(**{"2+3": "E1.0 E3.0 E5.0 E7.1"})))
        assert reached(after, "CFLG") == ("destination", "harbour")
    # not with two trains, one for each
    state = turn("CFLG", LANGREO, trains=("1+2", "2+3"), edition=edition)
    both = run(**{"1+2": "E1.0 E3.0", "2+3": "E3.0 E5.0 E7.1"})
    assert reached(play(running(state, "CFLG"), runs(both)), "CFLG") == ("destination",)


@rule("ESP-5.1.1-f", "ESP-5.1.3-b", "ESP-E36", "ESP-E46")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_in_the_others_a_takeover_is_the_third_goal_of_the_south(edition: str) -> None:
    state = company(game(edition=edition), "N")
    assert stations(state, "N") == (1, 4)
    state = company(state, "CM", value=80)
    state = cash(extra(phase(state, "3"), ran=("CM",)), N=500)
    after = play(at(state, Takeovers("N")), TakeOver("CM"), Decline())
    assert reached(after, "N") == ("takeover",)
    assert stations(after, "N") == (3, 2)
    assert after.companies["N"].cash == 500 - 80 + 80
    # a harbour is none there
    south = running(turn("ZPB", trains=("2",), edition=edition), "ZPB")
    assert reached(play(south, runs(run(**{"2": "M21.1 N22.0"}))), "ZPB") == ()


@rule("ESP-5.1.1-f", "ESP-5.1.3-b", "ESP-E36")
def test_in_the_german_rules_a_takeover_is_no_goal() -> None:
    state = company(company(game(), "N"), "CM", value=80)
    state = cash(phase(state, "3"), N=500)
    after = play(at(state, Takeovers("N")), TakeOver("CM"), Decline())
    assert reached(after, "N") == ()
    assert stations(after, "N") == stations(state, "N")


@rule("ESP-5.1.1-g", "ESP-5.1.2-a", "ESP-5.1.3-a", "ESP-A27")
def test_three_goals_bring_one_two_and_three_times_the_par_value() -> None:
    """Par 85: 340 at the launch, then 85, 170 and 255."""
    state = turn("ZPB", EBRO, money=340, par=85, trains=("2", "2"))
    bank = state.bank
    assert reached(state, "ZPB") == ()
    assert stations(state, "ZPB") == (1, 3)
    one = play(state, ZARAGOZA)
    assert one.companies["ZPB"].cash == 340 - 20 + 85
    assert stations(one, "ZPB") == (2, 2)
    line = run(**{"2": "M21.1 L20 L18 L16.0"}).routes + run(**{"2": "M21.1 N22.0"}).routes
    both = type(run())(line)
    state = running(one, "ZPB")
    after = play(state, runs(both))
    assert reached(after, "ZPB") == ("destination", "offboard", "harbour")
    assert after.companies["ZPB"].cash == 340 + 85 + 170 + 255 - 20 + 30
    assert 340 + 85 + 170 + 255 == 850
    assert stations(after, "ZPB") == (4, 0)
    assert bank - after.bank == 85 + 170 + 255 - 20 + 30
    # each once
    again = play(running(after, "ZPB"), runs(both))
    assert reached(again, "ZPB") == reached(after, "ZPB")
    assert again.companies["ZPB"].cash == after.companies["ZPB"].cash + 30


@rule("ESP-5.1.1-g")
def test_the_goals_come_in_any_order() -> None:
    state = turn("ZPB", EBRO, par=85, trains=("2",))
    first = play(running(state, "ZPB"), runs(run(**{"2": "M21.1 N22.0"})))
    assert first.companies["ZPB"].cash == 500 + 85 + 30
    later = operate(first, "ZPB")
    second = play(later, ZARAGOZA)
    assert reached(second, "ZPB") == ("harbour", "destination")
    assert second.companies["ZPB"].cash == 500 + 85 + 30 - 20 + 170


@rule("ESP-5.1.2-b")
@pytest.mark.parametrize("edition", ["de", "en"])
def test_a_major_launched_in_phase_5_has_no_goals(edition: str) -> None:
    state = phase(game(edition=edition), "5")
    state = major(state, "FdSB", {"Ana": 5}, par=100, floated=False, operated=False)
    state = play(stock_round(tiles(state, J4=("73", 5))), BuyShare("FdSB", IPO))
    assert state.companies["FdSB"].cash == 1000
    assert stations(state, "FdSB") == (5, 0)
    state = operate(state, "FdSB")
    assert reached(state, "FdSB") == ()
    assert state.companies["FdSB"].cash == 1000
    assert play(state, PlaceToken("K5", 0), Pass()).companies["FdSB"].cash == 950
