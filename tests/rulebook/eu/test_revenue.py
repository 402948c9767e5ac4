"""What runs earn: values, the red-to-red bonus, Hamburg, the sum (4.4.3)."""

import pytest
from msgspec.structs import replace

from carril.engine.actions import ExchangeMinor
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.eu.lines import (
    EASTERN,
    EASTERN_BY_BERLIN,
    TO_BERLIN,
    WESTERN,
    berlin_line,
    best,
    earned,
    eastern_line,
    lenient,
    run,
    running,
    sncf,
    western_line,
)
from tests.table import (
    cited,
    code,
    corporation,
    game,
    own_minors,
    phase,
    stock_round,
    tiles,
    tokens,
)

EASTERN_CITIES = ("J7", "J11", "K14", "M16", "J5")


@rule("EU-4.4.3-p")
def test_london_lille_paris_is_worth_ninety() -> None:
    state = own_minors(game(), {"1": "Ana"})
    state = running(tiles(state, B7=("58", 0), B9=("8", 1)), "1")
    paris = run("2: A6.0 B7.0 B9 A10.0")
    assert earned(state, paris) == best(state) == 40 + 10 + 40


@rule("EU-4.4.3-p")
def test_a_sum_that_is_named_must_be_the_value_of_the_stops() -> None:
    state = own_minors(game(), {"1": "Ana"})
    state = running(tiles(state, B7=("58", 0), B9=("8", 1)), "1")
    paris = run("2: A6.0 B7.0 B9 A10.0")
    assert code(state, replace(paris, claim=90)) == ""
    assert code(state, replace(paris, claim=100)) == "wrong-claim"
    assert cited(state, replace(paris, claim=100)) == "EU-4.4.3-p"


@rule("EU-4.4.3-p")
def test_values_are_those_of_the_tiles_that_lie_now() -> None:
    """Green Paris counts 60; London changes with the phase."""
    state = sncf(lenient(), "A10", trains=("5",))
    state = tiles(state, B7=("58", 0), B9=("8", 1), A10=("580", 3))
    paris = run("5: A6.0 B7.0 B9 A10.0")
    assert earned(running(phase(state, "4"), "SNCF"), paris) == 40 + 10 + 60
    assert earned(running(phase(state, "5"), "SNCF"), paris) == 70 + 10 + 60
    brown = tiles(state, A10=("583", 3))
    assert earned(running(phase(brown, "5"), "SNCF"), paris) == 70 + 10 + 80


def eastern(name: str, train: str, count: int) -> State:
    """SNCF with tokens in so many cities of the eastern line, about to run it."""
    state = eastern_line(game(), by_berlin=train == "8")
    state = sncf(state, *EASTERN_CITIES[:count], trains=(train,))
    return running(phase(state, name), "SNCF")


@rule("EU-4.4.3-q")
@pytest.mark.parametrize(("count", "bonus"), [(1, 20), (2, 40), (3, 60), (4, 80)])
def test_brown_phases_pay_twenty_for_each_token_on_a_red_to_red_run(count: int, bonus: int) -> None:
    """The bonus is own tokens passed times the value (PR #6876)."""
    state = eastern("6", "6", count)
    assert earned(state, run(f"6: {EASTERN}")) == best(state) == 310 + bonus


@rule("EU-4.4.3-q")
@pytest.mark.parametrize(("count", "bonus"), [(1, 30), (2, 60), (3, 90), (4, 120), (5, 150)])
def test_the_grey_phase_pays_thirty_for_each_token_on_a_red_to_red_run(
    count: int, bonus: int
) -> None:
    """The bonus is own tokens passed times the value (PR #6876)."""
    state = eastern("8", "8", count)
    assert earned(state, run(f"8: {EASTERN_BY_BERLIN}")) == best(state) == 380 + bonus


def one_city_line(name: str, state: State | None = None) -> State:
    """SNCF with a 3 train in Brussels, the only city between London and Hamburg."""
    state = tiles(western_line(state or game()), C8=("201", 2), C6=("58", 4), D5=("4", 1))
    return running(phase(sncf(state, "C8", trains=("3",)), name), "SNCF")


@rule("EU-4.4.3-q")
@pytest.mark.parametrize(("name", "bonus"), [("2", 0), ("3", 10), ("4", 10)])
def test_the_yellow_phase_pays_no_bonus_and_the_green_ones_ten(name: str, bonus: int) -> None:
    state = one_city_line(name)
    line = run("3: A6.0 B7.0 C8.0 C6.0 D5.0 E4 F3.0 G2.0")
    assert earned(state, line) == best(state) == 140 + bonus


@rule("EU-4.4.3-q")
def test_a_run_with_only_one_red_end_pays_no_bonus() -> None:
    state = eastern("6", "6", 4)
    assert code(state, run("6: N5.0 M6 L5.0 K6 J7.0 J9 J11.0 K12.0 K14.0")) == "better-run"
    lenient_state = sncf(eastern_line(lenient()), *EASTERN_CITIES[:4], trains=("6",))
    lenient_state = running(phase(lenient_state, "6"), "SNCF")
    part = run("6: N5.0 M6 L5.0 K6 J7.0 J9 J11.0 K12.0 K14.0")
    assert earned(lenient_state, part) == 30 + 10 + 50 + 40 + 10 + 60


