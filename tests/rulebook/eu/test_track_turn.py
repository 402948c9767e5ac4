"""How much track a company lays in a turn, and what the ground costs."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile, Pass
from carril.engine.events import MoneyPaid, TileLaid
from carril.engine.state import State
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.table import (
    cash,
    cited,
    code,
    corporation,
    events,
    game,
    operate,
    own_minors,
    phase,
    play,
    tiles,
    tokens,
)


def minor_turn(symbol: str, *, turn: int = 2, number: int = 1, cash_: int = 0) -> State:
    """Ana owns this minor alone; the beginning of its turn."""
    state = cash(own_minors(game(), {symbol: "Ana"}), **{f"m{symbol}": cash_})
    return operate(state, symbol, turn=turn, number=number)


def corporation_turn(
    place: str, laid: dict[str, tuple[str, int]], *, name: str = "3", cash_: int = 500
) -> State:
    """Ana's KKÖ with one token in this hex and these tiles on the map, in this phase."""
    state = phase(own_minors(game(), {}), name)
    state = corporation(state, "KKÖ", {"Ana": 5}, trains=("3",), tokens=4)
    state = tokens(tiles(state, **laid), **{place: (("KKÖ",),)})
    return operate(cash(state, KKÖ=cash_), "KKÖ")


@rule("EU-4.4.1-a")
@pytest.mark.parametrize(("turn", "number"), [(1, 2), (2, 1), (2, 2), (5, 1)])
def test_a_minor_lays_one_yellow_tile(turn: int, number: int) -> None:
    state = minor_turn("8", turn=turn, number=number, cash_=500)
    home, second = LayTile("M16", "202", 1), LayTile("M14", "9", 0)
    assert code(state, home) == ""
    after = play(state, home)
    assert isinstance(after.step, BuyTrains)
    assert code(after, second) == "not-now"


@rule("EU-4.4.1-a", "EU-4.6-x")
def test_in_the_first_operating_round_a_minor_lays_up_to_two() -> None:
    state = minor_turn("8", turn=1, number=1, cash_=500)
    home, second, third = LayTile("M16", "202", 1), LayTile("M14", "9", 0), LayTile("M12", "9", 0)
    # the second leans on the first
    assert code(state, second) == "home-first"
    assert code(play(state, LayTile("M16", "201", 1)), second) == "not-connected"
    one = play(state, home)
    assert isinstance(one.step, LayTrack)
    two = play(one, second)
    assert two.board.laid == {"M16": ("202", 1), "M14": ("9", 0)}
    assert code(two, third) == "not-now"


@rule("EU-4.6-x")
def test_the_second_tile_does_not_replace_the_first() -> None:
    one = play(minor_turn("8", turn=1, number=1), LayTile("M16", "202", 1))
    for number in ("201", "202"):
        assert code(one, LayTile("M16", number, 1)) == "wrong-colour"
    assert code(one, LayTile("M16", "578", 1)) == "colour-not-yet"
    assert code(one, LayTile("M14", "9", 0)) == ""


@rule("EU-4.4.1-b")
def test_a_minor_never_upgrades() -> None:
    state = tiles(own_minors(game(), {"8": "Ana"}), M16=("202", 1))
    state = operate(phase(cash(state, m8=500), "3"), "8")
    upgrade = LayTile("M16", "578", 1)
    assert code(state, upgrade) == "no-upgrades"
    assert cited(state, upgrade) == "EU-4.4.1-b"
    assert code(state, LayTile("M14", "9", 0)) == ""
    # the same upgrade by a corporation in the same place
    assert code(corporation_turn("M16", {"M16": ("202", 1)}), upgrade) == ""


@rule("EU-4.4.1-c")
def test_a_corporation_lays_one_yellow_tile_or_makes_one_upgrade() -> None:
    state = corporation_turn("M16", {"M16": ("202", 1)})
    yellow, upgrade = LayTile("M14", "9", 0), LayTile("M16", "578", 1)
    assert code(state, yellow) == ""
    assert code(state, upgrade) == ""
    after_yellow, after_upgrade = play(state, yellow), play(state, upgrade)
    for after in (after_yellow, after_upgrade):
        assert code(after, yellow) == "not-now"
        assert code(after, upgrade) == "not-now"


@rule("EU-4.4.1-d")
def test_laying_track_is_optional() -> None:
    corporations = corporation_turn("M16", {"M16": ("202", 1)})
    for state in (minor_turn("8"), minor_turn("8", turn=1), corporations):
        assert isinstance(state.step, LayTrack)
        assert code(state, Pass()) == ""
        assert play(state, Pass()).board == state.board
    once = play(minor_turn("8", turn=1), LayTile("M16", "202", 1))
    assert code(once, Pass()) == ""


