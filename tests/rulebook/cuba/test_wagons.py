"""Wagons and sugar: which trains carry them, mills, harbours, cubes (VII.3.7-o to -z)."""

from unittest.mock import patch

from msgspec.structs import replace

from carril.engine.actions import RunTrains
from carril.engine.events import CubesDelivered
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.cuba import running as running_rules
from carril.titles.cuba.figures import CubaFigures
from tests.rulebook.cuba.lines import (
    earned,
    matanzas,
    mill,
    north_coast,
    offered,
    run,
    running,
    worth,
)
from tests.rulebook.cuba.positions import extra, memory
from tests.table import cash, cited, code, events, phase, play, tiles, tokens

LINE = "B9.0 B11.0 A12.0"
"""Matanzas 20, the mill of HG in Cárdenas 20, a harbour."""


def refused(state: State, action: RunTrains) -> tuple[str, str]:
    """Return the code and the rule of a refusal that changes nothing."""
    before = memory(state).cubes
    found = code(state, action), cited(state, action)
    assert memory(state).cubes == before
    return found


@rule("CUBA-VII.3.7-o", "CUBA-VII.3.7-y", "CUBA-VII.3.7-v")
def test_a_train_with_sugar_adds_a_harbour_beyond_its_range() -> None:
    """A 2-train: 20 + 20, the harbour at 0, and 30 for one cube."""
    state = running(north_coast("2", "1w", cubes=2), "MS")
    action = run(f"2: {LINE}", extras=("1w 2 HG=1",))
    assert earned(state, action) == 40 + 30
    lines = worth(state, "MS", action).routes[0].stops
    assert [value for _, value, _ in lines] == [20, 20, 0]
    # a 3-train has room for the harbour, which then counts 10
    longer = running(north_coast("3", "1w", cubes=2), "MS")
    assert earned(longer, run(f"3: {LINE}", extras=("1w 3 HG=1",))) == 50 + 30


@rule("CUBA-VII.3.7-p", "CUBA-G14")
def test_no_harbour_beyond_the_range_without_a_cube() -> None:
    bare = running(north_coast("2", "1w"), "MS")
    assert refused(bare, run(f"2: {LINE}")) == ("run-too-many-stops", "CUBA-VII.3.7-b")
    empty = run(f"2: {LINE}", extras=("1w 2",))
    assert refused(bare, empty) == ("run-card-empty", "CUBA-VII.3.7-v")
    assert offered(bare).keys() == {(40, ())}


@rule("CUBA-VII.3.7-v", "CUBA-C29")
def test_a_wagon_needs_a_mill_a_cube_and_a_harbour() -> None:
    state = running(north_coast("3", "2w", cubes=1), "MS")
    no_harbour = run("3: B9.0 B11.0", extras=("2w 3 HG=1",))
    assert refused(state, no_harbour) == ("run-must-visit", "CUBA-VII.3.7-v")
    nothing = run(f"3: {LINE}", extras=("2w 3",))
    assert refused(state, nothing) == ("run-card-empty", "CUBA-VII.3.7-v")
    too_many = run(f"3: {LINE}", extras=("2w 3 HG=2",))
    assert refused(state, too_many) == ("run-no-cubes-left", "CUBA-VII.3.7-z")
    # from a mill that is not on the route: JU in Cienfuegos
    other = extra(mill(state, "JU"), cubes={"HG": 1, "JU": 2})
    away = run(f"3: {LINE}", extras=("2w 3 JU=1",))
    assert refused(running(other, "MS"), away) == ("run-source-not-on-route", "CUBA-VII.3.7-v")


@rule("CUBA-VII.3.7-z", "CUBA-VII.3.7-v")
def test_no_cube_comes_from_an_empty_box_or_fits_in_a_full_wagon() -> None:
    state = running(north_coast("3", "1w"), "MS")
    assert code(state, run(f"3: {LINE}", extras=("1w 3 HG=1",))) == "run-no-cubes-left"
    state = running(north_coast("3", "1w", cubes=3), "MS")
    over = run(f"3: {LINE}", extras=("1w 3 HG=2",))
    assert refused(state, over) == ("run-card-overloaded", "CUBA-VII.3.7-v")


