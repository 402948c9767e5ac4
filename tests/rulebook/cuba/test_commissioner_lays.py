"""Commissioners: an extra tile of their class, and money for their owner."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import LayTile, Pass
from carril.engine.network import supply
from carril.engine.state import State
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from carril.titles.cuba import track
from carril.titles.cuba.figures import figures
from tests.rulebook.cuba.building import building, lays, opened
from tests.rulebook.cuba.positions import extra, game, memory, stock_round
from tests.table import charter, cited, code, phase, play, tiles

CAMAGUEY = {"D19": ("57", 1)}  # edges 1 (D17, open) and 4 (D21, cane)
AT_D19 = {"D19": (("NPP",),)}
AT_D13 = {"D13": (("HG",),)}
ALL = {f"K{number}": "Ana" for number in range(1, 7)}


def helped(now: str = "1", **more: object) -> State:
    """Return the track step of NPP; Ana, its director, has all commissioners."""
    state = building("NPP", CAMAGUEY, AT_D19, now=now, **more)  # type: ignore[arg-type]
    return extra(state, commissioners=ALL)


@rule("CUBA-IV.1-a")
def test_the_six_commissioners() -> None:
    found = [(one.tile.colour, one.tile.kind, one.funding) for one in figures(game()).private]
    assert found == [
        ("yellow", "plain", 30),
        ("yellow", "city", 35),
        ("green", "plain", 40),
        ("green", "city", 50),
        ("brown", "plain", 70),
        ("brown", "city", 80),
    ]


@rule("CUBA-IV.1-b", "CUBA-IV.1-d", "CUBA-IV.1-l", "CUBA-C37")
def test_one_extra_tile_before_or_after_the_normal_one() -> None:
    state = extra(helped(), commissioners={"K1": "Ana"})
    own, more = LayTile("D17", "9", 1), LayTile("D21", "8", 5, "K1")
    for first, second in ((own, more), (more, own)):
        after = play(state, first, second)
        assert set(after.board.laid) == {"D19", "D17", "D21"}
        assert not (isinstance(after.step, LayTrack) and after.step.company == "NPP")
    done = play(state, own)
    assert code(done, Pass()) == ""
    # "A third lay is refused": the card is gone.
    third = play(extra(helped(), commissioners={"K1": "Ana", "K5": "Ana"}), more)
    assert code(third, LayTile("E20", "9", 0, "K1")) == "not-your-commissioner"
    # In no other step: the station step, a stock round.
    line = building("NPP", {**CAMAGUEY, "D17": ("9", 1), "D15": ("57", 1)}, AT_D19)
    station = play(extra(opened(line, "StSp", "Cleo"), commissioners={"K1": "Ana"}), Pass())
    assert isinstance(station.step, PlaceStation)
    assert code(station, more) == "not-now"
    assert code(stock_round(state), more) == "not-now"


@rule("CUBA-IV.1-c", "CUBA-C54")
def test_the_card_belongs_to_the_director_of_the_company_on_turn() -> None:
    bens = extra(helped(), commissioners={"K1": "Ben"})
    lay = LayTile("D17", "9", 1, "K1")
    assert code(bens, lay) == "not-your-commissioner"
    assert cited(bens, lay) == "CUBA-IV.1-c"
    assert code(helped(), LayTile("D17", "9", 1, "K9")) == "not-your-commissioner"
    # Through a minor as well.
    minor = building("HG", {"D13": ("L60", 0)}, AT_D13)
    minor = extra(minor, commissioners={"K1": "Ana"})
    assert code(minor, LayTile("D11", "L48", 2, "K1")) == ""


@rule("CUBA-IV.1-e")
def test_the_bank_pays_the_player_and_the_card_leaves_the_game() -> None:
    state = helped("3")
    after = play(state, LayTile("D19", "14", 1, "K4"))
    # "Commissioner 4 used: owner +50, company treasury unchanged."
    assert after.players["Ana"].cash == state.players["Ana"].cash + 50
    assert after.bank == state.bank - 50
    assert after.companies["NPP"].cash == state.companies["NPP"].cash
    assert "K4" not in memory(after).commissioners


@rule("CUBA-IV.1-f", "CUBA-VII.3.5-n")
def test_the_extra_tile_obeys_every_ordinary_rule() -> None:
    # "Commissioner 5 in phase 4 is refused (no brown yet)."
    state = building("NPP", {**CAMAGUEY, "D17": ("23", 4)}, AT_D19, now="4")
    state = extra(state, commissioners=ALL)
    # 23 turned 4: 4-1 and 4-2; 47 (0-3, 1-4, 1-3, 0-4) turned 4: 4-1, 5-2, 5-1, 4-2.
    brown = LayTile("D17", "47", 4, "K5")
    assert code(state, brown) == "colour-not-yet"
    assert code(phase(state, "5"), brown) == ""
    # Reach, gauge, supply, the edge of the map.
    assert code(helped(), LayTile("C12", "9", 1, "K1")) == "not-connected"
    assert code(helped(), LayTile("D17", "79", 1, "K1")) == "major-standard-only"
    assert code(helped(), LayTile("D21", "9", 1, "K1")) == "prohibited-side"
    none_left = tiles(helped(), B15=("7", 0), C10=("7", 0))
    assert supply(none_left.tables, none_left.board)["7"] == 0
    assert code(none_left, LayTile("D17", "7", 4, "K1")) == "no-tile-left"


@rule("CUBA-IV.1-g")
def test_plain_commissioners_cover_plain_track_of_both_gauges_and_fields() -> None:
    minor = building("HG", {"D13": ("L61", 0)}, AT_D13)
    minor = extra(minor, commissioners=ALL)
    assert code(minor, LayTile("C12", "79", 2, "K1")) == ""  # narrow
    field = extra(building("HG", {"D13": ("L60", 0)}, AT_D13), commissioners=ALL)
    assert code(field, LayTile("D11", "L48", 2, "K1")) == ""
    assert code(helped(), LayTile("D17", "9", 1, "K1")) == ""  # standard
    mixed = building("HG", {"D13": ("L61", 0), "C12": ("9", 1)}, AT_D13, now="3")
    assert code(extra(mixed, commissioners=ALL), LayTile("C12", "IR26", 4, "K3")) == ""
    for card in ("K2", "K3", "K4", "K5", "K6"):
        assert code(helped(), LayTile("D17", "9", 1, card)) == "other-commissioner"
    green = building("HG", {"D13": ("L60", 0), "D11": ("L48", 2)}, AT_D13, now="3")
    green = extra(green, commissioners=ALL)
    assert {card for _, _, card, _ in lays(green, "D11")} == {"", "K3"}


@rule("CUBA-IV.1-h", "CUBA-G10")
def test_city_commissioners_cover_cities_but_not_the_y_cities() -> None:
    assert code(helped("3"), LayTile("D19", "14", 1, "K4")) == ""
    two_gauges = building("NPP", {"D19": ("L60", 0)}, {"D19": (("HG", "NPP"),)}, now="3")
    assert code(extra(two_gauges, commissioners=ALL), LayTile("D19", "L67", 3, "K4")) == ""
    on_yellow = {"G24": ("621", 0)}
    for laid, new, now in (
        ({}, LayTile("G24", "621", 0, "K2"), "1"),
        (on_yellow, LayTile("G24", "208", 0, "K4"), "3"),
    ):
        santiago = building("NPP", laid, {"G24": (("NPP",),)}, now=now)
        santiago = extra(santiago, commissioners=ALL)
        assert code(santiago, replace(new, private="")) == ""
        assert code(santiago, new) == "no-commissioner-there"
        assert cited(santiago, new) == "CUBA-IV.1-h"


@rule("CUBA-IV.1-h", "CUBA-G10")
def test_havana_is_allowed_unless_the_other_reading_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    oeste = building("Oe", {}, {"B7": (("Oe",), ("FC",))}, now="3")
    state = extra(oeste, commissioners=ALL)
    lay = LayTile("B7", "L44", 0, "K4")
    assert code(state, lay) == ""
    own = figures(state)
    other = replace(own, readings=replace(own.readings, commissioner_havana=False))
    monkeypatch.setattr(track, "figures", lambda state: other)
    assert state.refusal(lay).code == "no-commissioner-there"  # type: ignore[union-attr]


@rule("CUBA-IV.1-i")
def test_a_minor_uses_a_city_commissioner_at_home_only() -> None:
    laid = {"D13": ("L61", 0), "C12": ("79", 2)}
    state = extra(building("HG", laid, AT_D13), commissioners=ALL)
    assert code(state, LayTile("B11", "L60", 0, "K2")) == "minor-other-city"


@rule("CUBA-IV.1-j")
def test_a_cane_field_costs_10_with_a_commissioner_too() -> None:
    state = helped(money=10)
    after = play(state, LayTile("D21", "8", 5, "K1"))
    assert after.companies["NPP"].cash == 0
    assert after.bank == state.bank + 10 - 30
    assert code(helped(money=9), LayTile("D21", "8", 5, "K1")) == "too-dear"


@rule("CUBA-IV.1-k", "CUBA-G10")
def test_several_commissioners_in_one_step_are_settled_in_turn() -> None:
    state = helped("3")
    first = play(state, LayTile("D17", "9", 1, "K1"))
    assert first.players["Ana"].cash == state.players["Ana"].cash + 30
    second = play(first, LayTile("D17", "23", 4, "K3"))  # upgrades the tile just laid
    assert second.players["Ana"].cash == first.players["Ana"].cash + 40
    third = play(second, LayTile("D19", "14", 1, "K4"))
    assert third.players["Ana"].cash == second.players["Ana"].cash + 50
    assert set(memory(third).commissioners) == {"K2", "K5", "K6"}
    assert code(third, LayTile("D21", "8", 5)) == ""  # its own tile is still to come


@rule("CUBA-IV.1-m")
def test_a_commissioner_is_of_no_use_to_a_company_without_a_turn() -> None:
    # Ana's card, Ben's company on turn: nobody can use it.
    bens = charter(helped(), "NPP", owner="Ben", shares={"Ben": 6, "treasury": 4})
    assert code(bens, LayTile("D17", "9", 1, "K1")) == "not-your-commissioner"
    assert all(not card for _, _, card, _ in lays(bens))
