"""Routes of standard trains: stops, track, ends, blocked cities, Havana (VII.2, VII.3.7)."""

from carril.engine.actions import RunTrains
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.cuba import positions
from tests.rulebook.cuba.lines import (
    blocked,
    earned,
    matanzas,
    north_coast,
    offered,
    run,
    running,
    worth,
)
from tests.table import charter, cited, code, phase, tiles, tokens

LINE = "B9.0 B11.0 A12.0"


def refused(state: State, action: RunTrains) -> tuple[str, str]:
    """Return the code and the rule of a refusal."""
    return code(state, action), cited(state, action)


@rule("CUBA-VII.2-b", "CUBA-VII.3.8-b")
def test_a_route_joins_two_stops_by_track_and_has_a_station() -> None:
    state = running(north_coast("3"), "MS")
    # B9 yellow 20, B11 yellow 20, a harbour within the range 10
    assert earned(state, run(f"3: {LINE}")) == 50
    assert refused(state, run("3: B9.0")) == ("run-too-few-stops", "CUBA-VII.2-b")
    assert refused(state, run("3: B11.0 A12.0")) == ("run-route-no-station", "CUBA-VII.2-b")
    assert refused(state, run("3: B9.0 A12.0")) == ("run-not-connected", "CUBA-VII.2-b")
    assert refused(state, run("3: B9.0 D19.0")) == ("run-no-such-place", "CUBA-VII.2-b")


@rule("CUBA-VII.3.7-a")
def test_each_train_runs_once_and_one_without_a_route_earns_nothing() -> None:
    state = running(north_coast("3"), "MS")
    twice = run("3: B9.0 B11.0", "3: B9.0 B11.0")
    assert refused(state, twice) == ("run-train-runs-twice", "CUBA-VII.3.7-a")
    assert refused(state, run("4: B9.0 B11.0")) == ("run-no-such-train", "CUBA-VII.3.7-a")
    alone = running(matanzas(trains=("2",)), "MS")
    assert not alone.agenda, "without track nobody is asked"
    assert alone.companies["MS"].cash == 0


@rule("CUBA-VII.3.7-b", "CUBA-VII.3.7-c")
def test_every_stop_on_the_way_counts_against_the_range() -> None:
    state = running(north_coast("2"), "MS")
    assert refused(state, run(f"2: {LINE}")) == ("run-too-many-stops", "CUBA-VII.3.7-b")
    skipped = run("2: B9.0 B11 A12.0")
    assert code(state, skipped) == "run-not-connected", "B11 cannot be skipped"
    back = run("2: B9.0 B11.0 B9.0")
    assert refused(state, back) == ("run-stop-twice", "CUBA-VII.3.7-c")


@rule("CUBA-VII.2-f", "CUBA-VII.3.7-m", "CUBA-VII.3.7-n", "CUBA-C26", "CUBA-G3")
def test_a_harbour_is_an_end_and_a_route_may_have_two() -> None:
    """A10 has arrows to B9 and to B11: no route goes through it."""
    # green tile 15, turned 1: B9 open to the west, north-west, north-east and east
    state = tiles(matanzas(trains=("4",)), B9=("15", 1), B11=("14", 1))
    state = running(state, "MS")
    through = run("4: A8.0 B9.0 A10.0 B11.0")
    assert refused(state, through) == ("run-passes-harbour", "CUBA-VII.2-f")
    # A8 10 + B9 30 + B11 30 + A10 10, of which A10 is entered by its other arrow; Havana's eastern
    # city at the west of B9 is worth 30: B7 30 + B9 30 + B11 30 + A10 10 = 100
    assert worth(state, "MS", run("4: A8.0 B9.0 B11.0 A10.0")).total == 80
    assert earned(state, run("4: B7.1 B9.0 B11.0 A10.0")) == 100
    assert code(state, run("4: A8.0 B9.0 B11.0 A10.0")) == "better-run"


@rule("CUBA-G3")
def test_two_trains_end_in_one_harbour_on_different_arrows() -> None:
    """A10: one train from B9, the other from B11."""
    state = tiles(matanzas(trains=("2", "2")), B9=("57", 0), B11=("57", 2))
    state = tokens(state, B9=(("MS",),), B11=(("MS",),))
    state = running(state, "MS")
    # each train: a yellow city 20 and the harbour 10
    assert earned(state, run("2: B9.0 A10.0", "2: B11.0 A10.0")) == 60