@rule("CUBA-VII.3.7-t")
def test_each_wagon_goes_with_another_train() -> None:
    state = running(north_coast("3", "1w", "2w", cubes=3), "MS")
    both = run(f"3: {LINE}", extras=("1w 3 HG=1", "2w 3 HG=2"))
    assert refused(state, both) == ("run-two-extras", "CUBA-VII.3.7-t")
    # the larger one alone: 50 + 2 x 30
    assert offered(state).keys() == {(110, (("2w", "3 HG=2"),))}


@rule("CUBA-VII.3.7-t", "CUBA-VII.3.7-y", "CUBA-C28", "CUBA-G44")
def test_a_4d_may_have_a_wagon_and_does_not_double_its_sugar() -> None:
    """(20 + 20 + 10) x 2 and 2 x 30."""
    state = running(phase(north_coast("4D", "2w", cubes=2), "7"), "MS")
    assert earned(state, run(f"4D: {LINE}", extras=("2w 4D HG=2",))) == 100 + 60


@rule("CUBA-VII.3.7-s")
def test_a_wagon_that_the_company_does_not_own_is_refused() -> None:
    state = running(north_coast("3", cubes=2), "MS")
    action = run(f"3: {LINE}", extras=("1w 3 HG=1",))
    assert refused(state, action) == ("run-no-such-extra", "CUBA-VII.3.7-s")


@rule("CUBA-VII.3.7-u", "CUBA-VII.3.8-l", "CUBA-G23", "CUBA-G45")
def test_a_wagon_that_adds_revenue_must_be_used() -> None:
    state = running(north_coast("3", "1w", cubes=1), "MS")
    without = run(f"3: {LINE}")
    assert refused(state, without) == ("better-run", "CUBA-VII.3.8-c")
    assert offered(state).keys() == {(80, (("1w", "3 HG=1"),))}


@rule("CUBA-G23")
def test_by_the_other_reading_wagons_are_used_at_will() -> None:
    state = north_coast("3", "1w", cubes=1)
    figures = state.tables.figures
    assert isinstance(figures, CubaFigures)
    changed = replace(figures, readings=replace(figures.readings, wagons_at_will=True))
    at_will = running(state, "MS")
    with patch.object(running_rules, "figures", lambda _: changed):
        assert code(at_will, run(f"3: {LINE}")) == ""
        assert code(at_will, run("3: B9.0 B11.0")) == "better-run"


@rule("CUBA-VII.3.7-u", "CUBA-G45")
def test_no_wagon_need_be_used_where_the_run_is_worth_more_without_it() -> None:
    """Havana's L46 (60) in the west: a 2-train earns 60 + 20 without the wagon.

    With it, 20 + 20 + 30 = 70; the harbours of Havana have no mill on the way.
    """
    state = tiles(north_coast("2", "1w", cubes=1), B9=("57", 1), B7=("L46", 0))
    state = running(tokens(state, B7=((),)), "MS")
    assert earned(state, run("2: B7.0 B9.0")) == 80
    assert code(state, run(f"2: {LINE}", extras=("1w 2 HG=1",))) == "better-run"


LONG = "B9.0 B11.0 C12 D13.0 E14.0"
"""Matanzas 20, the mill of HG 20, the mill of CO in Cienfuegos 20, a harbour."""


def two_mills(*trains: str, **cubes: int) -> State:
    """MS in Matanzas, with track over Cárdenas and Cienfuegos to the harbour E14."""
    state = mill(mill(matanzas(trains=trains)), "CO")
    # B11 L54: standard west and south-east; D13 L59: standard north-west and south-east
    state = tiles(state, B9=("5", 4), B11=("L54", 0), C12=("9", 2), D13=("L59", 0))
    state = tokens(state, B11=(("HG",),), D13=(("CO",),))
    return phase(extra(state, cubes=cubes), "6")


