"""Routes: which lines a train may run, alone and beside another (4.4.3)."""

import pytest

from carril.engine.actions import Pass
from carril.engine.state import State
from carril.engine.steps.running import RunStep
from carril.notation.words import say
from carril.rules.marker import rule
from tests.rulebook.eu.lines import (
    TO_BERLIN,
    WESTERN,
    berlin_line,
    best,
    earned,
    lenient,
    revenue,
    run,
    running,
    sncf,
    western_line,
)
from tests.table import (
    charter,
    cited,
    code,
    events,
    game,
    operate,
    own_minors,
    pass_until,
    phase,
    play,
    tiles,
)


def brussels(*trains: str, state: State | None = None, name: str = "4") -> State:
    """SNCF in Brussels on the western line, about to run; any legal run will do."""
    state = western_line(lenient() if state is None else state)
    return running(phase(sncf(state, "C8", trains=trains), name), "SNCF")


@rule("EU-4.4.3-a")
def test_less_than_the_largest_total_is_refused() -> None:
    state = brussels("3", state=game())
    short = run("3: C8.0 D7.0 D5.0")
    assert code(state, short) == "better-run"
    assert cited(state, short) == "EU-4.4.3-a"
    refusal = state.refusal(short)
    assert refusal is not None
    better = "3: A6.0 B7.0 C8.0 D7.0 D5.0 E4 F3.0"
    assert refusal.facts == {"value": 70, "best": 130, "run": better}
    assert say(refusal) == f"This run is worth 70; 130 is possible and must be run: {better}."
    assert code(state, run()) == "better-run", "a train may not stay idle"
    assert earned(state, run("3: A6.0 B7.0 C8.0 D7.0 D5.0 E4 F3.0")) == best(state) == 130


@rule("EU-4.4.3-a", "EU-4.4.3-n")
def test_the_total_counts_and_not_the_best_single_train() -> None:
    """The 3 alone would run London to Bremen for 130; two trains that meet earn more."""
    state = brussels("3", "2", state=game())
    assert code(state, run("3: A6.0 B7.0 C8.0 D7.0 D5.0 E4 F3.0")) == "better-run"
    both = run("3: C8.0 D7.0 D5.0 E4 F3.0 G2.0", "2: A6.0 B7.0 C8.0")
    assert code(state, both) == ""
    assert earned(state, both) == best(state) == 110 + 80, "Brussels counts 30 for each train"


@rule("EU-A-23")
def test_a_lenient_game_takes_any_legal_run_and_a_strict_one_only_the_best() -> None:
    short = run("3: C8.0 D7.0")
    assert code(brussels("3", state=game()), short) == "better-run"
    assert earned(brussels("3"), short) == 60
    assert earned(brussels("3"), run()) == 0
    assert code(brussels("3"), run("3: D7.0 E6.0")) == "run-route-no-station", "still checked"
    online = brussels("3", state=game(conventions="18xx.games"))
    assert earned(online, short) == 60


@rule("EU-4.4.3-b")
def test_a_route_needs_a_token_anywhere_on_it() -> None:
    state = brussels("3")
    for path in ("C8.0 D7.0 E6.0", "A6.0 B7.0 C8.0 D7.0", "A6.0 B7.0 C8.0"):
        assert code(state, run(f"3: {path}")) == ""
    without = run("3: D7.0 D5.0 E4 F3.0 G2.0")
    assert code(state, without) == "run-route-no-station"
    assert cited(state, without) == "EU-4.4.3-b"


@rule("EU-4.4.3-b")
def test_a_route_is_one_unbroken_line_of_track() -> None:
    state = brussels("4")
    assert code(state, run("4: B7.0 C8.0 D7.0 E6.0")) == ""
    gap = run("4: B7.0 C8.0 E6.0")
    assert code(state, gap) == "run-not-connected"
    assert cited(state, gap) == "EU-4.4.3-b"
    untouched = run("4: C8.0 D7.0 M16.0")
    assert code(state, untouched) == "run-no-such-place"


