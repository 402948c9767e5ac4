"""Routes: which lines a train may run, alone and beside another (4.4.2)."""

import pytest

from carril.engine.actions import LayTile, PlaceToken
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from tests.rulebook.esp.lines import (
    BASQUE,
    BURGOS_LINE,
    OPEN,
    PORTO_LINE,
    asturias,
    best,
    castile,
    earned,
    north,
    owned,
    run,
    running,
    turn_at,
)
from tests.rulebook.esp.positions import game, minor
from tests.table import cash, cited, code, phase, tiles, tokens

TWICE = "E21.0 E23 E25 D24 E23 D22.0"
"""From Valladolid over a plain tile, round a loop, and over it again to Salamanca."""
CROSSING = "E21.0 E23 E25 D24 E23 F22 G21.0"
"""The same where the second track crosses the first, to a mine."""


def norte(*trains: str, name: str = "3", edition: str = "de", valladolid: str = "") -> State:
    """N in Madrid and Salamanca, about to run; others may be in Valladolid between them."""
    state = owned(phase(castile(game(edition=edition)), name), "N", *trains)
    others = tuple(valladolid.split())
    state = tokens(state, F24=((), ("N",), ()), E21=(others,), D22=(("N",),))
    return running(state, "N")


def looped(edition: str, tile: str) -> State:
    """N in Valladolid with a 2 and one plain tile that its only line uses twice."""
    state = owned(phase(game(edition=edition), "3"), "N", "2")
    state = tiles(state, E21=("14", 0), E23=(tile, 0), E25=("7", 2), D24=("7", 4), D22=("6", 5))
    state = tiles(state, F22=("9", 1), G21=("L91", 1))
    return running(tokens(state, E21=(("N",),)), "N")


@rule("ESP-4.4.2-a")
def test_a_route_joins_two_locations_and_has_an_own_station() -> None:
    state = norte("2", "3")
    assert code(state, run("2: F24.1 E23 E21.0")) == ""
    alone = run("2: F24.1")
    assert code(state, alone) == "run-too-few-stops"
    assert cited(state, alone) == "ESP-4.4.2-a"
    foreign = run("2: E21.0 F20 F18.0")
    assert code(state, foreign) == "run-route-no-station"
    assert cited(state, foreign) == "ESP-4.4.2-a"
    assert code(state, run("3: D22.0 E21.0 E23 F24.1")) == "", "anywhere on it"
    assert code(state, run("3: F24.1 E23 D22.0")) == "run-not-connected", "one line of track"


@rule("ESP-4.4.2-b")
def test_every_kind_of_location_makes_a_route() -> None:
    state = owned(phase(north(game()), "3"), "FdSB", "3+4")
    state = running(tokens(state, K5=(("FdSB",),), H8=(("FdSB",),), H12=OPEN), "FdSB")
    kinds = {
        "city": "K5.0 J4.0 I5.0",
        "town": "K5.0 J6.0",
        "mine": "H8.0 I7.0",
        "pass": "H8.0 H10 H12.0",
        "red area": "K5.0 L6 M5.0",
    }
    for kind, path in kinds.items():
        assert code(state, run(f"3+4: {path}")) == "", kind
    cfea = tokens(owned(asturias(game()), "CFEA", "2+3"), D6=(("CFEA",), ()))
    assert earned(running(cfea, "CFEA"), run("2+3: C1.0 C3.0 C5.0 D6.0")) == (40, 70), "harbour"


@rule("ESP-4.4.2-c", "ESP-4.4.2-d", "ESP-DE-5.1.2-b", "ESP-A23")
def test_a_full_city_of_others_stops_a_train_and_one_free_circle_lets_it_through() -> None:
    through = run(f"4: {PORTO_LINE}")
    assert code(norte("4"), through) == ""
    assert code(norte("4", valladolid="MZA"), through) == "", "one of two circles is free"
    full = norte("4", valladolid="MZA A")
    assert code(full, through) == "run-passes-through"
    assert cited(full, through) == "ESP-4.4.2-c"
    assert code(full, run("4: F24.1 E23 E21.0")) == "", "it may end there"
    assert code(full, run("4: E21.0 E23 F24.1")) == "", "or start there"
    assert code(norte("4", valladolid="MZA N"), through) == "", "its own station"


@rule("ESP-DE-5.1.2-b")
def test_the_same_director_makes_no_difference() -> None:
    state = owned(castile(game()), "N", "4")
    state = owned(owned(phase(state, "3"), "MZA"), "A")
    state = tokens(state, F24=((), ("N",), ()), E21=(("MZA", "A"),), D22=(("N",),))
    state = running(state, "N")
    assert {state.companies[name].owner for name in ("N", "MZA", "A")} == {"Ana"}
    assert code(state, run(f"4: {PORTO_LINE}")) == "run-passes-through"


