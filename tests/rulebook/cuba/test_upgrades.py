"""Upgrades: colours, kept track, tokens and the markers of the state railway, who may do what."""

from __future__ import annotations

from carril.engine.actions import LayTile, PlaceToken
from carril.engine.board import open_circles
from carril.engine.events import TokenPlaced
from carril.engine.network import reach, supply
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.cuba.building import building, lays
from tests.rulebook.cuba.positions import extra, game
from tests.table import charter, cited, code, events, phase, play

# Matanzas (57 turned 1: edges 1 and 4) with plain track on C10 (9 turned 2: 2-5) reached by B9's
# 5 turned 4: edges 4, 5.
MATANZAS = {"B9": ("57", 1)}
AT_B9 = {"B9": (("MS",),)}
# Camagüey, with the straight 9 (edges 1-4) on D17 to the west.
LINE = {"D19": ("57", 1), "D17": ("9", 1)}
AT_D19 = {"D19": (("NPP",),)}
# The mill of HG in Cienfuegos: narrow to edge 1 (D11); L61 narrow to edge 2 (C12).
AT_D13 = {"D13": (("HG",),)}


def line(now: str = "3", **more: object) -> State:
    """Return the track step of NPP with one tile besides its home."""
    return building("NPP", LINE, AT_D19, now=now, **more)  # type: ignore[arg-type]


@rule("CUBA-VII.3.5-a")
def test_colours_follow_one_another() -> None:
    state = line("7")
    assert code(state, LayTile("D19", "14", 1)) == ""
    assert code(state, LayTile("D19", "611", 0)) == "wrong-colour"
    assert cited(state, LayTile("D19", "611", 0)) == "CUBA-VII.3.5-a"
    assert code(state, LayTile("D19", "455", 0)) == "wrong-colour"
    green = play(state, LayTile("D19", "14", 1))
    brown = building("NPP", {**LINE, "D19": ("611", 1)}, AT_D19, now="7")
    assert green.board.laid["D19"] == ("14", 1)
    assert code(brown, LayTile("D19", "455", 0)) == ""


@rule("CUBA-VII.3.5-b", "CUBA-C24")
def test_colours_come_with_the_3_the_5_and_the_8() -> None:
    # Phase 3: the first 3/3+; phase 5: the first 5/5+; phase 7: the first 8 or 4D.
    laid = {"green": "57", "brown": "14", "grey": "611"}
    for colour, first in (("green", 3), ("brown", 5), ("grey", 7)):
        new = {"green": "14", "brown": "611", "grey": "455"}[colour]
        state = building("NPP", {"D19": (laid[colour], 1)}, AT_D19)
        turn = {"green": 1, "brown": 1, "grey": 0}[colour]
        for now in range(1, 8):
            why = code(phase(state, str(now)), LayTile("D19", new, turn))
            assert why == ("" if now >= first else "colour-not-yet"), (colour, now)


@rule("CUBA-VII.3.5-c")
def test_the_tile_must_be_connected_but_the_new_track_need_not_be_usable() -> None:
    # 23 turned 4: 4-1 and 4-2. From D19 trains come in at edge 4, so both are usable. Turned 1: 1-4
    # and 1-5: the branch leaves from edge 1 and would need reversing; allowed all the same.
    state = line()
    assert code(state, LayTile("D17", "23", 4)) == ""
    after = play(state, LayTile("D17", "23", 1))
    assert ("D17", 1) not in reach(after.tables, after.board, "NPP").pieces
    # A tile elsewhere is not connected, nor is one behind a full city.
    far = building("NPP", {**LINE, "C12": ("9", 1)}, AT_D19, now="3")
    assert code(far, LayTile("C12", "23", 4)) == "not-connected"
    blocked = {**LINE, "D15": ("57", 1), "D13": ("57", 1)}
    full = building("NPP", blocked, {**AT_D19, "D15": (("StSp",),)}, now="3")
    assert code(full, LayTile("D13", "14", 0)) == "not-connected"
    assert code(full, LayTile("D15", "14", 0)) == ""  # the blocked city itself is reached


@rule("CUBA-VII.3.5-c")
def test_the_connection_is_over_the_own_gauge() -> None:
    # D17 has narrow track only (79 turned 1: 1-4): NPP's standard track ends at its edge. 715
    # turned 1 keeps narrow 1-4 and adds standard 2-5, which does not meet edge 4.
    state = building("NPP", {"D19": ("57", 1), "D17": ("79", 1)}, AT_D19, now="3")
    assert code(state, LayTile("D17", "715", 1)) == "not-connected"


