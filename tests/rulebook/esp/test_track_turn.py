"""How much track a company of 18ESP lays in a turn, where, and what it costs."""

from __future__ import annotations

import itertools

import pytest

from carril.engine.actions import LayTile, OpenPass, Pass
from carril.engine.events import TileLaid
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from tests.rulebook.esp.works import ALAR_NORTH, ALAR_SOUTH, BILBAO, LANGREO, OPEN, turn
from tests.table import cited, code, events, offered, play

WEST, EAST = LayTile("H4", "72", 5), LayTile("J4", "72", 0)
"""Yellow tiles on either side of Santander, on free ground."""
SANTANDER, BALMASEDA = LayTile("I5", "L107", 1), LayTile("J6", "89", 1)
"""Green tiles for Santander and, where it has track, for Balmaseda."""
MINE = LayTile("H6", "L94", 0)
"""The mine between Torrelavega and Reinosa."""
PAJARES = {"D12": (("N",),)}
"""The pass of Pajares, open, with a station of N."""


def spent(before: State, after: State, symbol: str) -> int:
    """Return what a company has paid to the bank."""
    paid = before.companies[symbol].cash - after.companies[symbol].cash
    assert after.bank - before.bank == paid
    return paid


@rule("ESP-4.2-a")
def test_nobody_must_lay_track() -> None:
    state = turn("FdSB", trains=("1+2",))
    assert offered(state, LayTile)
    assert offered(state, Pass)
    after = play(state, Pass())
    assert not isinstance(after.step, Build)
    assert after.board.laid == {}


@rule("ESP-4.2-b")
def test_yellow_comes_on_empty_ground_and_each_colour_on_the_one_before() -> None:
    state = turn("FdLR", name="8")
    assert code(state, LayTile("H8", "956", 0)) == ""
    for number in ("L107", "L125", "L115"):
        assert code(state, LayTile("H8", number, 0)) == "wrong-colour"
    steps = [("956", 0), ("L107", 0), ("L125", 0), ("L115", 0)]
    for below, above in itertools.pairwise(steps):
        state = turn("FdLR", {"H8": below}, name="8")
        assert code(state, LayTile("H8", *above)) == ""
        assert code(state, LayTile("H8", *below)) == "wrong-colour"


@rule("ESP-4.2.1-a")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_a_minor_takes_one_track_action(edition: str) -> None:
    state = turn("CM", edition=edition)
    after = play(state, LayTile("E29", "57", 0))
    assert code(after, LayTile("E27", "9", 0)) == "no-more-lays"
    assert cited(after, LayTile("E27", "9", 0)) == "ESP-4.2.1-a"
    # an upgrade is such an action too
    state = turn("CM", {"E29": ("57", 0)}, edition=edition)
    assert code(state, LayTile("E27", "9", 0)) == ""
    after = play(state, LayTile("E29", "14", 0))
    assert code(after, LayTile("E27", "9", 0)) == "no-more-lays"


@rule("ESP-4.2.1-b", "ESP-4.2.1-c")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_the_first_action_of_a_major_is_free_and_the_second_costs_20(edition: str) -> None:
    state = turn("FdSB", edition=edition)
    one = play(state, WEST)
    assert spent(state, one, "FdSB") == 0
    upgrade = play(state, SANTANDER)
    assert spent(state, upgrade, "FdSB") == 0
    two = play(upgrade, WEST)
    assert spent(state, two, "FdSB") == 20
    assert code(two, EAST) == "no-third-lay"
    assert code(turn("FdSB", money=0), WEST) == ""
    assert code(play(turn("FdSB", money=19), WEST), SANTANDER) == "too-dear"
    assert code(play(turn("FdSB", money=20), WEST), SANTANDER) == ""


@rule("ESP-4.2.1-d")
@pytest.mark.parametrize("edition", ["de", "en"])
def test_one_of_the_two_actions_is_a_yellow_tile(edition: str) -> None:
    state = turn("FdSB", BILBAO, edition=edition)
    assert code(state, SANTANDER) == ""
    assert code(state, BALMASEDA) == ""
    upgraded = play(state, SANTANDER)
    assert code(upgraded, BALMASEDA) == "one-upgrade"
    assert cited(upgraded, BALMASEDA) == "ESP-4.2.1-d"
    assert code(upgraded, WEST) == ""
    assert code(play(state, WEST), BALMASEDA) == ""


