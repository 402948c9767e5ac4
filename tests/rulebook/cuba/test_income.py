"""Income and dividends, and a round in which two majors ship from one box (VII.3.8)."""

from carril.engine.actions import DeclareDividend
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from tests.rulebook.cuba import positions
from tests.rulebook.cuba.lines import matanzas, mill, north_coast, offered, run, running
from tests.rulebook.cuba.positions import extra, memory
from tests.table import cash, charter, cited, code, phase, play, tiles, tokens

LINE = "B9.0 B11.0 A12.0"
"""Matanzas 20, Cárdenas 20, a harbour 10."""


def price(state: State, company: str) -> int:
    """Return the price of a company."""
    column = next(marker.column for marker in state.markers if marker.company == company)
    return state.tables.rows[0][column]


@rule("CUBA-VII.3.8-a", "CUBA-VII.3.8-e", "CUBA-VII.3.8-f", "CUBA-VII.3.8-g", "CUBA-IXa.2-a")
def test_a_major_pays_one_tenth_for_each_share() -> None:
    """50: 5 a share. Ana 5, Ben 1, treasury 2, pool 1, offering 1; 80 goes to 90."""
    state = north_coast("3")
    state = charter(state, "MS", shares={"Ana": 5, "Ben": 1, "treasury": 2, POOL: 1, IPO: 1})
    state = running(cash(state, Ana=0, Ben=0, MS=0), "MS")
    after = play(state, run(f"3: {LINE}"), DeclareDividend("full"))
    assert (after.players["Ana"].cash, after.players["Ben"].cash) == (25, 5)
    assert after.companies["MS"].cash == 10
    assert price(after, "MS") == 90


@rule("CUBA-VII.3.8-d", "CUBA-VII.3.8-g", "CUBA-VII.3.8-h", "CUBA-IXa.2-b")
def test_all_is_paid_or_all_is_kept() -> None:
    """Kept: 50 to the treasury, 80 falls to 70."""
    state = play(running(cash(north_coast("3"), Ana=0, MS=0), "MS"), run(f"3: {LINE}"))
    half = DeclareDividend("half")
    assert (code(state, half), cited(state, half)) == ("no-such-dividend", "CUBA-VII.3.8-d")
    kept = play(state, DeclareDividend("withhold"))
    assert (kept.companies["MS"].cash, kept.players["Ana"].cash) == (50, 0)
    assert price(kept, "MS") == 70


@rule("CUBA-VII.3.8-d")
def test_a_minor_has_the_same_choice() -> None:
    state = play(running(north_coast("3"), "HG"), run("2n: B11.0 B13.0"))
    kinds = {action.kind for action in state.options() if isinstance(action, DeclareDividend)}
    assert kinds == {"full", "withhold"}
    assert code(state, DeclareDividend("half")) == "no-such-dividend"
    kept = play(cash(state, HG=0), DeclareDividend("withhold"))
    assert (kept.companies["HG"].cash, price(kept, "HG")) == (30, 70)


@rule("CUBA-VII.3.8-g", "CUBA-VII.3.7-a", "CUBA-G33")
def test_a_company_without_a_run_earns_nothing_and_its_price_falls() -> None:
    for state in (charter(north_coast("3"), "MS", trains=()), matanzas(trains=("3",))):
        after = running(cash(state, MS=7), "MS")
        assert not after.agenda
        assert (after.companies["MS"].cash, price(after, "MS")) == (7, 70)


@rule("CUBA-VII.3.8-c")
def test_a_wrong_sum_is_refused() -> None:
    state = running(north_coast("3"), "MS")
    assert code(state, run(f"3: {LINE}", claim=50)) == ""
    wrong = run(f"3: {LINE}", claim=60)
    assert (code(state, wrong), cited(state, wrong)) == ("wrong-claim", "CUBA-VII.3.8-a")


@rule("CUBA-VII.3.8-k", "CUBA-G29")
def test_every_revenue_on_the_tables_is_a_multiple_of_ten() -> None:
    """Stops, machines, cubes; so one tenth, and one fifth, is a whole sum."""
    tables = positions.game().tables
    stops = [stop for tile in tables.tiles.values() for stop in tile.stops]
    stops += [stop for place in tables.hexes.values() for stop in place.print.stops]
    for colour in ("yellow", "green", "brown", "grey"):
        assert all(stop.value(colour) % 10 == 0 for stop in stops)


def shipping() -> State:
    """Cárdenas is green (L66, 30, three slots: HG, TSS); MS in Matanzas, TSS in Cárdenas.

    HG (80) has a 2n and machines of 20 and 40; MS (100) a 2 and a 1-wagon; TSS (90) a 3 and a
    2-wagon. Ben holds three shares of HG and two are in its treasury; Ana holds six of MS, Cleo
    five of TSS, the rest is in the treasuries.
    """
    state = mill(matanzas(trains=("2", "1w"), value=100), trains=("2n",))
    state = positions.major(state, "TSS", {"Cleo": 5}, value=90, trains=("3", "2w"))
    state = tiles(state, B9=("5", 4), B11=("L66", 1), B13=("L49", 0))
    state = tokens(state, B11=(("HG", "TSS"),))
    state = extra(phase(state, "4"), machines={"HG": ("2", "3")})
    return cash(state, Ana=0, Ben=0, Cleo=0, HG=0, MS=0, TSS=0)


@rule("CUBA-VII.3.7-z", "CUBA-VII.3.8-i", "CUBA-VII.3.8-j", "CUBA-G13", "CUBA-VII.3.8-f")
def test_a_minor_produces_and_two_majors_ship_from_its_box() -> None:
    # HG (VII.3.7-f, VII.3.11-h, VII.3.8-i): the mill 30, the field 10, machines 20 + 40: 100, which
    # brings two cubes. Paid out, 20 a share (VII.3.8-e): Ben 60, the treasury 40; 80 goes to 90.
    state = running(shipping(), "HG", "MS", "TSS")
    state = play(state, run("2n: B11.0 B13.0"), DeclareDividend("full"))
    assert (state.players["Ben"].cash, state.companies["HG"].cash) == (60, 40)
    assert (price(state, "HG"), memory(state).cubes) == (90, {"HG": 2})

    # MS (VII.3.7-o, -y): Matanzas 20, Cárdenas 30, the harbour beyond the range 0, one cube 30: 80.
    # A10 and A12 are equal. Paid out, 8 a share: Ana 48, the treasury 32; 100 goes to 110.
    assert {revenue for revenue, _ in offered(state)} == {80}
    state = play(state, run(f"2: {LINE}", extras=("1w 2 HG=1",)), DeclareDividend("full"))
    assert (state.players["Ana"].cash, state.companies["MS"].cash) == (48, 32)
    assert (price(state, "MS"), memory(state).cubes) == (110, {"HG": 1})

    # TSS (VII.3.7-z): its 2-wagon finds one cube. Matanzas is full, so the route ends there: 20 +
    # 30 + the harbour within the range 10 + 30: 90. Kept: 90 in the treasury; 90 falls to 80.
    two = run("3: A12.0 B11.0 B9.0", extras=("2w 3 HG=2",))
    assert (code(state, two), cited(state, two)) == ("run-no-cubes-left", "CUBA-VII.3.7-z")
    state = play(
        state, run("3: A12.0 B11.0 B9.0", extras=("2w 3 HG=1",)), DeclareDividend("withhold")
    )
    assert (state.players["Cleo"].cash, state.companies["TSS"].cash) == (0, 90)
    assert (price(state, "TSS"), memory(state).cubes) == (80, {"HG": 0})