@rule("EU-4.4.1-e")
def test_yellow_on_rough_ground_costs_60() -> None:
    # Budapest with track to Pressburg, a town on rough ground
    state = corporation_turn("M16", {"M16": ("201", 2)}, cash_=100)
    lay = LayTile("L15", "4", 2)
    assert MoneyPaid("KKÖ", "bank", 60, "terrain") in events(state, lay)
    assert TileLaid("KKÖ", "L15", "4", 2, 60) in events(state, lay)
    after = play(state, lay)
    assert after.companies["KKÖ"].cash == 40
    assert after.bank == state.bank + 60


@rule("EU-4.4.1-k")
def test_terrain_is_paid_from_the_companys_own_cash() -> None:
    lay = LayTile("L15", "4", 2)
    short = corporation_turn("M16", {"M16": ("201", 2)}, cash_=59)
    assert short.players["Ana"].cash == 350
    assert code(short, lay) == "too-dear"
    assert cited(short, lay) == "EU-4.4.1-k"
    assert code(corporation_turn("M16", {"M16": ("201", 2)}, cash_=60), lay) == ""


@rule("EU-4.4.1-k")
def test_in_the_first_operating_round_no_minor_builds_on_rough_ground() -> None:
    state = play(minor_turn("8", turn=1, number=1), LayTile("M16", "201", 2))
    assert code(state, LayTile("L15", "4", 2)) == "too-dear"
    lays = {option.hex for option in state.options() if isinstance(option, LayTile)}
    assert lays == {"M14"}


MILAN_NORTH = {"E18": ("202", 3)}
"""Milan with track to the north, into the mountain hex E16, and to the south-east."""


@rule("EU-4.4.1-f", "EU-4.4.1-g", "EU-4.4.1-h")
def test_a_mountain_costs_120_then_60_then_nothing() -> None:
    state = corporation_turn("E18", MILAN_NORTH, name="5", cash_=1000)
    state = play(state, LayTile("E16", "9", 0))
    assert state.companies["KKÖ"].cash == 880
    state = play(operate(state, "KKÖ"), LayTile("E16", "82", 0))
    assert state.companies["KKÖ"].cash == 820
    state = play(operate(state, "KKÖ"), LayTile("E16", "544", 0))
    assert state.companies["KKÖ"].cash == 820
    assert state.board.laid["E16"] == ("544", 0)


@rule("EU-4.4.1-f", "EU-4.4.1-g", "EU-4.4.1-k")
def test_a_mountain_is_refused_without_the_money() -> None:
    yellow, green = LayTile("E16", "9", 0), LayTile("E16", "82", 0)
    assert code(corporation_turn("E18", MILAN_NORTH, cash_=119), yellow) == "too-dear"
    assert code(corporation_turn("E18", MILAN_NORTH, cash_=120), yellow) == ""
    built = MILAN_NORTH | {"E16": ("9", 0)}
    assert code(corporation_turn("E18", built, cash_=59), green) == "too-dear"
    assert code(corporation_turn("E18", built, cash_=60), green) == ""


@rule("EU-4.4.1-g")
def test_the_cost_of_a_mountain_stays_with_its_hex() -> None:
    # a yellow tile taken back from a mountain is an ordinary tile elsewhere
    laid = MILAN_NORTH | {"E16": ("9", 0)}
    state = play(corporation_turn("E18", laid, cash_=60), LayTile("E16", "82", 0))
    state = play(operate(state, "KKÖ"), LayTile("F19", "9", 2))
    state = play(operate(state, "KKÖ"), LayTile("F19", "82", 2))
    assert state.board.laid["F19"] == ("82", 2)
    assert state.companies["KKÖ"].cash == 0


@rule("EU-4.4.1-i")
def test_the_printed_hex_south_of_vienna_costs_60_to_upgrade() -> None:
    state = phase(own_minors(game(), {}), "3")
    state = corporation(state, "KKÖ", {"Ana": 5}, trains=("3",), tokens=4)
    state = tokens(state, K14=(("KKÖ",), ()))
    upgrade = LayTile("K16", "82", 0)
    assert code(operate(cash(state, KKÖ=59), "KKÖ"), upgrade) == "too-dear"
    after = play(operate(cash(state, KKÖ=100), "KKÖ"), upgrade)
    assert after.companies["KKÖ"].cash == 40


@rule("EU-4.4.1-j")
def test_upgrades_on_rough_ground_are_free() -> None:
    laid = {"M16": ("201", 2), "L15": ("4", 2)}
    state = corporation_turn("M16", laid, cash_=0)
    after = play(state, LayTile("L15", "141", 2))
    assert after.board.laid["L15"] == ("141", 2)
    assert after.companies["KKÖ"].cash == 0
    assert after.bank == state.bank
