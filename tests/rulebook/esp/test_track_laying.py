"""Where a yellow tile of 18ESP may lie, and where its track may lead."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile
from carril.rules.marker import rule
from tests.rulebook.esp.works import ALAR_NORTH, BILBAO, turn
from tests.table import cited, code, play

OVIEDO = {"E3": ("L80", 0), "D4": ("76", 4)}
"""Gijón and Avilés, with track to Oviedo."""
ALCAZAR = {"G23": ("3", 0)}
"""From the eastern circle of Madrid by Guadalajara towards Alcázar."""


@rule("ESP-4.2.1-o")
def test_marked_hexes_take_only_tiles_with_their_letter_and_these_fit_nowhere_else() -> None:
    gijon = turn("CFLG")
    assert code(gijon, LayTile("E3", "L82", 0)) == ""
    assert code(gijon, LayTile("E3", "956", 0)) == "wrong-tile"
    assert cited(gijon, LayTile("E3", "956", 0)) == "ESP-4.2.1-o"
    reinosa = turn("FdLR")
    assert code(reinosa, LayTile("H8", "956", 0)) == ""
    assert code(reinosa, LayTile("H8", "L82", 0)) == "wrong-tile"
    madrid, barcelona = turn("N"), turn("ZPB")
    assert code(madrid, LayTile("F24", "L83", 0)) == ""
    assert code(madrid, LayTile("F24", "L84", 0)) == "wrong-tile"
    assert code(madrid, LayTile("F24", "14", 0)) == "wrong-tile"
    assert code(barcelona, LayTile("M21", "L84", 0)) == ""
    assert code(barcelona, LayTile("M21", "L83", 0)) == "wrong-tile"


@rule("ESP-4.2.1-p")
def test_an_oo_hex_takes_only_oo_tiles_in_yellow() -> None:
    state = turn("CFEA")
    assert code(state, LayTile("D6", "L134", 0)) == ""
    for number in ("L82", "956"):
        assert code(state, LayTile("D6", number, 0)) == "wrong-tile"
    assert code(turn("FdLR"), LayTile("H8", "L134", 0)) == "wrong-tile"


@rule("ESP-4.2.1-q")
def test_tiles_lie_only_on_the_printed_map() -> None:
    state = turn("FdSB")
    assert code(state, LayTile("I3", "79", 0)) == "no-such-hex"
    assert cited(state, LayTile("I3", "79", 0)) == "ESP-4.2.1-q"
    assert code(state, LayTile("J4", "73", 5)) == ""


@rule("ESP-4.2.1-r")
def test_a_hex_printed_yellow_takes_no_yellow_tile() -> None:
    state = turn("FdSB")
    assert code(state, LayTile("I5", "76", 2)) == "wrong-colour"
    assert code(state, LayTile("I5", "L107", 1)) == ""


@rule("ESP-4.2.1-s")
def test_nothing_is_laid_on_a_hex_printed_grey() -> None:
    laid = {"G23": ("3", 0), "G25": ("8", 3)}
    state = turn("MZA", laid, name="8")
    for number in ("57", "14", "611", "455"):
        assert code(state, LayTile("G27", number, 1)) == "not-buildable"
    assert cited(state, LayTile("G27", "57", 1)) == "ESP-4.2.1-s"


@rule("ESP-4.2.1-t", "ESP-DE-5.3.1-b", "ESP-E21")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_the_first_tile_goes_on_the_home_hex(edition: str) -> None:
    elsewhere = LayTile("H10", "79", 0)
    state = turn("FdLR", edition=edition)
    assert code(state, elsewhere) == "home-first"
    assert cited(state, elsewhere) == "ESP-DE-5.3.1-b"
    assert code(state, LayTile("H8", "956", 0)) == ""
    # unless track is there already, laid or printed
    assert code(turn("FdLR", {"H8": ("956", 0)}, edition=edition), elsewhere) == ""
    assert code(turn("FdSB", edition=edition), LayTile("J4", "73", 5)) == ""


@rule("ESP-4.2.1-u")
def test_a_tile_continues_track_joined_to_a_station() -> None:
    state = turn("FdSB")
    assert code(state, LayTile("J6", "74", 1)) == "not-connected"
    assert cited(state, LayTile("J6", "74", 1)) == "ESP-4.2.1-u"
    # beside the track is not enough: it must arrive there
    assert code(state, LayTile("H4", "72", 0)) == "not-connected"
    assert code(turn("FdSB", {"J4": BILBAO["J4"]}), LayTile("J6", "74", 1)) == ""
    # the home hex needs no track
    assert code(turn("CFEA"), LayTile("D6", "L132", 4)) == ""


@rule("ESP-4.2.1-v")
def test_a_city_full_of_foreign_stations_ends_the_connection() -> None:
    laid, beyond = {"J4": BILBAO["J4"]}, LayTile("J6", "74", 1)
    assert code(turn("FdSB", laid), beyond) == ""
    assert code(turn("FdSB", laid, stations={"K5": (("CFLG",),)}), beyond) == "not-connected"
    assert code(turn("FdSB", laid, stations={"K5": (("FdSB",),)}), beyond) == ""
    # one free circle lets it through
    green = {**laid, "K5": ("L110", 1)}
    assert code(turn("FdSB", green, stations={"K5": (("CFLG",),)}), beyond) == ""
    full = {"K5": (("CFLG", "FdLR"),)}
    assert code(turn("FdSB", green, stations=full), beyond) == "not-connected"


@rule("ESP-4.2.1-w")
def test_no_track_runs_off_the_map_or_into_scenery() -> None:
    state = turn("FdSB")
    assert code(state, LayTile("J4", "73", 1)) == "prohibited-side"
    assert cited(state, LayTile("J4", "73", 1)) == "ESP-4.2.1-w"
    # H10 lies north of the pass; its other lower neighbours are scenery
    reinosa = turn("FdLR", {"H8": ("956", 0)})
    assert code(reinosa, LayTile("H10", "79", 0)) == ""
    for turn_ in (1, 3):
        assert code(reinosa, LayTile("H10", "78", turn_)) == "prohibited-side"
    # the pass itself has track on two sides only
    pajares = turn("CFEA", {"D6": ("L134", 0), "D8": ("L100", 0), "D10": ("78", 3)})
    assert code(pajares, LayTile("E11", "77", 1)) == "prohibited-side"
    assert code(pajares, LayTile("E11", "78", 2)) == ""


@rule("ESP-4.2.1-x")
def test_track_meets_a_printed_grey_hex_only_at_its_ends() -> None:
    state = turn("MZA", ALCAZAR)
    assert code(state, LayTile("G25", "9", 0)) == "prohibited-side"
    assert code(state, LayTile("G25", "8", 3)) == ""
    assert code(turn("MZA"), LayTile("F26", "L113", 4)) == ""  # 5 leads to Alcázar's track


@rule("ESP-4.2.1-y")
def test_track_meets_a_harbour_only_at_its_end() -> None:
    state = turn("CFLG", {"E3": ("L81", 0)})
    assert code(state, LayTile("D2", "72", 4)) == "prohibited-side"
    assert code(state, LayTile("D2", "72", 5)) == ""
    assert code(turn("CFLG"), LayTile("E3", "L82", 0)) == ""


@rule("ESP-4.2.1-z")
def test_track_meets_a_red_area_only_at_its_ends() -> None:
    state = turn("CRB", {"B26": ("57", 0)})
    assert code(state, LayTile("B28", "8", 1)) == "prohibited-side"  # Faro has no track there
    assert code(state, LayTile("B28", "7", 2)) == ""  # Lisboa has
    assert code(state, LayTile("B28", "9", 0)) == ""


@rule("ESP-4.2.1-aa")
def test_the_gauges_meet_only_in_the_passes() -> None:
    hexes = turn("FdSB").title.tables.hexes
    joints = set()
    for hex_def in hexes.values():
        for beyond in hex_def.neighbours:
            if beyond and hexes[beyond].region != hex_def.region:
                assert "pass" in (hex_def.region, hexes[beyond].region)
                joints.add(beyond if hexes[beyond].region == "pass" else hex_def.id)
    assert joints == {"D12", "H12", "J10", "L8"}
    # the hex north of a pass cannot take the Southern tile
    state = turn("FdLR", {"H8": ("956", 0)})
    assert code(state, LayTile("H10", "9", 0)) == "wrong-tile"
    assert code(state, LayTile("H10", "79", 0)) == ""


@rule("ESP-4.2.1-ab")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_no_track_runs_into_an_impassable_side(edition: str) -> None:
    state = turn("FdSB", {"H4": ("73", 5)}, edition=edition)
    assert code(state, LayTile("G5", "73", 4)) == "prohibited-side"
    assert code(state, LayTile("G5", "73", 2)) == ""
    hexes = state.title.tables.hexes
    for one, side, other in (("G5", 0, "G7"), ("G7", 4, "H6"), ("G29", 5, "H30")):
        assert hexes[one].neighbours[side] == ""
        assert hexes[other].neighbours[(side + 3) % 6] == ""


@rule("ESP-4.2.1-ac")
def test_track_may_end_against_a_tile_without_track_on_that_side() -> None:
    state = turn("FdSB", {"J4": BILBAO["J4"]})
    assert code(state, LayTile("J6", "72", 3)) == ""


@rule("ESP-4.2.1-ad")
def test_an_oo_tile_may_be_turned_as_one_likes_while_it_stays_connected() -> None:
    home, guest = turn("CFEA"), turn("CFLG", OVIEDO)
    for turn_ in range(6):
        assert code(home, LayTile("D6", "L132", turn_)) == ""
        wanted = "" if 3 in {turn_, (turn_ + 1) % 6} else "not-connected"
        assert code(guest, LayTile("D6", "L132", turn_)) == wanted


@rule("ESP-4.2.1-ae", "ESP-DE-5.3.1-d", "ESP-E22")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_aranjuez_is_joined_to_madrid(edition: str) -> None:
    state = turn("MZA", edition=edition)
    for number, sides in (("L79", (0, 4, 1, 5)), ("L113", (0, 3, 1, 5))):
        for turn_ in range(6):
            joined = 3 in {(side + turn_) % 6 for side in sides}
            answer = "" if joined else "aranjuez-madrid"
            assert code(state, LayTile("F26", number, turn_)) == answer
    assert cited(state, LayTile("F26", "L79", 0)) == "ESP-4.2.1-ae"


@rule("ESP-DE-5.3.1-d", "ESP-E22")
def test_the_tile_of_aranjuez_stays_as_it_was_laid() -> None:
    state = turn("MZA", {"F26": ("L113", 0)}, name="8")
    assert code(state, LayTile("F26", "L79", 3)) == "wrong-colour"
    greens = [t for t in state.title.tables.tiles.values() if t.colour == "green"]
    for tile in greens:
        for turn_ in range(6):
            refused = code(state, LayTile("F26", tile.number, turn_))
            assert refused == "wrong-tile"
    tables = state.title.tables.tiles
    assert (tables["L79"].back, tables["L113"].back) == ("L113", "L79")
    assert (
        code(play(turn("MZA"), LayTile("F26", "L113", 0)), LayTile("F26", "L79", 3))
        == "wrong-colour"
    )


@rule("ESP-DE-5.3.1-c", "ESP-E23")
def test_of_two_separate_tracks_one_needs_to_be_connected() -> None:
    # Aranjuez is joined to Madrid, Toledo to nothing
    assert code(turn("MZA"), LayTile("F26", "L113", 0)) == ""
    # one city of Oviedo is joined to Avilés, the other to nothing
    assert code(turn("CFLG", OVIEDO), LayTile("D6", "L134", 0)) == ""
    assert code(turn("CFLG", OVIEDO), LayTile("D6", "L134", 1)) == "not-connected"
    assert code(turn("FdLR", ALAR_NORTH), LayTile("D6", "L134", 0)) == "not-connected"
