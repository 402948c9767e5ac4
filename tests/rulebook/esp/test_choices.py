"""Choices of the ledger where the rulebooks leave something open."""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    Bid,
    DeclareDividend,
    LayTile,
    Pass,
    RunTrains,
    StartCompany,
    TakeOver,
)
from carril.engine.events import GoalReached
from carril.engine.market import operating_order
from carril.engine.state import State
from carril.engine.steps.running import RunStep, run_problem
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.common import STRAWBERRY
from carril.titles.esp.reservations import kept
from carril.titles.esp.takeover import StationChoice, Takeovers
from carril.titles.esp.title import TABLES
from tests.rulebook.esp.bidding import lot
from tests.rulebook.esp.lines import ACROSS, badajoz, owned, run, running, turn_at
from tests.rulebook.esp.positions import (
    extra,
    game,
    memory,
    minor,
    operate,
    privates,
    stock_round,
)
from tests.rulebook.esp.purchases import buying, company, deck, empty
from tests.rulebook.esp.test_combined_trains import norte
from tests.rulebook.esp.test_readings import FIRST_5
from tests.rulebook.esp.works import LANGREO, turn
from tests.rulebook.esp.works import run as routes
from tests.table import at, cash, charter, cited, code, phase, play, tiles, tokens


@rule("ESP-A9")
def test_after_a_drop_bids_are_multiples_of_5_from_the_reduced_price_on() -> None:
    state = play(game(4), Pass(), Pass(), Pass(), Pass())
    assert lot(state).least == 15
    assert code(state, Bid(17)) == "opening-step"
    assert code(state, Bid(15)) == ""
    raised = play(state, Bid(15))
    assert code(raised, Bid(18)) == "raise-too-low"
    assert code(raised, Bid(23)) == "raise-step"
    assert code(raised, Bid(20)) == ""


@rule("ESP-A13")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_markers_go_under_those_already_there_in_every_edition(edition: str) -> None:
    """CM and MS start at 80, in this order; so does CFLG."""
    state = stock_round(cash(privates(game(3, edition=edition)), Ana=900, Ben=900, Cleo=900))
    for symbol in ("MS", "CM", "CFLG" if memory(state).director_7 != "CFLG" else "CFEA"):
        state = play(state, StartCompany(symbol, 80))
    started = [marker.company for marker in state.markers]
    assert operating_order(state, reversed(started)) == started


@rule("ESP-A16")
def test_a_mine_is_not_laid_and_dismantled_in_one_turn() -> None:
    state = turn("CFLG", {key: LANGREO[key] for key in ("E3", "E5")}, trains=("2+3",))
    mine = play(state, LayTile("E7", *LANGREO["E7"]))
    assert isinstance(mine.step, Build)
    green = [o for o in TABLES.tiles.values() if o.colour == "green" and o.side == "north"]
    answers = {code(mine, LayTile("E7", o.number, t)) for o in green for t in range(6)}
    assert "" not in answers
    assert "hex-twice" in answers


@rule("ESP-A19")
def test_the_help_of_private_1_is_at_most_what_a_mine_costs() -> None:
    """A mine of 30 is free, and nothing is given back; a second action still costs its 20."""
    state = turn("CFLG", LANGREO, trains=("2+3",))
    state = extra(state, privates={"P1": "CFLG"}, goals={"CFLG": ("destination",)})
    first = at(state, Build("CFLG"))
    green = next(
        LayTile("E7", number, rotation, "P1")
        for number in ("L115", "L116", "L117", *TABLES.tiles)
        for rotation in range(6)
        if number in TABLES.tiles and first.refusal(LayTile("E7", number, rotation, "P1")) is None
    )
    before = first.companies["CFLG"].cash
    assert play(first, green).companies["CFLG"].cash == before
    second = at(state, Build("CFLG", normal=1, hexes=("E5",)))
    assert play(second, green).companies["CFLG"].cash == before - 20


