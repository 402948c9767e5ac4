"""Earnings: withheld or paid out, and what becomes of the price (4.5)."""

from itertools import pairwise

import pytest

from carril.engine.actions import DeclareDividend, Pass, RunTrains
from carril.engine.market import price
from carril.engine.state import Round, State
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from carril.titles.esp.takeover import Takeovers
from carril.titles.esp.title import TABLES
from tests.rulebook.esp.lines import (
    asturias,
    badajoz,
    castile,
    earned,
    earning,
    owned,
    run,
    running,
    turn_at,
)
from tests.rulebook.esp.positions import extra, game, major, minor, operate
from tests.table import at, cash, cited, code, offered, phase, play, tokens

CHART = (
    *(50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100, 105, 110, 115, 120, 126, 132, 138, 144, 151),
    *(158, 165, 172, 180, 188, 196, 204, 213, 222, 231, 240, 250, 260, 270, 280, 295, 310, 325),
    *(340, 360, 380, 400),
)
FULL, HALF, KEEP = DeclareDividend("full"), DeclareDividend("half"), DeclareDividend("withhold")


def crb(amount: int, value: int = 132, **shares: int) -> State:
    """CRB has earned so much; its shares are Ana's 5, Ben's 2, two in the market, one unsold."""
    held = shares or {"Ana": 5, "Ben": 2, "pool": 2}
    state = major(phase(game(), "3"), "CRB", held, column=CHART.index(value))
    return earning(cash(state, Ana=0, Ben=0, CRB=0), "CRB", amount)


def zp(amount: int, value: int = 100) -> State:
    """The minor ZP has earned so much."""
    return earning(cash(minor(game(), "ZP", "Ana", value=value), Ana=0, ZP=0), "ZP", amount)


def money(state: State, *names: str) -> tuple[int, ...]:
    """Return what players and companies have."""
    return tuple(
        (state.players[name] if name in state.players else state.companies[name]).cash
        for name in names
    )


@rule("ESP-4.5-a")
def test_a_major_pays_all_or_nothing() -> None:
    state = crb(130)
    assert code(state, HALF) == "no-such-dividend"
    assert cited(state, HALF) == "ESP-4.5-a"
    assert [o.kind for o in offered(state, DeclareDividend) if isinstance(o, DeclareDividend)] == [
        "full",
        "withhold",
    ]
    assert money(play(state, KEEP), "Ana", "Ben", "CRB") == (0, 0, 130)


@rule("ESP-4.5-b", "ESP-4.5-i")
def test_withholding_fills_the_treasury_and_costs_a_column() -> None:
    after = play(zp(70), KEEP)
    assert money(after, "Ana", "ZP") == (0, 70)
    assert price(after, "ZP") == 90
    major_after = play(crb(130), KEEP)
    assert price(major_after, "CRB") == 120, "from 132, two steps of the zigzag"


@rule("ESP-4.5-c")
def test_the_lower_end_of_the_chart() -> None:
    assert price(play(zp(70, 60), KEEP), "ZP") == 50
    assert price(play(zp(70, 55), KEEP), "ZP") == 50, "half a column"
    assert price(play(zp(70, 50), KEEP), "ZP") == 50


@rule("ESP-4.5-d", "ESP-4.5-e", "ESP-4.5-f")
def test_a_tenth_for_each_share_wherever_it_lies() -> None:
    after = play(crb(130), FULL)
    assert money(after, "Ana", "Ben") == (65, 26)
    assert money(after, "CRB") == (26,), "two in the market pay the company, the unsold one nobody"
    unsold = play(crb(130, Ana=5, Ben=2), FULL)
    assert money(unsold, "Ana", "Ben", "CRB") == (65, 26, 0)


@rule("ESP-4.5-g")
def test_nothing_is_paid_for_the_reserved_share() -> None:
    state = major(phase(game(edition="en"), "3"), "CRB", {"Ana": 9, "reserved": 1})
    after = play(earning(cash(state, Ana=0, CRB=0), "CRB", 130), FULL)
    assert money(after, "Ana", "CRB") == (9 * 13, 0)


@rule("ESP-4.5-h")
def test_a_minor_shares_with_its_director() -> None:
    state = zp(70)
    assert money(play(state, HALF), "Ana", "ZP") == (35, 35)
    assert code(state, FULL) == "no-such-dividend", "never all of it"


@rule("ESP-4.5-j")
def test_a_payout_gains_a_column() -> None:
    assert price(play(crb(130), FULL), "CRB") == 144
    assert price(play(zp(70), HALF), "ZP") == 110


