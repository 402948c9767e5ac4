"""Hexes where the first tile needs the leave of a minor's owner."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from carril.engine.actions import Accept, Decline, LayTile, Pass
from carril.engine.events import Answered, ConsentAsked, TileLaid
from carril.engine.state import State
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from carril.titles.eu.consent import Consent
from tests.table import (
    cash,
    charter,
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


class Case(NamedTuple):
    """A reserved hex: whose it is, and a corporation whose track arrives there."""

    minor: str
    token: tuple[str, int]
    track: dict[str, tuple[str, int]]
    lay: LayTile
    upgrade: LayTile


CASES = {
    "Brussels": Case(
        "2", ("D7", 0), {"D7": ("57", 1)}, LayTile("C8", "201", 4), LayTile("C8", "578", 4)
    ),
    "B11": Case(
        "3",
        ("C8", 0),
        {"C8": ("201", 1), "B9": ("8", 4)},
        LayTile("B11", "9", 0),
        LayTile("B11", "82", 0),
    ),
    "I6": Case("7", ("J7", 0), {"J7": ("202", 2)}, LayTile("I6", "9", 2), LayTile("I6", "82", 2)),
    "F19": Case(
        "10", ("E20", 0), {"E20": ("57", 1)}, LayTile("F19", "9", 1), LayTile("F19", "82", 1)
    ),
    "Florence": Case(
        "10", ("E20", 0), {"E20": ("57", 2)}, LayTile("F21", "4", 2), LayTile("F21", "141", 2)
    ),
}


def reserved(name: str, owner: str = "Ben") -> tuple[State, Case]:
    """Ana's NS at its track step beside a reserved hex, whose minor this player owns."""
    case = CASES[name]
    state = phase(own_minors(game(), {case.minor: owner}), "3")
    state = corporation(state, "NS", {"Ana": 5}, trains=("3",), tokens=4)
    place, city = case.token
    circles = list(state.board.tokens.get(place, ()))
    circles = circles or [()] * len(state.title.tables.hexes[place].print.stops)
    circles[city] = ("NS",)
    state = tokens(tiles(state, **case.track), **{place: tuple(circles)})
    return operate(cash(state, NS=500), "NS"), case


@rule("EU-4.6-h", "EU-A-29")
@pytest.mark.parametrize("name", list(CASES))
def test_a_stranger_lays_on_a_reserved_hex_only_with_the_owners_consent(name: str) -> None:
    """The hexes and their minors (reported as #7047, #7261, #8508)."""
    state, case = reserved(name)
    assert ConsentAsked("NS", "Ben", case.lay.hex) in events(state, case.lay)
    asked = play(state, case.lay)
    assert isinstance(asked.step, Consent)
    assert asked.acting == "Ben"
    assert asked.board == state.board
    given = asked.apply(Accept())
    assert Answered("Ben", True, case.lay.hex) in given.events
    assert any(isinstance(event, TileLaid) for event in given.events)
    assert given.state.board.laid[case.lay.hex] == (case.lay.tile, case.lay.turn)


@rule("EU-4.6-h")
@pytest.mark.parametrize("name", list(CASES))
def test_a_declined_consent_forbids_the_hex_for_this_turn(name: str) -> None:
    state, case = reserved(name)
    refused = play(state, case.lay, Decline())
    assert isinstance(refused.step, LayTrack)
    assert refused.acting == "Ana"
    assert refused.board == state.board
    assert refused.companies["NS"].cash == 500
    assert code(refused, case.lay) == "consent-declined"
    assert cited(refused, case.lay) == "EU-4.6-h"
    assert all(o.hex != case.lay.hex for o in refused.options() if isinstance(o, LayTile))
    # the lay is not used up: another hex is still possible, and so is a pass
    assert any(isinstance(o, LayTile) for o in refused.options())
    assert code(refused, Pass()) == ""


@rule("EU-4.6-h", "EU-A-29")
@pytest.mark.parametrize("name", list(CASES))
def test_companies_of_the_minors_owner_need_no_consent(name: str) -> None:
    """Any company of the same owner, not the minor alone (reported as #7261, #8508)."""
    state, case = reserved(name, owner="Ana")
    after = play(state, case.lay)
    assert after.board.laid[case.lay.hex] == (case.lay.tile, case.lay.turn)
    assert not isinstance(after.step, Consent)


@rule("EU-4.6-h")
def test_the_minor_itself_lays_there_and_another_minor_asks() -> None:
    state = own_minors(game(), {"7": "Ben", "4": "Ana", "13": "Ben"})
    own = play(operate(state, "7"), LayTile("I6", "9", 1))
    assert own.board.laid == {"I6": ("9", 1)}
    stranger = operate(tiles(state, J7=("202", 2)), "4")
    asked = play(stranger, LayTile("I6", "9", 2))
    assert asked.acting == "Ben"
    assert "I6" not in asked.board.laid


@rule("EU-4.6-i")
def test_florence_and_the_hex_north_of_it_both_belong_to_minor_10() -> None:
    for name, at in (("F19", "F19"), ("Florence", "F21")):
        state, case = reserved(name)
        assert case.lay.hex == at
        assert isinstance(play(state, case.lay).step, Consent)
    # Bologna beside it does not
    state, _ = reserved("Florence")
    after = play(tiles(state, F21=("58", 2)), LayTile("G20", "4", 1))
    assert after.board.laid["G20"] == ("4", 1)


@rule("EU-A-28")
@pytest.mark.parametrize("name", list(CASES))
def test_the_reservation_concerns_the_empty_hex_only(name: str) -> None:
    """Who upgrades later asks nobody (reported as #7437, R#72)."""
    state, case = reserved(name)
    built = tiles(state, **{case.lay.hex: (case.lay.tile, case.lay.turn)})
    after = play(built, case.upgrade)
    assert after.board.laid[case.lay.hex] == (case.upgrade.tile, case.upgrade.turn)


@rule("EU-A-28")
@pytest.mark.parametrize("name", list(CASES))
def test_the_reservation_ends_with_the_minor(name: str) -> None:
    """When the minor has left play anybody may build (reported as #7437, R#72)."""
    state, case = reserved(name)
    gone = charter(state, case.minor, closed=True, owner="")
    gone = tokens(gone, C8=((),)) if name == "Brussels" else gone
    after = play(gone, case.lay)
    assert after.board.laid[case.lay.hex] == (case.lay.tile, case.lay.turn)


@rule("EU-A-29")
def test_only_the_owner_answers_and_only_with_yes_or_no() -> None:
    state, case = reserved("I6")
    asked = play(state, case.lay)
    assert [type(option) for option in asked.options()] == [Accept, Decline]
    assert code(asked, Pass()) == "not-now"
    refused = asked.refusal(Accept(by="Ana"))
    assert refused is not None
    assert refused.code == "not-your-turn"


@rule("EU-4.6-h")
def test_an_ordinary_hex_needs_no_consent() -> None:
    state, _ = reserved("I6")
    after = play(state, LayTile("K6", "8", 1))
    assert after.board.laid["K6"] == ("8", 1)