@rule("EU-4.4.3-q")
def test_only_tokens_on_the_route_of_the_company_itself_count() -> None:
    """Tokens of others on the line, and own tokens elsewhere, pay nothing."""
    state = corporation(eastern_line(game()), "DR", {"Ben": 5})
    state = sncf(state, "J7", "C8", trains=("6",))
    state = tokens(state, J11=(("DR",),), K14=(("DR",),))
    state = running(phase(state, "6"), "SNCF")
    assert earned(state, run(f"6: {EASTERN}")) == 310 + 20


@rule("EU-A-3")
def test_the_bonus_is_capped_by_phase() -> None:
    """Two tokens in green still pay 10, five in brown 80; grey goes up to 150."""
    western = sncf(western_line(game()), "C8", "D7", trains=("4",))
    green = running(phase(western, "4"), "SNCF")
    assert earned(green, run(f"4: {WESTERN}")) == 160 + 10
    brown = running(phase(western, "5"), "SNCF")
    assert earned(brown, run(f"4: {WESTERN}")) == 210 + 40
    assert earned(eastern("6", "8", 5), run(f"8: {EASTERN_BY_BERLIN}")) == 380 + 80
    assert earned(eastern("8", "8", 5), run(f"8: {EASTERN_BY_BERLIN}")) == 380 + 150


def hamburg(train: str, name: str = "5", *, berlin: str = "") -> State:
    """SNCF in Brussels on the western line, with track beyond Hamburg, about to run."""
    state = berlin_line(western_line(lenient()))
    if berlin:
        state = tiles(state, J5=(berlin, 0), K4=("58", 5), L5=("4", 2), M6=("8", 2))
    return running(phase(sncf(state, "C8", trains=(train,)), name), "SNCF")


@rule("EU-4.4.3-r")
def test_a_run_through_hamburg_to_a_city_gets_no_bonus() -> None:
    """Red to red with Hamburg: not when the run only passes it (#9353)."""
    state = hamburg("5")
    beyond = f"{WESTERN} {TO_BERLIN.removeprefix('G2.0 ')}"
    assert earned(state, run(f"5: {beyond}")) == 70 + 10 + 30 + 30 + 10 + 10 + 50 + 30


@rule("EU-4.4.3-r", "EU-4.4.3-q")
def test_a_run_through_hamburg_from_red_to_red_gets_the_bonus_once() -> None:
    state = hamburg("6", "6", berlin="584")
    beyond = TO_BERLIN.removeprefix("G2.0 ").replace("J5.1", "J5.0")
    path = f"{WESTERN} {beyond} K4.0 L5.0 M6 N5.0"
    assert earned(state, run(f"6: {path}")) == 210 + 60 + 10 + 10 + 30 + 20


@rule("EU-4.4.3-s", "EU-A-4")
def test_hamburg_as_an_end_counts_as_an_off_map_end() -> None:
    """Red to red with Hamburg: counted when it is an end of the route (#9353)."""
    assert earned(hamburg("5"), run(f"5: {WESTERN}")) == 210 + 20
    state = sncf(berlin_line(lenient()), "J5", trains=("5",))
    state = tiles(state, J5=("584", 0), K4=("58", 5), L5=("4", 2), M6=("8", 2))
    state = running(phase(state, "5"), "SNCF")
    east = run("5: G2.0 H3 H5 I6 J5.0 K4.0 L5.0 M6 N5.0")
    assert earned(state, east) == 50 + 60 + 10 + 10 + 30 + 20


@rule("EU-A-4")
def test_hamburg_in_the_middle_is_a_city_to_run_through() -> None:
    """It is run through like a city, and pays no bonus there (PR #7007, #9353)."""
    state = hamburg("5")
    middle = run(f"5: D7.0 D5.0 E4 F3.0 {TO_BERLIN}")
    assert code(state, middle) == "run-route-no-station"
    state = hamburg("4", "4")
    own = run(f"4: C8.0 D7.0 D5.0 E4 F3.0 {TO_BERLIN}")
    assert earned(state, own) == 30 + 30 + 10 + 10 + 30 + 30


@rule("EU-A-4")
def test_a_minor_is_connected_for_a_merger_through_hamburg() -> None:
    """Connection through Hamburg counts for merging (#11299)."""
    state = own_minors(western_line(game()), {"7": "Ana"})
    state = corporation(state, "SNCF", {"Ben": 2}, operated=False, floated=False)
    state = tokens(state, C8=(("SNCF",),))
    merge = ExchangeMinor("7", "SNCF", "treasury")
    assert code(stock_round(state), merge) == "minor-not-connected"
    assert code(stock_round(berlin_line(state)), merge) == ""


@rule("EU-4.4.3-t")
def test_two_red_to_red_trains_each_earn_the_bonus() -> None:
    state = sncf(eastern_line(western_line(game())), "C8", "J7", trains=("5", "6"))
    state = running(phase(state, "6"), "SNCF")
    both = run(f"5: {WESTERN}", f"6: {EASTERN}")
    assert earned(state, both) == best(state) == (210 + 20) + (310 + 20)


@rule("EU-4.4.3-u")
def test_earnings_are_routes_and_bonuses_and_the_pullman_together() -> None:
    """A 4 runs red to red with one token, a 3 runs Amsterdam to its port, London is doubled."""
    state = sncf(western_line(game()), "C8", "D3", trains=("4", "3", "P"))
    state = running(phase(tiles(state, D3=("202", 1)), "4"), "SNCF")
    routes = (f"4: {WESTERN}", "3: D3.0 D1.0")
    assert earned(state, run(*routes, pullman="A6.0")) == best(state) == 160 + 10 + 40 + 40
    assert code(state, run(*routes)) == "better-run", "the Pullman belongs to the best total"
