"""Mines: laying, earning from and dismantling them."""

from __future__ import annotations

import pytest

from carril.engine.actions import DeclareDividend, LayTile, Pass
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.running import run_problem
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from tests.rulebook.esp.positions import extra
from tests.rulebook.esp.works import LANGREO, fault, run, running, runs, turn, worth
from tests.table import cited, code, play

TO_MINE = "E3.0 E5.0 E7.1"
TO_TOWN = "E3.0 E5.0 E7.0"
TORRELAVEGA = {"H4": ("72", 5)}
"""Track from Santander to the mine of H6."""
LOOP = {"D6": ("L134", 0), "D8": ("L99", 5), "E9": ("694", 4), "F8": ("77", 1), "E7": ("L98", 0)}
"""From Oviedo by Mieres to a loop that leaves Langreo on one side and comes back on the other."""


@rule("ESP-4.2.3-a")
def test_a_mine_costs_30() -> None:
    mine = LayTile("H6", "L94", 0)
    assert play(turn("FdSB", TORRELAVEGA, money=30), mine).companies["FdSB"].cash == 0
    assert code(turn("FdSB", TORRELAVEGA, money=29), mine) == "too-dear"
    tables = turn("FdSB").title.tables
    mines = [h for h in tables.hexes.values() if any(s.kind == "mine" for s in h.print.stops)]
    assert {h.cost for h in mines if h.buildable} == {30}


@rule("ESP-4.2.3-b")
def test_a_mine_hex_takes_only_a_mine_with_its_town_if_it_has_one() -> None:
    bare = turn("FdSB", TORRELAVEGA)
    assert code(bare, LayTile("H6", "L94", 0)) == ""
    for number in ("79", "74", "L100"):
        assert code(bare, LayTile("H6", number, 0)) == "wrong-tile"
    town = turn("CFLG", {"E3": LANGREO["E3"], "E5": LANGREO["E5"]})
    assert code(town, LayTile("E7", "L100", 0)) == ""
    for number in ("79", "74", "L94"):
        assert code(town, LayTile("E7", number, 0)) == "wrong-tile"
    # and a mine fits nowhere else
    assert code(turn("FdSB"), LayTile("H4", "L98", 0)) == "wrong-tile"


@rule("ESP-4.2.3-c")
def test_one_mine_in_a_turn() -> None:
    state = turn("FdSB", {**TORRELAVEGA, "I5": ("L107", 1), "H6": ("L94", 0), "H8": ("L107", 0)})
    one, two = LayTile("I7", "L94", 1), LayTile("G9", "L94", 1)
    assert code(state, one) == ""
    assert code(state, two) == ""
    after = play(state, one)
    assert code(after, two) == "one-mine"
    assert cited(after, two) == "ESP-4.2.3-c"


@rule("ESP-4.2.3-d", "ESP-4.2.3-h")
@pytest.mark.parametrize(
    ("name", "income"), [("2", 30), ("3", 20), ("4", 20), ("5", 10), ("6", 10), ("8", 0)]
)
def test_what_a_mine_pays_falls_with_the_phases(name: str, income: int) -> None:
    state = turn("CFLG", LANGREO, name=name, trains=("1+2",))
    assert worth(state, "CFLG", run(**{"1+2": TO_MINE})) == (30 + 10, income)
    assert worth(state, "CFLG", run(**{"1+2": TO_TOWN})) == (30 + 10 + 10, 0)


@rule("ESP-4.2.3-e")
def test_the_income_of_a_mine_goes_to_the_treasury_at_once() -> None:
    state = running(turn("CFLG", LANGREO, name="2", trains=("1+2",)), "CFLG")
    before = state.companies["CFLG"].cash
    after = play(state, runs(run(**{"1+2": TO_MINE})))
    assert isinstance(after.step, Earnings)
    assert after.companies["CFLG"].cash == before + 30
    paid = play(after, DeclareDividend("full"))
    assert paid.companies["CFLG"].cash == before + 30
    assert paid.players["Ana"].cash == 650 + 20  # half of 40: 50%
    assert play(after, DeclareDividend("withhold")).companies["CFLG"].cash == before + 70


