"""Track and cities along a route: what is used once, what blocks, what trains share (4.4.3)."""

import pytest

from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.eu.lines import earned, lenient, run, running, sncf, western_line
from tests.table import (
    charter,
    cited,
    code,
    corporation,
    own_minors,
    phase,
    tiles,
    tokens,
)


def genoa(**laid: tuple[str, int]) -> State:
    """SNCF with one 5 train in Genoa, joined by F19 to Florence and Rome, about to run."""
    state = tiles(sncf(lenient(), "E20", trains=("5",)), E20=("57", 1), F21=("58", 3), **laid)
    return running(phase(state, "5"), "SNCF")


@rule("EU-4.4.3-i")
def test_a_train_may_cross_itself_in_the_middle_of_a_brown_junction() -> None:
    """It enters tile 544 from Genoa, leaves to the north, and comes back from the north-east."""
    state = genoa(F19=("544", 0), F17=("7", 5), G18=("7", 1))
    loop = run("5: E20.0 F19 F17 G18 F19 F21.0 G22.0")
    assert earned(state, loop) == 20 + 10 + 50
    assert earned(state, run("5: E20.0 F19 F21.0 G22.0")) == 80


@rule("EU-4.4.3-i")
def test_a_train_may_not_use_a_piece_of_track_twice() -> None:
    """The loop hangs on a single track, so the way back is the way there."""
    state = genoa(F19=("82", 0), F17=("82", 3), F15=("7", 5), G16=("7", 1))
    loop = run("5: E20.0 F19 F17 F15 G16 F17 F19 F21.0")
    assert code(state, loop) == "run-track-used-twice"
    assert cited(state, loop) == "EU-4.4.3-i"
    assert code(state, run("5: E20.0 F19 F21.0")) == ""


@rule("EU-4.4.3-j")
def test_a_route_stops_once_in_a_city_town_or_off_map_place() -> None:
    """A ring: Brussels, Lille and London are joined in a circle by A8 and B9.

    So a red-to-red run ends in two different places (PR #6876).
    """
    state = sncf(lenient(), "C8", trains=("8",))
    state = tiles(state, C8=("578", 0), B7=("4", 2), A8=("8", 3), B9=("8", 2))
    state = running(phase(state, "8"), "SNCF")
    ring = "C8.0 B7.0 A6.0 A8 B9"
    assert code(state, run("8: C8.0 B7.0 A6.0")) == ""
    for path in (f"{ring} C8.0", "B7.0 C8.0 B7.0", "A6.0 B7.0 C8.0 B9 A8 A6.0"):
        refused = run(f"8: {path}")
        assert code(state, refused) == "run-stop-twice", path
        assert cited(state, refused) == "EU-4.4.3-j"


@rule("EU-4.4.3-j")
@pytest.mark.parametrize(
    ("home", "city", "laid", "path"),
    [
        ("A10", 0, {"B9": ("7", 0), "B11": ("7", 2)}, "A10.0 B9 B11 A10.1"),
        ("J5", 1, {"J5": ("581", 0), "J3": ("7", 5), "K4": ("3", 1)}, "J5.1 J3 K4.0 J5.2"),
        ("K14", 1, {"K14": ("581", 0), "K12": ("3", 5), "L13": ("7", 1)}, "K14.1 K12.0 L13 K14.2"),
    ],
    ids=["Paris", "Berlin", "Vienna"],
)
def test_two_circles_of_one_hex_are_one_place(
    home: str, city: int, laid: dict[str, tuple[str, int]], path: str
) -> None:
    """One train may not stop twice in Paris, Berlin or Vienna (PR #6904)."""
    circles: list[tuple[str, ...]] = [(), (), ()]
    circles[city] = ("SNCF",)
    state = tokens(tiles(sncf(lenient(), "C8", trains=("4",)), **laid), **{home: tuple(circles)})
    state = running(western_line(phase(state, "4")), "SNCF")
    refused = run(f"4: {path}")
    assert code(state, refused) == "run-stop-excluded"
    assert cited(state, refused) == "EU-4.4.3-j"


@rule("EU-4.4.3-j")
def test_one_circle_of_paris_is_a_stop_like_any_other() -> None:
    state = sncf(lenient(), "A10", trains=("2",))
    state = running(tiles(state, B7=("58", 0), B9=("8", 1)), "SNCF")
    assert earned(state, run("2: A6.0 B7.0 B9 A10.0")) == 90


def cologne(*there: str) -> State:
    """SNCF in Brussels with a 3 train; Cologne (two circles) holds tokens of these companies."""
    state = own_minors(western_line(lenient()), {"1": "Ana", "2": "Ben", "12": "Ana"})
    for symbol in ("DR", "KPEV"):
        state = corporation(state, symbol, {"Ben": 5})
    state = sncf(state, "C8", trains=("3",))
    return running(phase(tokens(state, D7=(there,)), "4"), "SNCF")


@rule("EU-4.4.3-k")
@pytest.mark.parametrize("there", [("DR", "KPEV"), ("DR", "1"), ("1", "12")])
def test_a_train_may_end_in_a_full_city_but_not_pass_it(there: tuple[str, ...]) -> None:
    """Each minor counts as another company, also one of the same owner."""
    state = cologne(*there)
    assert earned(state, run("3: A6.0 B7.0 C8.0 D7.0")) == 110
    through = run("3: C8.0 D7.0 E6.0")
    assert code(state, through) == "run-no-such-place", "nothing beyond is within reach"