@rule("ESP-4.4.2-e")
def test_no_piece_of_track_is_used_twice_not_even_where_two_tracks_meet() -> None:
    """Two curves of one tile meet at its southern side; a loop beyond leads back to it."""
    state = owned(phase(game(), "3"), "N", "2")
    state = tiles(state, E21=("14", 0), D22=("6", 5), E23=("25", 0), E25=("25", 3))
    state = tiles(state, F26=("7", 1), E27=("8", 2), D26=("7", 4), F22=("9", 1), G21=("L91", 1))
    state = running(tokens(state, D22=(("N",),)), "N")
    lollipop = run("2: D22.0 E23 E25 F26 E27 D26 E25 E23 F22 G21.0")
    assert code(state, lollipop) == "run-track-used-twice"
    assert cited(state, lollipop) == "ESP-4.4.2-e"
    assert best(state) == (0, 0), "there is no other way"


@rule("ESP-4.4.2-f", "ESP-DE-5.1.2-a", "ESP-E26")
@pytest.mark.parametrize("edition", ["en", "es", "de"])
def test_two_tracks_of_a_plain_tile_in_one_route(edition: str) -> None:
    state = looped(edition, "18")
    twice = run(f"2: {TWICE}")
    if edition == "de":
        assert earned(state, twice) == best(state) == (50, 0)
        return
    assert code(state, twice) == "run-tile-twice"
    assert cited(state, twice) == "ESP-4.4.2-f"
    assert best(state) == (0, 0), "the search keeps to it as well, and nothing else can run"


@rule("ESP-4.4.2-f")
@pytest.mark.parametrize("edition", ["en", "es", "de"])
def test_tracks_that_cross_at_different_levels_may_both_be_used(edition: str) -> None:
    state = looped(edition, "20")
    assert earned(state, run(f"2: {CROSSING}")) == best(state) == (30, 20)


@rule("ESP-4.4.2-f")
def test_two_trains_may_each_use_a_track_of_a_plain_tile() -> None:
    state = owned(phase(game(edition="en"), "3"), "N", "2", "3")
    state = tiles(state, E21=("14", 0), E23=("18", 0), E25=("8", 3), F26=("58", 2), D22=("6", 5))
    state = tiles(state, D24=("9", 1), C25=("6", 2))
    state = running(tokens(state, E21=(("N",),), D22=(("N",),)), "N")
    run_ = run("2: E21.0 E23 E25 F26.0", "3: D22.0 E23 D24 C25.0")
    assert code(state, run_) == ""


@rule("ESP-4.4.2-g")
def test_no_location_is_visited_twice() -> None:
    state = owned(phase(north(game()), "3"), "FdSB", "4+5")
    state = running(tokens(state, K5=(("FdSB",),), H12=OPEN), "FdSB")
    ring = "K5.0 J4.0 I5.0 H4.0 H6.0 H8.0 I7.0 J6.0"
    assert earned(state, run(f"4+5: {ring}")) == (40 + 10 + 20 + 10 + 30 + 10, 40)
    closed = run(f"4+5: {ring} K5.0")
    assert code(state, closed) == "run-stop-twice"
    assert cited(state, closed) == "ESP-4.4.2-g"


@rule("ESP-4.4.2-h")
def test_a_route_starts_and_ends_at_different_locations_of_any_kind() -> None:
    state = norte("3")
    open_end = run("3: F24.1 E23 E21.0 F20")
    assert code(state, open_end) == "run-no-stop-at-end"
    assert cited(state, open_end) == "ESP-4.4.2-h"
    assert code(state, run(f"3: {BURGOS_LINE}")) == ""
    assert code(state, run("3: F24.1 E23 E21.0 E23 F24.1")) == "run-stop-twice"
    assert code(state, run("3: F24.1 E23 E21.0 E19.1")) == "", "a mine is an end as well"


@rule("ESP-4.4.2-i", "ESP-DE-5.4.2-b", "ESP-4.4.3-f", "ESP-E27")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_a_minor_runs_neither_to_a_pass_nor_to_a_red_area(edition: str) -> None:
    state = minor(phase(castile(game(edition=edition)), "3"), "ZP", "Ana", trains=("3",))
    state = running(tokens(state, E21=(("ZP",),), H12=OPEN), "ZP")
    assert code(state, run("3: E21.0 E19.0 H12.0")) == "run-stop-barred"
    assert code(state, run("3: E21.0 D22.0 C21.0")) == "run-stop-barred"
    assert cited(state, run("3: E21.0 D22.0 C21.0")) == "ESP-4.4.3-f"
    assert earned(state, run("3: D22.0 E21.0 E19.0")) == (60, 0)
    norte = owned(phase(castile(game(edition=edition)), "3"), "N", "3")
    norte = running(tokens(norte, E21=(("N",),), H12=OPEN), "N")
    assert code(norte, run("3: E21.0 E19.0 H12.0")) == "", "a major may end in a pass"


