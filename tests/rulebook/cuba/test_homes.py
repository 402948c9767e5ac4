"""Home stations: chosen by minors and by FEC, printed for the other majors."""

from __future__ import annotations

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.board import open_circles
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from tests.rulebook.cuba.building import begin, building, opened
from tests.rulebook.cuba.positions import game, operate
from tests.table import charter, cited, code, offered, play, tiles, tokens

MILLS = ["B9", "B11", "C4", "C14", "D13", "D15", "D19", "E22", "F21", "G26"]


def homes(state: State) -> list[str]:
    """Return the hexes on offer for a home."""
    return [one.hex for one in offered(state, PlaceToken) if isinstance(one, PlaceToken)]


@rule("CUBA-VII.3.2-a", "CUBA-C23", "CUBA-IV.3-e", "CUBA-IV.3-g")
def test_a_minor_chooses_its_home_first_of_all_in_its_first_turn() -> None:
    # VII.3.2: "A minor company chooses as first action a home city."
    state = opened(game(), "HG", operated=False, tokens=1)
    assert not any("HG" in city for circles in state.board.tokens.values() for city in circles)
    first = operate(state, "HG")
    assert isinstance(first.step, PlaceHome)
    assert code(first, Pass()) == "not-now"
    after = play(first, PlaceToken("D13", 0))
    assert after.board.tokens["D13"] == (("HG",),)
    assert after.companies["HG"].tokens == 0
    assert after.companies["HG"].cash == first.companies["HG"].cash
    later = operate(charter(after, "HG", operated=True), "HG")
    assert not isinstance(later.step, PlaceHome)


@rule("CUBA-VII.3.2-b")
def test_a_minor_begins_in_any_city_but_the_y_cities_and_havana() -> None:
    state = begin("HG")
    assert homes(state) == MILLS
    for at in ("E24", "G24", "B7"):
        assert code(state, PlaceToken(at, 0)) == "no-mill-there"
        assert cited(state, PlaceToken(at, 0)) == "CUBA-VII.3.2-b"
    assert code(state, PlaceToken("C12", 0)) == "home-city"  # no city
    assert code(state, PlaceToken("Z9", 0)) == "home-city"
    assert code(state, PlaceToken("D13", 0, ("B7.1",))) == "no-passes"


@rule("CUBA-VII.3.2-c")
def test_the_home_of_a_major_is_allowed_but_not_that_of_another_minor() -> None:
    one = play(begin("HG"), PlaceToken("B9", 0))  # Matanzas, the home of MS
    two = begin("JU", one)
    assert homes(two) == [at for at in MILLS if at != "B9"]
    assert code(two, PlaceToken("B9", 0)) == "mill-taken"
    assert cited(two, PlaceToken("B9", 0)) == "CUBA-VII.3.2-c"


@rule("CUBA-VII.3.2-d", "CUBA-G5", "CUBA-IV.4-a")
def test_a_major_begins_on_its_printed_home_with_or_without_a_tile() -> None:
    printed = {
        "MS": "B9", "CVC": "C14", "NPP": "D19", "SdC": "G24", "TSS": "E22", "StSp": "D15",
    }  # fmt: skip
    for symbol, at in printed.items():
        state = begin(symbol)
        assert isinstance(state.step, LayTrack)
        assert state.board.tokens[at] == ((symbol,),)
        assert (state.companies[symbol].tokens, state.companies[symbol].cash) == (1, 100)
    with_tile = begin("MS", tiles(game(), B9=("57", 1)))
    assert with_tile.board.tokens["B9"] == (("MS",),)


@rule("CUBA-G5", "CUBA-VII.3.4-s")
def test_a_major_takes_the_slot_that_the_minor_left_and_owes_no_tile() -> None:
    # L60 has two slots: HG in one of them, MS takes the other; the hex has its tile.
    state = tokens(tiles(game(), B9=("L60", 0)), B9=(("HG",),))
    state = begin("MS", state)
    assert state.board.tokens["B9"] == (("HG", "MS"),)
    assert code(state, Pass()) == ""


@rule("CUBA-G5", "CUBA-G27")
def test_oeste_begins_in_the_western_city_of_havana() -> None:
    state = begin("Oe")
    assert state.board.tokens["B7"] == (("Oe",), ("FC",))


@rule("CUBA-G43")
def test_on_three_cities_oeste_begins_where_edge_1_is() -> None:
    # L45 as printed joins 1-2, 3-4, 5-0. Turned once these are 2-3, 4-5, 0-1: edge 1 is in its
    # third city and edge 4 in its second; turned twice 3-4, 5-0, 1-2.
    for turn, western, eastern in ((0, 0, 1), (1, 2, 1), (2, 2, 0), (3, 1, 0), (4, 1, 2)):
        state = building("MS", {"B9": ("57", 1)}, {"B9": (("MS",),)}, now="3")
        laid = play(state, LayTile("B7", "L45", turn))
        assert [("FC" in city) for city in laid.board.tokens["B7"]].index(True) == eastern
        begun = begin("Oe", laid)
        assert [("Oe" in city) for city in begun.board.tokens["B7"]].index(True) == western