@rule("ESP-A22")
def test_a_red_area_of_two_hexes_is_one_location() -> None:
    """Lisboa is A25 and A27: once on a route, but two trains may use it by different track."""
    state = phase(badajoz(game()), "3")
    state = running(tokens(owned(state, "CRB", "3", "3"), B26=(("CRB",),)), "CRB")
    twice = run("3: A27.0 B26.0 A25.0")
    assert code(state, twice) == "run-stop-excluded"
    assert cited(state, twice) == "ESP-A22"
    assert code(state, run("3: A27.0 B26.0 C27.0", "3: A25.0 B26.0 C25.0")) == ""


# --- destinations and goals --------------------------------------------------------------

EBRO = {"L20": ("9", 2), "K19": ("6", 5)}
"""Barcelona to the border of Zaragoza, the destination of ZPB."""


@rule("ESP-A24", "ESP-A25")
def test_a_destination_is_checked_at_the_start_of_the_turn_and_after_each_action() -> None:
    state = turn("ZPB", EBRO)
    assert memory(state).goals == {}
    laid = state.apply(LayTile("J20", "L131", 1))
    assert GoalReached("ZPB", "destination") in laid.events
    by_another = company(turn("ZPB", EBRO), "N", "Ben", money=500)
    by_another = tokens(by_another, K19=(("N",),), F24=((), ("N",), ()))
    others_turn = turn_at(by_another, "N", Build("N"))
    joined = play(others_turn, LayTile("J20", "L131", 1))
    assert memory(joined).goals == {}, "not in the turn of another company"
    assert memory(operate(joined, "ZPB")).goals == {"ZPB": ("destination",)}


@rule("ESP-A26")
def test_either_city_of_the_destination_hex_counts() -> None:
    """Zaragoza is the destination of ZPB; its tiles lead the track to one city or the other."""
    state, met = turn("ZPB", EBRO), set[str]()
    for rotation in range(6):
        for tile in ("L129", "L130", "L131"):
            if code(state, LayTile("J20", tile, rotation)) == "":
                after = play(state, LayTile("J20", tile, rotation))
                met |= {key for key in stops_of(after) if key.startswith("J20")}
                assert memory(after).goals == {"ZPB": ("destination",)}
    assert met == {"J20.0", "J20.1"}


def stops_of(state: State) -> set[str]:
    return {stop.key for stop in run_problem(state, "ZPB").stops}


@rule("ESP-A28")
def test_a_goal_needs_the_run_and_not_its_money() -> None:
    """The harbour is visited, and then everything is withheld."""
    state = charter(turn("CFLG", LANGREO), "CFLG", trains=("2+3",))
    state = at(extra(state, goals={}), RunStep("CFLG"))
    ran = play(state, RunTrains(routes(**{"2+3": "E1.0 E3.0"}).routes))
    assert memory(ran).goals == {"CFLG": ("harbour",)}
    assert ran.step.mechanism == "earnings"
    kept = play(ran, DeclareDividend("withhold"))
    assert memory(kept).goals == {"CFLG": ("harbour",)}
    income = kept.companies["CFLG"].cash - state.companies["CFLG"].cash
    assert income == 80 + 20 + 30, "the goal, the harbour, Gijón"


# --- takeovers ---------------------------------------------------------------------------


@rule("ESP-A33")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_a_major_with_a_station_in_the_minors_city_does_not_replace_its_token(edition: str) -> None:
    state = company(empty("3", edition=edition), "N", trains=("3",), money=500, tokens=2)
    state = extra(minor(state, "MH", "Ana", tokens=0, closed=False), ran=("MH",))
    state = extra(state, in_play=(*memory(state).in_play, "MH"))
    both = tiles(state, E21=("14", 0))
    there = turn_at(tokens(both, E21=(("MH", "N"),)), "N", Takeovers("N"))
    after = play(there, TakeOver("MH"))
    assert not isinstance(after.step, StationChoice), "nothing to choose"
    assert after.board.tokens["E21"] == (("N",),), "the circle is free"
    alone = turn_at(tokens(both, E21=(("MH",),)), "N", Takeovers("N"))
    assert isinstance(play(alone, TakeOver("MH")).step, StationChoice)