@rule("CUBA-VII.3.5-d")
def test_old_track_stays_gauge_by_gauge() -> None:
    state = line()
    assert code(state, LayTile("D17", "23", 0)) == "drops-track"  # 0-3 and 0-4
    assert cited(state, LayTile("D17", "23", 0)) == "CUBA-VII.3.5-d"
    # 715 turned 1 has 1-4 in narrow gauge: the standard track would change its gauge.
    assert code(state, LayTile("D17", "715", 1)) == "drops-track"
    assert code(state, LayTile("D19", "14", 2)) == "drops-track"  # 2, 3, 5, 0: edges 1 and 4 go


@rule("CUBA-VII.3.5-e", "CUBA-VII.3.5-t")
def test_kind_and_label_stay() -> None:
    state = line()
    assert code(state, LayTile("D17", "14", 1)) == "wrong-tile"
    assert code(state, LayTile("D19", "23", 1)) == "wrong-tile"
    assert code(state, LayTile("D19", "207", 1)) == "wrong-tile"
    # A city with standard track only never becomes a two-gauge city.
    for turn in range(6):
        assert code(state, LayTile("D19", "L66", turn)) == "wrong-tile"
    # A major may upgrade a two-gauge city. L60 turned 0: narrow 1, standard 4 and 5. L67 has narrow
    # 0, 4: turned 3 narrow 3, 1 and standard 4, 5, 0, 2.
    placed = {"D19": (("HG", "NPP"),)}
    shared = building("NPP", {"D19": ("L60", 0)}, placed, now="3")
    after = play(shared, LayTile("D19", "L67", 3))
    assert after.board.laid["D19"] == ("L67", 3)
    assert code(shared, LayTile("D19", "14", 1)) == "wrong-tile"


@rule("CUBA-VII.3.5-f", "CUBA-VII.3.5-g")
def test_new_slots_are_open_at_once_and_tokens_stay() -> None:
    # C4 is no city of the FC: one slot on 57, two on 14 (turned 0: edges 0, 1, 3, 4).
    state = building("Oe", {"C4": ("57", 0)}, {"C4": (("MS",),), "B7": (("Oe",), ("FC",))}, now="3")
    joined = building(
        "Oe",
        {"C4": ("57", 0), "B5": ("8", 4)},  # 4-0: Havana to the edge 3 of C4
        {"C4": (("MS",),), "B7": (("Oe",), ("FC",))},
        now="3",
    )
    assert code(state, LayTile("C4", "14", 0)) == "not-connected"
    after = play(joined, LayTile("C4", "14", 0))
    assert after.board.tokens["C4"] == (("MS",),)
    assert open_circles(after.tables, after.board, "C4", 0) == 1
    assert code(after, PlaceToken("C4", 0)) == ""


@rule("CUBA-VII.3.5-g", "CUBA-G43", "CUBA-G27")
def test_tokens_of_havana_stay_with_their_connections() -> None:
    placed = {"B7": (("Oe",), ("FC",))}
    state = building("Oe", {}, placed, now="5")
    for turn in range(6):
        after = play(state, LayTile("B7", "L45", turn))
        cities = after.board.tokens["B7"]
        edges = [{(edge + turn) % 6 for edge in pair} for pair in ((1, 2), (3, 4), (5, 0))]
        assert [("Oe" in city) for city in cities] == [(1 in pair) for pair in edges]
        assert [("FC" in city) for city in cities] == [(4 in pair) for pair in edges]
    one = play(state, LayTile("B7", "L44", 0))
    assert sorted(one.board.tokens["B7"][0]) == ["FC", "Oe"]
    three = building("Oe", {"B7": ("L45", 0)}, {"B7": (("Oe",), ("FC",), ("MS",))}, now="5")
    brown = play(three, LayTile("B7", "L46", 0))
    assert sorted(brown.board.tokens["B7"][0]) == ["FC", "MS", "Oe"]  # 4 slots


@rule("CUBA-VII.3.5-h", "CUBA-IV.5-d", "CUBA-G6")
def test_the_marker_takes_a_slot_when_its_city_becomes_green() -> None:
    # "B9 with a one-slot yellow tile holding MS becomes green with two slots: MS and FC."
    state = building("MS", MATANZAS, AT_B9, now="3")
    waiting = state.companies["FC"].tokens
    assert waiting == 7
    after = play(state, LayTile("B9", "14", 0))
    assert after.board.tokens["B9"] == (("MS", "FC"),)
    assert after.companies["FC"].tokens == 6
    assert TokenPlaced("FC", "B9", 0) in events(state, LayTile("B9", "14", 0))


