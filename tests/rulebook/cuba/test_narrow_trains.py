"""Narrow trains: the mill and its fields, ages, machines, and the cubes they bring."""

import pytest

from carril.engine.actions import DeclareDividend
from carril.engine.events import CubesProduced
from carril.engine.state import POOL, State
from carril.rules.marker import rule
from carril.titles.cuba.running import cubes_produced
from tests.rulebook.cuba import positions
from tests.rulebook.cuba.lines import earned, mill, offered, run, running
from tests.rulebook.cuba.positions import extra, memory
from tests.table import charter, cited, code, events, phase, play, tiles, tokens

FIELDS = "B11.0 B13.0"
"""The mill of HG in Cárdenas (20) and the field east of it (10)."""


def holguin(*trains: str) -> State:
    """HG in Cárdenas; narrow track leads east to B13, on to Santa Clara, and to the field C16."""
    state = mill(positions.game(), trains=trains, cash=0)
    # B11 L56 turned 2: narrow to the east; B13 and C16 L49: west and south-east; C14 L67 turned 4:
    # narrow to the north-west and east
    state = tiles(state, B11=("L56", 2), B13=("L49", 0), C14=("L67", 4), C16=("L49", 0))
    return tokens(state, B11=(("HG",),), C14=((),))


@rule("CUBA-VII.3.7-e", "CUBA-VII.3.7-f")
def test_a_narrow_train_visits_its_mill_and_fields() -> None:
    state = running(holguin("2n"), "HG")
    assert earned(state, run(f"2n: {FIELDS}")) == 30
    assert offered(state).keys() == {(30, ())}


@rule("CUBA-VII.3.7-f")
def test_another_city_is_neither_a_stop_nor_on_the_way() -> None:
    state = running(holguin("4n"), "HG")
    for path in (f"4n: {FIELDS} C14.0", f"4n: {FIELDS} C14.0 C16.0"):
        assert code(state, run(path)) == "run-stop-barred"
        assert cited(state, run(path)) == "CUBA-VII.3.7-f"
    own = running(tokens(holguin("4n"), C14=(("HG",),)), "HG")
    assert code(own, run(f"4n: {FIELDS} C14.0 C16.0")) == "", "it is the city that is in the way"


@rule("CUBA-VII.3.7-f")
def test_fields_alone_are_no_route() -> None:
    """The mill in Cienfuegos, with the fields D11 and D9 to its west."""
    state = mill(positions.game(), trains=("3n",), cash=0)
    state = tiles(state, D13=("L59", 0), D11=("L48", 5), D9=("L48", 5))
    state = running(tokens(state, D13=(("HG",),)), "HG")
    # L59 has narrow track to the west; L48 turned 5 joins west and east; all yellow: 20 + 10 + 10
    assert earned(state, run("3n: D13.0 D11.0 D9.0")) == 40
    alone = run("3n: D11.0 D9.0")
    assert (code(state, alone), cited(state, alone)) == ("run-route-no-station", "CUBA-VII.2-b")


@rule("CUBA-VII.3.7-g")
def test_a_narrow_train_visits_no_harbour() -> None:
    """The standard track of B11 leads to the harbour A12."""
    state = running(holguin("2n"), "HG")
    assert code(state, run("2n: B11.0 A12.0")) == "run-no-such-place"


@rule("CUBA-VII.3.7-h", "CUBA-VII.3.7-d")
def test_two_trains_leave_the_mill_on_different_tracks() -> None:
    """A green mill (30) has two narrow tracks: L66 turned 1 in Cárdenas, east and south-east."""
    state = mill(positions.game(), trains=("2n", "2n"), cash=0)
    state = tiles(state, B11=("L66", 1), B13=("L49", 0))
    state = running(tokens(state, B11=(("HG",),)), "HG")
    shared = run(f"2n: {FIELDS}", f"2n: {FIELDS}")
    assert (code(state, shared), cited(state, shared)) == ("run-track-shared", "CUBA-VII.3.7-d")
    # the city 30 and the yellow field 10; the second train has no field
    assert earned(state, run(f"2n: {FIELDS}")) == 40
    # C12 joins it to the field D11 (10)
    more = tiles(state, C12=("78", 0), D11=("L50", 3))
    more = running(more, "HG")
    assert earned(more, run(f"2n: {FIELDS}", "2n: B11.0 C12 D11.0")) == 80


