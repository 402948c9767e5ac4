"""Running trains: gauges, values, harbours, passes, east and west, bonuses (4.4.3)."""

import pytest

from carril.engine.actions import DeclareDividend, RunTrains
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.esp.figures import figures
from carril.titles.esp.title import TABLES
from tests.rulebook.esp.lines import (
    ACROSS,
    ASTURIAN,
    BASQUE,
    BURGOS_LINE,
    OPEN,
    PORTO_LINE,
    asturias,
    badajoz,
    barcelona,
    best,
    castile,
    earned,
    north,
    owned,
    run,
    running,
    sevilla,
)
from tests.rulebook.esp.positions import extra, game
from tests.table import cash, cited, code, offered, phase, play, tiles, tokens

BAYONNE = "C21.0 D22.0 E21.0 F20 F18.0 G17.0 H16.0 I15.0"
"""Porto in the west, Salamanca, Valladolid, Burgos, Vitoria, San Sebastián, Bayonne in the east."""
GREAT = "C21.0 D22.0 D24 E25 F24.0 E23 E21.0 E19.0 H12.0 H10 H8.0 I7.0 J6.0 K5.0 L6 M5.0"
"""Porto, Madrid, Alar del Rey, Bilbao, Irún: both bonuses on one route."""


def norte(*trains: str, name: str = "3", edition: str = "de") -> State:
    """N in Madrid, Valladolid and Reinosa with track on both maps, not yet about to run."""
    state = owned(phase(north(castile(game(edition=edition))), name), "N", *trains)
    return tokens(state, F24=((), ("N",), ()), E21=(("N",),), H8=(("N",),), H12=OPEN)


@rule("ESP-4.4.3-a", "ESP-DE-5.5-a", "ESP-E28")
def test_trains_may_stay_idle_in_one_edition_and_must_run_in_the_others() -> None:
    for edition in ("en", "es"):
        state = running(norte("3", edition=edition), "N")
        assert code(state, run()) == "must-run"
        assert cited(state, run()) == "ESP-4.4.3-a"
        assert RunTrains(by="Ana") not in offered(state, RunTrains)
        assert code(state, run(f"3: {BURGOS_LINE}")) == ""
    state = running(cash(norte("3"), N=0), "N")
    after = play(state, run())
    assert after.companies["N"].cash == 0
    assert price(after, "N") == 70, "earning nothing costs one column"


def price(state: State, symbol: str) -> int:
    """Return the price of a company."""
    found = next(marker for marker in state.markers if marker.company == symbol)
    return TABLES.rows[0][found.column]


@rule("ESP-4.4.3-a")
def test_nobody_must_run_where_no_train_has_a_legal_route() -> None:
    """A combined train that does not reach a pass has none."""
    state = owned(phase(castile(game(edition="en")), "4"), "N", "4|1+2")
    state = running(tokens(state, E21=(("N",),)), "N")
    assert code(state, run("4|1+2: E21.0 D22.0")) == "run-must-visit", "a pass out of reach"
    assert code(state, run()) == ""


@rule("ESP-4.4.3-b")
def test_each_kind_of_train_keeps_to_its_gauge() -> None:
    state = running(norte("4", "3+4"), "N")
    assert code(state, run(f"4: {PORTO_LINE}")) == ""
    assert code(state, run(f"3+4: {BASQUE}")) == ""
    wrong = run(f"3+4: {PORTO_LINE}")
    assert code(state, wrong) == "run-wrong-gauge"
    assert cited(state, wrong) == "ESP-4.4.3-b"
    assert code(state, run("4: H8.0 I7.0 J6.0 K5.0")) == "run-wrong-gauge"


@rule("ESP-4.4.3-c")
def test_the_director_need_not_choose_the_best_route() -> None:
    for edition in ("de", "en"):
        state = running(norte("4", edition=edition), "N")
        assert best(state) == (110, 0)
        assert earned(state, run("4: E21.0 D22.0")) == (50, 0)


@rule("ESP-4.4.3-d")
@pytest.mark.parametrize(
    ("name", "porto", "harbour"), [("2", 0, 40), ("3", 30, 20), ("5", 50, 10), ("8", 60, 10)]
)
def test_red_areas_and_harbours_pay_by_phase_and_cities_by_tile(
    name: str, porto: int, harbour: int
) -> None:
    state = running(norte("8", name=name), "N")
    assert earned(state, run("8: D22.0 E21.0")) == (50, 0), "20 and 30 on the tiles"
    assert earned(state, run("8: C21.0 D22.0 E21.0")) == (50 + porto, 0)
    coast = tokens(owned(phase(asturias(game()), name), "CFEA", "6+8"), D6=(("CFEA",), ()))
    mine = {"2": 30, "3": 20, "5": 10, "8": 0}[name]
    assert earned(running(coast, "CFEA"), run(f"6+8: {ASTURIAN}")) == (40, harbour + mine)


