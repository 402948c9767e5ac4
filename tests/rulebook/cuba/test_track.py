"""Laying yellow tiles: one in a turn, two gauges, the home tile, cane fields, sides of the map."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.network import reach, supply
from carril.engine.state import State
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from tests.rulebook.cuba.building import begin, building, lays
from tests.rulebook.cuba.positions import extra, game
from tests.table import cash, cited, code, play, tiles

# Cienfuegos with the mill of HG. L60: narrow to edge 1 (D11), standard to edges 4 and 5.
# L61: narrow to edge 2 (C12).
WEST_MILL = {"D13": ("L60", 0)}
NORTH_MILL = {"D13": ("L61", 0)}
AT_D13 = {"D13": (("HG",),)}
# Camagüey with standard track to edges 1 (D17) and 4 (D21, a cane field).
CAMAGUEY = {"D19": ("57", 1)}
AT_D19 = {"D19": (("NPP",),)}


def mill(laid: dict[str, tuple[str, int]] = WEST_MILL, **more: object) -> State:
    """Return the track step of HG, whose mill is in Cienfuegos."""
    return building("HG", laid, AT_D13, **more)  # type: ignore[arg-type]


def camaguey(**more: object) -> State:
    """Return the track step of NPP, with its home tile."""
    return building("NPP", CAMAGUEY, AT_D19, **more)  # type: ignore[arg-type]


@rule("CUBA-VII.3.4-a")
def test_a_company_lays_one_tile_and_may_lay_none() -> None:
    state = camaguey()
    assert code(state, Pass()) == ""
    after = play(state, LayTile("D17", "9", 1))
    assert not (isinstance(after.step, LayTrack) and after.step.company == "NPP")
    # With a commissioner left the step goes on, but not for a second tile of its own.
    helped = play(extra(state, commissioners={"K1": "Ana"}), LayTile("D17", "9", 1))
    assert isinstance(helped.step, LayTrack)
    assert code(helped, LayTile("D21", "8", 5)) == "one-tile"
    assert cited(helped, LayTile("D21", "8", 5)) == "CUBA-VII.3.4-a"
    # An upgrade takes the place of the tile.
    green = extra(camaguey(now="3"), commissioners={"K1": "Ana"})
    upgraded = play(green, LayTile("D19", "14", 0))
    assert code(upgraded, LayTile("D17", "9", 1)) == "one-tile"
    laid = play(green, LayTile("D17", "9", 1))
    assert code(laid, LayTile("D19", "14", 0)) == "one-tile"


@rule("CUBA-VII.3.4-b")
def test_yellow_tiles_go_on_empty_hexes_and_never_on_havana() -> None:
    assert code(camaguey(), LayTile("D19", "6", 1)) == "wrong-colour"
    oeste = building("Oe", {}, {"B7": (("Oe",), ("FC",))})
    assert code(oeste, LayTile("B7", "57", 1)) == "wrong-colour"


@rule("CUBA-VII.3.4-c")
def test_before_the_first_3_train_only_yellow_tiles_are_laid() -> None:
    for now in ("1", "2"):
        assert code(camaguey(now=now), LayTile("D19", "14", 0)) == "colour-not-yet"
        found = {tile for tile, _, _, _ in lays(camaguey(now=now))}
        assert {game().tables.tiles[tile].colour for tile in found} == {"yellow"}


@rule("CUBA-VII.3.4-d", "CUBA-G3")
def test_harbours_are_printed_track_and_take_no_tile() -> None:
    state = building("NPP", {"D19": ("57", 0)}, AT_D19)  # edges 0 and 3: the arrow of C20
    assert code(state, LayTile("C20", "9", 0)) == "not-buildable"
    assert ("C20", 0) in reach(state.tables, state.board, "NPP").stops


@rule("CUBA-VII.3.4-e")
def test_no_track_leaves_the_map_or_meets_the_sea_without_an_arrow() -> None:
    # B5: edge 1 is B3 and edge 3 is A6, whose arrows lead elsewhere; edge 2 is off the map.
    oeste = building("Oe", {}, {"B7": (("Oe",), ("FC",))})
    assert lays(oeste, "B5") == {("8", 4, "", ()), ("7", 4, "", ())}  # 4-0 and 4-5
    for turn in (1, 4):
        assert code(oeste, LayTile("B5", "9", turn)) == "prohibited-side"
    # D21 beside D23: its arrows lead to E22 and E24, so edge 4 is closed.
    assert code(camaguey(), LayTile("D21", "9", 1)) == "prohibited-side"
    assert cited(camaguey(), LayTile("D21", "9", 1)) == "CUBA-VII.3.4-e"


@rule("CUBA-VII.3.4-f", "CUBA-G4")
def test_no_track_leads_to_a_barrier() -> None:
    # The barriers: C8/D9 (edge 5 of C8), F19/G20 and E26/F27, from either side.
    board = game()
    sides = {"C8": 5, "D9": 2, "F19": 5, "G20": 2, "E26": 5, "F27": 2}
    for at, edge in sides.items():
        assert board.tables.hexes[at].neighbours[edge] == ""
        assert code(building("NPP"), LayTile(at, "9", edge % 3)) == "prohibited-side"


@rule("CUBA-VII.3.4-g", "CUBA-VII.3.4-h")
def test_track_need_not_join_and_gauges_meet_in_a_dead_end() -> None:
    # D15 has standard track to edges 0 and 3 only; tile 9 on D17 runs to its edge 4 all the same.
    unjoined = building("NPP", {**CAMAGUEY, "D15": ("57", 0)}, AT_D19)
    assert code(unjoined, LayTile("D17", "9", 1)) == ""
    # D15 is the mill of HG with narrow track to edge 4 (L53): on D17 both tracks end.
    state = building("NPP", {**CAMAGUEY, "D15": ("L53", 0)}, {**AT_D19, "D15": (("HG",),)})
    after = play(state, LayTile("D17", "9", 1))
    assert ("D15", 0) not in reach(after.tables, after.board, "NPP").stops
    assert reach(after.tables, after.board, "HG").stops == {("D15", 0)}


@rule("CUBA-VII.3.4-i")
def test_a_tile_of_the_right_kind_for_the_hex() -> None:
    state = camaguey()
    assert code(state, LayTile("D17", "57", 1)) == "wrong-tile"  # a city on an open hex
    assert code(building("NPP"), LayTile("C4", "9", 0)) == "wrong-tile"  # plain track on a city
    assert code(state, LayTile("D17", "201", 1)) == "wrong-tile"
    for at in ("E24", "G24"):
        assert code(building("NPP"), LayTile(at, "57", 0)) == "wrong-tile"
        assert code(building("NPP"), LayTile(at, "621", 0)) != "wrong-tile"
    assert code(building("NPP"), LayTile("C4", "621", 0)) == "wrong-tile"


@rule("CUBA-VII.3.4-j", "CUBA-C35", "CUBA-G7")
def test_a_tile_must_be_in_the_supply_and_has_two_sides() -> None:
    # Three pieces have 5 on one side and 57 on the other: with three of them laid both are gone.
    three = tiles(game(), B11=("57", 0), C4=("57", 0), D13=("5", 0))
    left = supply(three.tables, three.board)
    assert (left["5"], left["57"], left["6"]) == (0, 0, 3)
    state = building("TSS", state=three, placed={"E22": (("TSS",),)})
    assert code(state, LayTile("E22", "57", 0)) == "no-tile-left"
    assert code(state, LayTile("E22", "5", 0)) == "no-tile-left"
    assert code(state, LayTile("E22", "6", 0)) == ""
    assert code(state, LayTile("E22", "999", 0)) == "no-such-tile"
    # The counts of the list: 47 yellow pieces, 47 green, 30 brown, 5 grey.
    pieces = {"yellow": 47, "green": 47, "brown": 30, "grey": 5}
    for colour, count in pieces.items():
        faces = [tile for tile in game().tables.tiles.values() if tile.colour == colour]
        doubles = sum(tile.count for tile in faces if tile.back)
        assert sum(tile.count for tile in faces if not tile.back) + doubles // 2 == count


# --- minors ---------------------------------------------------------------------------------


@rule("CUBA-VII.3.4-k", "CUBA-C21")
def test_a_minor_must_lay_its_home_tile_in_its_first_turn() -> None:
    state = play(begin("HG"), PlaceToken("D13", 0))
    assert code(state, Pass()) == "minor-tile-due"
    assert code(state, LayTile("D11", "L48", 2)) == "minor-tile-due"
    assert cited(state, Pass()) == "CUBA-VII.3.4-k"
    assert lays(state) == lays(state, "D13") != set()
    after = play(state, LayTile("D13", "L60", 0))
    assert getattr(after.step, "company", "") == "NPP"  # that was its tile for the turn


@rule("CUBA-VII.3.4-l")
def test_the_home_tile_of_a_minor_has_two_slots_and_two_gauges() -> None:
    state = play(begin("HG"), PlaceToken("D13", 0))
    # Around Cienfuegos are four land hexes and the harbours E12 and E14, whose arrows lead to it:
    # L52 to L61 fit in each of the six rotations.
    assert lays(state) == {(f"L{n}", turn, "", ()) for n in range(52, 62) for turn in range(6)}
    for tile in ("5", "6", "57"):
        assert code(state, LayTile("D13", tile, 0)) == "home-two-gauges"
    after = play(state, LayTile("D13", "L60", 0))
    assert after.board.tokens["D13"] == (("HG",),)
    assert after.tables.tiles["L60"].stops[0].slots == 2


@rule("CUBA-VII.3.4-m")
def test_a_minor_reaches_further_tiles_by_narrow_track() -> None:
    state = mill()
    assert code(state, LayTile("D11", "L48", 2)) == ""  # 1-4, from the narrow edge 1 of L60
    assert code(state, LayTile("C12", "79", 2)) == "not-connected"
    # D15 is reached by standard track only.
    far = mill({**WEST_MILL, "D15": ("57", 1)})
    assert code(far, LayTile("D17", "79", 1)) == "not-connected"


@rule("CUBA-VII.3.4-n")
def test_a_minor_lays_only_narrow_track() -> None:
    state = mill(NORTH_MILL)  # narrow to C12, an open hex, whose edge 5 it is
    assert lays(state, "C12") == {
        ("77", 5, "", ()), ("77", 4, "", ()),  # 5-0, 4-5
        ("78", 5, "", ()), ("78", 3, "", ()),  # 5-1, 3-5
        ("79", 2, "", ()), ("79", 5, "", ()),  # 2-5
    }  # fmt: skip
    for tile, turn in (("9", 2), ("8", 5), ("7", 5)):
        assert code(state, LayTile("C12", tile, turn)) == "minor-narrow-only"
        assert cited(state, LayTile("C12", tile, turn)) == "CUBA-VII.3.4-n"


@rule("CUBA-VII.3.4-o")
def test_a_minor_lays_no_city_tile_but_at_home() -> None:
    state = mill({**NORTH_MILL, "C12": ("79", 2)})  # narrow track to edge 5 of B11
    for tile in ("L60", "57"):
        assert code(state, LayTile("B11", tile, 0)) == "minor-other-city"
        assert cited(state, LayTile("B11", tile, 0)) == "CUBA-VII.3.4-o"
    assert not lays(state, "B11")


@rule("CUBA-VII.3.4-p", "CUBA-C32")
def test_a_minor_lays_a_field_on_a_cane_hex_free_of_charge() -> None:
    state = cash(mill(), HG=0)
    assert {tile for tile, _, _, _ in lays(state, "D11")} == {"L48", "L49", "L50"}
    after = play(state, LayTile("D11", "L48", 2))
    assert after.companies["HG"].cash == 0
    for tile in ("77", "78", "79"):
        assert code(state, LayTile("D11", tile, 1)) == "wrong-tile"
    assert code(state, LayTile("D11", "9", 1)) == "minor-narrow-only"


@rule("CUBA-VII.3.4-q")
def test_a_field_tile_goes_on_a_cane_hex_only() -> None:
    state = mill(NORTH_MILL)
    for tile in ("L48", "L49", "L50"):
        assert code(state, LayTile("C12", tile, 0)) == "wrong-tile"


# --- majors ---------------------------------------------------------------------------------


@rule("CUBA-VII.3.4-r")
def test_a_major_must_lay_its_home_tile_in_its_first_turn_oeste_excepted() -> None:
    state = begin("NPP")
    assert code(state, Pass()) == "major-tile-due"
    assert cited(state, Pass()) == "CUBA-VII.3.4-r"
    assert code(state, LayTile("D17", "9", 1)) == "major-tile-due"
    assert {tile for tile, _, _, _ in lays(state)} == {"5", "6", "57"}
    after = play(state, LayTile("D19", "57", 1))
    assert getattr(after.step, "company", "") == "TSS"
    assert code(begin("Oe"), Pass()) == ""
    santiago = begin("SdC")  # a Y city
    assert {tile for tile, _, _, _ in lays(santiago)} == {"201", "202", "621"}
    with_tile = begin("NPP", tiles(game(), D19=("57", 1)))
    assert code(with_tile, Pass()) == ""
    # Only in the first turn: without a tile it may pass later.
    assert code(building("NPP", {}, AT_D19), Pass()) == ""


@rule("CUBA-VII.3.4-t")
def test_a_major_reaches_further_tiles_by_standard_track() -> None:
    state = camaguey()
    assert code(state, LayTile("D17", "9", 1)) == ""
    assert code(state, LayTile("C12", "9", 1)) == "not-connected"
    assert code(state, LayTile("D17", "9", 0)) == "not-connected"  # 0-3 misses edge 4
    # A city full of others blocks the way: D15, with the token of StSp in its only slot.
    blocked = {**CAMAGUEY, "D17": ("9", 1), "D15": ("57", 1)}
    full = building("NPP", blocked, {**AT_D19, "D15": (("StSp",),)})
    assert code(full, LayTile("D13", "57", 1)) == "not-connected"
    assert code(building("NPP", blocked, AT_D19), LayTile("D13", "57", 1)) == ""


@rule("CUBA-VII.3.4-u")
def test_a_major_lays_only_standard_track() -> None:
    state = camaguey()
    for at, tile, turn in (("D17", "79", 1), ("D21", "L48", 2), ("D21", "L49", 0)):
        assert code(state, LayTile(at, tile, turn)) in ("major-standard-only", "prohibited-side")
    assert code(state, LayTile("D17", "79", 1)) == "major-standard-only"
    assert cited(state, LayTile("D17", "79", 1)) == "CUBA-VII.3.4-u"
    assert code(state, LayTile("D21", "L50", 1)) == "major-standard-only"  # 1-0
    home = begin("NPP")
    assert code(home, LayTile("D19", "L60", 0)) == "major-standard-only"


@rule("CUBA-VII.3.4-v", "CUBA-C32", "CUBA-VII.3.4-y")
def test_plain_track_on_a_cane_field_costs_a_major_10() -> None:
    state = camaguey(money=10)
    after = play(state, LayTile("D21", "8", 5))  # 5-1
    assert after.companies["NPP"].cash == 10 - 10
    assert after.bank == state.bank + 10
    poor = camaguey(money=9)
    assert code(poor, LayTile("D21", "8", 5)) == "too-dear"
    assert cited(poor, LayTile("D21", "8", 5)) == "CUBA-VII.3.4-v"
    assert code(poor, LayTile("D17", "9", 1)) == ""  # nothing else costs anything
    free = play(poor, LayTile("D17", "9", 1))
    assert free.companies["NPP"].cash == 9
    assert code(camaguey(money=10, now="3"), LayTile("D21", "8", 5)) == ""


@rule("CUBA-VII.3.4-w")
def test_a_cane_field_with_plain_track_is_an_open_hex_for_good() -> None:
    # D11, standard 9 from edge 4 to edge 1; HG has narrow track to its edge 4.
    state = mill({**WEST_MILL, "D11": ("9", 1)}, now="3")
    for tile in ("L48", "L62", "L65"):
        assert code(state, LayTile("D11", tile, 2)) in ("wrong-colour", "wrong-tile")
    # It is upgraded like other plain track, and that costs a major nothing.
    laid = {**CAMAGUEY, "D21": ("8", 5)}
    green = building("NPP", laid, AT_D19, money=0, now="3")
    after = play(green, LayTile("D21", "29", 5))  # 5-1 and 5-0
    assert after.companies["NPP"].cash == 0


@rule("CUBA-VII.3.4-z", "CUBA-G37")
def test_without_a_home_tile_in_the_supply_the_duty_is_void() -> None:
    # Six yellow city tiles with standard track: 5/57 three times and 6 three times, all laid.
    six = {"B9": "5", "B11": "5", "C4": "57", "C14": "6", "D13": "6", "D15": "6"}
    state = begin("NPP", tiles(game(), **{at: (tile, 0) for at, tile in six.items()}))
    assert code(state, LayTile("D19", "57", 0)) == "no-tile-left"
    assert code(state, Pass()) == ""
    five = dict(list(six.items())[1:])
    owed = begin("NPP", tiles(game(), **{at: (tile, 0) for at, tile in five.items()}))
    assert code(owed, Pass()) == "major-tile-due"


@rule("CUBA-VII.3.4-z", "CUBA-IV.1-b")
def test_a_commissioner_can_lay_the_home_tile_and_the_normal_tile_is_still_open() -> None:
    for symbol, at, tile in (("NPP", "D19", "57"), ("HG", "D13", "L60")):
        state = extra(begin(symbol), commissioners={"K2": "Ana"})
        if symbol == "HG":
            state = play(state, PlaceToken("D13", 0))
        after = play(state, LayTile(at, tile, 1 if tile == "57" else 0, "K2"))
        assert after.players["Ana"].cash == state.players["Ana"].cash + 35
        assert code(after, Pass()) == ""
        second = LayTile("D17", "9", 1) if symbol == "NPP" else LayTile("D11", "L48", 2)
        assert code(after, second) == ""


@pytest.mark.parametrize("at", ["E24", "G24"])
@rule("CUBA-VII.3.4-i")
def test_only_y_tiles_go_on_the_y_cities(at: str) -> None:
    state = building("NPP", {}, {at: (("NPP",),)})
    assert {tile for tile, _, _, _ in lays(state, at)} == {"201", "202", "621"}


@rule("CUBA-G2")
def test_the_map_has_44_land_hexes_of_three_kinds() -> None:
    # 13 cities, 20 cane fields and 11 open hexes, as G2 lists them.
    cities = "B7 B9 B11 C4 C14 D13 D15 D19 E22 E24 F21 G24 G26".split()
    cane = "B13 C2 C16 C18 D1 D5 D9 D11 D21 E2 E16 E18 E26 F19 F27 F29 G20 G22 G28 H21".split()
    open_hexes = "B5 B15 C6 C8 C10 C12 D3 D17 E20 F23 F25".split()
    hexes = game().tables.hexes
    assert len(cities) + len(cane) + len(open_hexes) == 44
    assert {at for at, one in hexes.items() if one.buildable} == {*cities, *cane, *open_hexes}
    assert {at for at, one in hexes.items() if one.print.cities} == set(cities)
    assert {at for at, one in hexes.items() if one.terrain == "cane"} == set(cane)
    labels = {at: hexes[at].print.label for at in cities if hexes[at].print.label}
    assert labels == {"B7": "H", "E24": "Y", "G24": "Y"}
