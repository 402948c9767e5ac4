"""The half maps of two players: their edge, their companies, their markers."""

from __future__ import annotations

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.network import reach
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.cuba.building import begin, building, lays
from tests.rulebook.cuba.positions import game
from tests.table import cited, code, offered, play


def east() -> State:
    """Return the first position of the eastern game."""
    return game(2, variants=("easy", "east"))


def west() -> State:
    """Return the first position of the western game."""
    return game(2, variants=("easy", "west"))


def homes(state: State) -> list[str]:
    """Return the hexes on offer for a home."""
    return [one.hex for one in offered(state, PlaceToken) if isinstance(one, PlaceToken)]


@rule("CUBA-X-a", "CUBA-C38", "CUBA-G20")
def test_the_eastern_map() -> None:
    hexes = east().tables.hexes
    red, green = hexes["D15"].print, hexes["C16"].print
    assert (red.colour, red.exits) == ("red", frozenset({4, 5}))
    assert [stop.kind for stop in red.stops] == ["offboard"]
    assert (green.exits, [stop.kind for stop in green.stops]) == (frozenset({4}), ["field"])
    rows: dict[str, int] = {}
    for at in hexes:
        rows[at[0]] = rows.get(at[0], 0) + 1
    # C16, C18, C20; D15 to D25; E16 to E26; F19 to F29; G20 to G28; H21 to H27.
    assert rows == {"C": 3, "D": 6, "E": 6, "F": 6, "G": 5, "H": 4}


@rule("CUBA-X-c", "CUBA-C38", "CUBA-G20")
def test_the_western_map() -> None:
    hexes = west().tables.hexes
    red, green = hexes["D19"].print, hexes["C18"].print
    assert (red.exits, [stop.kind for stop in red.stops]) == (frozenset({0, 1}), ["offboard"])
    assert (green.exits, [stop.kind for stop in green.stops]) == (frozenset({1}), ["field"])
    rows: dict[str, int] = {}
    for at in hexes:
        rows[at[0]] = rows.get(at[0], 0) + 1
    # A6 to A12; B3 to B15; C2 to C18; D1, D3, D5, D9 to D19; E2, E4, E12 to E18.
    assert rows == {"A": 4, "B": 7, "C": 9, "D": 9, "E": 6}


@rule("CUBA-X-b", "CUBA-X-d")
def test_the_majors_of_each_half() -> None:
    majors = [name for name, one in east().companies.items() if one.kind == "major"]
    assert sorted(majors) == ["FEC", "NPP", "SdC", "TSS"]
    majors = [name for name, one in west().companies.items() if one.kind == "major"]
    assert sorted(majors) == ["CVC", "MS", "Oe", "StSp"]


@rule("CUBA-X-e")
def test_no_track_leads_past_the_two_tiles_and_nothing_is_laid_on_them() -> None:
    # NPP in Camagüey (57 turned 1) reaches D17, whose neighbours are D15 (edge 1), C16 (edge 2).
    state = building("NPP", {"D19": ("57", 1)}, {"D19": (("NPP",),)}, state=east(), now="3")
    assert code(state, LayTile("D17", "9", 1)) == ""  # 1-4: the arrow of the red tile
    assert code(state, LayTile("D17", "8", 2)) == "prohibited-side"  # 2-4: the green tile's side
    for at, tile in (("D15", "57"), ("C16", "9"), ("D15", "14"), ("C16", "L48")):
        assert code(state, LayTile(at, tile, 1)) == "not-buildable"
    assert {turn for tile, turn, _, _ in lays(state, "D17") if tile == "9"} == {1, 4}
    assert code(state, LayTile("C14", "57", 1)) == "no-such-hex"
    assert cited(state, LayTile("C14", "57", 1)) == "CUBA-X-h"
    # West: CVC in Santa Clara. The arrow of C18 leads to C16; D17 has the red arrow at edge 4.
    edge = building("StSp", {"D15": ("57", 1)}, {"D15": (("StSp",),)}, state=west(), now="3")
    assert code(edge, LayTile("D17", "9", 1)) == ""
    assert code(edge, LayTile("D17", "8", 1)) == "prohibited-side"  # 1-3: the side of C18
    assert code(edge, LayTile("E20", "9", 1)) == "no-such-hex"


@rule("CUBA-X-f", "CUBA-X-g", "CUBA-C39")
def test_the_red_tile_has_no_slots_and_is_reached_by_standard_track_only() -> None:
    laid = {"D19": ("57", 1), "D17": ("9", 1)}
    state = building("NPP", laid, {"D19": (("NPP",),)}, state=east(), now="3")
    found = reach(state.tables, state.board, "NPP")
    assert ("D15", 0) in found.stops
    assert not state.tables.hexes["D15"].print.cities
    values = [state.tables.hexes["D15"].print.stops[0].value(c) for c in ("yellow", "green")]
    assert values == [20, 30]
    # It is an end: no way leads through it from D17 to E16.
    assert "E16" not in found.entries
    # A mill in D19 with narrow track west does not reach the red area; L60 turned 0: narrow 1.
    mill = building(
        "HG", {"D19": ("L60", 0), "D17": ("79", 1)}, {"D19": (("HG",),)}, state=east(), now="3"
    )
    assert ("D15", 0) not in reach(mill.tables, mill.board, "HG").stops
    # The green one is reached by narrow track over C18 (L48 turned 2: 4-1), from D19's edge 2.
    laid = {"D19": ("L61", 0), "C18": ("L49", 0)}  # L61: narrow 2; L49: edges 1 and 5
    cane = building("HG", laid, {"D19": (("HG",),)}, state=east(), now="3")
    assert ("C16", 0) in reach(cane.tables, cane.board, "HG").stops
    field = cane.tables.hexes["C16"].print
    assert [field.stops[0].value(colour) for colour in ("yellow", "grey")] == [20, 20]
    assert code(cane, LayTile("C16", "L62", 0)) == "not-buildable"


@rule("CUBA-X-h", "CUBA-G20", "CUBA-VII.3.6-f")
def test_homes_and_markers_of_each_half() -> None:
    assert homes(begin("HG", east())) == ["D19", "E22", "F21", "G26"]
    assert homes(begin("HG", west())) == ["B9", "B11", "C4", "C14", "D13", "D15"]
    # FEC in the east: NPP, TSS and SdC have not operated, so their homes are kept.
    assert homes(begin("FEC", east())) == ["E24", "F21", "G26"]
    # East: markers for D19, E22 and G24, none on the map. West: Havana, and B9, B11, C14, D15.
    assert east().companies["FC"].tokens == 3
    assert east().board.tokens == {}
    assert west().companies["FC"].tokens == 4
    assert west().board.tokens == {"B7": ((), ("FC",))}
    green = play(
        building("TSS", {"E22": ("57", 0)}, {"E22": (("TSS",),)}, state=east(), now="3"),
        LayTile("E22", "14", 0),
    )
    assert green.board.tokens["E22"] == (("TSS", "FC"),)
    assert green.companies["FC"].tokens == 2


@rule("CUBA-X-e", "CUBA-VII.3.4-r")
def test_the_home_tile_is_owed_on_a_half_map_too() -> None:
    state = begin("NPP", east())
    assert code(state, Pass()) == "major-tile-due"
    assert {turn for tile, turn, _, _ in lays(state) if tile == "57"} == set(range(6))
