"""Stations: where, when and for how much; whose circles are kept."""

from __future__ import annotations

import pytest

from carril.engine.actions import Accept, LayTile, Pass, PlaceToken, TakeOver
from carril.engine.network import reach
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.home import PlaceHome as ChooseCity
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.positions import extra, game, major, memory, minor, operate
from tests.rulebook.esp.works import BILBAO, company, run, runs, turn
from tests.table import at, cash, charter, cited, code, offered, phase, play, tiles, tokens

BILBAO_STATION = PlaceToken("K5", 0)
OVIEDO = {"E3": ("L80", 0), "D4": ("76", 4)}
"""Gijón and Avilés, with track to the northern side of Oviedo."""
REINOSA = {"H4": ("72", 5), "H6": ("L94", 0), "H8": ("956", 0)}
"""Santander, Torrelavega, a mine, Reinosa."""


@rule("ESP-4.3-a", "ESP-4.3-g", "ESP-5.1.3-c")
def test_a_station_is_optional_costs_50_and_needs_a_free_circle() -> None:
    state = turn("FdSB", BILBAO, money=50)
    assert code(state, Pass()) == ""
    before = state.companies["FdSB"].cash
    after = play(state, BILBAO_STATION)
    assert before - after.companies["FdSB"].cash == 50
    assert after.bank - state.bank == 50
    assert after.board.tokens["K5"] == (("FdSB",),)
    assert after.companies["FdSB"].tokens == state.companies["FdSB"].tokens - 1
    assert code(state, PlaceToken("J4", 0)) == "no-city"
    reached = extra(turn("FdSB", BILBAO), goals={"FdSB": ("destination",)})
    assert code(cash(reached, FdSB=49), BILBAO_STATION) == "station-too-dear"
    assert code(cash(reached, FdSB=50), BILBAO_STATION) == ""


@rule("ESP-4.3-b", "ESP-4.3-a")
def test_the_home_circle_of_a_company_out_of_the_game_is_free_for_all() -> None:
    # Valladolid is the home of MH, which the standard set-up leaves out
    laid = {"E23": ("8", 3), "E21": ("57", 0)}
    state = turn("N", laid)
    assert code(state, PlaceToken("E21", 0)) == ""
    drawn = extra(state, in_play=(*memory(state).in_play, "MH"))
    drawn = charter(drawn, "MH", closed=False)
    assert code(drawn, PlaceToken("E21", 0)) == "home-reserved"


@rule("ESP-4.3-c", "ESP-4.3-i", "ESP-5.1.3-c")
def test_the_home_station_is_free_and_leaves_the_station_of_the_turn() -> None:
    state = major(game(), "FdSB", {"Ana": 5}, operated=False)
    state = operate(cash(tiles(phase(state, "3"), **BILBAO), FdSB=500), "FdSB")
    assert state.board.tokens["I5"] == (("FdSB",),)
    assert state.companies["FdSB"].cash == 500 + 80  # the destination is reached already
    assert isinstance(state.step, Build)
    assert not state.step.stationed
    after = play(state, BILBAO_STATION)
    assert after.companies["FdSB"].cash == 500 + 80 - 50


@rule("ESP-4.3-d")
def test_the_last_free_circle_of_a_home_waits_for_its_company() -> None:
    state = turn("FdSB", REINOSA)
    assert code(state, PlaceToken("H8", 0)) == "home-reserved"
    assert cited(state, PlaceToken("H8", 0)) == "ESP-4.3-d"
    # with two circles one may be taken, not both
    two = {**REINOSA, "H8": ("L107", 0)}
    assert code(turn("FdSB", two), PlaceToken("H8", 0)) == ""
    taken = turn("FdSB", two, stations={"H8": (("CFLG",),)})
    assert code(taken, PlaceToken("H8", 0)) == "home-reserved"
    # once it stands there, the other circle is free
    home = turn("FdSB", two, stations={"H8": (("FdLR",),)})
    assert code(home, PlaceToken("H8", 0)) == ""