@rule("CUBA-VII.3.5-h", "CUBA-IV.1-e")
def test_the_marker_comes_before_the_funding_of_a_commissioner() -> None:
    state = extra(building("MS", MATANZAS, AT_B9, now="3"), commissioners={"K4": "Ana"})
    told = [type(event).__name__ for event in events(state, LayTile("B9", "14", 0, "K4"))]
    assert told[:4] == ["TileLaid", "TokenPlaced", "MoneyPaid", "PrivateClosed"]


@rule("CUBA-IV.5-b", "CUBA-IV.5-c", "CUBA-III.2-h", "CUBA-G6")
def test_the_markers_wait_while_their_hexes_are_empty_or_yellow() -> None:
    state = game()
    assert state.board.tokens == {"B7": ((), ("FC",))}
    assert state.tables.figures.central.markers == (  # type: ignore[attr-defined]
        "B9", "B11", "C14", "D15", "D19", "E22", "G24",
    )  # fmt: skip
    yellow = play(building("MS", {}, AT_B9), LayTile("B9", "57", 1))
    assert yellow.board.tokens["B9"] == (("MS",),)
    assert yellow.companies["FC"].tokens == 7
    # No marker belongs to C4, D13, E24, F21 and G26.
    for at, old, new in (("C4", "57", "14"), ("E24", "621", "208"), ("G26", "57", "14")):
        other = building("MS", {at: (old, 0)}, {at: (("MS",),)}, now="3")
        assert play(other, LayTile(at, new, 0)).board.tokens[at] == (("MS",),)


@rule("CUBA-IV.5-d", "CUBA-VII.3.6-g")
def test_every_waiting_marker_finds_room_on_green() -> None:
    # Every green city tile has one slot more than the yellow tile it follows.
    tables = game().tables
    pairs = {"57": "14", "621": "622", "L60": "L66", "L55": "L66"}
    for yellow, green in pairs.items():
        assert tables.tiles[green].stops[0].slots == tables.tiles[yellow].stops[0].slots + 1
    # A full two-gauge city: mill and MS; green has three slots.
    placed = {"B9": (("HG", "MS"),)}
    state = building("MS", {"B9": ("L60", 0)}, placed, now="3")
    after = play(state, LayTile("B9", "L67", 3))
    assert after.board.tokens["B9"] == (("HG", "MS", "FC"),)


@rule("CUBA-VII.3.5-i")
def test_a_city_with_a_free_slot_does_not_block() -> None:
    laid = {**LINE, "D15": ("14", 0), "D13": ("57", 1)}  # D15: edges 0, 1, 3, 4, two slots
    free = building("NPP", laid, {**AT_D19, "D15": (("FC",),)}, now="3")
    assert code(free, LayTile("D13", "14", 0)) == ""
    full = building("NPP", laid, {**AT_D19, "D15": (("FC", "StSp"),)}, now="3")
    assert code(full, LayTile("D13", "14", 0)) == "not-connected"


@rule("CUBA-VII.3.5-j")
def test_a_replaced_tile_returns_to_the_supply() -> None:
    state = line()
    before = supply(state.tables, state.board)
    after = play(state, LayTile("D17", "23", 4))
    left = supply(after.tables, after.board)
    # 9 comes back, and with it its other side 8; 23 goes, and with it 24 (three pieces).
    assert (left["9"], left["8"]) == (before["9"] + 1, before["8"] + 1) == (9, 9)
    assert (left["23"], left["24"]) == (2, 2)


@rule("CUBA-VII.3.5-k", "CUBA-C45")
def test_havana_takes_h_tiles_only_and_they_go_nowhere_else() -> None:
    state = building("Oe", {}, {"B7": (("Oe",), ("FC",))}, now="3")
    assert {tile for tile, _, _, _ in lays(state, "B7")} == {"L44", "L45"}
    assert code(state, LayTile("B7", "14", 1)) == "wrong-tile"
    assert code(line(), LayTile("D19", "L44", 0)) == "wrong-tile"
    after = play(state, LayTile("B7", "L44", 0))
    assert getattr(after.step, "company", "") != "Oe" or after.step.mechanism != "track"
    left = supply(after.tables, after.board)
    assert (left["L44"], left["L45"]) == (0, 0)  # two sides of one tile


@rule("CUBA-VII.3.5-l")
def test_upgrades_are_free() -> None:
    state = line(money=0)
    assert play(state, LayTile("D17", "23", 4)).companies["NPP"].cash == 0