@rule("CUBA-VII.3.7-x", "CUBA-VII.3.7-w")
def test_cubes_of_several_mills_are_combined_whoever_directs_them() -> None:
    """A 3-wagon with 2 cubes of HG and 1 of CO: 90. Both mills are Ben's; MS is Ana's."""
    state = running(cash(two_mills("4", "3w", HG=2, CO=1), Ben=100, HG=5, CO=5), "MS")
    action = run(f"4: {LONG}", extras=("3w 4 CO=1 HG=2",))
    assert earned(state, action) == 70 + 90
    after = play(state, action)
    assert memory(after).cubes == {"HG": 0, "CO": 0}
    assert (after.companies["HG"].cash, after.companies["CO"].cash) == (5, 5)
    assert (after.players["Ben"].cash, after.acting) == (100, "Ana")


@rule("CUBA-VII.3.8-l")
def test_of_equal_runs_the_director_chooses_the_mills() -> None:
    """2 cubes each and a 3-wagon: two of one mill and one of the other."""
    state = running(two_mills("3", "3w", HG=2, CO=2), "MS")
    # 3 x 20, the harbour beyond the range, 3 x 30
    assert offered(state).keys() == {
        (150, (("3w", "3 CO=1 HG=2"),)),
        (150, (("3w", "3 CO=2 HG=1"),)),
    }
    for loads in ("CO=1 HG=2", "CO=2 HG=1"):
        assert code(state, run(f"3: {LONG}", extras=(f"3w 3 {loads}",))) == ""


@rule("CUBA-VII.3.8-l")
def test_equal_runs_on_other_routes_that_take_other_cubes_are_offered() -> None:
    """A 2-train from Matanzas: to the mill of HG and A12, or to the mill of JU and E12.

    20 + 20, the harbour beyond the range, 30 either way.
    """
    state = mill(north_coast("2", "1w"), "JU")
    # over C10 and D11 to Cienfuegos, whose L61 turned 2 has standard track west and south-west
    state = tiles(state, C10=("9", 2), D11=("8", 2), D13=("L61", 2))
    state = tokens(state, D13=(("JU",),))
    state = running(extra(state, cubes={"HG": 1, "JU": 1}), "MS")
    assert offered(state).keys() == {(70, (("1w", "2 HG=1"),)), (70, (("1w", "2 JU=1"),))}


@rule("CUBA-VII.3.7-z")
def test_cubes_leave_the_box_at_once_and_later_majors_find_fewer() -> None:
    state = running(north_coast("3", "2w", cubes=3), "MS")
    action = run(f"3: {LINE}", extras=("2w 3 HG=2",))
    assert CubesDelivered("MS", "HG", 2) in events(state, action)
    assert memory(play(state, action)).cubes == {"HG": 1}


@rule("CUBA-G45")
def test_a_mill_counts_in_a_city_that_is_blocked_and_as_an_end() -> None:
    """B11 is full (HG, TSS), and the route of MS ends in it: harbour A8, Matanzas, the mill."""
    state = tiles(north_coast("3", "1w", cubes=1), B9=("6", 2))
    state = tokens(state, B11=(("HG", "TSS"),))
    state = running(state, "MS")
    # 10 + 20 + 20 + 30
    assert earned(state, run("3: A8.0 B9.0 B11.0", extras=("1w 3 HG=1",))) == 80


@rule("CUBA-VII.3.8-l", "CUBA-G14")
def test_which_wagon_goes_with_which_train_is_part_of_the_maximum() -> None:
    """Two 2-trains: only the one through B11 passes the mill, so it takes the 2-wagon."""
    state = tiles(north_coast("2", "2", "1w", "2w", cubes=2), B9=("6", 2))
    state = running(state, "MS")
    # 20 + 20 (+ harbour 0) + 60, and 20 + 10 for the train to A8
    best = run(f"2: {LINE}", "2: A8.0 B9.0", extras=("2w 2 HG=2",))
    assert earned(state, best) == 100 + 30
    less = run(f"2: {LINE}", "2: A8.0 B9.0", extras=("1w 2 HG=1",))
    assert refused(state, less) == ("better-run", "CUBA-VII.3.8-c")
