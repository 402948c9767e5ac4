"""What the implementers of another program found hard in 18Cuba: each line is a test here.

Where its edition differs from the draft, the draft is tested.
"""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    BuyTrain,
    ConvertConcession,
    IssueShares,
    LayTile,
    Pass,
    PlaceToken,
    RedeemShares,
)
from carril.engine.board import open_circles
from carril.engine.events import Event, TrainExported
from carril.engine.market import price
from carril.engine.network import reach as traced
from carril.engine.state import TREASURY
from carril.rules.marker import rule
from carril.titles.cuba.title import TABLES
from tests.rulebook.cuba import building, positions
from tests.rulebook.cuba.lines import earned, north_coast, run, running
from tests.rulebook.cuba.opening import drafted
from tests.rulebook.cuba.positions import buying, four_companies, game, memory, operate, priced
from tests.rulebook.cuba.rounds import due, end_turn
from tests.rulebook.cuba.test_upgrade_chart import computed_chart
from tests.table import cash, charter, cited, code, phase, play, tiles, tokens

LINE = "B9.0 B11.0 A12.0"
"""Matanzas 20, Cárdenas 20 (the mill of HG), a harbour 10."""


@rule("CUBA-G1", "CUBA-IXa.1-c", "CUBA-IXa.1-d")
def test_the_chart_has_36_spaces_and_moves_at_its_ends() -> None:
    """132, 138, 165 and 213 are on it; 55 to 50 and 290 to 300 (reported as PR #12857)."""
    values = TABLES.rows[0]
    assert len(values) == 36
    assert {132, 138, 165, 213} <= set(values)
    state = four_companies()  # no company has a route, so a turn moves its price to the left
    low = end_turn(operate(priced(charter(state, "MS", trains=("3",)), "MS", 55), "MS"), "MS")
    assert price(low, "MS") == 50
    coast = running(priced(north_coast("3"), "MS", 290), "MS")
    high = play(coast, run(f"3: {LINE}"))
    (full,) = [one for one in high.options() if getattr(one, "kind", "") == "full"]
    assert price(play(high, full), "MS") == 300  # type: ignore[arg-type]


@rule("CUBA-VII.3.4-m", "CUBA-VII.3.4-t", "CUBA-VII.3.4-h")
def test_minors_trace_narrow_and_majors_standard_track() -> None:
    """HG and MS on one tile with both gauges (reported as PR #12484).

    L60 turned 0 on B11: narrow 1 (B9), standard 4 (B13) and 5 (C12).
    """
    state = tokens(tiles(game(), B11=("L60", 0)), B11=(("HG", "MS"),))
    narrow, standard = (traced(state.tables, state.board, name).entries for name in ("HG", "MS"))
    assert set(narrow) - {"B11"} == {"B9"}
    assert set(standard) - {"B11"} == {"B13", "C12"}


@rule("CUBA-VII.3.4-n", "CUBA-VII.3.4-u", "CUBA-VII.3.5-r", "CUBA-VII.3.5-s", "CUBA-C32")
def test_who_lays_what_where() -> None:
    """Yellow tiles, cane fields and plain upgrades (reported as PR #12430, #12545).

    The other program opens cane fields to majors from the first 3 train; the draft always does.
    """
    mill = {"D13": ("L60", 0)}, {"D13": (("HG",),)}
    minor = building.building("HG", *mill)
    assert code(minor, LayTile("D11", "L48", 2)) == "", "a field is free for a minor"
    assert code(minor, LayTile("D11", "8", 2)) == "minor-narrow-only"
    station = {"C14": ("6", 2)}, {"C14": (("CVC",),)}
    major = building.building("CVC", *station, money=10, now="1")
    assert code(major, LayTile("B13", "L49", 0)) == "major-standard-only"
    assert play(major, LayTile("B13", "8", 5)).companies["CVC"].cash == 0, "10, in phase 1 too"
    # 9 becomes IR26, which adds narrow track alone: not by a major.
    plain = {"C14": ("57", 1), "C12": ("9", 1)}, {"C14": (("CVC",),)}
    green = building.building("CVC", *plain, now="3")
    assert cited(green, LayTile("C12", "IR26", 1)) == "CUBA-VII.3.5-s"


@rule("CUBA-VII.3.2-a", "CUBA-VII.3.2-d", "CUBA-VII.3.2-e", "CUBA-VII.3.2-g", "CUBA-C23")
def test_homes_are_taken_in_the_first_turn() -> None:
    """Minors choose then, not at par; FEC any slot, or an extra one (reported as PR #12408)."""
    opened = play(drafted(game(), "M1", "", "", ""), ConvertConcession("M1", "HG", 70))
    assert (opened.companies["HG"].tokens, "HG" in str(opened.board.tokens)) == (1, False)
    assert play(building.begin("HG"), PlaceToken("D13", 0)).board.tokens["D13"] == (("HG",),)
    assert building.begin("MS").board.tokens["B9"] == (("MS",),)
    assert play(building.begin("FEC"), PlaceToken("G26", 0)).board.tokens["G26"] == (("FEC",),)
    taken = dict.fromkeys(("B11", "C4", "D13", "E24", "F21", "G26"), (("HG",),))
    extra_slot = play(building.begin("FEC", tokens(game(), **taken)), PlaceToken("C4", 0))
    assert extra_slot.board.tokens["C4"] == (("HG", "FEC"),)
    assert open_circles(extra_slot.tables, extra_slot.board, "C4", 0) < 1