@rule("ESP-4.2.3-f")
def test_a_mine_is_a_stop_of_the_town_kind_even_when_it_pays_nothing() -> None:
    for name in ("2", "8"):
        state = turn("CFLG", LANGREO, name=name, trains=("1+2", "2+3"))
        assert fault(state, "CFLG", "1+2", TO_MINE) == ""
        assert fault(state, "CFLG", "1+2", f"E1.0 {TO_MINE}") == "too-many-stops"
        assert fault(state, "CFLG", "2+3", f"E1.0 {TO_MINE}") == ""


@rule("ESP-4.2.3-g")
def test_mine_and_town_of_one_tile_are_not_both_counted() -> None:
    state = turn("CFLG", LANGREO, trains=("2+3",))
    stops = {stop.key: stop for stop in run_problem(state, "CFLG").stops}
    assert stops["E7.0"].once == stops["E7.1"].once != ""
    loop = turn("CFEA", LOOP, trains=("2+3",))
    assert fault(loop, "CFEA", "2+3", "E7.0 E9 F8 E7.1") == "stop-excluded"


@rule("ESP-4.2.3-i")
def test_no_mine_is_green() -> None:
    tiles = turn("FdSB").title.tables.tiles.values()
    colours = {t.colour for t in tiles if any(stop.kind == "mine" for stop in t.stops)}
    assert colours == {"yellow"}
    # nothing forces it away: in the last phase the yellow mine still lies there
    state = turn("FdSB", {**TORRELAVEGA, "H6": ("L94", 0)}, name="8")
    assert play(state, Pass()).board.laid["H6"] == ("L94", 0)


@rule("ESP-4.2.3-j")
def test_a_dismantled_mine_leaves_its_track_and_its_town() -> None:
    state = turn("FdSB", {**TORRELAVEGA, "H6": ("L94", 0)})
    assert code(state, LayTile("H6", "677", 0)) == ""
    assert code(state, LayTile("H6", "89", 0)) == "wrong-tile"
    assert code(state, LayTile("H6", "699", 0)) == "drops-track"
    town = turn("CFLG", LANGREO, trains=("1+2",))
    assert code(town, LayTile("E7", "677", 0)) == "wrong-tile"
    after = play(town, LayTile("E7", "89", 0))
    assert worth(after, "CFLG", run(**{"1+2": TO_TOWN})) == (50, 0)
    assert fault(after, "CFLG", "1+2", TO_MINE) == "no-such-place"
    # for good: no yellow mine comes back
    later = turn("CFLG", {**LANGREO, "E7": ("89", 0)})
    assert code(later, LayTile("E7", "L100", 0)) == "wrong-colour"


@rule("ESP-4.2.3-k")
def test_the_mine_may_be_the_only_lay() -> None:
    state = play(turn("FdSB", TORRELAVEGA, trains=("1+2",)), LayTile("H6", "L94", 0))
    step = state.step
    assert isinstance(step, Build)
    assert (step.normal, step.mined) == (0, True)
    after = play(state, Pass())
    assert not isinstance(after.step, Build)
    assert after.companies["FdSB"].cash == 470


@rule("ESP-DE-5.3.3-a")
def test_the_green_tile_is_upgraded_like_any_other() -> None:
    state = turn("FdSB", {**TORRELAVEGA, "H6": ("677", 0)}, name="5")
    assert code(state, LayTile("H6", "L121", 0)) == ""
    assert play(state, LayTile("H6", "L121", 0)).companies["FdSB"].cash == 500
    town = turn("CFLG", {**LANGREO, "E7": ("89", 0)}, name="5")
    assert code(town, LayTile("E7", "L127", 3)) == "drops-track"
    found = [code(town, LayTile("E7", "L127", turn_)) for turn_ in range(6)]
    assert "" in found


@rule("ESP-4.2.3-c")
def test_the_help_of_private_1_gives_no_second_mine() -> None:
    laid = {**TORRELAVEGA, "I5": ("L107", 1), "H6": ("L94", 0), "H8": ("L107", 0)}
    state = extra(turn("FdSB", laid), privates={"P1": "FdSB"})
    after = play(state, LayTile("I7", "L94", 1))
    assert code(after, LayTile("G9", "L94", 1, "P1")) == "one-mine"
    helped = play(state, LayTile("G9", "L94", 1, "P1"))
    assert helped.companies["FdSB"].cash == 500