@rule("EU-4.4.3-b")
def test_a_route_has_no_branches() -> None:
    """Cologne leads to Dortmund and to Utrecht; one train takes one of the two."""
    state = brussels("4")
    assert code(state, run("4: C8.0 D7.0 E6.0 D7.0 D5.0")) == "run-stop-twice"
    assert code(state, run("4: C8.0 D7.0 E6.0 D5.0")) == "run-not-connected"
    assert code(state, run("4: C8.0 D7.0 D5.0")) == ""


@rule("EU-4.4.3-b")
def test_each_train_of_the_company_runs_once() -> None:
    state = brussels("3", "2")
    assert code(state, run("3: C8.0 D7.0", "2: A6.0 B7.0 C8.0")) == ""
    assert code(state, run("3: C8.0 D7.0", "3: A6.0 B7.0 C8.0")) == "run-train-runs-twice"
    assert code(state, run("4: C8.0 D7.0")) == "run-no-such-train"


def amsterdam(name: str = "2", train: str = "2") -> State:
    """Minor 12 in Amsterdam, between its port and Rotterdam, about to run."""
    state = own_minors(lenient(), {"12": "Ana"})
    state = charter(tiles(state, D3=("202", 1), C4=("4", 1)), "12", trains=(train,))
    return running(phase(state, name), "12")


@rule("EU-4.4.3-c")
def test_a_city_and_a_port_score_and_a_city_alone_does_not() -> None:
    state = amsterdam()
    assert earned(state, run("2: D3.0 D1.0")) == 40
    assert earned(state, run("2: D3.0 C4.0")) == 40, "a town will do"
    alone = run("2: D3.0")
    assert code(state, alone) == "run-too-few-stops"
    assert cited(state, alone) == "EU-4.4.3-c"
    west = brussels("2")
    assert earned(west, run("2: C8.0 D7.0")) == 60, "so will a city"
    assert earned(west, run("2: A6.0 B7.0 C8.0")) == 80, "so will an off-map place"


@rule("EU-4.4.3-d")
def test_cities_and_off_map_places_count_towards_the_number_and_towns_and_ports_do_not() -> None:
    state = brussels("3")
    assert earned(state, run("3: A6.0 B7.0 C8.0 D7.0 D5.0")) == 120, "three and two towns"
    assert code(state, run("3: A6.0 B7.0 C8.0 D7.0 E6.0")) == "run-too-many-stops"
    assert earned(brussels("4"), run("4: A6.0 B7.0 C8.0 D7.0 E6.0")) == 130
    assert earned(amsterdam(), run("2: C4.0 D3.0 D1.0")) == 50, "one city, a town and a port"


@rule("EU-4.4.3-e")
def test_a_route_with_more_stops_than_the_train_has_is_refused() -> None:
    state = brussels("2")
    assert code(state, run("2: A6.0 B7.0 C8.0")) == ""
    long = run("2: A6.0 B7.0 C8.0 D7.0")
    assert code(state, long) == "run-too-many-stops"
    assert cited(state, long) == "EU-4.4.3-e"


@rule("EU-4.4.3-e")
def test_no_stop_on_the_line_may_be_left_out() -> None:
    state = brussels("2")
    assert code(state, run("2: A6.0 B7 C8.0")) == "run-not-connected", "Lille is on the line"
    assert code(state, run("2: C8.0 D7 E6.0")) == "run-not-connected", "a city is not skipped"
    assert code(state, run("2: C8.0 D7.0")) == ""


def rome(train: str = "3") -> State:
    """SNCF in Milan and Venice, both joined to Rome (G22), about to run."""
    state = sncf(lenient(), "E18", "H19", trains=(train,))
    state = tiles(state, E18=("202", 3), F19=("9", 2), G20=("58", 0), H19=("201", 0), H21=("8", 1))
    return running(phase(state, "4"), "SNCF")