@rule("ESP-4.5-k")
def test_the_upper_end_of_the_chart() -> None:
    assert price(play(crb(130, 360), FULL), "CRB") == 400
    assert price(play(crb(130, 380), FULL), "CRB") == 400, "half a column"
    assert price(play(crb(130, 400), FULL), "CRB") == 400


@rule("ESP-4.5-l")
def test_nothing_to_divide_costs_a_column_whatever_mines_and_harbours_paid() -> None:
    state = major(phase(game(), "3"), "CRB", {"Ana": 5}, column=CHART.index(132))
    state = earning(cash(state, CRB=0), "CRB", 0, subsidy=40)
    assert money(state, "CRB") == (40,)
    assert price(state, "CRB") == 120
    assert not offered(state, DeclareDividend), "there is nothing to choose"


@rule("ESP-4.5-m")
def test_a_company_without_trains_falls_so_everybody_does_at_first() -> None:
    state = minor(game(), "ZP", "Ana", value=100, operated=False, tokens=1)
    state = operate(cash(state, ZP=200), "ZP")
    assert price(state, "ZP") == 100, "while it still builds"
    after = play(state, Pass())
    assert price(after, "ZP") == 90
    skipped = turn_at(owned(castile(game()), "N"), "N", Takeovers("N"), RunStep("N"))
    assert price(skipped, "N") == 70, "from 80"
    assert not offered(skipped, RunTrains)


@rule("ESP-4.5-n", "ESP-4.5-o")
def test_crb_runs_two_trains_from_badajoz() -> None:
    state = phase(badajoz(game()), "3")
    state = major(
        *(state, "CRB", {"Ana": 5, "Ben": 2, "pool": 2}),
        column=CHART.index(132),
        trains=("3", "3"),
    )
    state = extra(tokens(state, B26=(("CRB",),)), goals={"CRB": ("offboard", "harbour")})
    state = running(cash(state, Ana=0, Ben=0, CRB=0), "CRB")
    lisboa, mine = "3: A27.0 B26.0 C27.0", "3: B26.0 C25.0 C23.0"
    assert earned(state, run(lisboa)) == (30 + 30 + 20, 0)
    assert earned(state, run(mine)) == (30 + 20, 20)
    after = play(state, run(lisboa, mine), FULL)
    assert money(after, "Ana", "Ben") == (65, 26)
    assert money(after, "CRB") == (20 + 26,)
    assert price(after, "CRB") == 144
    by_other_track = "3: A25.0 B26.0 C25.0"
    assert earned(state, run(lisboa, by_other_track)) == (80 + 80, 0), "Lisboa serves both trains"


@rule("ESP-4.5-p")
def test_the_chart_is_one_zigzag_of_two_rows() -> None:
    assert TABLES.rows == (CHART,)
    lower, upper = CHART[::2], CHART[1::2]
    assert (lower[0], lower[1], lower[2], lower[-1]) == (50, 60, 70, 380)
    assert (upper[0], upper[1], upper[-1]) == (55, 65, 400)
    for here, there in pairwise(lower):
        state = major(phase(game(), "3"), "CRB", {"Ana": 5}, column=CHART.index(here))
        assert price(play(earning(state, "CRB", 10), FULL), "CRB") == there, "a column is two steps"


@rule("ESP-DE-5.5-a")
def test_trains_left_idle_earn_nothing_and_the_price_falls() -> None:
    state = tokens(owned(asturias(game()), "CFEA", "1+2"), D6=(("CFEA",), ()))
    state = running(cash(state, CFEA=0), "CFEA")
    after = play(state, run())
    assert money(after, "CFEA") == (0,)
    assert price(after, "CFEA") == 70
    refused = tokens(owned(asturias(game(edition="en")), "CFEA", "1+2"), D6=(("CFEA",), ()))
    assert code(running(refused, "CFEA"), run()) == "must-run"


@rule("ESP-4.5-j")
@pytest.mark.parametrize(("edition", "value"), [("de", 100), ("en", 110)])
def test_several_columns_only_in_the_very_last_round(edition: str, value: int) -> None:
    state = owned(game(edition=edition), "FdSB")
    state = extra(earning(state, "FdSB", 100), last_rounds="on")
    last = at(state, *state.agenda, round_=Round("OR", 9, 3, 3))
    assert price(play(last, FULL), "FdSB") == value
    assert price(play(at(state, *state.agenda, round_=Round("OR", 9, 2, 3)), FULL), "FdSB") == 90