@rule("EU-4.4.3-k")
def test_a_full_city_blocks_a_line_whose_ends_are_both_reached() -> None:
    """With a second token beyond Cologne the track is within reach; the city still blocks."""
    state = cologne("DR", "KPEV")
    state = running(tokens(state, E6=(("SNCF",),)), "SNCF")
    through = run("3: C8.0 D7.0 E6.0")
    assert code(state, through) == "run-passes-through"
    assert cited(state, through) == "EU-4.4.3-k"
    assert code(state, run("3: C8.0 D7.0")) == code(state, run("3: E6.0 D7.0")) == ""


@rule("EU-4.4.3-k")
def test_the_minors_of_one_owner_block_each_other() -> None:
    """Cologne has one circle; minor 2 would go on to Dortmund, where a token stands for it."""
    state = own_minors(western_line(lenient()), {"2": "Ana", "12": "Ana"})
    state = tokens(tiles(state, D7=("57", 1)), C8=(("2",),), E6=(("2",),))
    state = charter(state, "2", trains=("3",))
    through = run("3: C8.0 D7.0 E6.0")
    assert earned(running(state, "2"), through) == 70
    full = running(tokens(state, D7=(("12",),)), "2")
    assert code(full, through) == "run-passes-through"
    assert earned(full, run("3: C8.0 D7.0")) == 50


@rule("EU-4.4.3-l")
@pytest.mark.parametrize("there", [(), ("DR",), ("1",), ("SNCF", "DR"), ("KPEV", "SNCF")])
def test_an_open_circle_or_an_own_token_lets_a_train_through(there: tuple[str, ...]) -> None:
    assert earned(cologne(*there), run("3: C8.0 D7.0 E6.0")) == 80


def two_lines(*trains: str) -> State:
    """SNCF in Genoa and Milan; their lines cross in the middle of tile 544 on F19."""
    state = sncf(lenient(), "E20", "E18", trains=trains)
    laid = {"E20": ("57", 1), "F19": ("544", 0), "F21": ("58", 3), "E18": ("202", 4)}
    state = tiles(state, F17=("7", 0), G18=("7", 0), G20=("4", 0), **laid)
    return running(phase(state, "5"), "SNCF")


@rule("EU-4.4.3-m")
def test_two_trains_may_not_share_track() -> None:
    state = two_lines("5", "4")
    shared = run("5: E20.0 F19 F21.0 G22.0", "4: E20.0 F19 G18 G20.0")
    assert code(state, shared) == "run-track-shared", "both leave Genoa by one track"
    assert cited(state, shared) == "EU-4.4.3-m"
    assert code(state, run("5: E20.0 F19 F21.0 G22.0")) == ""
    assert code(state, run("4: E20.0 F19 G18 G20.0")) == ""


@rule("EU-4.4.3-m")
def test_two_trains_may_meet_in_the_middle_of_a_junction() -> None:
    state = two_lines("5", "4")
    crossing = run("5: E20.0 F19 F21.0 G22.0", "4: E18.0 F17 F19 G18 G20.0 G22.0")
    assert earned(state, crossing) == (20 + 10 + 50) + (30 + 10 + 50)


@rule("EU-4.4.3-n")
def test_two_trains_pass_through_one_city_by_different_track_and_both_count_it() -> None:
    """Cologne (tile 14) has four tracks: one train takes two of them, the other the rest."""
    state = sncf(western_line(lenient()), "D7", trains=("3", "3"))
    state = running(phase(tiles(state, D9=("9", 0), D11=("9", 0), D13=("577", 0)), "4"), "SNCF")
    both = run("3: A6.0 B7.0 C8.0 D7.0", "3: D13.0 D11 D9 D7.0 E6.0")
    assert earned(state, both) == (40 + 10 + 30 + 30) + (40 + 30 + 20)
    through = run("3: C8.0 D7.0 E6.0", "3: D13.0 D11 D9 D7.0 D5.0")
    assert earned(state, through) == (30 + 30 + 20) + (40 + 30 + 10)
    assert code(state, run("3: C8.0 D7.0 E6.0", "3: D13.0 D11 D9 D7.0 E6.0")) == "run-track-shared"


@rule("EU-A-24")
def test_two_trains_may_both_run_to_one_off_map_place() -> None:
    """London is reached by A8 from Paris and by Lille from Brussels."""
    state = sncf(western_line(lenient()), "C8", "A10", trains=("2", "2"))
    state = running(tiles(state, A8=("8", 3), B9=("7", 1)), "SNCF")
    both = run("2: A6.0 B7.0 C8.0", "2: A6.0 A8 B9 A10.0")
    assert earned(state, both) == (40 + 10 + 30) + (40 + 40)


@rule("EU-A-24")
def test_two_trains_may_both_run_through_a_town_by_different_track() -> None:
    """Brown Lille (tile 147) joins London with Brussels and Paris with Antwerp."""
    state = sncf(western_line(lenient()), "C8", "A10", trains=("2", "2"))
    state = tiles(state, B7=("147", 2), B9=("8", 1), C6=("4", 1))
    state = running(state, "SNCF")
    both = run("2: A6.0 B7.0 C8.0", "2: A10.0 B9 B7.0 C6.0")
    assert earned(state, both) == (40 + 20 + 30) + (40 + 20 + 10)
    shared = run("2: A6.0 B7.0 C8.0", "2: A10.0 B9 B7.0 C8.0")
    assert code(state, shared) == "run-track-shared"