@rule("ESP-4.2.1-e")
def test_the_second_action_is_on_another_hex() -> None:
    state = turn("FdSB", {"J4": BILBAO["J4"]})
    after = play(state, LayTile("J6", *BILBAO["J6"]))
    assert code(after, BALMASEDA) == "hex-twice"
    assert cited(after, BALMASEDA) == "ESP-4.2.1-e"
    assert code(after, SANTANDER) == ""


@rule("ESP-DE-5.3.1-a", "ESP-DE-5.3.1-e", "ESP-E20")
def test_in_the_german_rules_the_second_tile_waits_for_phase_3() -> None:
    state = play(turn("FdSB", name="2"), WEST)
    assert code(state, EAST) == "no-third-lay"
    state = play(state, MINE)
    assert code(state, EAST) == "no-third-lay"
    assert code(state, LayTile("H8", "956", 0)) == "no-third-lay"
    # from phase 3 on the extra tile comes before or after the regular action
    for name in ("3", "5"):
        start = turn("FdSB", name=name)
        for actions in ((EAST, SANTANDER), (SANTANDER, EAST), (EAST, WEST)):
            assert spent(start, play(start, *actions), "FdSB") == 20


@rule("ESP-4.2.1-c", "ESP-E20")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_in_the_other_rules_two_tiles_are_laid_in_phase_2_as_well(edition: str) -> None:
    state = turn("FdSB", name="2", edition=edition)
    after = play(state, WEST, EAST)
    assert after.companies["FdSB"].cash == 480


@rule("ESP-4.2.1-c", "ESP-5.2.2-b")
def test_the_two_tiles_and_the_mine_may_lie_on_different_maps() -> None:
    state = turn("N", stations=PAJARES)
    north, south = LayTile("D10", "79", 0), LayTile("D20", "4", 0)
    after = play(state, north, south, LayTile("E19", "L95", 3))
    assert spent(state, after, "N") == 30 + 10 + 20 + 30
    other = play(state, south, LayTile("E19", "L95", 3), north)
    assert spent(state, other, "N") == 30 + 10 + 20 + 30


@rule("ESP-4.2.1-f", "ESP-4.2.2-f")
def test_a_minor_lays_and_upgrades_nothing_in_the_north() -> None:
    lay, upgrade = LayTile("H10", "79", 0), LayTile("H10", "677", 0)
    open_ = {"H12": OPEN}
    grown = {**ALAR_SOUTH, "H10": ("79", 0)}
    for symbol, answer in (("MH", "minor-stays-south"), ("N", "")):
        stations = open_ if symbol == "MH" else {**open_, "E21": ((symbol,),)}
        assert code(turn(symbol, ALAR_SOUTH, stations=stations), lay) == answer
        assert code(turn(symbol, grown, stations=stations), upgrade) == answer


@rule("ESP-4.2.1-g")
def test_a_minor_lays_track_to_a_pass_but_does_not_open_it() -> None:
    state = turn("MH", {"E21": ("57", 0)})
    assert code(state, LayTile("E19", "L97", 0)) == ""
    after = turn("MH", ALAR_SOUTH)
    assert code(after, OpenPass("H12")) == "minor-no-pass"
    assert cited(after, OpenPass("H12")) == "ESP-4.2.1-g"
    assert code(turn("N", ALAR_SOUTH, stations={"E21": (("N",),)}), OpenPass("H12")) == ""