@rule("ESP-4.6-a", "ESP-DE-5.6-i")
def test_why_a_closed_minor_is_not_taken_over() -> None:
    """Before phase 5, or where minors freeze, it was taken over; in German all have closed."""
    for edition, name, wanted in (
        ("de", "4", "no-such-minor"),
        ("de", "5", "no-minors-left"),
        ("en", "4", "no-such-minor"),
        ("en", "5", "no-such-minor"),
    ):
        state = company(empty(name, edition=edition), "N", trains=("5",), money=500)
        state = minor(charter(state, "MS", closed=True), "ZP", "Ben")
        state = extra(state, ran=("ZP",), frozen=("ZP",) if name == "5" else ())
        there = turn_at(state, "N", Takeovers("N"))
        assert there.step.refusal(there, TakeOver("MS")) is not None
        assert code(there, TakeOver("MS")) == wanted


# --- tenders -----------------------------------------------------------------------------


@rule("ESP-A46")
def test_the_strawberry_train_may_carry_the_tender() -> None:
    state = company(empty("5"), "MCP", trains=(STRAWBERRY,))
    state = tiles(extra(state, tenders=("MCP",), goals={}), F26=("L113", 0), F28=("3", 3))
    state = running(tokens(state, F24=(("MCP",), (), ())), "MCP")
    path = f"{STRAWBERRY}: F24.0 F26.0 F28.0"
    assert code(state, run(path)) == "run-too-many-stops"
    assert code(state, run(path, tender=STRAWBERRY)) == ""


@rule("ESP-A47")
def test_the_tender_of_a_combined_train_adds_one_stop_in_all() -> None:
    """From Madrid to Bilbao five cities and three towns; a 5+2 lacks one town, a 4+2 two stops."""
    state = extra(norte("4|1+2"), tenders=("N",))
    state = running(tokens(state, K5=(("N",),)), "N")
    assert code(state, run(f"4|1+2: {ACROSS}", tender="4|1+2")) == ""
    shorter = extra(norte("3|1+2"), tenders=("N",))
    shorter = running(tokens(shorter, K5=(("N",),)), "N")
    assert code(shorter, run(f"3|1+2: {ACROSS}", tender="3|1+2")) == "run-too-many-stops"


# --- phase 5 -----------------------------------------------------------------------------


@rule("ESP-A60")
def test_circles_of_closed_minors_are_free_and_those_of_majors_are_kept() -> None:
    """Málaga is the home of A, Córdoba that of CM; neither has begun when phase 5 comes."""
    state = company(deck(empty("4"), "5"), "MCP", trains=("4",), money=1600)
    state = tiles(state, E29=("57", 0), E31=("9", 0), E33=("57", 0))
    state = tokens(state, F24=(("MCP",), (), ()))
    before = kept_circles(state)
    assert before == {"E29", "E33"}
    after = play(buying(state, "MCP"), FIRST_5)
    assert kept_circles(after) == {"E33"}


def kept_circles(state: State) -> set[str]:
    return {hex_id for hex_id in ("E29", "E33") if kept(state, "MCP", hex_id, 0)}


# --- values and ends of routes -----------------------------------------------------------


@rule("ESP-A62")
def test_every_value_is_a_multiple_of_10_so_that_halves_are_whole() -> None:
    prints = [hex_def.print for hex_def in TABLES.hexes.values()]
    stops = [stop for tile in (*TABLES.tiles.values(), *prints) for stop in tile.stops]
    assert stops
    assert {value % 10 for stop in stops for value in stop.revenue} == {0}
    bonus = TABLES.figures.bonus  # type: ignore[attr-defined]
    assert bonus.north_south % 10 == bonus.east_west % 10 == 0


@rule("ESP-A68")
def test_no_route_goes_through_a_red_area_or_a_harbour() -> None:
    state = phase(badajoz(game()), "3")
    state = tokens(owned(state, "CRB", "4"), B26=(("CRB",),))
    red = [stop for stop in run_problem(state, "CRB").stops if stop.kind == "offboard"]
    assert {stop.key for stop in red} >= {"A25.0", "A27.0"}
    assert not any(stop.through for stop in red)
    north = turn("CFLG", LANGREO, trains=("2+3",))
    harbours = [stop for stop in run_problem(north, "CFLG").stops if stop.kind == "harbour"]
    assert [(stop.key, stop.through) for stop in harbours] == [("E1.0", False)]
    tracks = {len(h.print.paths) for h in TABLES.hexes.values() if h.print.kind == "harbour"}
    assert tracks, "there are harbours"