@rule("EU-4.4.3-f")
def test_an_off_map_place_is_only_an_end_of_a_route() -> None:
    state = rome()
    assert earned(state, run("3: E18.0 F19 G20.0 G22.0")) == 70
    assert earned(state, run("3: H19.0 H21 G22.0")) == 60
    through = run("3: E18.0 F19 G20.0 G22.0 H21 H19.0")
    assert code(state, through) == "run-passes-offboard"
    assert cited(state, through) == "EU-4.4.3-f"


@rule("EU-4.4.3-f")
def test_a_route_may_have_an_off_map_place_at_each_end() -> None:
    state = brussels("4")
    assert code(state, run(f"4: {WESTERN}")) == ""
    assert earned(state, run(f"4: {WESTERN}")) == 160 + 10


@rule("EU-4.4.3-g")
def test_a_train_runs_through_hamburg_and_counts_it_as_a_stop() -> None:
    """Hamburg is a neutral city to run through (PR #7007)."""
    state = sncf(berlin_line(western_line(lenient())), "D7", trains=("3", "2"))
    state = running(phase(state, "4"), "SNCF")
    through = f"D7.0 D5.0 E4 F3.0 {TO_BERLIN}"
    assert earned(state, run(f"3: {through}")) == 30 + 10 + 10 + 30 + 30
    assert code(state, run(f"2: {through}")) == "run-too-many-stops"
    assert earned(state, run("2: D7.0 D5.0 E4 F3.0 G2.0")) == 80


@rule("EU-4.4.3-h")
@pytest.mark.parametrize(
    ("name", "train", "london"),
    [
        ("2", "2", 40),
        ("3", "3", 40),
        ("4", "4", 40),
        ("5", "5", 70),
        ("6", "6", 70),
        ("8", "8", 70),
    ],
)
def test_a_port_pays_ten_in_every_phase(name: str, train: str, london: int) -> None:
    """Ports are reckoned right (#7068), while the value of London changes."""
    assert earned(amsterdam(name, train), run(f"{train}: C4.0 D3.0 D1.0")) == 10 + 30 + 10
    west = brussels(train, name=name)
    assert earned(west, run(f"{train}: A6.0 B7.0 C8.0")) == london + 10 + 30


@rule("EU-4.4.3-h")
def test_a_port_is_only_an_end_of_a_route() -> None:
    state = amsterdam()
    beyond = run("2: D3.0 D1.0 C4.0")
    assert code(state, beyond) == "run-passes-harbour"
    assert cited(state, beyond) == "EU-4.4.3-h"
    assert code(state, run("2: C4.0 D3.0 D1.0")) == ""


@rule("EU-4.4.3-h")
@pytest.mark.parametrize(
    ("city", "tile", "port"),
    [("B19", ("57", 0), "B21"), ("E20", ("57", 0), "E22"), ("I18", ("57", 0), "I20")],
)
def test_each_southern_port_is_reached_from_its_city(
    city: str, tile: tuple[str, int], port: str
) -> None:
    """Ports are reckoned right (#7068)."""
    state = tiles(sncf(game(), city, trains=("3",)), **{city: tile})
    assert best(running(phase(state, "3"), "SNCF")) == 20 + 10
    assert code(running(phase(state, "3"), "SNCF"), run(f"3: {city}.0 {port}.0")) == ""


@rule("EU-4.4.3-o")
def test_a_company_without_a_train_earns_nothing() -> None:
    state = western_line(own_minors(game(), {"2": "Ana"}))
    assert best(pass_until(operate(state, "2"), RunStep)) == 90
    without = operate(charter(state, "2", trains=()), "2")
    assert revenue(events(without, Pass())) == 0
    assert play(without, Pass()).companies["2"].cash == 0


@rule("EU-4.4.3-o")
def test_a_company_without_a_route_earns_nothing() -> None:
    state = own_minors(game(), {"2": "Ana"})
    assert state.companies["2"].trains == ("2",)
    lost = operate(state, "2")
    assert revenue(events(lost, Pass())) == 0
    assert play(lost, Pass()).companies["2"].cash == 0