@rule("ESP-4.3-d")
def test_a_frozen_minor_that_never_began_keeps_its_circle() -> None:
    laid = {"G23": ("3", 0), "G25": ("8", 3), "H26": ("8", 0), "H28": ("57", 0)}
    albacete = PlaceToken("H28", 0)
    for edition in ("en", "es"):
        state = extra(turn("MZA", laid, name="5", edition=edition), frozen=("AC",))
        assert code(state, albacete) == "home-reserved"
        assert code(charter(state, "AC", closed=True), albacete) == ""
    assert code(turn("MZA", laid, name="4"), albacete) == "home-reserved"


@rule("ESP-4.3-e")
def test_until_then_others_run_through_that_city() -> None:
    state = turn("FdSB", {**REINOSA, "H10": ("79", 0)})
    pieces = reach(state.title.tables, state.board, "FdSB").pieces
    assert ("H10", 0) in pieces
    taken = turn("FdSB", {**REINOSA, "H10": ("79", 0)}, stations={"H8": (("FdLR",),)})
    assert ("H10", 0) not in reach(taken.title.tables, taken.board, "FdSB").pieces


@rule("ESP-4.3-f")
def test_a_minor_has_its_home_station_only() -> None:
    laid = {"E29": ("57", 0), "E31": ("L91", 0), "E33": ("621", 0)}
    state = turn("CM", laid, tokens=1)
    assert code(state, PlaceToken("E33", 0)) == "minor-one-station"
    assert code(turn("CM", laid), PlaceToken("E33", 0)) == "no-token-left"
    assert turn("CM").title.tables.companies["CM"].tokens == 1


@rule("ESP-4.3-h")
def test_one_station_in_a_turn() -> None:
    laid = {**BILBAO, **REINOSA, "H8": ("L107", 0)}
    state = turn("FdSB", laid, tokens=3)
    assert code(state, PlaceToken("H8", 0)) == ""
    assert code(state, BILBAO_STATION) == ""
    after = play(state, BILBAO_STATION)
    assert code(after, PlaceToken("H8", 0)) == "one-station"
    assert cited(after, PlaceToken("H8", 0)) == "ESP-4.3-h"


@rule("ESP-4.3-j")
def test_stations_come_before_the_run_and_need_no_train() -> None:
    assert code(turn("FdSB", BILBAO), BILBAO_STATION) == ""
    state = turn("FdSB", BILBAO, trains=("1+2",))
    after = play(state, Pass())
    assert code(after, BILBAO_STATION) == "not-now"
    assert code(play(after, runs(run())), BILBAO_STATION) == "not-now"


@rule("ESP-4.3-k")
def test_a_locked_station_cannot_be_built() -> None:
    laid = {**REINOSA, "H8": ("L107", 0)}
    state = turn("FdSB", laid, tokens=0, locked=3)
    assert code(state, PlaceToken("H8", 0)) == "no-token-left"
    assert cited(state, PlaceToken("H8", 0)) == "ESP-4.3-k"
    assert code(turn("FdSB", laid, tokens=1, locked=2), PlaceToken("H8", 0)) == ""


@rule("ESP-4.3-l", "ESP-4.3-m")
def test_the_city_is_connected_and_has_a_free_circle() -> None:
    assert code(turn("FdSB"), BILBAO_STATION) == "city-not-reached"
    assert cited(turn("FdSB"), BILBAO_STATION) == "ESP-4.3-l"
    full = turn("FdSB", BILBAO, stations={"K5": (("CFLG",),)})
    assert code(full, BILBAO_STATION) == "city-full"
    assert cited(full, BILBAO_STATION) == "ESP-4.3-m"
    # a full city on the way blocks as well
    laid = {**REINOSA, "H10": ("79", 0)}
    beyond = turn("FdSB", laid, stations={"H8": (("FdLR",),), "H12": ((),)})
    assert code(beyond, PlaceToken("H12", 0)) == "city-not-reached"


@rule("ESP-4.3-n", "ESP-DE-5.3.4-b", "ESP-E25")
def test_one_station_of_a_company_in_a_city_or_in_a_hex() -> None:
    assert code(turn("FdSB"), PlaceToken("I5", 0)) == "token-there"
    # the two circles of yellow Barcelona are two cities in one hex
    laid = {"L20": ("7", 5), "L22": ("5", 3)}
    for edition, answer in (("de", "token-there"), ("en", ""), ("es", "")):
        state = turn("ZPB", laid, edition=edition)
        assert code(state, PlaceToken("M21", 1)) == "token-there"
        assert code(state, PlaceToken("M21", 0)) == answer