@rule("ESP-4.4.2-j", "ESP-4.4.2-k")
def test_trains_share_locations_but_no_track() -> None:
    state = owned(phase(castile(game()), "3"), "N", "2", "2", "3", "4")
    state = running(tokens(state, E21=(("N",),)), "N")
    two = run("2: E21.0 D22.0", "2: E21.0 E23 F24.1")
    assert earned(state, two) == (50 + 60, 0), "Valladolid counts for both"
    shared = run("2: E21.0 D22.0", "3: E21.0 D22.0 C21.0")
    assert code(state, shared) == "run-track-shared"
    assert cited(state, shared) == "ESP-4.4.2-j"
    three = ("2: E21.0 D22.0", "2: E21.0 E23 F24.1", "3: E21.0 F20 F18.0")
    assert earned(state, run(*three, "4: E21.0 E19.0")) == (50 + 60 + 60 + 40, 0)
    assert code(state, run(*three, "4: D22.0 E21.0 E19.0")) == "run-track-shared"
    assert (
        code(state, run("2: E21.0 D22.0", "2: E21.0 E19.0", "3: F18.0 F20 E21.0 E23 F24.1")) == ""
    )


@rule("ESP-4.4.2-l")
def test_everything_a_company_builds_is_joined_to_a_station_without_a_block() -> None:
    state = cash(owned(phase(castile(game()), "3"), "N", "4"), N=500)
    free = tokens(state, F24=((), ("N",), ()), E21=(("MZA",),))
    full = tokens(state, F24=((), ("N",), ()), E21=(("MZA", "A"),))
    lay, station = LayTile("D20", "4", 0), PlaceToken("D22", 0)
    open_line = turn_at(tiles(free, D22=("14", 0)), "N", Build("N"))
    blocked = turn_at(tiles(full, D22=("14", 0)), "N", Build("N"))
    assert (code(open_line, lay), code(blocked, lay)) == ("", "not-connected")
    assert (code(open_line, station), code(blocked, station)) == ("", "city-not-reached")
    assert code(turn_at(free, "N", Build("N")), LayTile("D22", "619", 2)) == ""
    assert code(turn_at(full, "N", Build("N")), LayTile("D22", "619", 2)) == "not-connected"
    assert code(running(free, "N"), run(f"4: {PORTO_LINE}")) == ""
    assert code(running(full, "N"), run(f"4: {PORTO_LINE}")) == "run-no-such-place"


@rule("ESP-4.4.2-m")
def test_bilbao_and_reinosa_full() -> None:
    state = phase(north(castile(game())), "6")
    state = owned(state, "FdSB", "5+6")
    state = owned(owned(state, "N", "6|2+3", by="Ben"), "FdLR", "5+6", by="Cleo")
    state = tokens(state, K5=(("FdSB", "FdLR"),), H8=(("FdLR", "N"),), I5=(("FdSB",),), H12=OPEN)
    fdsb = running(state, "FdSB")
    assert code(fdsb, run("5+6: H4.0 I5.0 J4.0 K5.0 L6 M5.0")) == "", "Torrelavega to Irún"
    assert code(fdsb, run("5+6: I5.0 H4.0 H6.0 H8.0")) == "", "Torrelavega to Reinosa"
    beyond = run("5+6: I5.0 H4.0 H6.0 H8.0 H10 H12.0")
    assert code(fdsb, beyond) == "run-no-such-place", "Alar del Rey is out of its reach"
    at_pass = running(tokens(state, H12=(("FdSB",),)), "FdSB")
    assert code(at_pass, beyond) == "run-passes-through", "even with a station there"
    n = running(state, "N")
    south = "E21.0 E19.0 H12.0 H10 H8.0 I7.0 J6.0 K5.0"
    assert code(n, run(f"6|2+3: {south}")) == "", "from the South to Bilbao"
    assert code(n, run(f"6|2+3: {south} L6 M5.0")) == "run-no-such-place", "and no further"
    fdlr = running(state, "FdLR")
    assert code(fdlr, run(f"5+6: {BASQUE} L6 M5.0")) == "", "its stations open both"


@rule("ESP-DE-5.1.2-c")
def test_a_route_leaves_a_location_by_any_other_track() -> None:
    state = norte("3")
    for path in ("F24.1 E23 E21.0 D22.0", BURGOS_LINE, "F24.1 E23 E21.0 E19.0"):
        assert code(state, run(f"3: {path}")) == ""
    assert earned(state, run("3: D22.0 E21.0 F20 F18.0")) == (80, 0)
    assert code(state, run("3: F24.1 E23 E21.0 E23 F24.1")) == "run-stop-twice", "not by the same"