@rule("CUBA-VII.3.7-i", "CUBA-C50")
def test_aged_trains_have_a_range_of_one_less() -> None:
    """An aged 3n counts the mill and one field, an aged 4n the mill and two."""
    fields = tiles(mill(positions.game(), cash=0), D13=("L59", 0), D11=("L48", 5), D9=("L48", 5))
    fields = tokens(fields, D13=(("HG",),))
    three = running(charter(phase(fields, "5"), "HG", trains=("3-1n",)), "HG")
    assert earned(three, run("3-1n: D13.0 D11.0")) == 30
    assert code(three, run("3-1n: D13.0 D11.0 D9.0")) == "run-too-many-stops"
    four = running(charter(phase(fields, "7"), "HG", trains=("4-1n",)), "HG")
    assert earned(four, run("4-1n: D13.0 D11.0 D9.0")) == 40


@rule("CUBA-X-g", "CUBA-VII.2-a")
def test_the_dark_green_area_is_a_field_of_20_for_narrow_trains() -> None:
    """East: C16 leads to C18; the mill is in Camagüey."""
    state = mill(positions.game(2, variants=("easy", "east")), trains=("3n",), cash=0)
    # D19 L59 turned 1: narrow to the north-west; C18 L49 turned 0: west and south-east
    state = tiles(state, D19=("L59", 1), C18=("L49", 0))
    state = running(tokens(state, D19=(("HG",),)), "HG")
    # 20 + yellow field 10 + 20
    assert earned(state, run("3n: D19.0 C18.0 C16.0")) == 50


@rule("CUBA-VII.3.11-h", "CUBA-VII.3.8-a", "CUBA-G15", "CUBA-VII.3.11-b")
def test_machines_add_their_bonus_once_if_a_train_earned() -> None:
    """Machines of the first and the third generation: 10 + 40."""
    state = extra(holguin("2n", "2n"), machines={"HG": ("1", "3")})
    assert earned(running(state, "HG"), run(f"2n: {FIELDS}")) == 30 + 50
    idle = running(charter(state, "HG", trains=()), "HG")
    assert idle.companies["HG"].cash == 0, "no bonus without a run"
    assert memory(idle).cubes.get("HG", 0) == 0


@rule("CUBA-VII.3.8-i", "CUBA-G12")
@pytest.mark.parametrize(
    ("revenue", "cubes"),
    [(0, 0), (20, 0), (30, 1), (70, 1), (80, 2), (150, 2), (160, 3), (400, 3)],
)
def test_cubes_are_produced_by_revenue(revenue: int, cubes: int) -> None:
    assert cubes_produced(positions.game(), revenue) == cubes


@rule("CUBA-VII.3.8-i", "CUBA-VII.3.8-j")
def test_cubes_come_whether_a_minor_pays_or_keeps() -> None:
    """30 by the train and 50 by machines: 80, two cubes."""
    state = running(extra(holguin("2n"), machines={"HG": ("1", "3")}), "HG")
    ran = run(f"2n: {FIELDS}")
    assert CubesProduced("HG", 2) in events(state, ran)
    for kind in ("full", "withhold"):
        assert memory(play(state, ran, DeclareDividend(kind))).cubes == {"HG": 2}


@rule("CUBA-VII.3.8-j")
def test_without_a_run_there_are_no_cubes() -> None:
    state = running(extra(holguin(), machines={"HG": ("3", "3", "3")}), "HG")
    assert memory(state).cubes.get("HG", 0) == 0
    assert state.companies["HG"].cash == 0


@rule("CUBA-VII.3.8-e", "CUBA-VII.3.8-f", "CUBA-VII.3.8-k", "CUBA-G29")
def test_a_minor_pays_one_fifth_for_each_share() -> None:
    """70 are 14 a share: Ben has 3, the treasury 1, the pool 1."""
    state = extra(holguin("2n"), machines={"HG": ("3",)})
    state = charter(state, "HG", shares={"Ben": 3, "treasury": 1, POOL: 1})
    state = running(state, "HG")
    before = state.players["Ben"].cash
    after = play(state, run(f"2n: {FIELDS}"), DeclareDividend("full"))
    assert after.players["Ben"].cash == before + 42
    assert after.companies["HG"].cash == 14, "the pool gets nothing"


@rule("CUBA-VII.3.7-s", "CUBA-VII.3.9-n")
def test_no_wagon_goes_with_the_train_of_a_minor() -> None:
    state = running(extra(holguin("2n"), cubes={"HG": 2}), "HG")
    wagon = run(f"2n: {FIELDS}", extras=("1w 2n HG=1",))
    assert (code(state, wagon), cited(state, wagon)) == ("run-no-such-extra", "CUBA-VII.3.7-s")