def oviedo(colour: tuple[str, int] | None, edition: str = "", name: str = "8") -> str:
    """Return the answer to CFLG's wish for a station in Oviedo while CFEA has not begun."""
    laid = {**OVIEDO, "D6": colour} if colour else OVIEDO
    state = turn("CFLG", laid, edition=edition, name=name)
    cities = state.title.tables.tiles[colour[0]].cities if colour else (0, 1)
    answers = {code(state, PlaceToken("D6", city)) for city in cities}
    return answers.pop() if len(answers) == 1 else "mixed"


@rule("ESP-4.3-o", "ESP-4.3-p", "ESP-DE-5.3.4-a", "ESP-E24")
def test_an_oo_hex_is_kept_for_its_home_company() -> None:
    for edition in ("de", "en", "es"):
        assert oviedo(("L134", 0), edition) == "home-reserved"
        assert oviedo(("L101", 0), edition) == "home-reserved"
        brown = "" if edition == "de" else "home-reserved"
        assert oviedo(("L126", 0), edition) == brown
        assert oviedo(("L117", 0), edition) == ""
    # a circle stays free for it on the brown tile, and on the grey one
    for tile, others in ((("L126", 0), ("FdSB",)), (("L117", 0), ("FdSB", "FdLR"))):
        state = turn("CFLG", {**OVIEDO, "D6": tile}, name="8", stations={"D6": (others,)})
        assert code(state, PlaceToken("D6", 0)) == "home-reserved"


@rule("ESP-4.3-o")
def test_once_the_home_station_stands_the_other_oo_city_is_open() -> None:
    laid = {**OVIEDO, "D6": ("L134", 0)}
    state = turn("CFLG", laid, stations={"D6": (("CFEA",), ())})
    assert code(state, PlaceToken("D6", 1)) == ""


@rule("ESP-4.3-q")
def test_any_connected_company_may_lay_the_oo_tile() -> None:
    assert code(turn("CFLG", OVIEDO), LayTile("D6", "L134", 0)) == ""
    # where a home token lies already, its owner then chooses the city
    state = company(game(), "CFEA", "Ben")
    state = phase(company(state, "CFLG", "Ana"), "3")
    state = operate(cash(tiles(state, **OVIEDO), CFLG=500), "CFLG")
    state = play(state, LayTile("D6", "L134", 0))
    assert isinstance(state.step, ChooseCity)
    assert state.acting == "Ben"
    after = play(state, PlaceToken("D6", 1))
    assert after.board.tokens["D6"] == ((), ("CFEA",))
    assert isinstance(after.step, Build)
    assert after.acting == "Ana"


@rule("ESP-4.3-r")
def test_the_home_company_chooses_its_city_of_the_oo_tile() -> None:
    state = major(game(), "CFEA", {"Ana": 5}, operated=False)
    state = operate(tiles(phase(state, "3"), D6=("L134", 0)), "CFEA")
    assert isinstance(state.step, PlaceHome)
    assert [a.city for a in offered(state, PlaceToken) if isinstance(a, PlaceToken)] == [0, 1]
    for city in (0, 1):
        after = play(state, PlaceToken("D6", city))
        assert after.board.tokens["D6"][city] == ("CFEA",)
    assert code(state, PlaceToken("E3", 0)) == "home-city"
    assert code(state, PlaceToken("D6", 2)) == "home-city"


@rule("ESP-4.3-s")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_a_taker_of_an_unlaunched_minor_may_begin_on_its_oo_hex(edition: str) -> None:
    """ZP was never launched; N takes its place in Zaragoza from phase 5 on."""
    state = company(game(edition=edition), "N", trains=("5",))
    state = cash(extra(phase(state, "5"), frozen=("ZP",)), N=500)
    lain = play(at(state, Takeovers("N")), TakeOver("ZP"), Accept())
    assert lain.board.tokens["J20"] == (("N",), ())
    # with a tile there it chooses the city
    laid = tiles(state, J20=("L131", 1))
    asked = play(at(laid, Takeovers("N")), TakeOver("ZP"), Accept())
    assert isinstance(asked.step, ChooseCity)
    assert asked.acting == "Ana"
    after = play(asked, PlaceToken("J20", 1))
    assert after.board.tokens["J20"] == ((), ("N",))
    assert after.companies["N"].cash == asked.companies["N"].cash == 500 - 100 + 80
    # no tile yet: its owner chooses when it comes
    later = company(lain, "ZPB", "Ben")
    later = tiles(later, L20=("9", 2), K19=("6", 5))
    later = operate(cash(later, ZPB=500), "ZPB")
    chosen = play(later, LayTile("J20", "L131", 1))
    assert isinstance(chosen.step, ChooseCity)
    assert chosen.acting == "Ana"
    assert play(chosen, PlaceToken("J20", 1)).board.tokens["J20"] == ((), ("N",))