@rule("ESP-4.4.3-e", "ESP-4.4.3-l")
def test_harbour_and_mine_go_to_the_treasury_at_once() -> None:
    """CFEA, yellow phase: 30 and 40 to the treasury, 40 to divide, 4 a share."""
    state = cash(owned(asturias(game()), "CFEA", "1+2"), CFEA=0, Ana=0)
    state = extra(tokens(state, D6=(("CFEA",), ())), tenders=("CFEA",))
    state = running(state, "CFEA")
    whole = run(f"1+2: {ASTURIAN}", tender="1+2")
    assert earned(state, whole) == (40, 30 + 40)
    assert code(state, run(f"1+2: {ASTURIAN}")) == "run-too-many-stops", "without the tender"
    par = 80
    ran = play(state, whole)
    assert ran.companies["CFEA"].cash == 70 + par, "before the dividend; with the harbour's goal"
    paid = play(ran, DeclareDividend("full"))
    assert paid.players["Ana"].cash == 5 * 4
    assert paid.companies["CFEA"].cash == 70 + par


@rule("ESP-4.4.3-f")
def test_only_majors_run_to_red_areas() -> None:
    state = running(norte("4"), "N")
    assert earned(state, run(f"4: {PORTO_LINE}")) == (110, 0)
    assert code(state, run("4: E21.0 D22.0 C21.0")) == ""


@rule("ESP-4.4.3-g", "ESP-DE-5.4.2-c")
def test_both_cities_of_an_oo_tile_count_on_one_route() -> None:
    state = phase(sevilla(owned(game(), "A", "4")), "3")
    green = running(tokens(state, C31=(("A",), ())), "A")
    assert earned(green, run("4: C31.0 C33.0 D32.0 C31.1")) == (40 + 20 + 40, 20)
    yellow = running(tiles(tokens(state, C31=(("A",), ())), C31=("L130", 0)), "A")
    assert code(yellow, run("4: C31.0 C33.0")) == ""
    assert code(yellow, run("4: C31.0 C33.0 D32.0 C31.1")) == "run-no-such-place"
    turned = running(tiles(tokens(state, C31=(("A",), ())), C31=("L129", 5)), "A")
    assert earned(turned, run("4: C31.1 C33.0 D32.0 C31.0")) == (30 + 20 + 30, 20)
    brown = tokens(phase(state, "5"), C31=(("A",),))
    brown = running(tiles(brown, C31=("216", 3)), "A")
    assert code(brown, run("4: C31.0 C33.0 D32.0 C31.1")) == "run-no-such-place"
    assert code(brown, run("4: C31.0 C33.0 D32.0 C31.0")) == "run-stop-twice"


@rule("ESP-4.4.3-h")
def test_no_route_joins_two_places_of_the_same_side() -> None:
    state = owned(phase(badajoz(game()), "3"), "CRB", "3", "4")
    west = tiles(state, B26=("15", 0))
    west = running(tokens(west, B26=(("CRB",),)), "CRB")
    lisboa_castelo = run("3: A27.0 B26.0 B24.0")
    assert code(west, lisboa_castelo) == "run-too-many-of-kind"
    assert cited(west, lisboa_castelo) == "ESP-4.4.3-h"
    assert code(west, run("3: A27.0 B26.0")) == ""
    east = owned(phase(barcelona(game()), "3"), "ZPB", "3", "4")
    east = running(tokens(east, M21=(("ZPB",),)), "ZPB")
    assert code(east, run("4: N22.0 M21.0 N20.0 N18.0")) == "run-too-many-of-kind"
    assert earned(east, run("4: N22.0 M21.0 N20.0")) == (50, 30)
    assert earned(east, run("4: M21.0 N20.0 N18.0")) == (80, 0)


@rule("ESP-4.4.3-i")
def test_which_places_are_east_and_west() -> None:
    tags = {
        hex_id: stop.tags
        for hex_id, at in TABLES.hexes.items()
        for stop in at.print.stops
        if stop.kind in ("harbour", "offboard")
    }
    harbours = {at: t for at, t in tags.items() if TABLES.hexes[at].print.colour == "blue"}
    assert harbours == {
        **dict.fromkeys(("N22", "L26", "K31", "I33"), ("E",)),
        "B34": ("W",),
        **dict.fromkeys(("C1", "E1", "F34", "K3"), ()),
    }
    red = {at: t for at, t in tags.items() if at not in harbours}
    west = {"A5", "A9", "A11", "A25", "A27", "A29", "A31", "B24", "C21"}
    assert {at for at, t in red.items() if t == ("W",)} == west
    assert {at for at, t in red.items() if t == ("E",)} == set(red) - west


