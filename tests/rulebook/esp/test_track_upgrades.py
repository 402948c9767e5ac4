"""Replacing tiles in 18ESP: colours, kinds, kept track, cost."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile
from carril.engine.network import supply
from carril.rules.marker import rule
from tests.rulebook.esp.works import ALAR_SOUTH, BILBAO, turn
from tests.table import cited, code, play

TOULOUSE = {"L20": ("8", 3), "L18": ("9", 0)}
"""From Barcelona over the mountain of 80 to Toulouse."""
REINOSA = {
    "yellow": ("956", 0),
    "green": ("L107", 0),
    "brown": ("L125", 0),
    "grey": ("L115", 0),
}
BELOW = {"green": "yellow", "brown": "green", "grey": "brown"}


@rule("ESP-4.2.2-a")
def test_the_replaced_tile_returns_to_the_stock_with_both_faces() -> None:
    state = turn("FdSB", BILBAO)
    tables = state.title.tables
    before = supply(tables, state.board)
    after = supply(tables, play(state, LayTile("J6", "89", 1)).board)
    assert (before["74"], before["4"]) == (5, 5)
    assert (after["74"], after["4"]) == (6, 6)
    assert (after["89"], after["88"]) == (before["89"] - 1, before["88"] - 1)


@rule("ESP-4.2.2-b")
@pytest.mark.parametrize("below", ["yellow", "green", "brown"])
def test_no_colour_is_skipped(below: str) -> None:
    state = turn("FdLR", {"H8": REINOSA[below]}, name="8")
    for colour in ("yellow", "green", "brown", "grey"):
        wanted = "" if BELOW.get(colour) == below else "wrong-colour"
        assert code(state, LayTile("H8", *REINOSA[colour])) == wanted
    assert cited(state, LayTile("H8", *REINOSA[below])) == "ESP-4.2.2-b"


@rule("ESP-4.2.2-c")
def test_grey_is_the_end() -> None:
    state = turn("FdLR", {"H8": REINOSA["grey"]}, name="8")
    for number, tile in state.title.tables.tiles.items():
        if tile.side == "north":
            assert code(state, LayTile("H8", number, 0)) == "wrong-colour"
    leon = turn("N", stations={"D12": (("N",),)}, name="8")
    assert code(leon, LayTile("D18", "88", 0)) == "not-buildable"
    assert code(leon, LayTile("D18", "912", 0)) == "not-buildable"


@rule("ESP-4.2.2-d")
def test_a_printed_yellow_hex_becomes_green() -> None:
    assert code(turn("FdSB"), LayTile("I5", "L107", 1)) == ""
    assert code(turn("FdSB"), LayTile("I5", "L125", 1)) == "wrong-colour"
    assert code(turn("N"), LayTile("F24", "L83", 0)) == ""
    assert code(turn("FdSB", BILBAO), LayTile("K5", "L110", 1)) == ""


@rule("ESP-4.2.2-e")
@pytest.mark.parametrize(
    ("name", "newest"),
    [
        ("2", "yellow"),
        ("3", "green"),
        ("4", "green"),
        ("5", "brown"),
        ("6", "brown"),
        ("8", "grey"),
    ],
)
def test_the_phase_says_which_colours_there_are(name: str, newest: str) -> None:
    colours = ["yellow", "green", "brown", "grey"]
    assert code(turn("FdLR", name=name), LayTile("H8", "956", 0)) == ""
    for colour in colours[1:]:
        state = turn("FdLR", {"H8": REINOSA[BELOW[colour]]}, name=name)
        lay = LayTile("H8", *REINOSA[colour])
        there = colours.index(colour) <= colours.index(newest)
        assert code(state, lay) == ("" if there else "colour-not-yet")
        assert cited(state, lay) == ("" if there else "ESP-4.2.2-e")


@rule("ESP-4.2.2-g")
def test_an_upgrade_costs_no_terrain() -> None:
    state = turn("ZPB", TOULOUSE, money=0)
    after = play(state, LayTile("L18", "23", 0))
    assert after.companies["ZPB"].cash == 0
    # its yellow tile costs 80
    yellow = turn("ZPB", {"L20": ("8", 3)}, money=80)
    assert play(yellow, LayTile("L18", "9", 0)).companies["ZPB"].cash == 0
    assert code(turn("ZPB", {"L20": ("8", 3)}, money=79), LayTile("L18", "9", 0)) == "too-dear"


@rule("ESP-4.2.2-h")
def test_dismantling_costs_30_and_is_the_upgrade_of_the_turn() -> None:
    laid = {"H4": ("72", 5), "H6": ("L94", 0)}
    state = turn("FdSB", laid, money=30)
    dismantle, upgrade = LayTile("H6", "677", 0), LayTile("I5", "L107", 1)
    after = play(state, dismantle)
    assert after.companies["FdSB"].cash == 0
    assert code(turn("FdSB", laid, money=29), dismantle) == "too-dear"
    assert code(play(turn("FdSB", laid), dismantle), upgrade) == "one-upgrade"
    assert code(play(turn("FdSB", laid), upgrade), dismantle) == "one-upgrade"
    # as a second action it costs the 20 as well
    second = play(turn("FdSB", laid), LayTile("J4", "72", 0), dismantle)
    assert second.companies["FdSB"].cash == 500 - 50


@rule("ESP-4.2.2-i")
def test_all_track_stays_where_it_was() -> None:
    state = turn("FdSB", BILBAO)
    assert code(state, LayTile("J6", "89", 0)) == ""
    assert code(state, LayTile("J6", "89", 2)) == "drops-track"
    assert cited(state, LayTile("J6", "89", 2)) == "ESP-4.2.2-i"
    plain = turn("ZPB", TOULOUSE)
    assert code(plain, LayTile("L18", "23", 0)) == ""
    assert code(plain, LayTile("L18", "25", 0)) == "drops-track"  # the curves do not keep 0-3


@rule("ESP-4.2.2-j")
def test_new_track_may_lead_anywhere_and_need_not_be_connected() -> None:
    state = turn("ZPB", TOULOUSE)
    assert code(state, LayTile("L18", "20", 0)) == ""  # the crossing line is joined to nothing
    # but the laying rules hold for it
    assert code(turn("FdSB"), LayTile("I5", "L108", 1)) == "prohibited-side"


@rule("ESP-4.2.2-k", "ESP-4.2.2-l", "ESP-4.2.2-m")
def test_plain_stays_plain_town_stays_town_and_city_stays_city() -> None:
    plain, town = turn("ZPB", TOULOUSE), turn("FdSB", BILBAO)
    city = turn("FdLR", {"H8": ("956", 0)})
    for number in ("88", "14"):
        assert code(plain, LayTile("L18", number, 0)) == "wrong-tile"
    assert code(plain, LayTile("L18", "23", 0)) == ""
    for number in ("961", "L107"):
        assert code(town, LayTile("J6", number, 1)) == "wrong-tile"
    assert code(town, LayTile("J6", "89", 1)) == ""
    for number in ("677", "89"):
        assert code(city, LayTile("H8", number, 0)) == "wrong-tile"
    assert code(city, LayTile("H8", "L107", 0)) == ""


@rule("ESP-4.2.2-n")
def test_a_letter_is_kept() -> None:
    state = turn("CFLG", {"E3": ("L82", 0)})
    assert code(state, LayTile("E3", "L110", 2)) == ""
    assert code(state, LayTile("E3", "L107", 2)) == "wrong-tile"
    plain = turn("FdLR", {"H8": ("956", 0)})
    assert code(plain, LayTile("H8", "L110", 0)) == "wrong-tile"
    assert code(plain, LayTile("H8", "L107", 0)) == ""
    oviedo = turn("CFEA", {"D6": ("L134", 0)})
    assert code(oviedo, LayTile("D6", "L110", 0)) == "wrong-tile"


@rule("ESP-4.2.2-o")
def test_a_green_oo_tile_becomes_a_brown_y_tile() -> None:
    state = turn("CFEA", {"D6": ("L102", 0)}, name="5")
    assert code(state, LayTile("D6", "L126", 2)) == ""
    assert code(state, LayTile("D6", "L125", 2)) == "wrong-tile"
    after = play(state, LayTile("D6", "L126", 2))
    assert after.board.tokens["D6"] == (("CFEA",),)
    # from there on it goes as any Y
    grey = turn("CFEA", {"D6": ("L126", 2)}, stations={"D6": (("CFEA",),)}, name="8")
    assert code(grey, LayTile("D6", "L117", 5)) == ""


@rule("ESP-4.2.2-p")
def test_a_minor_may_upgrade_track_to_a_pass() -> None:
    state = turn("MH", ALAR_SOUTH)
    assert code(state, LayTile("E19", "88", 0)) == ""


@rule("ESP-DE-5.3.2-a")
def test_the_new_tile_is_part_of_the_network_once_it_lies() -> None:
    # the mine of H6 is laid past the track that comes from Torrelavega
    laid = {"H4": ("72", 5), "H6": ("L94", 2)}
    state = turn("FdSB", laid)
    assert code(state, LayTile("H6", "677", 5)) == ""  # now it joins that track
    assert code(state, LayTile("H6", "677", 2)) == "not-connected"
    # behind a full city there is no connection
    behind = LayTile("J6", "89", 1)
    assert code(turn("FdSB", BILBAO), behind) == ""
    full = {"K5": (("CFLG",),)}
    assert code(turn("FdSB", BILBAO, stations=full), behind) == "not-connected"