@rule("CUBA-VII.2-c", "CUBA-VII.2-d", "CUBA-G42")
def test_track_is_used_once_and_no_train_reverses_or_changes_at_a_crossing() -> None:
    """B9 and B11 each lead to C10, whose tracks meet at its north-western side.

    Tile 29 turned 2 joins the side to B9 with B11 and with C12, but not these two.
    """
    state = running(tokens(blocked("3"), D13=(("MS",),)), "MS")
    switch = run("3: B11.0 C10 C12 D13.0")
    assert code(state, switch) == "run-not-connected", "it would reverse at the junction"
    shared = run("3: B11.0 C10 B9.0 C10 C12 D13.0")
    assert refused(state, shared) == ("run-track-used-twice", "CUBA-VII.2-c")


@rule("CUBA-VII.3.7-d", "CUBA-G42")
def test_trains_share_no_track_and_no_junction_but_may_meet_in_a_city() -> None:
    state = running(blocked("2", "2"), "MS")
    # both tracks of C10 end at the side to B9
    both = run("2: B9.0 C10 B11.0", "2: B9.0 C10 C12 D13.0")
    assert refused(state, both) == ("run-track-shared", "CUBA-VII.3.7-d")
    # with two exits of B9 they do not meet on track: 20 + 20 and 20 + 10
    apart = tiles(north_coast("2", "2"), B9=("6", 2))
    apart = running(apart, "MS")
    assert earned(apart, run("2: B9.0 B11.0", "2: A8.0 B9.0")) == 70


@rule("CUBA-VII.3.7-d", "CUBA-G42")
def test_a_side_where_tracks_of_two_tiles_merge_is_for_one_train() -> None:
    """Tiles 28 on C10 and 23 on C12 meet at one side: B9 and B11 lead to it, C14 and D13 from it.

    The two routes have no piece of track in common, only that side.
    """
    state = tiles(
        matanzas(trains=("2", "2")),
        B9=("5", 5),
        B11=("57", 0),
        C10=("28", 4),
        C12=("23", 1),
        C14=("57", 1),
        D13=("5", 2),
    )
    state = running(tokens(state, B11=(("MS",),)), "MS")
    one, other = "2: B9.0 C10 C12 C14.0", "2: B11.0 C10 C12 D13.0"
    assert earned(state, run(one, "2: B11.0 A12.0")) == 40 + 30
    assert refused(state, run(one, other)) == ("run-track-shared", "CUBA-VII.3.7-d")


def crossing(*trains: str) -> State:
    """Tile 20 on C10: one track from B9 to D11 and on to D13, one from C8 to C12 and on to C14."""
    state = tiles(
        matanzas(trains=trains),
        B9=("5", 5),
        C10=("20", 1),
        D11=("8", 2),
        D13=("57", 1),
        C8=("7", 3),
        C12=("9", 1),
        C14=("57", 1),
    )
    return running(state, "MS")


@rule("CUBA-G42", "CUBA-VII.2-c", "CUBA-VII.2-d", "CUBA-VII.3.7-d")
def test_tracks_of_one_tile_that_only_cross_do_not_conflict() -> None:
    """All cities are yellow, 20 each."""
    two = run("2: B9.0 C10 D11 D13.0", "2: B9.0 C8 C10 C12 C14.0")
    assert earned(crossing("2", "2"), two) == 80
    one = run("3: D13.0 D11 C10 B9.0 C8 C10 C12 C14.0")
    assert earned(crossing("3"), one) == 60
    changed = run("3: B9.0 C10 C12 C14.0")
    assert refused(crossing("3"), changed) == ("run-not-connected", "CUBA-VII.2-b")


@rule("CUBA-VII.2-e")
def test_a_route_leaves_a_stop_on_any_other_track_of_its_gauge() -> None:
    state = tiles(matanzas(trains=("3",)), B9=("15", 1), B11=("57", 1))
    state = running(state, "MS")
    for first in ("A8.0", "A10.0", "B7.1"):
        assert worth(state, "MS", run(f"3: {first} B9.0 B11.0")).total > 50
    # B7 30 + B9 30 + B11 20
    assert earned(state, run("3: B7.1 B9.0 B11.0")) == 80