@rule("ESP-4.2.1-h", "ESP-4.2.1-i")
def test_terrain_is_paid_to_the_bank_from_the_treasury() -> None:
    laid = {"J4": BILBAO["J4"]}
    mountain = LayTile("J6", "74", 1)
    state = turn("FdSB", laid)
    assert spent(state, play(state, mountain), "FdSB") == 30
    told = [e for e in events(state, mountain) if isinstance(e, TileLaid)]
    assert [e.cost for e in told] == [30]
    assert spent(state, play(state, WEST), "FdSB") == 0
    river = turn("CM", money=10)
    assert spent(river, play(river, LayTile("E29", "57", 0)), "CM") == 10
    # the treasury must hold it; the director's money does not help
    poor = turn("CM", money=9)
    assert poor.players["Ana"].cash > 10
    assert code(poor, LayTile("E29", "57", 0)) == "too-dear"
    assert cited(poor, LayTile("E29", "57", 0)) == "ESP-4.2.1-i"


@rule("ESP-4.2.1-j", "ESP-5.2-o")
def test_narrow_gauge_is_for_the_north_and_iberian_for_the_south() -> None:
    state = turn("N", stations=PAJARES)
    assert code(state, LayTile("D10", "79", 0)) == ""
    assert code(state, LayTile("D10", "9", 0)) == "wrong-tile"
    assert code(state, LayTile("D20", "4", 0)) == ""
    assert code(state, LayTile("D20", "74", 0)) == "wrong-tile"
    gauges = {"north": "narrow", "south": "broad"}
    for tile in state.title.tables.tiles.values():
        assert {path.gauge for path in tile.paths} == {gauges[tile.side]}


@rule("ESP-4.2.1-k", "ESP-5.2.2-a")
def test_an_open_pass_joins_its_two_hexes() -> None:
    beyond = LayTile("H10", "79", 0)
    home = {"E21": (("N",),)}
    closed = turn("N", ALAR_SOUTH, stations=home)
    assert code(closed, beyond) == "not-connected"
    assert code(turn("N", ALAR_SOUTH, stations={**home, "H12": OPEN}), beyond) == ""
    full = {**home, "H12": (("CRB", "MCP"),)}
    assert code(turn("N", ALAR_SOUTH, stations=full), beyond) == "not-connected"
    # and the other way: a Northern major goes south
    south = turn("FdLR", ALAR_NORTH, stations={"H12": OPEN})
    assert code(south, LayTile("E19", "L97", 0)) == ""


@rule("ESP-4.2.1-l")
def test_a_mine_is_laid_besides_the_two_tiles() -> None:
    state = turn("FdSB")
    for order in ((WEST, MINE, SANTANDER), (WEST, SANTANDER, MINE)):
        assert spent(state, play(state, *order), "FdSB") == 50
    ready = turn("FdSB", {"H4": ("72", 5)})
    assert spent(ready, play(ready, MINE, SANTANDER), "FdSB") == 30
    # terrain comes on top: Balmaseda is a mountain of 30
    ready = turn("FdSB", {"H4": ("72", 5), "J4": BILBAO["J4"]})
    lays = (MINE, LayTile("J6", "74", 1), SANTANDER)
    assert spent(ready, play(ready, *lays), "FdSB") == 50 + 30


@rule("ESP-4.2.1-m")
def test_a_tile_with_mine_and_town_is_the_mine_of_the_turn() -> None:
    state = turn("CFLG", {k: v for k, v in LANGREO.items() if k != "E7"})
    after = play(state, LayTile("E7", "L100", 0))
    step = after.step
    assert isinstance(step, Build)
    assert step.mined
    assert step.normal == 0
    assert code(after, LayTile("E9", "L94", 0)) == "one-mine"
    assert code(turn("CFLG", LANGREO), LayTile("E9", "L94", 0)) == ""


@rule("ESP-4.2.1-n")
def test_a_pass_is_opened_besides_all_track_actions() -> None:
    laid = {**ALAR_NORTH, "H8": ("L107", 0), "I7": ("L94", 1)}
    state = turn("FdLR", laid)
    tile, upgrade, mine = LayTile("J6", "73", 1), LayTile("H10", "677", 0), LayTile("G9", "L94", 1)
    assert spent(state, play(state, tile, upgrade, mine, OpenPass("H12")), "FdLR") == 80 + 60
    assert spent(state, play(state, OpenPass("H12"), mine, upgrade, tile), "FdLR") == 80 + 60
    assert code(turn("FdLR", laid, name="2"), OpenPass("H12")) == "passes-not-yet"