@rule("ESP-4.3-t")
@pytest.mark.parametrize("mza", [True, False])
def test_mz_blocks_the_circle_that_it_shares_with_mza(mza: bool) -> None:
    """MCP comes from Albacete by Guadalajara to the eastern circle of Madrid."""
    laid = {"G23": ("3", 0), "G25": ("8", 3), "H26": ("8", 0), "H28": ("57", 0)}
    for there, answer in (((), "home-reserved" if mza else ""), (("MZ",), "city-full")):
        state = turn("MCP", laid, stations={"H28": (("MCP",),)})
        gone = {"MZ"} if mza else {"MZ", "MZA"}
        left = tuple(s for s in memory(state).in_play if s not in gone)
        state = extra(state, in_play=left)
        state = tokens(state, F24=((), (), there))
        assert code(state, PlaceToken("F24", 2)) == answer
        # through it the line goes on to Aranjuez, or not
        beyond = LayTile("F26", "L113", 0)
        assert code(state, beyond) == ("not-connected" if there else "")


@rule("ESP-4.3-u")
def test_mza_and_mz_share_one_circle_even_if_another_is_free() -> None:
    state = tokens(minor(game(), "MZ", "Ben", tokens=0), F24=((), (), ("MZ",)))
    state = major(state, "MZA", {"Ana": 5}, operated=False)
    state = operate(phase(state, "3"), "MZA")
    assert state.board.tokens["F24"] == ((), (), ("MZ", "MZA"))
    # and no circle is kept twice: MZ may come after MZA as well
    late = tokens(minor(game(), "MZ", "Ben", operated=False), F24=((), (), ("MZA",)))
    late = operate(late, "MZ")
    assert late.board.tokens["F24"] == ((), (), ("MZA", "MZ"))


@rule("ESP-4.3-u", "ESP-4.3-t")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_the_shared_circle_counts_once_on_brown_madrid(edition: str) -> None:
    """Of four circles MCP, N and the pair take three; the fourth is free."""
    laid = {"F24": ("L86", 0), "E23": ("8", 3), "E21": ("57", 0)}
    pair, third = ("MCP", "N", "MZA", "MZ"), ("MCP", "N", "MZA", "A")
    state = extra(game(edition=edition), frozen=("MZ",))
    state = major(state, "CRB", {"Ana": 5}, tokens=1)
    state = tokens(tiles(phase(state, "5"), **laid), B26=(("CRB",),), E21=(("CRB",),))
    for present, answer, beyond in ((pair, "", ""), (third, "city-full", "not-connected")):
        madrid = operate(cash(tokens(state, F24=(present,)), CRB=500), "CRB")
        assert code(madrid, PlaceToken("F24", 0)) == answer
        assert code(madrid, LayTile("F22", "9", 0)) == beyond
    after = play(operate(cash(tokens(state, F24=(pair,)), CRB=500), "CRB"), PlaceToken("F24", 0))
    assert after.board.tokens["F24"] == ((*pair, "CRB"),)
    # MZ, still to come, needs no circle beside the one of MZA
    alone = operate(cash(tokens(state, F24=(pair[:3],)), CRB=500), "CRB")
    assert code(alone, PlaceToken("F24", 0)) == ""
    # now it is full
    north = major(after, "ZPB", {"Ana": 5}, tokens=1)
    north = tokens(north, E21=(("ZPB",),), M21=((), ("ZPB",)))
    assert code(operate(cash(north, ZPB=500), "ZPB"), PlaceToken("F24", 0)) == "city-full"