@rule("CUBA-VII.2-g", "CUBA-VII.3.6-h")
def test_a_full_city_may_end_a_route_but_is_not_passed() -> None:
    """The two slots of B11: HG alone leaves one free; HG and TSS close it for MS."""
    free = running(north_coast("3"), "MS")
    assert code(free, run(f"3: {LINE}")) == ""
    full = running(tokens(north_coast("3"), B11=(("HG", "TSS"),)), "MS")
    assert refused(full, run(f"3: {LINE}")) == ("run-no-such-place", "CUBA-VII.2-b")
    assert earned(full, run("3: B9.0 B11.0")) == 40
    own = running(tokens(north_coast("3"), B11=(("HG", "MS"),)), "MS")
    assert code(own, run(f"3: {LINE}")) == "", "own stations never block"


@rule("CUBA-VII.2-g")
def test_a_full_city_between_two_stations_is_not_passed() -> None:
    """Cienfuegos (StSp in its only slot) lies between MS in Matanzas and in Sancti Spiritus."""
    state = tiles(crossing("3"), D15=("57", 1))
    state = tokens(state, D13=(("StSp",),), D15=(("MS",),))
    through = run("3: B9.0 C10 D11 D13.0 D15.0")
    assert refused(running(state, "MS"), through) == ("run-passes-through", "CUBA-VII.2-g")
    open_city = running(tokens(state, D13=((),)), "MS")
    assert earned(open_city, through) == 60


@rule("CUBA-VII.3.7-j", "CUBA-VII.2-a")
def test_standard_trains_keep_to_standard_track_and_do_not_visit_fields() -> None:
    state = running(north_coast("3"), "MS")
    assert refused(state, run("3: B9.0 B11.0 B13.0")) == ("run-no-such-place", "CUBA-VII.2-b")


def havana() -> State:
    """L45 in Havana: three cities of 40, on edges 1-2, 3-4 and 5-0; MS is in the middle one."""
    state = tiles(matanzas(trains=("5",)), B7=("L45", 0), B9=("57", 1), C8=("7", 2))
    return tokens(state, B7=((), ("MS",), ()), B9=((),))


@rule("CUBA-VII.3.7-l", "CUBA-G27")
def test_a_route_visits_one_city_of_havana() -> None:
    """C8 joins B7's south-eastern side and B9's south-western one."""
    state = tiles(havana(), B9=("14", 3), C8=("7", 2))
    state = running(state, "MS")
    two = run("5: B7.1 B9.0 C8 B7.2")
    assert refused(state, two) == ("run-stop-excluded", "CUBA-VII.3.7-l")
    # A8 10 + B7.1 40 + B9 30 + A10 10
    assert earned(state, run("5: A8.0 B7.1 B9.0 A10.0")) == 90


@rule("CUBA-VII.3.7-k", "CUBA-G44")
def test_a_4d_counts_four_stops_twice() -> None:
    """(40 + 30 + 20 + 10) x 2 = 200."""
    state = tiles(havana(), B9=("14", 0), B11=("57", 1))
    state = running(charter(phase(state, "7"), "MS", trains=("4D",)), "MS")
    assert earned(state, run("4D: A8.0 B7.1 B9.0 B11.0")) == 200
    assert offered(state).keys() == {(200, ())}


@rule("CUBA-VII.2-f", "CUBA-X-f", "CUBA-VII.2-a", "CUBA-C39", "CUBA-G20")
def test_the_red_area_is_an_end_worth_its_colour() -> None:
    """East: D15 leads to D17 and E16; NPP in Camagüey."""
    state = positions.game(2, variants=("easy", "east"))
    state = positions.major(state, "NPP", {"Ana": 6}, trains=("3",), cash=0)
    state = tiles(state, D17=("9", 1), D19=("57", 1))
    state = tokens(state, D19=(("NPP",),))
    for name, value in (("1", 20), ("3", 30), ("5", 40), ("7", 50)):
        now = running(phase(state, name), "NPP")
        # the area, and Camagüey yellow 20
        assert earned(now, run("3: D15.0 D17 D19.0")) == value + 20
    # its other arrow leads by E16, E18 and E20 to Las Tunas
    both = tiles(state, E16=("8", 2), E18=("9", 1), E20=("9", 1), E22=("57", 1))
    both = tokens(both, E22=(("NPP",),))
    through = run("3: D19.0 D17 D15.0 E16 E18 E20 E22.0")
    assert refused(running(both, "NPP"), through) == ("run-passes-offboard", "CUBA-VII.2-f")