@rule("CUBA-VI.7-a", "CUBA-VI.7-c", "CUBA-VI.7-i", "CUBA-IV.2-b")
def test_a_minor_is_opened_with_its_concession() -> None:
    """3 x 85 - 210 = 45 are paid, and the card is gone (reported as PR #12383)."""
    state = drafted(game(), "M1", "", "", "")
    before = state.players["Ana"].cash
    state = play(state, ConvertConcession("M1", "HG", 85))
    assert state.players["Ana"].cash == before - 45
    assert state.companies["HG"].shares == {"Ana": 3, TREASURY: 2}
    assert "M1" not in memory(state).concessions


@rule("CUBA-VII.3.7-t", "CUBA-VII.3.7-o", "CUBA-VII.3.7-y", "CUBA-VII.3.7-k", "CUBA-C28")
def test_wagons_cubes_and_the_4d() -> None:
    """One wagon a train, 30 a cube, a harbour at 0 beyond the range (reported as PR #12779).

    The other program has no wagon on a 4D; the draft has, and does not double its sugar.
    """
    state = running(north_coast("2", "1w", "1w", cubes=2), "MS")
    both = run(f"2: {LINE}", extras=("1w 2 HG=1", "1w 2 HG=1"))
    assert code(state, both) == "run-two-extras"
    assert earned(state, run(f"2: {LINE}", extras=("1w 2 HG=1",))) == 20 + 20 + 0 + 30
    late = running(phase(north_coast("4D", "1w", cubes=1), "7"), "MS")
    assert earned(late, run(f"4D: {LINE}", extras=("1w 4D HG=1",))) == 2 * (20 + 20 + 10) + 30
    narrow = run("2n: B11.0 B13.0", extras=("1w 2n HG=1",))
    assert code(running(north_coast("2", "1w", cubes=1), "HG"), narrow) == "run-no-such-extra"


@rule("CUBA-VII.3.9-i", "CUBA-VII.3.10-h", "CUBA-VII.3.13-b")
def test_wagons_between_companies_emergencies_and_the_8() -> None:
    """Wagons at face value, the cheapest train of the gauge (reported as commits of 2026-06).

    There an 8 passes a token free of charge; in the draft it is a plain train, and so is the FC's.
    """
    state = charter(four_companies("4"), "NPP", trains=("4", "2w"))
    state = buying(charter(state, "MS", trains=("4",)), "MS", MS=200)
    assert code(state, BuyTrain("2w", "NPP", 70)) == "face-price"
    assert code(state, BuyTrain("2w", "NPP", 80)) == ""
    needy = buying(four_companies("3"), "HG", HG=0, Ana=500)
    assert code(needy, BuyTrain("3n", "stack", 180)) == "only-cheapest"
    assert TABLES.trains["8"].free_tolls == 0
    assert TABLES.trains["6+"].free_tolls == 1


@rule("CUBA-VII.3.3-a", "CUBA-VII.3.3-c", "CUBA-VII.3.3-d", "CUBA-VII.3.13-a")
def test_what_was_missing_shares_of_companies_and_exports() -> None:
    """Issue at 90, redeem at the current price, an export at the end of a set (unticked)."""
    state = due(operate(cash(four_companies(), MS=0), "MS"), "MS", IssueShares)
    issued = play(state, IssueShares(1))
    assert (issued.companies["MS"].cash, price(issued, "MS")) == (90, 85)
    pooled = charter(four_companies(), "MS", shares={"Ana": 5, "pool": 5}, trains=("3",))
    state = due(operate(cash(pooled, MS=90), "MS"), "MS", RedeemShares)
    redeemed = play(state, RedeemShares(1))
    assert (redeemed.companies["MS"].cash, price(redeemed, "MS")) == (0, 90)
    last = redeemed
    told: tuple[Event, ...] = ()
    while last.round.kind == "OR":
        outcome = last.apply(Pass())
        last, told = outcome.state, (*told, *outcome.events)
    assert TrainExported("3") in told


@rule("CUBA-G8", "CUBA-VII.3.5-d", "CUBA-VII.3.5-t")
@pytest.mark.parametrize(
    ("old", "right", "wrong"),
    [("77", "IR26", "710"), ("78", "710", "711"), ("79", "711", "23"), ("57", "619", "L66")],
)
def test_no_wrong_upgrade_of_narrow_and_mixed_tiles(old: str, right: str, wrong: str) -> None:
    """Every old track stays with its gauge, a city without narrow track gets none (unticked)."""
    following = computed_chart(game())[old]
    assert right in following
    assert wrong not in following


@rule("CUBA-III-a", "CUBA-IV.1-e", "CUBA-VII.3.12-b", "CUBA-VII.3.11-d")
def test_what_was_missing_set_ups_commissioners_and_machines() -> None:
    """Two and three players in all levels, funding of a commissioner, machine prices (unticked)."""
    for players, variants in ((2, ("hard",)), (2, ("challenging",)), (3, ("easy",))):
        assert len(game(players, variants=variants).players) == players
    first = positions.extra(game(), commissioners={"K1": "Ana"})
    state = building.building("CVC", {"C14": ("6", 2)}, {"C14": (("CVC",),)}, state=first)
    funded = play(state, LayTile("B13", "8", 5, "K1"))
    assert funded.players["Ana"].cash == state.players["Ana"].cash + 30
    assert memory(game()).machine_prices["1"][:4] == (25, 30, 35, 40)