@rule("CUBA-VII.3.5-m")
def test_only_majors_upgrade_havana() -> None:
    # HG in Matanzas, L57 turned 5: narrow 2+5=1, towards Havana.
    state = building("HG", {"B9": ("L57", 5)}, {"B9": (("HG",),)}, now="3")
    assert code(state, LayTile("B7", "L44", 0)) == "minor-no-havana"
    assert cited(state, LayTile("B7", "L44", 0)) == "CUBA-VII.3.5-m"


@rule("CUBA-VII.3.5-p", "CUBA-IV.1-i")
def test_of_city_tiles_a_minor_upgrades_only_its_home() -> None:
    laid = {"D13": ("L61", 0), "C12": ("79", 2), "B11": ("L60", 4)}  # B11: narrow 1+4=5
    placed = {"D13": (("HG",),), "B11": (("JU",),)}
    state = building("HG", laid, placed, now="3")
    # L61: narrow 2, standard 4, 5. L66 has narrow 3, 4: turned 5 narrow 2, 3; standard 5, 0, 1, 4.
    assert code(state, LayTile("D13", "L66", 5)) == ""
    found = code(state, LayTile("B11", "L66", 1))
    assert found == "minor-upgrades-home"  # narrow 4, 5; standard 1, 2, 3, 0
    assert cited(state, LayTile("B11", "L66", 1)) == "CUBA-VII.3.5-p"
    helped = extra(state, commissioners={"K4": "Ana"})
    assert code(helped, LayTile("B11", "L66", 1, "K4")) == "minor-upgrades-home"
    assert code(helped, LayTile("D13", "L66", 5, "K4")) == ""


@rule("CUBA-VII.3.5-q")
def test_minors_upgrade_any_field_they_reach_and_majors_none() -> None:
    # D11: L48 turned 2 has edges 4 and 1; L62 (1, 2, 5) turned 5 has 0, 1, 4.
    laid = {"D13": ("L60", 0), "D11": ("L48", 2)}
    state = building("HG", laid, AT_D13, now="3")
    fits = {turn for tile, turn, _, _ in lays(state, "D11") if tile in ("L62", "L63")}
    assert fits
    # Somebody else's field too, if narrow track leads there.
    other = building("JU", laid, {"D13": (("JU",),)}, now="3", state=charter(game(), "HG"))
    assert lays(other, "D11") == lays(state, "D11")
    tile, turn, _, _ = sorted(lays(state, "D11"))[0]
    major = building("MS", laid, {"D13": (("HG", "MS"),)}, now="3")
    assert code(major, LayTile("D11", tile, turn)) == "major-no-fields"
    assert cited(major, LayTile("D11", tile, turn)) == "CUBA-VII.3.5-q"


@rule("CUBA-VII.3.5-r", "CUBA-VII.3.5-s")
def test_plain_track_is_upgraded_to_extend_the_own_gauge() -> None:
    # "Tile 9 to IR26 (adds narrow only): legal for a minor that reaches it by narrow track, refused
    # for a major." C12: 9 turned 1 is standard 1-4; IR26 has standard 0-3 and narrow 1-2, so turned
    # 4 it has standard 4-1 and narrow 5-0, which meets L61's narrow edge 2 at edge 5 of C12.
    laid = {"D13": ("L61", 0), "C12": ("9", 1)}
    minor = building("HG", laid, AT_D13, now="3")
    assert code(minor, LayTile("C12", "IR26", 4)) == ""
    assert code(minor, LayTile("C12", "23", 4)) == "no-more-narrow"
    assert cited(minor, LayTile("C12", "23", 4)) == "CUBA-VII.3.5-r"
    # CVC in Santa Clara, 57 turned 0: edges 0 and 3; 5 turned 0: edges 0, 1: west to C12.
    major = building("CVC", {**laid, "C14": ("5", 0)}, {"C14": (("CVC",),)}, now="3")
    assert code(major, LayTile("C12", "IR26", 4)) == "no-more-standard"
    assert cited(major, LayTile("C12", "IR26", 4)) == "CUBA-VII.3.5-s"
    assert code(major, LayTile("C12", "23", 4)) == ""
    # Narrow 79 turned 2 (2-5) on C12: 714 (standard 0-3, narrow 1-4) turned 1 has narrow 2-5 and
    # standard 1-4. A major adds standard track; a minor adds nothing of its own.
    narrow = {"D13": ("L61", 0), "C12": ("79", 2), "C14": ("5", 0)}
    adds = building("CVC", narrow, {"C14": (("CVC",),)}, now="3")
    assert code(adds, LayTile("C12", "714", 1)) == ""
    own = building("HG", narrow, AT_D13, now="3")
    assert code(own, LayTile("C12", "714", 1)) == "no-more-narrow"
    assert not lays(own, "C12")