@rule("CUBA-VII.3.2-e", "CUBA-C25", "CUBA-VI.8-k")
def test_florida_chooses_any_open_slot() -> None:
    # No tile is on the map. Havana's cities belong to Oe, which has not operated, and the FC; the
    # homes of the six other majors are kept. B11, C4, D13, E24 (Y), F21 and G26 remain.
    state = begin("FEC")
    assert homes(state) == ["B11", "C4", "D13", "E24", "F21", "G26"]
    assert code(state, PlaceToken("B7", 1)) == "no-open-slot"
    # Two slots in Havana after L44, one of them for Oe (three, with the FC in one).
    havana = begin("FEC", tiles(tokens(game(), B7=(("FC",),)), B7=("L44", 0)))
    assert "B7" in homes(havana)
    after = play(state, PlaceToken("E24", 0))
    assert after.board.tokens["E24"] == (("FEC",),)
    assert after.companies["FEC"].cash == 100


@rule("CUBA-VII.3.2-f")
def test_florida_leaves_the_last_slot_to_a_major_that_has_not_operated() -> None:
    state = begin("FEC")
    assert code(state, PlaceToken("D15", 0)) == "slot-kept"
    assert cited(state, PlaceToken("D15", 0)) == "CUBA-VII.3.2-f"
    operated = begin("FEC", opened(game(), "StSp", "Cleo"))
    assert code(operated, PlaceToken("D15", 0)) == ""
    # A yellow tile with two slots, the mill of HG in one: the other is kept for StSp.
    with_mill = tokens(tiles(game(), D15=("L60", 0)), D15=(("HG",),))
    assert code(begin("FEC", with_mill), PlaceToken("D15", 0)) == "slot-kept"
    # Green with three slots and the FC: the fourth company would take the last one.
    green = tokens(tiles(game(), D15=("L66", 0)), D15=(("HG",),))
    assert code(begin("FEC", green), PlaceToken("D15", 0)) == ""


@rule("CUBA-VII.3.2-g", "CUBA-G17")
def test_without_an_open_slot_florida_gets_an_extra_one() -> None:
    # Every slot without a major's claim is taken: six cities by other tokens. C4 is full, D15 is
    # kept for StSp.
    taken = dict.fromkeys(("B11", "C4", "D13", "E24", "F21", "G26"), (("HG",),))
    state = begin("FEC", tokens(game(), **taken))
    assert set(homes(state)) == {*taken, "B7"}
    assert code(state, PlaceToken("D15", 0)) == "slot-kept"
    after = play(state, PlaceToken("C4", 0))
    assert after.board.tokens["C4"] == (("HG", "FEC"),)
    assert open_circles(after.tables, after.board, "C4", 0) < 1
    # With one open slot there is no choice, and no extra one.
    one_open = tokens(game(), **{at: city for at, city in taken.items() if at != "C4"})
    assert begin("FEC", one_open).board.tokens["C4"] == (("FEC",),)


@rule("CUBA-G46")
def test_the_extra_slot_is_given_up_when_the_tile_has_room() -> None:
    # C4 is no city of the FC. Yellow 57: one slot, TSS and FEC's extra one. Green 14: two slots, so
    # FEC stands in a regular one and no slot is free; brown 611 has two as well.
    laid, placed = {"C4": ("57", 0)}, {"C4": (("TSS", "FEC"),)}
    state = building("FEC", laid, placed, now="3")
    green = play(state, LayTile("C4", "14", 0))
    assert green.board.tokens["C4"] == (("TSS", "FEC"),)
    assert open_circles(green.tables, green.board, "C4", 0) == 0
    # In an FC city the marker comes first: B11 with TSS, FEC extra; green has two slots.
    state = building("FEC", {"B11": ("57", 1)}, {"B11": (("TSS", "FEC"),)}, now="3")
    marker = play(state, LayTile("B11", "14", 0))
    assert marker.board.tokens["B11"] == (("TSS", "FC", "FEC"),)
    assert open_circles(marker.tables, marker.board, "B11", 0) < 1


@rule("CUBA-VII.3.2-h")
def test_a_home_token_moves_onto_the_tile_that_is_laid() -> None:
    state = play(begin("HG"), PlaceToken("D13", 0), LayTile("D13", "L60", 0))
    assert state.board.laid["D13"] == ("L60", 0)
    assert state.board.tokens["D13"] == (("HG",),)
