"""Mountain passes: opening them, stations in them, routes over them."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyTrain, LayTile, OpenPass, Pass, PlaceToken
from carril.engine.board import CLOSED
from carril.engine.events import PassOpened
from carril.engine.network import reach
from carril.engine.runs import best
from carril.engine.state import State
from carril.engine.steps.running import run_problem
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.duty import fulfils_duty
from tests.rulebook.esp.works import (
    ALAR_NORTH,
    ALAR_SOUTH,
    OPEN,
    Tiles,
    fault,
    run,
    turn,
    worth,
)
from tests.table import at, cited, code, events, offered, play, tokens

WAYS: dict[str, tuple[str, Tiles]] = {
    "D12": ("CFEA", {"D6": ("L134", 0), "D8": ("L100", 0), "D10": ("79", 0)}),
    "H12": ("FdLR", ALAR_NORTH),
    "J10": ("FdLR", {"H8": ("956", 2), "I9": ("78", 2), "J8": ("77", 0)}),
    "L8": ("FdSB", {"I5": ("L107", 1), "J6": ("74", 2), "K7": ("79", 2)}),
}
"""For each pass a Northern company and its track to it."""
TWO_PASSES: Tiles = {
    "E19": ("L95", 4),
    "F18": ("57", 1),
    "G17": ("L96", 3),
    "H10": ("79", 0),
    "H8": ("956", 0),
    "J8": ("79", 0),
    "J6": ("74", 0),
}
"""Reinosa, Alar del Rey, Palencia, Burgos, Vitoria, the first Basque pass, Balmaseda."""
MADRID_BILBAO: Tiles = {
    "E23": ("8", 3),
    **ALAR_SOUTH,
    "H10": ("79", 0),
    "H8": ("76", 4),
    "I7": ("L94", 1),
    "J6": ("74", 1),
}
"""Madrid, Valladolid, Palencia, Alar del Rey, Reinosa, a mine, Balmaseda, Bilbao."""


def over_two(edition: str, trains: tuple[str, ...]) -> State:
    """N with a station in Burgos, between two open passes."""
    stations = {"F18": (("N",),), "H12": OPEN, "J10": OPEN}
    return turn("N", TWO_PASSES, name="5", stations=stations, edition=edition, trains=trains)


@rule("ESP-5.2-a")
def test_passes_open_from_phase_3_on() -> None:
    early = turn("FdLR", ALAR_NORTH, name="2")
    assert code(early, OpenPass("H12")) == "passes-not-yet"
    assert cited(early, OpenPass("H12")) == "ESP-5.2-a"
    assert code(turn("FdLR", {"H8": ("956", 0)}, name="2"), LayTile("H10", "79", 0)) == ""
    for name in ("3", "4", "5", "6", "8"):
        assert code(turn("FdLR", ALAR_NORTH, name=name), OpenPass("H12")) == ""


@rule("ESP-5.2-b")
def test_only_majors_open_passes() -> None:
    assert code(turn("MH", ALAR_SOUTH), OpenPass("H12")) == "minor-no-pass"
    north = turn("FdLR", ALAR_NORTH)
    south = turn("N", ALAR_SOUTH, stations={"E21": (("N",),)})
    for state in (north, south):
        assert code(state, OpenPass("H12")) == ""


@rule("ESP-5.2-c")
def test_the_pass_is_reached_without_a_block_and_without_a_train() -> None:
    state = turn("FdLR", ALAR_NORTH)
    assert state.companies["FdLR"].trains == ()
    assert code(state, OpenPass("H12")) == ""
    assert code(turn("FdLR", {"H8": ("956", 0)}), OpenPass("H12")) == "no-closed-pass"
    assert cited(turn("FdLR"), OpenPass("H12")) == "ESP-5.2-c"
    line = {**ALAR_NORTH, "H4": ("72", 5), "H6": ("L94", 0)}
    assert code(turn("FdSB", line), OpenPass("H12")) == ""
    blocked = turn("FdSB", line, stations={"H8": (("FdLR",),)})
    assert code(blocked, OpenPass("H12")) == "no-closed-pass"
    # an open one is not opened again
    assert (
        code(turn("FdLR", ALAR_NORTH, stations={"H12": OPEN}), OpenPass("H12")) == "no-closed-pass"
    )


@rule("ESP-5.2-d", "ESP-5.2-e")
def test_one_pass_in_a_turn_of_the_directors_choice() -> None:
    laid = {"H8": ("L109", 2), "H10": ("79", 0), "I9": ("78", 2), "J8": ("77", 0)}
    state = turn("FdLR", laid)
    assert {a.hex for a in offered(state, OpenPass) if isinstance(a, OpenPass)} == {"H12", "J10"}
    assert code(state, Pass()) == ""
    for one, other in (("H12", "J10"), ("J10", "H12")):
        after = play(state, OpenPass(one))
        assert CLOSED in after.board.tokens[other][0]
        assert code(after, OpenPass(other)) == "one-pass"
        assert cited(after, OpenPass(other)) == "ESP-5.2-d"


@rule("ESP-5.2-f")
@pytest.mark.parametrize(("hex_id", "cost"), [("D12", 100), ("H12", 60), ("J10", 80), ("L8", 80)])
def test_what_opening_costs(hex_id: str, cost: int) -> None:
    symbol, laid = WAYS[hex_id]
    state = turn(symbol, laid, money=cost)
    after = play(state, OpenPass(hex_id))
    assert after.companies[symbol].cash == 0
    assert after.bank - state.bank == cost
    told = [e for e in events(state, OpenPass(hex_id)) if isinstance(e, PassOpened)]
    assert [(e.hex, e.cost) for e in told] == [(hex_id, cost)]
    assert code(turn(symbol, laid, money=cost - 1), OpenPass(hex_id)) == "pass-too-dear"


@rule("ESP-5.2-g", "ESP-5.2-h", "ESP-5.2-i", "ESP-5.2-j")
def test_two_stations_find_room_in_an_open_pass() -> None:
    state = turn("FdLR", ALAR_NORTH)
    station = PlaceToken("H12", 0)
    assert code(state, station) == "city-full"  # closed
    opened = play(state, OpenPass("H12"))
    first = play(opened, station)
    assert first.companies["FdLR"].cash == 500 - 60 - 50
    assert first.bank - opened.bank == 50
    assert code(first, station) == "one-station"
    # the second one is paid to the owner of the first
    other = turn("N", ALAR_SOUTH, stations={"E21": (("N",),), "H12": (("FdLR",),)})
    second = play(other, station)
    assert second.board.tokens["H12"] == (("FdLR", "N"),)
    assert second.companies["N"].cash == 450
    assert second.companies["FdLR"].cash == other.companies["FdLR"].cash + 50
    assert second.bank == other.bank
    # there is no third
    third = tokens(other, H12=(("FdLR", "MCP"),))
    assert code(third, station) == "city-full"


@rule("ESP-5.2-h")
def test_a_station_in_a_pass_needs_connection_and_is_the_one_of_the_turn() -> None:
    station = PlaceToken("H12", 0)
    assert code(turn("FdSB", stations={"H12": OPEN}), station) == "city-not-reached"
    line = {**ALAR_NORTH, "H8": ("L107", 0), "H6": ("L94", 0), "H4": ("72", 5)}
    state = turn("FdSB", line, stations={"H12": OPEN}, tokens=3)
    assert code(state, station) == ""
    assert code(play(state, PlaceToken("H8", 0)), station) == "one-station"


@rule("ESP-5.2-k")
@pytest.mark.parametrize("edition", ["de", "en"])
def test_one_station_of_a_company_in_each_pass(edition: str) -> None:
    laid = {"H8": ("L109", 2), "H10": ("79", 0), "I9": ("78", 2), "J8": ("77", 0)}
    stations = {"H12": (("FdLR",),), "J10": OPEN}
    state = turn("FdLR", laid, stations=stations, edition=edition)
    assert code(state, PlaceToken("H12", 0)) == "token-there"
    assert code(state, PlaceToken("J10", 0)) == ""


@rule("ESP-5.2-l", "ESP-5.2-m")
def test_a_pass_pays_only_those_with_a_station_there_but_counts_for_all() -> None:
    going = run(**{"2+3": "H8.0 H10 H12.0"})
    trains = ("1+2", "2+3")
    guest = turn("FdLR", ALAR_NORTH, stations={"H12": OPEN}, trains=trains)
    owner = turn("FdLR", ALAR_NORTH, stations={"H12": (("FdLR",),)}, trains=trains)
    assert worth(guest, "FdLR", going) == (20, 0)
    assert worth(owner, "FdLR", going) == (20 + 30, 0)
    # it takes the place of a city: a 1+2 train has no room for it beside Reinosa
    for state in (guest, owner):
        assert fault(state, "FdLR", "1+2", "H8.0 H10 H12.0") == "too-many-stops"
    hexes = owner.title.tables.hexes
    values = {h.id: h.print.stops[0].revenue for h in hexes.values() if h.region == "pass"}
    assert values == {"D12": (50,) * 4, "H12": (30,) * 4, "J10": (40,) * 4, "L8": (40,) * 4}


@rule("ESP-5.2-n")
def test_a_full_pass_lets_only_its_owners_through() -> None:
    laid = {**ALAR_NORTH, **ALAR_SOUTH}
    for present, through in ((("N", "MCP"), False), (("N", "FdLR"), True), (("N",), True)):
        state = turn("FdLR", laid, stations={"H12": (present,)}, trains=("2+3",))
        found = reach(state.title.tables, state.board, "FdLR")
        assert ("H12", 0) in found.stops
        assert (("E19", 0) in found.stops) is through
        assert fault(state, "FdLR", "2+3", "H8.0 H10 H12.0") == ""


@rule("ESP-DE-6.2-a")
def test_a_pass_takes_no_tile() -> None:
    state = turn("FdLR", ALAR_NORTH, stations={"H12": OPEN}, name="8")
    for number in ("79", "956", "L107", "L125", "L115", "57"):
        assert code(state, LayTile("H12", number, 0)) == "not-buildable"


@rule("ESP-DE-6.2-b", "ESP-5.2.2-c", "ESP-E50")
def test_how_many_passes_a_route_may_contain() -> None:
    ends = "H12.0 E19.0 F18.0 G17.0 J10.0"
    one = "H12.0 E19.0 F18.0 G17.0"
    german = over_two("de", ("5",))
    assert fault(german, "N", "5", ends) == "too-many-of-kind"
    assert fault(german, "N", "5", one) == ""
    for edition in ("en", "es"):  # there it is the crossing that is forbidden
        assert fault(over_two(edition, ("5",)), "N", "5", ends) == ""


@rule("ESP-5.2.2-c")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_no_route_crosses_two_passes(edition: str) -> None:
    combined = "5|2+3"
    state = over_two(edition, (combined,))
    once = "H8.0 H10 H12.0 E19.0 F18.0 G17.0"
    assert fault(state, "N", combined, once) == ""
    twice = f"{once} J10.0 J8 J6.0"
    assert fault(state, "N", combined, twice) == "too-many-of-kind"
    touching = f"{once} J10.0"
    assert fault(state, "N", combined, touching) == ("" if edition != "de" else "too-many-of-kind")
    # and the best run keeps to it
    found = best(run_problem(state, "N")).runs[0]
    inner = [
        stop for route in found.routes for stop in route.path[1:-1] if stop in ("H12.0", "J10.0")
    ]
    assert len(inner) == 1


@rule("ESP-5.2.2-a")
def test_beyond_the_pass_a_major_lays_track_and_builds_stations() -> None:
    laid = {**ALAR_NORTH, **ALAR_SOUTH}
    stations = {"E21": (("N",),), "H12": OPEN, "H8": (("FdLR",),)}
    grown = {**laid, "H8": ("L107", 0)}
    state = turn("N", grown, stations=stations)
    assert code(state, PlaceToken("H8", 0)) == ""
    assert code(state, LayTile("I7", "L94", 1)) == ""
    closed = tokens(state, H12=((CLOSED, CLOSED),))
    assert code(closed, PlaceToken("H8", 0)) == "city-not-reached"
    assert code(closed, LayTile("I7", "L94", 1)) == "not-connected"
    north = turn("FdLR", laid, stations={"H12": OPEN})
    assert code(north, PlaceToken("E21", 0)) == ""


@rule("ESP-5.2.2-d")
def test_two_simple_trains_meet_in_a_pass_without_the_bonus() -> None:
    combined = "4|3+4"
    stations = {"H12": (("N",),), "E21": OPEN}
    state = turn("N", MADRID_BILBAO, stations=stations, name="4", trains=("4", "3+4", combined))
    south, north = "F24.1 E23 E21.0 E19.0 H12.0", "H12.0 H10 H8.0 I7.0 J6.0 K5.0"
    two = run(**{"4": south, "3+4": north})
    assert worth(state, "N", two) == ((30 + 20 + 10 + 30) + (30 + 20 + 10 + 30), 20)
    # one combined train over the pass has it: the pass counts once, and 100 come on top
    whole = run(**{combined: f"{south} {north.removeprefix('H12.0 ')}"})
    assert worth(state, "N", whole) == (150 + 100, 20)


@rule("ESP-5.2.2-e", "ESP-5.2.2-f", "ESP-E41")
@pytest.mark.parametrize(
    ("laid", "english", "spanish"),
    [
        ({**ALAR_NORTH, **ALAR_SOUTH}, True, True),
        (ALAR_NORTH, True, False),  # no route in the South
        (ALAR_SOUTH, False, False),  # none for this train
    ],
)
def test_either_kind_of_train_meets_the_duty(laid: Tiles, english: bool, spanish: bool) -> None:
    """N owns a narrow train and has a station in the pass."""
    for edition, meets in (("de", True), ("en", english), ("es", spanish)):
        stations = {"H12": (("N",),)}
        state = turn("N", laid, stations=stations, edition=edition, trains=("2+3",), money=1000)
        assert fulfils_duty(state, "N", "2+3") is meets
        # it must go on buying where a train of the bank would help: the 3 of the South
        helps = not meets and "E19" in laid
        assert code(at(state, TrainStep("N")), Pass()) == ("must-buy-usable-train" if helps else "")
        if helps:
            bought = play(at(state, TrainStep("N")), BuyTrain("3", "stack", 200))
            assert code(bought, Pass()) == ""