@rule("ESP-4.4.3-j", "ESP-4.4.3-k")
def test_a_company_runs_on_each_map_but_crosses_with_combined_trains_only() -> None:
    state = running(norte("6", "5+6", name="6"), "N")
    both = run("6: F24.1 E23 E21.0 E19.0 H12.0", f"5+6: {BASQUE}")
    assert earned(state, both) == (30 + 30 + 10 + 30 + 10 + 40, 10), "both end at the same pass"
    for train in ("6", "5+6"):
        assert code(state, run(f"{train}: {ACROSS}")) == "run-wrong-gauge"
        assert code(state, run(f"{train}: E21.0 E19.0 H12.0 H10 H8.0")) == "run-wrong-gauge"
    combined = running(norte("6|2+3", name="6"), "N")
    assert code(combined, run(f"6|2+3: {ACROSS}")) == ""


@rule("ESP-4.4.3-m")
def test_norte_on_both_maps() -> None:
    """English text, green phase: 80 and 20 in the north, 120 to Porto, nothing for the third."""
    state = tiles(norte("3+4", "4", "4", edition="en"), F24=("L83", 0))
    state = running(tokens(state, E21=(("MZA",),)), "N")
    narrow, broad = f"3+4: {BASQUE}", f"4: {PORTO_LINE}"
    assert earned(state, run(narrow)) == (80, 20), "0 + 30 + 10 + 40, and the mine"
    assert earned(state, run(broad)) == (120, 0), "40 + 30 + 20 + 30"
    assert earned(state, run(narrow, broad)) == (200, 20)
    again = run(narrow, broad, "4: F24.1 E23 E21.0")
    assert code(state, again) == "run-track-shared"


@rule("ESP-DE-5.4.2-a")
def test_norte_in_castile() -> None:
    """German text, green phase: 90, and 100 to Porto or 70 and 20 to a mine."""
    state = tiles(norte("3", "4"), D22=("14", 0), D20=("88", 0), E19=("L97", 1))
    state = running(state, "N")
    first = f"3: {BURGOS_LINE}"
    assert earned(state, run(first)) == (30 + 30 + 30, 0)
    porto, mine = "4: E21.0 D22.0 D20.0 C21.0", "4: E21.0 D22.0 D20.0 E19.1"
    assert earned(state, run(porto)) == (30 + 30 + 10 + 30, 0)
    assert earned(state, run(mine)) == (70, 20)
    assert earned(state, run(first, porto)) == (190, 0)
    assert earned(state, run(first, mine)) == (160, 20)


@rule("ESP-4.4.3-n")
def test_madrid_and_bilbao_on_one_route_earn_100() -> None:
    state = running(norte("6|2+3", name="6"), "N")
    plain = 30 + 30 + 10 + 0 + 30 + 10 + 40
    assert earned(state, run(f"6|2+3: {ACROSS}")) == (plain + 100, 10)
    short = run("6|2+3: E21.0 E19.0 H12.0 H10 H8.0 I7.0 J6.0 K5.0")
    assert earned(state, short) == (plain - 30, 10), "without Madrid there is none"
    no_bilbao = run("6|2+3: F24.1 E23 E21.0 E19.0 H12.0 H10 H8.0 I7.0 J6.0")
    assert earned(state, no_bilbao) == (plain - 40, 10)
    ends = figures(state).bonus
    assert (set(ends.south), set(ends.north)) == ({"F24", "M21"}, {"E3", "K5"})


@rule("ESP-4.4.3-o")
def test_from_the_west_to_the_east_earns_100() -> None:
    state = running(tiles(norte("8"), G17=("L97", 1)), "N")
    value = 30 + 20 + 30 + 30 + 10 + 30
    assert earned(state, run(f"8: {BAYONNE.removesuffix(' I15.0')}")) == (value, 0)
    assert earned(state, run(f"8: {BAYONNE}")) == (value + 30 + 100, 0)


@rule("ESP-4.4.3-p", "ESP-DE-5.4.2-d", "ESP-4.4.3-q", "ESP-E29")
@pytest.mark.parametrize(("edition", "bonus"), [("de", 200), ("en", 150), ("es", 150)])
def test_both_bonuses_on_one_route(edition: str, bonus: int) -> None:
    state = norte("6|2+3", name="6", edition=edition)
    state = tiles(state, F24=("L86", 0), D22=("6", 0), D24=("8", 3), E25=("8", 2))
    state = running(tokens(state, F24=(("N",),)), "N")
    route = run(f"6|2+3: {GREAT}")
    stops = 50 + 20 + 60 + 30 + 10 + 0 + 30 + 10 + 40 + 50
    assert earned(state, route) == (stops + bonus, 10), "each once, and part of the dividend"


@rule("ESP-4.4.3-q")
def test_a_bonus_is_divided_with_the_rest() -> None:
    state = running(cash(norte("6|2+3", name="6"), Ana=0, N=0), "N")
    paid = play(state, run(f"6|2+3: {ACROSS}"), DeclareDividend("full"))
    assert paid.players["Ana"].cash == 5 * 25, "half of 250 with the bonus"
    assert paid.companies["N"].cash == 10, "only the mine goes to the treasury"
